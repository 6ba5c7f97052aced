//! Computes `McNemar`'s test for two models on the same samples.

use statrs::distribution::{Binomial, DiscreteCDF};

/// Returns the exact two-sided p value of `McNemar`'s test from the numbers of samples that only
/// one of two models has right.
///
/// Under the null hypothesis `only_a` is binomial with probability one half; samples that both or
/// neither have right do not matter. The value lies in (0, 1]: it is 1 without discordant
/// samples, and the smallest positive number where floating point would give 0. Samples must be
/// independent; with several in a cluster use [`super::DifferenceTest`].
///
/// Source: Q. `McNemar`, Psychometrika 12 (1947); the exact form in A. Agresti, "Categorical data
/// analysis" (2013), section 11.1.
pub fn mcnemar_exact(only_a: u64, only_b: u64) -> f64 {
    let fewer = only_a.min(only_b);
    Binomial::new(0.5, only_a + only_b).map_or(1.0, |either| {
        (2.0 * either.cdf(fewer)).clamp(f64::MIN_POSITIVE, 1.0)
    })
}

#[cfg(test)]
mod tests {
    use super::mcnemar_exact;

    #[test]
    fn small_counts_by_hand() {
        assert_eq!(mcnemar_exact(0, 0), 1.0);
        assert!((mcnemar_exact(1, 0) - 1.0).abs() < 1e-12);
        assert!((mcnemar_exact(0, 5) - 2.0 / 32.0).abs() < 1e-12);
        assert!((mcnemar_exact(5, 1) - 2.0 * 7.0 / 64.0).abs() < 1e-12);
    }

    #[test]
    fn sides_are_alike_and_p_is_never_zero() {
        for (a, b) in [(3, 9), (0, 40), (120, 90)] {
            assert_eq!(mcnemar_exact(a, b), mcnemar_exact(b, a));
        }
        assert!(mcnemar_exact(200_000, 0) > 0.0);
        assert_eq!(mcnemar_exact(70, 70), 1.0);
    }
}
