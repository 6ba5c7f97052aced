//! Interval of a share, such as an accuracy or an error rate.
//!
//! The usual `p ± 1.96 SE` fails where benchmarks live: near 0 and 1 and with few questions, where
//! it leaves `[0, 1]` or shrinks to a point. Wilson's score interval does neither.

use statrs::distribution::{ContinuousCDF, Normal};

use super::{Interval, real, tails};

/// Wilson's score interval, two-sided, of `successes` out of `n` at confidence `level` (0.95 for 95
/// %).
///
/// Both ends are fractions of one; the lower is exactly 0 without a success and the upper exactly 1
/// without a failure. `None` when `n` is 0, when `successes` exceeds `n`, or unless
/// `0 < level < 1`.
///
/// Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
/// JASA 22 (1927); equation 4 in Brown, Cai and `DasGupta`, "Interval estimation for a binomial
/// proportion", Statistical Science 16 (2001).
#[must_use]
pub fn wilson(successes: u64, n: u64, level: f64) -> Option<Interval> {
    if n == 0 || successes > n {
        return None;
    }
    let z = Normal::standard().inverse_cdf(tails(level)?.1);
    let (hits, misses, trials) = (real(successes), real(n - successes), real(n));
    let centre = (hits + 0.5 * z * z) / (trials + z * z);
    let reach = z / (trials + z * z) * (hits * misses / trials + 0.25 * z * z).sqrt();
    Some(Interval {
        low: if successes == 0 {
            0.0
        } else {
            (centre - reach).max(0.0)
        },
        high: if successes == n {
            1.0
        } else {
            (centre + reach).min(1.0)
        },
    })
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
}
