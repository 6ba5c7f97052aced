//! Computes each model's score and interval from a measure's values.

use super::LEVEL;
use super::measure::{Measure, SampleValue, Statistic};
use crate::metric::{Interval, Range, is_few, mean_interval, share_interval};
use base::job::Ticket;
use record::benchmark::Direction;

/// Score of one model in one measure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// Number of values that the score is computed from.
    pub n: u64,
    /// Score in the metric's unit; `None` without values.
    pub score: Option<f64>,
    /// 95 % interval, clustered by image and sample; `None` if it cannot be estimated.
    pub interval: Option<Interval>,
    /// True if the values form too few clusters for an interval.
    pub few: bool,
}

/// Depth of a computation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// Scores only, for a fast first result.
    #[default]
    Scores,
    /// Scores and their intervals.
    Intervals,
}

impl Depth {
    /// Returns the depth with intervals if `intervals` is true.
    pub const fn of(intervals: bool) -> Self {
        if intervals {
            Self::Intervals
        } else {
            Self::Scores
        }
    }
}

/// Computes the standing of each of `models` model codes.
pub fn standings(measure: &Measure, models: usize, depth: Depth, ticket: &Ticket) -> Vec<Standing> {
    if let Some(pooled) = &measure.pooled {
        return pooled.standings(models, depth, ticket);
    }
    let (is_median, is_deep) = (
        measure.statistic == Statistic::Median,
        depth == Depth::Intervals,
    );
    let clusters = (is_deep && !is_median).then(|| {
        let values = measure.values.iter();
        clusters_by_model(
            values.map(|one| (one.model, one.cluster, (one.value, 1))),
            models,
        )
    });
    let tallies = tallies(&measure.values, models);
    let mut found = standings_of_sums(measure, &tallies, clusters.as_deref());
    if is_median {
        for (model, standing) in (0..).zip(&mut found) {
            let own = measure.values.iter();
            let own = own.filter(|sampled| sampled.model == model);
            standing.score = median(own.map(|sampled| sampled.value).collect());
            if is_deep && standing.n > 0 {
                median_interval(measure, usize::from(model), standing);
            }
        }
    }
    found
}

/// Sum and number of a model's values in each of its clusters.
pub type ClusterTotals = Vec<(f64, u32)>;

/// Groups values by cluster.
pub fn clusters_of(values: impl Iterator<Item = (u32, f64)>) -> ClusterTotals {
    let values = values.map(|(cluster, value)| (0, cluster, (value, 1)));
    clusters_by_model(values, 1).pop().unwrap_or_default()
}

/// Joins sums of values by model and cluster, for each of `models` model codes.
pub fn clusters_by_model(
    sums: impl Iterator<Item = (u16, u32, (f64, u32))>,
    models: usize,
) -> Vec<ClusterTotals> {
    let mut found: Vec<Vec<(u32, (f64, u32))>> = vec![Vec::new(); models];
    let join = |(sum, n): &mut (f64, u32), more: (f64, u32)| {
        (*sum, *n) = (*sum + more.0, *n + more.1);
    };
    for (model, cluster, values) in sums {
        let Some(own) = found.get_mut(usize::from(model)) else {
            continue;
        };
        // Neighbouring values mostly belong to the same cluster.
        match own.last_mut() {
            Some((last, known)) if *last == cluster => join(known, values),
            _ => own.push((cluster, values)),
        }
    }
    let whole = |mut own: Vec<(u32, (f64, u32))>| -> ClusterTotals {
        if !own.is_sorted_by_key(|(cluster, _)| *cluster) {
            own.sort_by_key(|(cluster, _)| *cluster);
            own.dedup_by(|(cluster, more), (known, values)| {
                let is_same = cluster == known;
                if is_same {
                    join(values, *more);
                }
                is_same
            });
        }
        own.into_iter().map(|(_, values)| values).collect()
    };
    found.into_iter().map(whole).collect()
}

/// Computes the standing of each model code from its sums, with intervals if `clusters` are
/// given. The measure's values are not read.
pub fn standings_of_sums(
    measure: &Measure,
    tallies: &[ValueSums],
    clusters: Option<&[ClusterTotals]>,
) -> Vec<Standing> {
    let mut found: Vec<Standing> = tallies
        .iter()
        .map(|tally| Standing {
            n: tally.n,
            score: tally.mean().map(|mean| measure.finish(mean)),
            ..Standing::default()
        })
        .collect();
    if let Some(clusters) = clusters {
        intervals(measure, tallies, clusters, &mut found);
    }
    found
}

/// Computes the interval of each model's score from its clusters.
fn intervals(
    measure: &Measure,
    tallies: &[ValueSums],
    clusters: &[ClusterTotals],
    found: &mut [Standing],
) {
    let is_share = tallies.iter().all(|tally| tally.others == 0);
    let range = range(measure, tallies);
    for (clusters, standing) in clusters.iter().zip(found).filter(|(_, own)| own.n > 0) {
        let interval = match measure.statistic {
            Statistic::Mean if is_share => share_interval(clusters, LEVEL),
            _ => mean_interval(clusters, range, LEVEL),
        };
        standing.interval = interval.map(|interval| Interval {
            low: measure.finish(interval.low),
            high: measure.finish(interval.high),
        });
        standing.few = is_few(clusters);
    }
}

