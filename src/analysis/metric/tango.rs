//! Computes the interval of the difference between two shares over the same independent samples.

use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::beta::beta_reg;

use super::{Interval, mcnemar_exact, real, tails};

/// Number of bisection steps; enough for full precision.
const HALVINGS: usize = 60;

/// Computes the two-sided interval of the share of A minus the share of B at confidence `level`
/// (0.95 for 95 %), in [-1, 1]. Inputs are the numbers of independent samples that only A and
/// only B have right, and of all samples.
///
/// It is the union of two intervals: Tango's score interval, and the exact interval given the
/// number of samples that only one side has right. The exact interval belongs to `McNemar`'s exact
/// test: the union contains 0 exactly if [`mcnemar_exact`] is more than `1 - level`. For samples in
/// clusters see [`super::DifferenceTest`].
///
/// `None` without samples, if `n` is less than the sum of both numbers, or unless `0 < level < 1`.
///
/// Source: T. Tango, "Equivalence test and confidence interval for the difference in proportions
/// for the paired-sample design", Statistics in Medicine 17 (1998), equations 10 to 13; C. J.
/// Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case
/// of the binomial", Biometrika 26 (1934).
pub fn paired_share_interval(only_a: u64, only_b: u64, n: u64, level: f64) -> Option<Interval> {
    let upper = tails(level)?.1;
    if n == 0 || only_a + only_b > n {
        return None;
    }
    let quantile = Normal::standard().inverse_cdf(upper);
    let score = score_interval(real(only_a), real(only_b), real(n), quantile);
    let moved = real(only_a + only_b);
    let [low, high] =
        exact_share(only_a, only_b, 1.0 - upper).map(|share| (2.0 * share - 1.0) * moved / real(n));
    let interval = Interval {
        low: low.min(score.low),
        high: high.max(score.high),
    };
    Some(interval.consistent_with_test(mcnemar_exact(only_a, only_b), level))
}

/// Computes the two-sided score interval of the share of A minus the share of B at confidence
/// `level`, from counts at an effective number of independent samples. `only_a` and `only_b` count
/// the samples that only this side has right, and `n` all samples; counts need not be whole. `None`
/// without samples or unless `0 < level < 1`.
///
/// Source: T. Tango, Statistics in Medicine 17 (1998), equations 10 to 13.
pub fn effective_share_interval(
    [only_a, only_b]: [f64; 2],
    n: f64,
    level: f64,
) -> Option<Interval> {
    let upper = tails(level)?.1;
    let quantile = Normal::standard().inverse_cdf(upper);
    (n > 0.0).then(|| score_interval(only_a, only_b, n, quantile))
}

