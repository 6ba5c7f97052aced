//! Corrects a mean of possibly wrong scores by a few verified scores.
//!
//! Prediction-powered inference: the mean of all scores, times a tuning factor, plus the mean
//! difference between true and tuned score in a random part. It is unbiased for any errors, and its
//! interval is narrower the better scores and truth agree.
//!
//! Sources: A. N. Angelopoulos, S. Bates, C. Fannjiang, M. I. Jordan and T. Zrnic,
//! "Prediction-powered inference", Science 382 (2023); A. N. Angelopoulos, J. C. Duchi and T.
//! Zrnic, "PPI++: efficient prediction-powered inference", arXiv:2311.01453 (2023), section 6, for
//! the tuning factor.

use std::collections::BTreeMap;

use super::clustered::ClusteredMean;
use super::student::student;
use super::{Interval, real};

/// Weight of each of the four added observations (`CORNERS`).
const HALF: f64 = 0.5;
/// Added observations, as truth and score at each end of the range.
const CORNERS: [[f64; 2]; 4] = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];

/// True score of a sample, if it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Truth {
    /// Not verified, or not drawn at random.
    Unknown,
    /// Verified score, 0 to 1.
    Score(f64),
    /// Verified as an invalid sample, which counts in no score.
    Invalid,
}

/// Score of a sample, with its truth if that was verified.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VerifiableScore {
    /// Score in the log, 0 to 1.
    pub score: f64,
    /// True score.
    pub truth: Truth,
    /// Cluster (picture) of the sample.
    pub cluster: u32,
    /// Group with similar errors, for example the ability.
    pub group: u32,
    /// Stratum, within which every sample had the same chance of being verified.
    pub stratum: u64,
}

/// Verified score with its sampling weight; the weights of all verified samples sum to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verified {
    pub score: f64,
    /// True score; 0 if the sample is invalid.
    pub truth: f64,
    /// 1, or 0 if the sample is invalid.
    pub valid: f64,
    /// Inverse of the chance of being drawn, divided by the sum over all verified samples.
    pub weight: f64,
    cluster: u32,
    group: u32,
}

/// Corrected mean of scores from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoweredMean {
    /// Estimate of the mean true score of the valid samples.
    pub mean: f64,
    /// Interval of the mean, within 0 and 1.
    pub interval: Interval,
    /// Tuning factor from 0 (uninformative scores) to 1 (nearly right scores).
    pub tuning: f64,
    /// Share of the samples, 0 to 1, in strata with a verified sample.
    pub covered: f64,
    /// Number of verified samples.
    pub verified: u64,
    /// Number of samples.
    pub n: u64,
    /// Variance of one verified sample's contribution.
    spread: f64,
    /// Variance that further verified samples do not reduce.
    floor: f64,
    /// Quantile of the interval.
    quantile: f64,
}

impl PoweredMean {
    /// Returns how many more verified samples would narrow the interval to a half-width of
    /// `wanted`, if they are like the present samples. `None` if even all samples would not be
    /// enough.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the number of samples"
    )]
    pub fn more_for(&self, wanted: f64) -> Option<u64> {
        let left = (wanted / self.quantile).powi(2) - self.floor;
        let needed = (self.spread / left - 4.0 * HALF).ceil();
        let is_possible = left > 0.0 && needed <= real(self.n);
        is_possible.then(|| (needed.max(0.0) as u64).saturating_sub(self.verified))
    }
}

/// Returns the verified scores, weighted by the sizes of their strata, and the share of all scores
/// in strata with a verified score.
pub(super) fn verified(scores: &[VerifiableScore]) -> (Vec<Verified>, f64) {
    let mut strata: BTreeMap<u64, [f64; 2]> = BTreeMap::new();
    for one in scores {
        let [size, drawn] = strata.entry(one.stratum).or_default();
        *size += 1.0;
        *drawn += f64::from(u8::from(one.truth != Truth::Unknown));
    }
    let covered = strata.values().filter(|[_, drawn]| *drawn > 0.0);
    let covered: f64 = covered.map(|[size, _]| size).sum();
    let one = |one: &VerifiableScore| {
        let (truth, valid) = match one.truth {
            Truth::Unknown => return None,
            Truth::Score(truth) => (truth, 1.0),
            Truth::Invalid => (0.0, 0.0),
        };
        let [size, drawn] = strata.get(&one.stratum)?;
        Some(Verified {
            score: one.score,
            truth,
            valid,
            weight: size / drawn / covered,
            cluster: one.cluster,
            group: one.group,
        })
    };
    let found = scores.iter().filter_map(one).collect();
    (found, covered / real(scores.len() as u64))
}

