//! Interval of a share whose samples share images, or whose answers repeat a sample.

use std::collections::BTreeMap;

use statrs::distribution::{ContinuousCDF, Normal};

use super::clustered::ClusteredMean;
use super::student::student;
use super::wilson::wilson_at;
use super::{Interval, real, tails, wilson};

/// Fewest clusters of several answers from which an interval is computed.
pub const FEWEST_CLUSTERS: usize = 10;
/// Fewest independent answers from which Wilson's interval covers 92 % at shares of .05; below it Agresti and
/// Coull's, which contains Wilson's, is taken.
const FEWEST_FOR_WILSON: u64 = 20;
/// Halvings of the scale of a correlation.
const HALVINGS: usize = 30;
/// Degrees of freedom that differ by less are equal.
const ROUNDING: f64 = 1e-9;

/// Two-sided interval of a share at confidence `level` (0.95 for 95 %), from the successes and the number of
/// answers of each cluster (image, or sample with repeats).
///
/// Independent answers (clusters of one): Wilson's interval, below twenty answers Agresti and Coull's. Else Wilson's
/// at the effective number of answers, with Student's t on the number of clusters less one. The effective number is the
/// one at which a simple random sample would have the variance of the share. This variance is the bias-reduced
/// cluster-robust one (CR2) as far as its degrees of freedom go (Bell and `McCaffrey`'s, over the number of clusters
/// less one), and for the rest the variance under one correlation within all clusters: a share has no more spread than
/// its value says, which the few degrees of freedom of one large cluster do not know. A variance that rests on few
/// clusters is not trusted: with `k` clusters off the common answer it counts `k² / (k² + 1)`, and complete
/// correlation within clusters the rest.
///
/// `None` without answers, with fewer than [`FEWEST_CLUSTERS`] clusters of several answers, or unless
/// `0 < level < 1`.
///
/// Source: E. B. Wilson, JASA 22 (1927); A. Agresti and B. A. Coull, American Statistician 52 (1998); R. M. Bell and
/// D. F. `McCaffrey`, Survey Methodology 28 (2002); effective sample size as in E. L. Korn and B. I. Graubard,
/// "Confidence intervals for proportions with small expected number of positive counts estimated from survey data",
/// Survey Methodology 24 (1998); L. Kish, "Survey sampling" (1965), section 8.2, for complete correlation.
#[must_use]
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
    // The mean size of the cluster of an answer, over all answers: one over Kish's effective number.
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

/// The correlation of the answers within clusters, from 0 to 1, at which the means of clusters spread about the common
/// share as much as expected.
///
/// Source: R. C. Paule and J. Mandel, "Consensus values and weighting factors", Journal of Research of the National
/// Bureau of Standards 87 (1982).
fn correlation(clusters: &[(f64, f64)]) -> f64 {
    // Clusters of one size weigh the same: their number, the sum of their means and that of its squares.
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

/// Returns true if several answers or scores share a cluster and the clusters are fewer than [`FEWEST_CLUSTERS`]: no
/// interval is computed from them. Clusters are given by sum and number; those of none do not count.
#[must_use]
pub fn is_few(clusters: &[(f64, u32)]) -> bool {
    let filled = clusters.iter().filter(|(_, n)| *n > 0).count();
    filled < FEWEST_CLUSTERS && clusters.iter().any(|(_, n)| *n > 1)
}

fn independent(successes: f64, n: u64, level: f64) -> Option<Interval> {
    if n >= FEWEST_FOR_WILSON {
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

/// Agresti and Coull's interval at a quantile: the usual one after half the squared quantile was added to
/// successes and failures each.
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

    /// Clusters of three sizes, worked out apart by a search over a grid of 10,001 correlations.
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