/// Returns the range of a measure's values, from the metric's name and the observed values.
fn range(measure: &Measure, tallies: &[ValueSums]) -> Range {
    let seen = tallies.iter().filter(|tally| tally.n > 0);
    let (low, high) = seen.fold((0.0_f64, 0.0_f64), |(low, high), tally| {
        (low.min(tally.low), high.max(tally.high))
    });
    let is_error = measure.statistic == Statistic::RootMean
        || (measure.direction == Direction::Lower && low >= 0.0);
    match (low, high) {
        _ if measure.name == "giou" => Range::Difference,
        _ if is_error => Range::Error,
        (low, high) if low >= 0.0 && high <= 1.0 => Range::Fraction,
        (low, high) if low >= -1.0 && high <= 1.0 => Range::Difference,
        _ => Range::Real,
    }
}

/// Returns the median of some values; `None` without values.
pub(super) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    let low = *values.get(n.checked_sub(1)? / 2)?;
    Some(f64::midpoint(low, *values.get(n / 2)?))
}

/// Sets the interval of a median. Its ends are the values at the ends of the interval of the share
/// of values below the median.
///
/// Source: R. S. Woodruff, "Confidence intervals for medians and other position measures", JASA 47
/// (1952).
fn median_interval(measure: &Measure, model: usize, standing: &mut Standing) {
    let Some(median) = standing.score else { return };
    let own = measure.values.iter();
    let own = own.filter(|sampled| usize::from(sampled.model) == model);
    let mut values: Vec<f64> = own.clone().map(|sampled| sampled.value).collect();
    values.sort_by(f64::total_cmp);
    let below = own.map(|sampled| {
        // A value equal to the median counts as half below it.
        let below = match sampled.value.total_cmp(&median) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        };
        (sampled.cluster, below)
    });
    let clusters = clusters_of(below);
    standing.few = is_few(&clusters);
    standing.interval = share_interval(&clusters, LEVEL).and_then(|share| {
        Some(Interval {
            low: at_share(&values, share.low, f64::floor)?,
            high: at_share(&values, share.high, f64::ceil)?,
        })
    });
}

/// Returns the quantile of sorted values at a share; `round` moves its position outwards.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an index into the values"
)]
fn at_share(values: &[f64], share: f64, round: fn(f64) -> f64) -> Option<f64> {
    let last = values.len().checked_sub(1)?;
    let place = round(share * values.len() as f64 - 0.5).clamp(0.0, last as f64);
    values.get(place as usize).copied()
}

impl Measure {
    /// Converts a mean to the reported number: its root for [`Statistic::RootMean`].
    pub(super) fn finish(&self, mean: f64) -> f64 {
        match self.statistic {
            Statistic::RootMean => mean.max(0.0).sqrt(),
            Statistic::Mean | Statistic::Median => mean,
        }
    }
}

/// Sums of a model's values.
#[derive(Clone, Copy, Debug, Default)]
pub struct ValueSums {
    /// Number of values.
    pub n: u64,
    /// Sum of the values.
    pub sum: f64,
    /// Number of values other than 0 and 1.
    pub others: u64,
    /// Smallest value, or 0 if all values are positive.
    pub low: f64,
    /// Largest value, or 0 if all values are negative.
    pub high: f64,
}

impl ValueSums {
    #[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
    fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum / self.n as f64)
    }
}

#[expect(clippy::float_cmp, reason = "a right answer scores exactly 1")]
fn tallies(values: &[SampleValue], models: usize) -> Vec<ValueSums> {
    let mut tallies = vec![ValueSums::default(); models];
    for sampled in values {
        if let Some(tally) = tallies.get_mut(usize::from(sampled.model)) {
            tally.n += 1;
            tally.sum += sampled.value;
            tally.others += u64::from(sampled.value != 1.0 && sampled.value != 0.0);
            tally.low = tally.low.min(sampled.value);
            tally.high = tally.high.max(sampled.value);
        }
    }
    tallies
}

/// Returns the indices of the finite scores, best first.
pub fn best_first(scores: &[Option<f64>], direction: Direction) -> Vec<usize> {
    let sign = -direction.sign();
    let known = scores.iter().enumerate();
    let mut known: Vec<(f64, usize)> = known
        .filter_map(|(place, score)| Some((sign * score.filter(|score| score.is_finite())?, place)))
        .collect();
    known.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    known.into_iter().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_beyond_any_number_have_no_place() {
        let scores = [Some(f64::INFINITY), Some(2.0), None, Some(1.0)];
        assert_eq!(best_first(&scores, Direction::Lower), [3, 1]);
        assert_eq!(best_first(&scores, Direction::Higher), [1, 3]);
    }
}