/// Corrects the mean of `scores` by the verified scores, with an interval at confidence `level`.
///
/// Each verified sample is weighted by the inverse of its chance to be drawn. The variance of the
/// verified part is pooled within groups, because a stratified draw has no error between groups. It
/// is multiplied by the design effect of clusters. The interval uses Student's t.
///
/// Four observations of half weight are added, one for each combination of the worst and best truth
/// and score. They account for cases that a few verified samples do not contain. Invalid samples
/// make the mean a ratio, which is linearised.
///
/// `None` with verified samples in fewer than two clusters, without a valid verified sample, or
/// unless `0 < level < 1`.
///
/// Source: PPI++ (see the module) for the estimate; A. Agresti and Y. Min, "Simple improved
/// confidence intervals for comparing matched proportions", Statistics in Medicine 24 (2005), for
/// the added observations; W. G. Cochran, "Sampling techniques" (1977), sections 5.3 and 6.3, for
/// strata and ratios; L. Kish, "Survey sampling" (1965), for design effects. Simulated in
/// `simulations::powered`.
pub fn powered_mean(scores: &[VerifiableScore], level: f64) -> Option<PoweredMean> {
    let (drawn, covered) = verified(scores);
    let valid: f64 = drawn.iter().map(|it| it.weight * it.valid).sum();
    if valid <= 0.0 {
        return None;
    }
    let start = drawn.iter().map(|it| it.weight * it.truth).sum::<f64>() / valid;
    let tuning = tuning(&drawn);
    let residual = |it: &Verified| it.valid * (it.truth - start) / valid - tuning * it.score;
    let residuals: Vec<f64> = drawn.iter().map(residual).collect();
    let corners = CORNERS.map(|[truth, score]| truth - start - tuning * score);
    let n = real(drawn.len() as u64);
    let design = Design::new(&drawn, &residuals)?;
    let quantile = student(design.freedom, level)?;
    let center = (n * design.mean + HALF * corners.iter().sum::<f64>()) / (n + 4.0 * HALF);
    let far = corners.iter().map(|corner| (corner - center).powi(2));
    let spread = pooled_spread(&drawn, &residuals, HALF * far.sum::<f64>()) * design.effect;
    let all = ClusteredMean::new(
        sums(scores.iter().map(|it| (it.cluster, tuning * it.score, 1.0))).into_iter(),
    )?;
    // The verified samples are part of all samples, so both terms vary together.
    let joint = drawn.iter().zip(&residuals);
    let mean_score: f64 = drawn.iter().map(|it| it.weight * it.score).sum();
    let joint: f64 = joint
        .map(|(it, own)| it.weight * (it.score - mean_score) * (own - design.mean))
        .sum();
    let floor = all.error * all.error + 2.0 * tuning * joint / all.n;
    let reach = quantile * (spread / (n + 4.0 * HALF) + floor).max(0.0).sqrt();
    let middle = start + all.mean + center;
    Some(PoweredMean {
        mean: (start + all.mean + design.mean).clamp(0.0, 1.0),
        interval: Interval {
            low: (middle - reach).clamp(0.0, 1.0),
            high: (middle + reach).clamp(0.0, 1.0),
        },
        tuning,
        covered,
        verified: drawn.len() as u64,
        n: scores.len() as u64,
        spread,
        floor,
        quantile,
    })
}

/// Returns the factor of the scores that minimises the variance: the slope of truth on score,
/// within 0 and 1. The scores of all samples include the scores of the verified samples, so PPI++'s
/// factor `1 / (1 + n / N)` is not needed.
fn tuning(drawn: &[Verified]) -> f64 {
    let valid: Vec<&Verified> = drawn.iter().filter(|it| it.valid > 0.0).collect();
    let all: f64 = valid.iter().map(|it| it.weight).sum();
    let scale = real(valid.len() as u64) / all;
    let own = valid
        .iter()
        .map(|it| (it.weight * scale, it.truth, it.score));
    let added = CORNERS.iter().map(|[truth, score]| (HALF, *truth, *score));
    let values: Vec<(f64, f64, f64)> = own.chain(added).collect();
    let total: f64 = values.iter().map(|(weight, ..)| weight).sum();
    let mean = |of: &dyn Fn(f64, f64) -> f64| {
        let sum = values
            .iter()
            .map(|(weight, truth, score)| weight * of(*truth, *score));
        sum.sum::<f64>() / total
    };
    let (truth, score) = (mean(&|truth, _| truth), mean(&|_, score| score));
    let joint = mean(&|one, other| (one - truth) * (other - score));
    // The added observations make the variance positive.
    (joint / mean(&|_, other| (other - score).powi(2))).clamp(0.0, 1.0)
}

/// Returns the variance of the residuals within groups; `added` is the sum of squares of the added
/// observations.
fn pooled_spread(drawn: &[Verified], residuals: &[f64], added: f64) -> f64 {
    let mut groups: BTreeMap<u32, [f64; 4]> = BTreeMap::new();
    for (it, own) in drawn.iter().zip(residuals) {
        let [count, weight, sum, squares] = groups.entry(it.group).or_default();
        *count += 1.0;
        *weight += it.weight;
        *sum += it.weight * own;
        *squares += it.weight * own * own;
    }
    let (mut squares, mut freedom) = (added, 4.0 * HALF);
    for [count, weight, sum, own] in groups.into_values() {
        squares += count * (own / weight - (sum / weight).powi(2)).max(0.0);
        freedom += count - 1.0;
    }
    squares / freedom
}

