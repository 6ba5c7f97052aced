//! Computes the confidence interval of a proportion, for example an accuracy or an error rate.
//!
//! The normal interval `p ± 1.96 SE` fails near 0 and 1 and with few questions: it leaves
//! `[0, 1]` or shrinks to a point. Wilson's score interval does neither.

use statrs::distribution::{ContinuousCDF, Normal};

use super::{Interval, real, tails};

/// Computes Wilson's two-sided score interval of `successes` out of `n` at confidence `level`
/// (0.95 for 95 %).
///
/// Both ends lie between 0 and 1; the lower is exactly 0 without a success and the upper exactly
/// 1 without a failure. `None` if `n` is 0, if `successes` exceeds `n`, or unless
/// `0 < level < 1`.
///
/// Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
/// JASA 22 (1927); equation 4 in Brown, Cai and `DasGupta`, "Interval estimation for a binomial
/// proportion", Statistical Science 16 (2001).
pub fn wilson(successes: u64, n: u64, level: f64) -> Option<Interval> {
    if n == 0 || successes > n {
        return None;
    }
    let share = real(successes) / real(n);
    let interval = wilson_of_share(share, real(n), level)?;
    Some(Interval {
        low: if successes == 0 { 0.0 } else { interval.low },
        high: if successes == n { 1.0 } else { interval.high },
    })
}

/// Computes Wilson's interval of a share with an effective sample size `n`, which need not be
/// whole.
///
/// Returns `None` unless `0 <= share <= 1`, `n > 0` and `0 < level < 1`.
pub fn wilson_of_share(share: f64, n: f64, level: f64) -> Option<Interval> {
    wilson_at(share, n, Normal::standard().inverse_cdf(tails(level)?.1))
}

/// Computes Wilson's interval at a quantile. `None` unless `0 <= share <= 1` and `n > 0`.
pub(super) fn wilson_at(share: f64, n: f64, quantile: f64) -> Option<Interval> {
    if !(0.0..=1.0).contains(&share) || n.is_nan() || n <= 0.0 {
        return None;
    }
    let more = quantile * quantile;
    let centre = (n * share + 0.5 * more) / (n + more);
    let reach = reach(share, n, quantile);
    Some(Interval {
        low: (centre - reach).max(0.0),
        high: (centre + reach).min(1.0),
    })
}

/// Returns the half-width of Wilson's interval.
fn reach(share: f64, n: f64, z: f64) -> f64 {
    z / (n + z * z) * (n * share * (1.0 - share) + 0.25 * z * z).sqrt()
}

/// Returns the smallest number of samples for which Wilson's interval has a half-width of at most
/// `wanted` at this `share`. `None` unless `0 < wanted < 0.5`, `0 <= share <= 1` and
/// `0 < level < 1`.
pub fn needed_for_reach(share: f64, wanted: f64, level: f64) -> Option<u64> {
    if !(0.0..=1.0).contains(&share) || wanted.is_nan() || wanted <= 0.0 || wanted >= 0.5 {
        return None;
    }
    let z = Normal::standard().inverse_cdf(tails(level)?.1);
    let enough = |n: &u64| reach(share, real(*n), z) <= wanted;
    let above = (0..63).map(|power| 1_u64 << power).find(enough)?;
    // The half-width falls with n, so a bisection finds the smallest sufficient size.
    let (mut low, mut high) = (above / 2, above);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if enough(&middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_exact_without_a_success_or_a_failure() {
        assert_eq!(wilson(0, 7, 0.95).map(|interval| interval.low), Some(0.0));
        assert_eq!(wilson(7, 7, 0.95).map(|interval| interval.high), Some(1.0));
    }

    #[test]
    fn swapping_successes_and_failures_mirrors_the_interval() {
        for successes in 0..=40 {
            let (one, other) = (
                wilson(successes, 40, 0.9).unwrap(),
                wilson(40 - successes, 40, 0.9).unwrap(),
            );
            assert!(
                (one.low - (1.0 - other.high)).abs() < 1e-15,
                "{one:?} {other:?}"
            );
            assert!(one.contains(real(successes) / 40.0));
        }
    }

    #[test]
    fn nothing_to_estimate_gives_none() {
        assert_eq!(wilson(0, 0, 0.95), None);
        assert_eq!(wilson(3, 2, 0.95), None);
        assert_eq!(wilson(1, 2, 1.0), None);
    }

    #[test]
    fn the_needed_size_is_the_smallest_that_is_enough() {
        for (share, wanted) in [
            (0.0, 0.05),
            (0.5, 0.05),
            (0.02, 0.01),
            (0.5, 0.49),
            (1.0, 0.001),
        ] {
            let needed = needed_for_reach(share, wanted, 0.95).unwrap();
            let reach = |n: u64| reach(share, real(n), 1.959_963_984_540_054);
            assert!(reach(needed) <= wanted, "{share} {wanted}: {needed}");
            assert!(
                needed == 1 || reach(needed - 1) > wanted,
                "{share} {wanted}: {needed}"
            );
        }
        assert_eq!(needed_for_reach(0.5, 0.05, 0.95), Some(381));
        assert_eq!(needed_for_reach(0.5, 0.0, 0.95), None);
        assert_eq!(wilson_of_share(1.2, 5.0, 0.95), None);
    }
}
