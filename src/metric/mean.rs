//! Interval of a mean of graded scores, or of the differences of two models: good at small n, on skewed scores
//! and where samples share an image.
//!
//! `mean ± t SE` covers 95 % of the time only where scores are many and symmetric. Near the end of a scale most
//! answers get the same score and a few get another: the usual interval, and the percentile bootstrap with it,
//! then covers .5 to .9. Two things mend that: the skewness of the mean is removed by a transformation, and
//! scores that were not seen are allowed for by a fraction of an observation at each end of the scale.

use super::student::student;
use super::{Interval, is_few};

/// Weight of the pseudo-observation at each end of a scale that is a fraction of one, in answers.
const ENDS_OF_SCORES: f64 = 0.25;
/// The same for differences and for errors, whose scale is wider than their values.
const ENDS_OF_DIFFERENCES: f64 = 0.1;

/// The scale that scores are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// From 0 to 1, such as `ANLS`.
    Fraction,
    /// From -1 to 1, such as a difference of two fractions, or `GIoU`.
    Difference,
    /// From 0 without an upper end, such as an error.
    Error,
    /// Without an end on either side, such as a difference of two errors.
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

/// Two-sided interval of the mean of all scores at confidence `level` (0.95 for 95 %), from the sum and the
/// number of the scores of each cluster (image); clusters of one score are independent samples. Of a single score
/// on a scale with two ends it is the whole scale.
///
/// The error of the mean is cluster-robust: influences of clusters on the ratio of sum to number, with Student's
/// t on the number of clusters less one. `None` without a score, with fewer than [`super::FEWEST_CLUSTERS`] clusters of
/// several scores, of a single score or without any spread on a scale without ends, or unless `0 < level < 1`.
///
/// Source: P. Hall, "On the removal of skewness by transformation", JRSS B 54 (1992), section 2, the cubic
/// transformation; W. G. Cochran, "Sampling techniques" (1977), section 6.3, for the ratio; the
/// pseudo-observations are as those of A. Agresti and B. A. Coull, "Approximate is better than exact", American
/// Statistician 52 (1998), for shares.
#[must_use]
pub fn mean_interval(clusters: &[(f64, u32)], range: Range, level: f64) -> Option<Interval> {
    let filled = clusters.iter().filter(|(_, n)| *n > 0);
    let count = filled.clone().count();
    if is_few(clusters) {
        return None;
    }
    let (least, most) = range.ends();
    if count < 2 {
        let is_bounded = count == 1 && least.is_finite() && most.is_finite();
        return is_bounded.then_some(Interval {
            low: least,
            high: most,
        });
    }
    let n: f64 = filled.clone().map(|(_, n)| f64::from(*n)).sum();
    #[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 clusters")]
    let groups = count as f64;
    let size = n / groups;
    let plain = filled.clone().map(|(sum, _)| sum).sum::<f64>() / n;
    // A cluster as one observation: the mean, moved by its influence on the ratio.
    let values = filled.map(|(sum, n)| plain + (sum - plain * f64::from(*n)) / size);
    let mut sample = Sample::default();
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.clone() {
        sample.add(value, 1.0);
        (low, high) = (low.min(value), high.max(value));
    }
    let (ends, weight) = match range {
        Range::Fraction => ([0.0, 1.0], ENDS_OF_SCORES),
        Range::Difference => ([-1.0, 1.0], ENDS_OF_DIFFERENCES),
        Range::Error => ([0.0, 2.0 * high.max(0.0)], ENDS_OF_DIFFERENCES),
        Range::Real => {
            let wide = high - low;
            ([low - 0.5 * wide, high + 0.5 * wide], ENDS_OF_DIFFERENCES)
        }
    };
    for end in ends {
        sample.add(end, weight);
    }
    let mean = sample.mean();
    let mut moments = [0.0; 2];
    for (value, weight) in values
        .map(|value| (value, 1.0))
        .chain(ends.map(|end| (end, weight)))
    {
        let apart = value - mean;
        moments[0] += weight * apart * apart;
        moments[1] += weight * apart * apart * apart;
    }
    let spread = (moments[0] / (sample.weight - 1.0)).sqrt();
    if spread == 0.0 {
        return None;
    }
    let quantile = student(groups - 1.0, level)?;
    let error = spread / sample.weight.sqrt();
    let skewness = moments[1] / sample.weight / spread.powi(3) / sample.weight.sqrt();
    Some(Interval {
        low: (mean - error * untransformed(quantile, skewness)).clamp(least, plain.max(least)),
        high: (mean - error * untransformed(-quantile, skewness)).clamp(plain.min(most), most),
    })
}

/// The inverse of Hall's transformation `T + b T²/3 + b² T³/27 + b/6`, `b` the skewness over the root of n.
fn untransformed(quantile: f64, skewness: f64) -> f64 {
    if skewness.abs() < 1e-9 {
        return quantile;
    }
    let inner = 1.0 + skewness * (quantile - skewness / 6.0);
    3.0 / skewness * (inner.cbrt() - 1.0)
}

/// Weighted values.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    weight: f64,
    sum: f64,
}

impl Sample {
    fn add(&mut self, value: f64, weight: f64) {
        self.weight += weight;
        self.sum += weight * value;
    }

    fn mean(self) -> f64 {
        self.sum / self.weight
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
        assert_eq!(mean_interval(&alone(&[2.0]), Range::Error, 0.95), None);
        assert_eq!(mean_interval(&[], Range::Fraction, 0.95), None);
    }

    #[test]
    fn symmetric_scores_get_the_usual_interval_but_for_the_ends() {
        let scores: Vec<f64> = (0..1000).map(|at| f64::from(at) / 999.0).collect();
        let found = mean_interval(&alone(&scores), Range::Fraction, 0.95).unwrap();
        let spread = (1.0_f64 / 12.0 * 1001.0 / 999.0).sqrt();
        let reach = 1.9623 * spread / 1000.0_f64.sqrt();
        assert!((found.high - 0.5 - reach).abs() < 1e-4, "{found:?}");
        assert!((0.5 - found.low - reach).abs() < 1e-4);
    }
}
