//! Corrects a share of right answers by the sensitivity and specificity of the scoring.

use super::clustered::ClusteredMean;
use super::powered::{VerifiableScore, Verified, sums, verified};
use super::{Interval, real};

/// Normal quantile of a 95 % interval.
const QUANTILE: f64 = 1.959_964;

/// Corrected share, with the error rates behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByErrorRates {
    /// Share of truly right answers that are scored right.
    pub sensitivity: f64,
    /// Share of truly wrong answers that are scored wrong.
    pub specificity: f64,
    /// Corrected share of right answers, 0 to 1.
    pub mean: f64,
    /// 95 % interval of the share, within 0 and 1.
    pub interval: Interval,
}

/// Share of scores that agree with the truth among verified samples. `added` is the share after
/// adding one sample that agrees and one that does not.
struct Rate {
    share: f64,
    added: f64,
    /// Variance of the share, including the added samples.
    variance: f64,
}

impl Rate {
    /// Returns the share of correct scores among the samples with this truth; `None` without such a
    /// sample. Weighted samples count with their effective number.
    #[expect(clippy::float_cmp, reason = "every score is 0 or 1")]
    fn new(drawn: &[Verified], truth: f64) -> Option<Self> {
        let own = drawn.iter().filter(|it| it.truth == truth);
        let all: f64 = own.clone().map(|it| it.weight).sum();
        let squares: f64 = own.clone().map(|it| it.weight * it.weight).sum();
        let right = own.filter(|it| it.score == truth).map(|it| it.weight);
        let share = (all > 0.0).then(|| right.sum::<f64>() / all)?;
        let n = all * all / squares;
        let added = (n * share + 1.0) / (n + 2.0);
        Some(Self {
            share,
            added,
            variance: added * (1.0 - added) / (n + 2.0),
        })
    }
}

/// Corrects the mean of scores of 0 or 1 by the error rates of the verified scores, with a 95 %
/// interval: `(p + specificity - 1) / (sensitivity + specificity - 1)`.
///
/// `None` if a score or a truth is neither 0 nor 1, or if a sample is invalid. Also `None` if no
/// verified sample is truly right or none is truly wrong, or if the scores are not clearly better
/// than chance.
///
/// Source: W. J. Rogan and B. Gladen, "Estimating prevalence from the results of a screening test",
/// American Journal of Epidemiology 107 (1978); Z. Lang and J. Reiczigel, "Confidence limits for
/// prevalence of disease adjusted for estimated sensitivity and specificity", Preventive Veterinary
/// Medicine 113 (2014), for the interval. Clusters reduce the number of scores to the effective
/// number.
#[expect(clippy::float_cmp, reason = "a score is exactly 0 or 1, or graded")]
pub fn mean_by_error_rates(scores: &[VerifiableScore]) -> Option<ByErrorRates> {
    let (drawn, _) = verified(scores);
    let is_binary = |value: f64| value == 0.0 || value == 1.0;
    let fits = |it: &Verified| it.valid > 0.0 && is_binary(it.truth);
    if !scores.iter().all(|it| is_binary(it.score)) || !drawn.iter().all(fits) {
        return None;
    }
    let (sensitive, specific) = (Rate::new(&drawn, 1.0)?, Rate::new(&drawn, 0.0)?);
    let above_chance = sensitive.added + specific.added - 1.0;
    if above_chance <= QUANTILE * (sensitive.variance + specific.variance).sqrt() {
        return None;
    }
    let all =
        ClusteredMean::new(sums(scores.iter().map(|it| (it.cluster, it.score, 1.0))).into_iter())?;
    let variance = all.mean * (1.0 - all.mean);
    let n = if all.error > 0.0 {
        variance / (all.error * all.error)
    } else {
        real(all.clusters as u64)
    };
    let squared = QUANTILE * QUANTILE;
    let share = (n * all.mean + squared / 2.0) / (n + squared);
    let middle = (share + specific.added - 1.0) / above_chance;
    let shift = 2.0 * squared * (middle * sensitive.variance - (1.0 - middle) * specific.variance);
    let spread = share * (1.0 - share) / (n + squared)
        + middle * middle * sensitive.variance
        + (1.0 - middle).powi(2) * specific.variance;
    let reach = QUANTILE * spread.sqrt() / above_chance;
    let mean = (all.mean + specific.share - 1.0) / (sensitive.share + specific.share - 1.0);
    Some(ByErrorRates {
        sensitivity: sensitive.share,
        specificity: specific.share,
        mean: mean.clamp(0.0, 1.0),
        interval: Interval {
            low: (middle + shift - reach).clamp(0.0, 1.0),
            high: (middle + shift + reach).clamp(0.0, 1.0),
        },
    })
}
