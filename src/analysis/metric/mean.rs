//! Computes the interval of a mean of graded scores; valid at small n, for skewed scores and for
//! samples that share an image.
//!
//! `mean ± t SE` covers 95 % only if the scores are many and symmetric. Here a transformation
//! removes the skewness of the mean. Clusters have bias-reduced errors with their own degrees of
//! freedom ([`super::clustered`]). If scores lie at an end of the scale, a fraction of an
//! observation is added at each end to account for unseen scores; otherwise nothing is added.

use super::clustered::{ClusteredMean, without_skewness};
use super::student::student;
use super::{Interval, is_few, real};

/// Weight, in answers, of the pseudo-observation at each end of a scale from 0 to 1, if all
/// scores lie at an end.
const ENDS_OF_SCORES: f64 = 0.25;
/// Weight of the pseudo-observation on wider scales.
const ENDS_OF_OTHERS: f64 = 0.1;

/// Range of the scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// From 0 to 1, for example `ANLS`.
    Fraction,
    /// From -1 to 1, for example `GIoU`.
    Difference,
    /// From 0 without an upper end, for example errors.
    Error,
    /// Unlimited on both sides.
    Real,
}

impl Range {
    const fn ends(self) -> (f64, f64) {
        match self {
            Self::Fraction => (0.0, 1.0),
            Self::Difference => (-1.0, 1.0),
            Self::Error => (0.0, f64::INFINITY),
            Self::Real => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }
}

/// Computes the two-sided interval of the mean of all scores at confidence `level` (0.95 for 95
/// %). `clusters` holds the sum and the number of the scores of each cluster (image); clusters of
/// one score are independent samples. For a single score on a scale with two ends, returns the
/// whole scale.
///
/// `None` without a score, with fewer than [`super::MIN_CLUSTERS`] clusters if some have several
/// scores, or unless `0 < level < 1`. Also `None` for a single score on a scale without an upper
/// end, or for equal scores on [`Range::Real`].
///
/// Source: P. Hall, "On the removal of skewness by transformation", JRSS B 54 (1992), section 2,
/// the cubic transformation; errors and degrees of freedom by Bell and `McCaffrey` (2002). The
/// pseudo-observations are similar to those of A. Agresti and B. A. Coull, "Approximate is better
/// than exact", American Statistician 52 (1998), for shares. They can only widen the interval;
/// their weight is the square of the share of clusters that lie at an end.
pub fn mean_interval(clusters: &[(f64, u32)], range: Range, level: f64) -> Option<Interval> {
    let filled = || clusters.iter().filter(|(_, n)| *n > 0);
    if is_few(clusters) {
        return None;
    }
    let (least, most) = range.ends();
    let values = filled().map(|(sum, n)| (*sum, f64::from(*n)));
    let Some(found) = ClusteredMean::new(values.clone()) else {
        let is_bounded = filled().count() == 1 && least.is_finite() && most.is_finite();
        return is_bounded.then_some(Interval {
            low: least,
            high: most,
        });
    };
    let quantile = student(found.freedom, level)?;
    let mut interval = None;
    if found.error > 0.0 {
        // Skewness of the values about their mean, relative to the unbiased spread.
        let groups = real(found.clusters as u64);
        let skewness = found.skewness * (1.0 - 1.0 / groups).powf(1.5);
        let end = |quantile| without_skewness(found.mean, found.error, skewness, quantile);
        interval = Some([end(quantile), end(-quantile)]);
    }
    if let Some(unseen) = PaddedMean::new(values, &found, range) {
        let [low, high] = unseen.ends(&found, quantile);
        let [inner_low, inner_high] = interval.unwrap_or([found.mean; 2]);
        interval = Some([low.min(inner_low), high.max(inner_high)]);
    }
    let [low, high] = interval?;
    Some(Interval {
        low: low.clamp(least, found.mean.max(least)),
        high: high.clamp(found.mean.min(most), most),
    })
}

/// Mean with a fraction of an observation added at each end of the scale.
struct PaddedMean {
    mean: f64,
    error: f64,
    skewness: f64,
}

impl PaddedMean {
    /// Adds the observations; `None` if the scores vary and none lies at an end, or if the scale
    /// has no ends.
    fn new(
        clusters: impl Iterator<Item = (f64, f64)> + Clone,
        found: &ClusteredMean,
        range: Range,
    ) -> Option<Self> {
        let (least, most) = range.ends();
        let groups = real(found.clusters as u64);
        #[expect(
            clippy::float_cmp,
            reason = "a score at an end of the scale is exactly there"
        )]
        let is_at_end = |(sum, n): &(f64, f64)| *sum == least * n || *sum == most * n;
        let at_ends = real(clusters.clone().filter(is_at_end).count() as u64) / groups;
        let share = if found.error > 0.0 { at_ends } else { 1.0 };
        let highest = clusters.clone().map(|(sum, n)| sum / n).fold(0.0, f64::max);
        let (ends, weight) = match range {
            Range::Fraction => ([least, most], ENDS_OF_SCORES),
            Range::Difference => ([least, most], ENDS_OF_OTHERS),
            Range::Error => ([least, 2.0 * highest], ENDS_OF_OTHERS),
            Range::Real => return None,
        };
        let weight = weight * share * share;
        if weight <= 0.0 || ends[0] >= ends[1] {
            return None;
        }
        let all = groups + 2.0 * weight;
        let mean = (groups * found.mean + weight * (ends[0] + ends[1])) / all;
        let size = found.n / groups;
        let (mut squares, mut about, mut cubes) = (0.0, 0.0, 0.0);
        for (sum, n) in clusters {
            let own = (sum - found.mean * n) / size;
            let apart = own + found.mean - mean;
            squares += own * own;
            about += apart * apart;
            cubes += apart.powi(3);
        }
        // Factor by which the cluster adjustment increases the sum of squares.
        let scale = if squares > 0.0 {
            (found.error * groups).powi(2) / squares
        } else {
            groups / (groups - 1.0)
        };
        let of_ends = |power| ends.map(|end| weight * (end - mean).powi(power));
        let pseudo: f64 = of_ends(2).iter().sum();
        let cubes = cubes + of_ends(3).iter().sum::<f64>();
        let trust = found.freedom / (groups - 1.0) * (1.0 - 1.0 / groups).powf(1.5);
        Some(Self {
            mean,
            error: (scale * about + pseudo).sqrt() / all,
            skewness: cubes / (about + pseudo).powf(1.5) * trust,
        })
    }

    fn ends(&self, found: &ClusteredMean, quantile: f64) -> [f64; 2] {
        let end = |quantile| without_skewness(self.mean, self.error, self.skewness, quantile);
        [
            end(quantile).min(found.mean),
            end(-quantile).max(found.mean),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(scores: &[f64]) -> Vec<(f64, u32)> {
        scores.iter().map(|score| (*score, 1)).collect()
    }

    #[test]
    fn the_mean_lies_inside_and_the_ends_on_the_scale() {
        for scores in [
            vec![0.0, 0.0, 1.0],
            vec![1.0; 12],
            vec![0.25, 0.5, 0.125, 0.75, 0.5],
        ] {
            let mean = scores.iter().sum::<f64>() / scores.len() as f64;
            let found = mean_interval(&alone(&scores), Range::Fraction, 0.95).unwrap();
            assert!(found.contains(mean), "{scores:?}: {found:?}");
            assert!(0.0 <= found.low && found.high <= 1.0);
            assert!(found.low < found.high);
        }
    }

    #[test]
    fn equal_scores_of_an_image_count_as_one() {
        let scores = [0.1, 0.9, 0.4, 0.3, 0.8, 0.5, 0.6, 0.2, 0.7, 0.35];
        let one = mean_interval(&alone(&scores), Range::Fraction, 0.95).unwrap();
        let five: Vec<(f64, u32)> = scores.iter().map(|score| (5.0 * score, 5)).collect();
        let five = mean_interval(&five, Range::Fraction, 0.95).unwrap();
        assert!((one.low - five.low).abs() < 1e-12 && (one.high - five.high).abs() < 1e-12);
    }

    #[test]
    fn one_score_tells_nothing_and_few_images_no_interval() {
        let whole = mean_interval(&alone(&[0.4]), Range::Fraction, 0.95).unwrap();
        assert_eq!((whole.low, whole.high), (0.0, 1.0));
        let images: Vec<(f64, u32)> = (0..9).map(|at| (f64::from(at) / 9.0, 2)).collect();
        assert_eq!(mean_interval(&images, Range::Fraction, 0.95), None);
    }

    #[test]
    fn scores_without_spread_have_no_interval_on_a_scale_without_ends() {
        assert_eq!(mean_interval(&alone(&[2.0; 9]), Range::Real, 0.95), None);
        assert!(mean_interval(&alone(&[0.5; 9]), Range::Fraction, 0.95).is_some());
        assert_eq!(mean_interval(&alone(&[2.0]), Range::Error, 0.95), None);
        assert_eq!(mean_interval(&[], Range::Fraction, 0.95), None);
    }

    #[test]
    fn symmetric_scores_get_the_usual_interval() {
        let scores: Vec<f64> = (0..1000).map(|at| (f64::from(at) + 0.5) / 1000.0).collect();
        let found = mean_interval(&alone(&scores), Range::Fraction, 0.95).unwrap();
        let spread = (1.0_f64 / 12.0 * 1001.0 / 1000.0).sqrt();
        let reach = 1.9623 * spread / 1000.0_f64.sqrt();
        assert!((found.high - 0.5 - reach).abs() < 1e-5, "{found:?}");
        assert!((0.5 - found.low - reach).abs() < 1e-5);
    }

    /// Scores with an IoU of .93 +- .03 in 25 samples: the interval is as wide as Student's.
    #[test]
    fn tight_scores_have_tight_intervals() {
        let scores: Vec<f64> = (0..25)
            .map(|at| 0.93 + 0.03 * f64::from(at - 12) / 7.36)
            .collect();
        let found = mean_interval(&alone(&scores), Range::Fraction, 0.95).unwrap();
        let student = 2.0 * 2.0639 * 0.03 / 5.0;
        assert!(
            (found.high - found.low - student).abs() < 0.02 * student,
            "{found:?}"
        );
        // The same scores, with one at the end of the scale.
        let mut at_end = scores;
        at_end[24] = 1.0;
        let found = mean_interval(&alone(&at_end), Range::Fraction, 0.95).unwrap();
        assert!(found.high - found.low < 1.4 * student, "{found:?}");
    }
}