/// Weighted mean of the residuals, and the effect of weights and clusters on its variance.
struct Design {
    mean: f64,
    /// Variance of the mean divided by its variance in a simple random sample.
    effect: f64,
    freedom: f64,
}

impl Design {
    fn new(drawn: &[Verified], residuals: &[f64]) -> Option<Self> {
        let weighted = drawn.iter().zip(residuals);
        let weighted = weighted.map(|(it, own)| (it.cluster, it.weight * own, it.weight));
        let single = ClusteredMean::new(weighted.clone().map(|(_, sum, weight)| (sum, weight)))?;
        let found = ClusteredMean::new(sums(weighted).into_iter())?;
        let n = real(drawn.len() as u64);
        let kish = n * drawn.iter().map(|it| it.weight * it.weight).sum::<f64>();
        let mut design = Self {
            mean: found.mean,
            effect: kish,
            freedom: real(found.clusters as u64) - 1.0,
        };
        if found.clusters < drawn.len() {
            design.freedom = design.freedom.min(found.freedom);
            if single.error > 0.0 {
                design.effect *= (found.error / single.error).powi(2).max(1.0);
            }
        }
        Some(design)
    }
}

/// Sums values and their sizes within clusters.
pub(super) fn sums(values: impl Iterator<Item = (u32, f64, f64)>) -> Vec<(f64, f64)> {
    let mut found: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for (cluster, value, size) in values {
        let (sum, all) = found.entry(cluster).or_default();
        *sum += value;
        *all += size;
    }
    found.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::mean_by_error_rates;

    /// Creates forty scores on twenty pictures; sixteen are verified, and three are wrong.
    fn scores(invalid: Option<u32>) -> Vec<VerifiableScore> {
        let drawn = [0, 1, 3, 6, 9, 10, 11, 14, 17, 20, 22, 25, 28, 31, 34, 38];
        let one = |at: u32| {
            let score = f64::from(u8::from(at * 7 % 10 < 6));
            let is_wrong = [3, 20, 31].contains(&at);
            VerifiableScore {
                score,
                truth: match drawn.contains(&at) {
                    true if invalid == Some(at) => Truth::Invalid,
                    true if is_wrong => Truth::Score(1.0 - score),
                    true => Truth::Score(score),
                    false => Truth::Unknown,
                },
                cluster: at / 2,
                group: at % 2,
                stratum: u64::from(at % 2),
            }
        };
        (0..40).map(one).collect()
    }

    fn assert_near(found: [f64; 4], expected: [f64; 4]) {
        for (one, other) in found.iter().zip(expected) {
            assert!((one - other).abs() < 1e-6, "{found:?} {expected:?}");
        }
    }

    fn numbers(found: &PoweredMean) -> [f64; 4] {
        let Interval { low, high } = found.interval;
        [found.mean, low, high, found.tuning]
    }

    /// Computed independently with numpy and scipy, from the same formulas.
    #[test]
    fn verified_scores_correct_the_mean_of_all() {
        let found = powered_mean(&scores(None), 0.95).unwrap();
        let expected = [
            0.494_218_246_9,
            0.263_360_570_6,
            0.738_242_291_6,
            0.534_669_051_9,
        ];
        assert_near(numbers(&found), expected);
        assert_eq!((found.verified, found.n, found.covered), (16, 40, 1.0));
        assert_eq!(
            [0.2, 0.25, 0.05].map(|wanted| found.more_for(wanted)),
            [Some(9), Some(0), None]
        );
        let found = powered_mean(&scores(Some(14)), 0.95).unwrap();
        let expected = [
            0.517_750_372_2,
            0.272_043_268_6,
            0.770_952_904_2,
            0.514_797_998_7,
        ];
        assert_near(numbers(&found), expected);
        assert_eq!(found.more_for(0.2), Some(12));
    }

    #[test]
    fn error_rates_correct_the_share_of_all() {
        let found = mean_by_error_rates(&scores(None)).unwrap();
        let expected = [
            0.836_363_636_4,
            0.774_647_887_3,
            0.613_160_100_6,
            0.255_070_940_0,
        ];
        let rates = [
            found.sensitivity,
            found.specificity,
            found.mean,
            found.interval.low,
        ];
        assert_near(rates, expected);
        assert_eq!(found.interval.high, 1.0);
        assert_eq!(mean_by_error_rates(&scores(Some(14))), None);
        let mut graded = scores(None);
        graded[7].score = 0.5;
        assert_eq!(mean_by_error_rates(&graded), None);
    }

    #[test]
    fn strata_without_a_verified_score_are_not_covered() {
        let mut some = scores(None);
        for one in some.iter_mut().filter(|one| one.group == 1) {
            one.truth = Truth::Unknown;
        }
        let found = powered_mean(&some, 0.95).unwrap();
        assert!((found.covered - 0.5).abs() < 1e-12);
        for one in &mut some {
            one.truth = Truth::Unknown;
        }
        assert_eq!(powered_mean(&some, 0.95), None);
    }
}