/// Computes the Clopper-Pearson interval of A's share among the samples that only one side has
/// right, with probability `tail` on each side.
fn exact_share(only_a: u64, only_b: u64, tail: f64) -> [f64; 2] {
    // Finds the share at which at least `hits` samples occur with probability `tail`.
    let share = |hits: u64, others: u64| {
        if hits == 0 {
            return 0.0;
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if beta_reg(real(hits), real(others) + 1.0, middle) < tail {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    };
    [share(only_a, only_b), 1.0 - share(only_b, only_a)]
}

/// Returns the range of differences that the score test does not reject at a quantile.
fn score_interval(a: f64, b: f64, n: f64, quantile: f64) -> Interval {
    let estimate = (a - b) / n;
    // The statistic falls as the difference grows, so bisection finds an end.
    let end = |mut inside: f64, mut outside: f64| {
        for _ in 0..HALVINGS {
            let middle = 0.5 * (inside + outside);
            if statistic(a, b, n, middle).abs() <= quantile {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        inside
    };
    Interval {
        low: end(estimate, -1.0),
        high: end(estimate, 1.0),
    }
}

/// Returns the distance of the counts from a difference, in standard errors under that difference.
fn statistic(a: f64, b: f64, n: f64, difference: f64) -> f64 {
    let (twice, linear) = (2.0 * n, (2.0 * n - a + b) * difference - a - b);
    let constant = -b * difference * (1.0 - difference);
    let root = (linear * linear - 4.0 * twice * constant).max(0.0).sqrt();
    // Maximum likelihood estimate, under this difference, of the share that only B has right.
    let only_b = ((root - linear) / (2.0 * twice)).max(0.0);
    let variance = n * (2.0 * only_b + difference * (1.0 - difference));
    let apart = a - b - n * difference;
    if variance <= 0.0 {
        return if apart.abs() < 1e-12 {
            0.0
        } else {
            f64::INFINITY
        };
    }
    apart / variance.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches for the most likely share of samples that only B has right, under a difference.
    fn most_likely(a: f64, b: f64, n: f64, difference: f64) -> f64 {
        let likelihood = |only_b: f64| {
            let term = |count: f64, share: f64| if count > 0.0 { count * share.ln() } else { 0.0 };
            term(a, only_b + difference)
                + term(b, only_b)
                + term(n - a - b, 1.0 - 2.0 * only_b - difference)
        };
        let (mut low, mut high) = ((-difference).max(0.0), 0.5 * (1.0 - difference));
        for _ in 0..200 {
            let (one, other) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if likelihood(one) < likelihood(other) {
                low = one;
            } else {
                high = other;
            }
        }
        0.5 * (low + high)
    }

    #[test]
    fn the_ends_are_where_the_score_test_turns() {
        for (a, b, n) in [(3, 1, 20), (12, 30, 90), (0, 1, 44), (9, 0, 30)] {
            let [a, b, n] = [a, b, n].map(f64::from);
            let found = score_interval(a, b, n, 1.959_964);
            for (end, sign) in [(found.low, 1.0), (found.high, -1.0)] {
                let only_b = most_likely(a, b, n, end);
                let variance = n * (2.0 * only_b + end - end * end);
                let score = (a - b - n * end) / variance.sqrt();
                assert!(
                    (score - sign * 1.959_964).abs() < 1e-3,
                    "{a} {b} {n}: {score}"
                );
            }
        }
    }

    #[test]
    fn changing_sides_mirrors_the_interval() {
        for (a, b, n) in [(0, 0, 10), (3, 1, 20), (7, 0, 7), (12, 30, 90)] {
            let one = paired_share_interval(a, b, n, 0.95).unwrap();
            let other = paired_share_interval(b, a, n, 0.95).unwrap();
            assert!(
                (one.low + other.high).abs() < 1e-9,
                "{a} {b} {n}: {one:?} {other:?}"
            );
            assert!(one.contains((real(a) - real(b)) / real(n)));
        }
    }

    /// The interval contains 0 exactly if the test does not reject.
    #[test]
    fn the_interval_holds_no_difference_where_the_exact_test_does_not_reject() {
        for n in [8, 20, 60, 400] {
            for only_a in 0..=n.min(60) {
                for only_b in 0..=(n - only_a).min(60) {
                    let found = paired_share_interval(only_a, only_b, n, 0.95).unwrap();
                    let is_rejected = mcnemar_exact(only_a, only_b) < 0.05;
                    assert_eq!(found.contains(0.0), !is_rejected, "{only_a} {only_b} {n}");
                    let exact = exact_share(only_a, only_b, 0.025);
                    let holds_half = exact[0] <= 0.5 && exact[1] >= 0.5;
                    assert_eq!(holds_half, !is_rejected, "{only_a} {only_b}: {exact:?}");
                }
            }
        }
    }

    /// Reference: `scipy.stats.binomtest(15, 20).proportion_ci(method="exact")`.
    #[test]
    fn the_exact_share_is_that_of_the_tables() {
        let [low, high] = exact_share(15, 5, 0.025);
        assert!(
            (low - 0.508_954_128_292).abs() < 1e-9 && (high - 0.913_428_530_898_6).abs() < 1e-9
        );
        assert_eq!(exact_share(0, 4, 0.025)[0], 0.0);
        assert_eq!(exact_share(4, 0, 0.025)[1], 1.0);
        assert_eq!(paired_share_interval(0, 0, 0, 0.95), None);
        assert_eq!(paired_share_interval(3, 2, 4, 0.95), None);
    }
}
