//! Interval of a share whose samples share images, or whose answers repeat a sample.

use statrs::distribution::{ContinuousCDF, Normal};

use super::student::student;
use super::{Interval, real, tails, wilson};

/// Fewest clusters of several answers from which an interval is computed.
pub const FEWEST_CLUSTERS: usize = 10;
/// Fewest independent answers from which Wilson's interval covers 92 % at shares of .05; below it Agresti and
/// Coull's, which contains Wilson's, is taken.
const FEWEST_FOR_WILSON: u64 = 20;

/// Two-sided interval of a share at confidence `level` (0.95 for 95 %), from the successes and the number of
/// answers of each cluster (image, or sample with repeats).
///
/// Independent answers (clusters of one): Wilson's interval, below twenty answers Agresti and Coull's. Else
/// Agresti and Coull's at the effective number of answers, with Student's t on the number of clusters less one.
/// The effective number is the one at which a simple random sample would have the cluster-robust variance; at
/// most the number of answers, and the number of clusters where there is no variance. A variance that rests on
/// few clusters is not trusted: with `k` clusters off the common answer, it counts `k / (k + 1)`, the number of
/// clusters the rest.
///
/// `None` without answers, with fewer than [`FEWEST_CLUSTERS`] clusters of several answers, or unless
/// `0 < level < 1`.
///
/// Source: E. B. Wilson, JASA 22 (1927); A. Agresti and B. A. Coull, American Statistician 52 (1998); effective
/// sample size as in E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small expected
/// number of positive counts estimated from survey data", Survey Methodology 24 (1998).
#[must_use]
pub fn share_interval(clusters: &[(f64, u32)], level: f64) -> Option<Interval> {
    let filled: Vec<(f64, f64)> = clusters
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|(sum, n)| (*sum, f64::from(*n)))
        .collect();
    let groups = filled.len();
    let n: f64 = filled.iter().map(|(_, n)| n).sum();
    let successes: f64 = filled.iter().map(|(sum, _)| sum).sum();
    let share = successes / n;
    if groups == 0 {
        return None;
    }
    if filled.iter().all(|(_, n)| *n <= 1.0) {
        return independent(successes, groups as u64, level);
    }
    if is_few(clusters) {
        return None;
    }
    let freedom = real(groups as u64 - 1);
    let quantile = student(freedom, level)?;
    let squares: f64 = filled
        .iter()
        .map(|(sum, of)| (sum - share * of).powi(2))
        .sum();
    let variance = real(groups as u64) / freedom * squares / (n * n);
    let some = filled.iter().filter(|(sum, _)| *sum > 0.0).count();
    let lacking = filled.iter().filter(|(sum, of)| sum < of).count();
    let simple = share * (1.0 - share);
    let effective = effective(n, groups, some.min(lacking), [simple, variance]);
    Some(agresti_coull(share, effective, quantile))
}

/// The number of independent answers that say as much as `n` answers in `groups` clusters, `off` of which are off
/// the common answer, from the variance of one answer and the cluster-robust variance of their mean.
pub(super) fn effective(n: f64, groups: usize, off: usize, [one, mean]: [f64; 2]) -> f64 {
    let fewest = n.min(real(groups as u64));
    let own = if mean > 0.0 {
        n.min(one / mean)
    } else {
        fewest
    };
    let off = real(off as u64);
    let trust = off / (off + 1.0);
    1.0 / (trust / own + (1.0 - trust) / own.min(fewest))
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
        assert_eq!(found, agresti_coull(1.0, 20.0, quantile));
    }

    #[test]
    fn few_clusters_of_several_answers_have_none() {
        assert_eq!(share_interval(&[(2.0, 4); 9], 0.95), None);
        assert!(share_interval(&[(2.0, 4); 10], 0.95).is_some());
        assert!(share_interval(&[(1.0, 1), (0.0, 1), (1.0, 1)], 0.95).is_some());
        assert_eq!(share_interval(&[], 0.95), None);
    }

    #[test]
    fn the_effective_number_is_at_most_the_number() {
        // Clusters that are more alike than chance would have them.
        let even: Vec<(f64, u32)> = vec![(3.0, 6); 30];
        let found = share_interval(&even, 0.95).unwrap();
        let plain = wilson(90, 180, 0.95).unwrap();
        assert!(found.low <= plain.low + 1e-12 && plain.high - 1e-12 <= found.high);
    }
}
