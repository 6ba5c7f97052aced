//! Computes the interval of a share whose samples share images, or whose answers repeat a sample.

use std::collections::BTreeMap;

use statrs::distribution::{ContinuousCDF, Normal};

use super::clustered::ClusteredMean;
use super::student::student;
use super::wilson::wilson_at;
use super::{Interval, real, tails, wilson};

/// Minimum number of clusters for an interval, if clusters have several answers.
pub const MIN_CLUSTERS: usize = 10;
/// Minimum number of independent answers for Wilson's interval, which covers 92 % at shares of .05.
/// With fewer answers, Agresti and Coull's interval is used, which contains Wilson's.
const MIN_FOR_WILSON: u64 = 20;
/// Number of bisection steps for a correlation.
const HALVINGS: usize = 30;
/// Tolerance for equal degrees of freedom.
const ROUNDING: f64 = 1e-9;

/// Computes the two-sided interval of a share at confidence `level` (0.95 for 95 %). `clusters`
/// holds the successes and the number of answers of each cluster (image, or sample with repeats).
///
/// For independent answers (clusters of one) it is Wilson's interval, and below twenty answers
/// Agresti and Coull's. Otherwise it is Wilson's interval at the effective number of answers, with
/// Student's t on one degree of freedom less than clusters. The effective number is the size of a
/// simple random sample with the same variance of the share.
///
/// The variance is a weighted mean of two variances. The first is the bias-reduced cluster-robust
/// variance (CR2). Its weight is its degrees of freedom (Bell and `McCaffrey`'s) divided by the
/// number of clusters minus one. The second is the variance under one correlation within all
/// clusters; it is needed if one large cluster leaves few degrees of freedom. A variance from few
/// clusters is unreliable. With `k` clusters that differ from the common answer, its weight is
/// therefore `k² / (k² + 1)`, and complete correlation within clusters gets the rest.
///
/// `None` without answers, with fewer than [`MIN_CLUSTERS`] clusters of several answers, or
/// unless `0 < level < 1`.
///
/// Source: E. B. Wilson, JASA 22 (1927); A. Agresti and B. A. Coull, American Statistician 52
/// (1998); R. M. Bell and D. F. `McCaffrey`, Survey Methodology 28 (2002); effective sample size
/// as in E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small expected
/// number of positive counts estimated from survey data", Survey Methodology 24 (1998); L. Kish,
/// "Survey sampling" (1965), section 8.2, for complete correlation.
pub fn share_interval(clusters: &[(f64, u32)], level: f64) -> Option<Interval> {
    let filled: Vec<(f64, f64)> = clusters
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|(sum, n)| (*sum, f64::from(*n)))
        .collect();
    let groups = filled.len();
    if groups == 0 {
        return None;
    }
    if filled.iter().all(|(_, n)| *n <= 1.0) {
        let successes = filled.iter().map(|(sum, _)| sum).sum();
        return independent(successes, groups as u64, level);
    }
    if is_few(clusters) {
        return None;
    }
    let found = ClusteredMean::new(filled.iter().copied())?;
    let most = real(groups as u64 - 1);
    let quantile = student(most, level)?;
    let share = found.mean.clamp(0.0, 1.0);
    let one = share * (1.0 - share);
    // Sum of squared cluster sizes divided by the squared number of answers: the inverse of
    // Kish's effective number.
    let alike = filled.iter().map(|(_, of)| of * of).sum::<f64>() / (found.n * found.n);
    let trust = (found.freedom / most).min(1.0);
    let mut variance = found.error * found.error;
    if trust < 1.0 - ROUNDING {
        let correlation = correlation(&filled);
        let modelled = one * (correlation * alike + (1.0 - correlation) / found.n);
        variance = trust * variance + (1.0 - trust) * modelled;
    }
    let some = filled.iter().filter(|(sum, _)| *sum > 0.0).count();
    let lacking = filled.iter().filter(|(sum, of)| sum < of).count();
    let off = real(some.min(lacking) as u64).powi(2);
    let own = if variance > 0.0 {
        variance / one
    } else {
        alike
    };
    let inverse = (off * own + own.max(alike)) / (off + 1.0);
    wilson_at(share, 1.0 / inverse, quantile)
}

