//! Interval of the difference between two shares over the same samples.

use statrs::distribution::{ContinuousCDF, Normal};

use super::share::{FEWEST_CLUSTERS, effective};
use super::student::student;
use super::{Interval, real, tails};

/// Halvings of the scale from -1 to 1: beyond the precision of a number.
const HALVINGS: usize = 60;

/// Samples of one cluster (image) that two models answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Only A is right.
    pub only_a: u32,
    /// Only B is right.
    pub only_b: u32,
    /// All of them.
    pub n: u32,
}

/// Two-sided interval of share of A less share of B at confidence `level` (0.95 for 95 %), in [-1, 1].
///
/// Tango's score interval; over clusters of several samples at the effective number of samples, with Student's t
/// on the number of clusters less one (see [`super::share_interval`], which tells how the effective number is
/// found and how far it is trusted). `None` without samples, with fewer than [`FEWEST_CLUSTERS`] clusters of
/// several samples, or unless `0 < level < 1`.
///
/// Source: T. Tango, "Equivalence test and confidence interval for the difference in proportions for the
/// paired-sample design", Statistics in Medicine 17 (1998), equations 10 to 13.
#[must_use]
pub fn paired_share_interval(clusters: &[Pairs], level: f64) -> Option<Interval> {
    let filled: Vec<&Pairs> = clusters.iter().filter(|pairs| pairs.n > 0).collect();
    let sum = |part: fn(&Pairs) -> u32| {
        filled
            .iter()
            .map(|pairs| f64::from(part(pairs)))
            .sum::<f64>()
    };
    let (a, b, n) = (sum(|p| p.only_a), sum(|p| p.only_b), sum(|p| p.n));
    if filled.is_empty() {
        return None;
    }
    let upper = tails(level)?.1;
    if filled.iter().all(|pairs| pairs.n == 1) {
        return Some(score_interval(
            a,
            b,
            n,
            Normal::standard().inverse_cdf(upper),
        ));
    }
    let groups = filled.len();
    if groups < FEWEST_CLUSTERS {
        return None;
    }
    let freedom = real(groups as u64 - 1);
    let quantile = student(freedom, level)?;
    let difference = (a - b) / n;
    let apart = |pairs: &Pairs| f64::from(pairs.only_a) - f64::from(pairs.only_b);
    let squares: f64 = filled
        .iter()
        .map(|pairs| (apart(pairs) - difference * f64::from(pairs.n)).powi(2))
        .sum();
    let variance = real(groups as u64) / freedom * squares / (n * n);
    let simple = (a + b) / n - difference * difference;
    let off = filled
        .iter()
        .filter(|pairs| pairs.only_a + pairs.only_b > 0)
        .count();
    let scale = effective(n, groups, off, [simple, variance]) / n;
    Some(score_interval(a * scale, b * scale, n * scale, quantile))
}

/// The differences that the score test at a quantile does not reject.
fn score_interval(a: f64, b: f64, n: f64, quantile: f64) -> Interval {
    let estimate = (a - b) / n;
    // The statistic falls as the difference grows.
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

/// How far the counts are from a difference, in standard errors under that difference.
fn statistic(a: f64, b: f64, n: f64, difference: f64) -> f64 {
    let (twice, linear) = (2.0 * n, (2.0 * n - a + b) * difference - a - b);
    let constant = -b * difference * (1.0 - difference);
    let root = (linear * linear - 4.0 * twice * constant).max(0.0).sqrt();
    // The share of samples that only B gets right, at its most likely value under this difference.
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

    fn alone(only_a: u32, only_b: u32, n: u32) -> Vec<Pairs> {
        let pair = |at: u32| Pairs {
            only_a: u32::from(at < only_a),
            only_b: u32::from((only_a..only_a + only_b).contains(&at)),
            n: 1,
        };
        (0..n).map(pair).collect()
    }

    /// The share of samples that only B gets right at its most likely value under a difference, by search.
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
            let found = paired_share_interval(&alone(a, b, n), 0.95).unwrap();
            let [a, b, n] = [a, b, n].map(f64::from);
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
            let one = paired_share_interval(&alone(a, b, n), 0.95).unwrap();
            let other = paired_share_interval(&alone(b, a, n), 0.95).unwrap();
            assert!(
                (one.low + other.high).abs() < 1e-9,
                "{a} {b} {n}: {one:?} {other:?}"
            );
            assert!(one.contains((f64::from(a) - f64::from(b)) / f64::from(n)));
        }
    }

    #[test]
    fn identical_repeats_do_not_narrow_the_interval() {
        let once = alone(9, 4, 60);
        let four: Vec<Pairs> = once
            .iter()
            .map(|pair| Pairs {
                only_a: 4 * pair.only_a,
                only_b: 4 * pair.only_b,
                n: 4,
            })
            .collect();
        let [once, four] = [once, four].map(|pairs| paired_share_interval(&pairs, 0.95).unwrap());
        assert!(
            four.low <= once.low && once.high <= four.high,
            "{once:?} {four:?}"
        );
        assert!(
            paired_share_interval(
                &[Pairs {
                    only_a: 1,
                    only_b: 0,
                    n: 2
                }; 9],
                0.95
            )
            .is_none()
        );
    }
}
