//! A test of two models on the same samples that is fast enough for all pairs of many models.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::student::student;
use super::{Interval, real};

/// Two-sided p value of the mean difference of two models, from each cluster's sum of differences and its number
/// of samples (`sizes`); clusters of one are independent samples. In (0, 1].
///
/// Student's t on the cluster-robust error with the number of clusters less one; at least the smallest value that a
/// test which flips the signs of whole clusters can have, so that a few clusters that all point one way prove
/// no more than a coin that fell the same way as often.
///
/// Sources: A. C. Cameron and D. L. Miller, "A practitioner's guide to cluster-robust inference", Journal of Human
/// Resources 50 (2015), sections II and VI; R. A. Fisher, "The design of experiments" (1935), section 21.
#[must_use]
pub fn paired_t_test(differences: impl Iterator<Item = f64> + Clone, sizes: &[f64]) -> f64 {
    let clusters = real(sizes.len() as u64);
    let (mut sum, mut moved) = (0.0, 0_u32);
    for difference in differences.clone() {
        sum += difference;
        moved += u32::from(difference.abs() > ROUNDING);
    }
    if moved == 0 || sizes.len() < 2 {
        return 1.0;
    }
    let n: f64 = sizes.iter().sum();
    let mean = sum / n;
    let squares: f64 = differences
        .zip(sizes)
        .map(|(difference, size)| (difference - mean * size).powi(2))
        .sum();
    let error = (clusters / (clusters - 1.0) * squares).sqrt() / n;
    let least = 0.5_f64.powf(f64::from(moved) - 1.0);
    if error <= ROUNDING * mean.abs() {
        return least;
    }
    let t = (mean / error).abs();
    let p_value = StudentsT::new(0.0, 1.0, clusters - 1.0).map_or(1.0, |law| 2.0 * law.sf(t));
    p_value.max(least).min(1.0)
}

/// Two-sided p value of a difference whose standard error over `clusters` clusters is known: Student's t with the
/// number of clusters less one; at least what coins for that many clusters could prove. 1 without an error.
#[must_use]
pub fn error_t_test(difference: f64, error: f64, clusters: u64) -> f64 {
    if clusters < 2 || error.is_nan() || error <= ROUNDING * difference.abs() {
        return 1.0;
    }
    let least = 0.5_f64.powf(real(clusters) - 1.0);
    let t = (difference / error).abs();
    let p_value = StudentsT::new(0.0, 1.0, real(clusters - 1)).map_or(1.0, |law| 2.0 * law.sf(t));
    p_value.max(least).min(1.0)
}

/// Two-sided interval at confidence `level` of a difference whose standard error over `clusters` clusters is known,
/// within `[-1, 1]`: Student's t with the number of clusters less one. `None` without an error or with fewer than
/// two clusters.
#[must_use]
pub fn error_interval(difference: f64, error: f64, clusters: u64, level: f64) -> Option<Interval> {
    if clusters < 2 || error.is_nan() || error <= ROUNDING {
        return None;
    }
    let reach = student(real(clusters - 1), level)? * error;
    Some(Interval {
        low: (difference - reach).max(-1.0),
        high: (difference + reach).min(1.0),
    })
}

/// A difference or a spread below this is rounding.
const ROUNDING: f64 = 1e-12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn independent_differences_get_students_test() {
        let found = paired_t_test([0.5, 0.25, 0.5, -0.25, 0.25].into_iter(), &[1.0; 5]);
        // Mean .25, standard deviation .30619, t = 1.8257 with 4 degrees of freedom.
        assert!((found - 0.141_943).abs() < 1e-4, "{found}");
    }

    #[test]
    fn few_clusters_that_point_one_way_prove_as_much_as_coins() {
        assert_eq!(paired_t_test([1.0; 4].into_iter(), &[1.0; 4]), 0.125);
        let one = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(paired_t_test(one.into_iter(), &[1.0; 6]), 1.0);
        assert_eq!(paired_t_test([0.0; 9].into_iter(), &[1.0; 9]), 1.0);
        assert_eq!(paired_t_test([3.0].into_iter(), &[4.0]), 1.0);
    }

    #[test]
    fn a_difference_of_two_errors_is_one_in_twenty() {
        assert!((error_t_test(0.2, 0.1, 1_000_000) - 0.0455).abs() < 1e-4);
        assert_eq!(error_t_test(0.2, 0.0, 9), 1.0);
        assert_eq!(error_t_test(9.0, 0.001, 3), 0.25);
        let found = error_interval(0.2, 0.1, 1_000_000, 0.95).unwrap();
        assert!((found.low - 0.004).abs() < 1e-4 && (found.high - 0.396).abs() < 1e-4);
        assert_eq!(error_interval(0.2, 0.0, 30, 0.95), None);
    }

    #[test]
    fn repeats_do_not_sharpen_the_test() {
        let once = [1.0, 0.0, -1.0, 1.0, 1.0, 0.0, 1.0, 1.0];
        let four = once.map(|difference| 4.0 * difference);
        let [once, four] = [
            paired_t_test(once.into_iter(), &[1.0; 8]),
            paired_t_test(four.into_iter(), &[4.0; 8]),
        ];
        assert!((once - four).abs() < 1e-12);
    }
}