/// Estimates the correlation of the answers within clusters, 0 to 1: the value at which the
/// spread of the cluster means about the common share is as expected.
///
/// Source: R. C. Paule and J. Mandel, "Consensus values and weighting factors", Journal of
/// Research of the National Bureau of Standards 87 (1982).
fn correlation(clusters: &[(f64, f64)]) -> f64 {
    // Clusters of one size have the same weight: their count, sum of means, and sum of squared
    // means are sufficient.
    let mut sizes: BTreeMap<u64, [f64; 3]> = BTreeMap::new();
    for (sum, of) in clusters {
        let mean = sum / of;
        let all = sizes.entry(of.to_bits()).or_default();
        for (all, own) in all.iter_mut().zip([1.0, mean, mean * mean]) {
            *all += own;
        }
    }
    let freedom = real(clusters.len() as u64) - 1.0;
    let excess = |correlation: f64| {
        let (mut weights, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for (of, [count, means, mean_squares]) in &sizes {
            let of = f64::from_bits(*of);
            let weight = 1.0 / (correlation + (1.0 - correlation) / of);
            weights += weight * count;
            sum += weight * means;
            squares += weight * mean_squares;
        }
        let mean = sum / weights;
        let one = mean * (1.0 - mean);
        if one > 0.0 {
            (squares - weights * mean * mean) / one - freedom
        } else {
            -freedom
        }
    };
    if excess(0.0) <= 0.0 {
        return 0.0;
    }
    if excess(1.0) >= 0.0 {
        return 1.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Returns true if some clusters have several answers and there are fewer than [`MIN_CLUSTERS`],
/// so that no interval is computed. Clusters are given by sum and number; empty clusters are
/// ignored.
pub fn is_few(clusters: &[(f64, u32)]) -> bool {
    let filled = clusters.iter().filter(|(_, n)| *n > 0).count();
    filled < MIN_CLUSTERS && clusters.iter().any(|(_, n)| *n > 1)
}

fn independent(successes: f64, n: u64, level: f64) -> Option<Interval> {
    if n >= MIN_FOR_WILSON {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a sum of marks 0 and 1"
        )]
        return wilson(successes.round() as u64, n, level);
    }
    let quantile = Normal::standard().inverse_cdf(tails(level)?.1);
    Some(agresti_coull(successes / real(n), real(n), quantile))
}

/// Computes Agresti and Coull's interval at a quantile: the usual interval after adding half the
/// squared quantile to both successes and failures.
fn agresti_coull(share: f64, n: f64, quantile: f64) -> Interval {
    let more = n + quantile * quantile;
    let centre = (n * share + 0.5 * quantile * quantile) / more;
    let reach = quantile * (centre * (1.0 - centre) / more).sqrt();
    Interval {
        low: (centre - reach).max(0.0),
        high: (centre + reach).min(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn independent_answers_have_wilsons_interval_from_twenty_on() {
        let answers: Vec<(f64, u32)> = (0..40).map(|at| (f64::from(at % 4 / 3), 1)).collect();
        assert_eq!(share_interval(&answers, 0.95), wilson(10, 40, 0.95));
        let few = share_interval(&answers[..12], 0.95).unwrap();
        let wilson = wilson(3, 12, 0.95).unwrap();
        assert!(few.low < wilson.low && wilson.high < few.high);
    }

    #[test]
    fn identical_repeats_do_not_narrow_the_interval() {
        let right = |at: u32| f64::from(u8::from(at.is_multiple_of(3)));
        let once: Vec<(f64, u32)> = (0..60).map(|at| (right(at), 1)).collect();
        let four: Vec<(f64, u32)> = (0..60).map(|at| (4.0 * right(at), 4)).collect();
        let [once, four] = [once, four].map(|answers| share_interval(&answers, 0.95).unwrap());
        assert!(
            four.low <= once.low && once.high <= four.high,
            "{once:?} {four:?}"
        );
        assert!(four.high - four.low < 1.15 * (once.high - once.low));
    }

    #[test]
    fn without_variance_the_clusters_count() {
        let all: Vec<(f64, u32)> = vec![(6.0, 6); 20];
        let found = share_interval(&all, 0.95).unwrap();
        let quantile = student(19.0, 0.95).unwrap();
        assert_eq!(Some(found), wilson_at(1.0, 20.0, quantile));
    }

    #[test]
    fn few_clusters_of_several_answers_have_none() {
        assert_eq!(share_interval(&[(2.0, 4); 9], 0.95), None);
        assert!(share_interval(&[(2.0, 4); 10], 0.95).is_some());
        assert!(share_interval(&[(1.0, 1), (0.0, 1), (1.0, 1)], 0.95).is_some());
        assert_eq!(share_interval(&[], 0.95), None);
    }

    #[test]
    fn one_large_cluster_counts_little_more_than_one() {
        let mut clusters: Vec<(f64, u32)> = (0..12).map(|at| (f64::from(at % 2), 1)).collect();
        clusters.push((40.0, 40));
        let found = share_interval(&clusters, 0.95).unwrap();
        assert!(found.low < 0.4, "{found:?}");
        let alone = wilson(46, 52, 0.95).unwrap();
        assert!(alone.low > 0.75, "{alone:?}");
    }

    /// Clusters of three sizes; the reference comes from a grid search over 10,001 correlations.
    #[test]
    fn the_correlation_is_where_means_spread_as_expected() {
        let clusters = [
            (4.0, 4.0),
            (0.0, 4.0),
            (3.0, 4.0),
            (1.0, 2.0),
            (2.0, 2.0),
            (0.0, 1.0),
        ];
        let found = correlation(&clusters);
        assert!((found - 0.7152).abs() < 1e-4, "{found}");
        assert_eq!(correlation(&[(1.0, 2.0); 12]), 0.0);
        let apart = [(4.0, 4.0), (0.0, 4.0), (4.0, 4.0), (0.0, 4.0)];
        assert_eq!(correlation(&apart), 1.0);
    }
}
