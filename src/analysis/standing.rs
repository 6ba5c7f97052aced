//! From a measure's values to each model's score and interval, and to intervals of ranks.

use super::measure::{Measure, Sampled, Statistic};
use super::{DRAWS, LEVEL, RANK_DRAWS, SEED};
use benchmark::Direction;
use job::Ticket;
use metric::{
    ClusterSums, Interval, bootstrap_means, percentile_interval, rank_intervals, tie_groups, wilson,
};

/// One model's number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// Values behind it.
    pub n: u64,
    /// The number, in the metric's own unit.
    pub score: Option<f64>,
    /// 95 %: Wilson for a share, else a seeded bootstrap clustered by image.
    pub interval: Option<Interval>,
    /// 95 % interval of its rank among the models of the measure.
    pub rank_interval: Option<(u32, u32)>,
    /// Its tie group, from 1: models that are not told from the best of the group.
    pub tie_group: Option<u32>,
}

/// What is worth computing: intervals of ranks need a bootstrap even where scores are shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Scores alone.
    Scores,
    /// Scores and their intervals.
    Intervals,
    /// And intervals of ranks.
    Ranks,
}

impl Depth {
    /// The same without intervals of ranks.
    #[must_use]
    pub const fn min_intervals(self) -> Self {
        match self {
            Self::Scores => Self::Scores,
            Self::Intervals | Self::Ranks => Self::Intervals,
        }
    }
}

/// The standing of each of `models` model codes.
#[must_use]
pub fn standings(measure: &Measure, models: usize, depth: Depth, ticket: &Ticket) -> Vec<Standing> {
    if let Some(pooled) = &measure.pooled {
        return pooled.standings(models, depth, measure.direction, ticket);
    }
    let tallies = tallies(&measure.values, models);
    let mut found: Vec<Standing> = tallies
        .iter()
        .map(|tally| Standing {
            n: tally.n,
            score: tally.mean().map(|mean| measure.finish(mean)),
            ..Standing::default()
        })
        .collect();
    if measure.statistic == Statistic::Median {
        medians(measure, &mut found);
        return found;
    }
    if depth == Depth::Scores {
        return found;
    }
    let shares =
        tallies.iter().all(|tally| tally.others == 0) && measure.statistic == Statistic::Mean;
    if shares {
        for (standing, tally) in found.iter_mut().zip(&tallies) {
            standing.interval = wilson(tally.right, tally.n, LEVEL);
        }
    }
    let contested = tallies.iter().filter(|tally| tally.n > 0).count() > 1;
    if !shares || (depth == Depth::Ranks && contested) {
        resample(measure, shares, depth, &tallies, &mut found, ticket);
    }
    found
}

impl Measure {
    /// The reported number of a mean.
    pub(super) fn finish(&self, mean: f64) -> f64 {
        match self.statistic {
            Statistic::RootMean => mean.max(0.0).sqrt(),
            Statistic::Mean | Statistic::Median => mean,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    n: u64,
    sum: f64,
    right: u64,
    /// Values that are neither 0 nor 1.
    others: u64,
}

impl Tally {
    #[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
    fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum / self.n as f64)
    }
}

#[expect(clippy::float_cmp, reason = "a right answer scores exactly 1")]
fn tallies(values: &[Sampled], models: usize) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); models];
    for sampled in values {
        if let Some(tally) = tallies.get_mut(usize::from(sampled.model)) {
            tally.n += 1;
            tally.sum += sampled.value;
            tally.right += u64::from(sampled.value == 1.0);
            tally.others += u64::from(sampled.value != 1.0 && sampled.value != 0.0);
        }
    }
    tallies
}

/// Intervals by resampling clusters, all models in the same draws.
fn resample(
    measure: &Measure,
    shares: bool,
    depth: Depth,
    tallies: &[Tally],
    found: &mut [Standing],
    ticket: &Ticket,
) {
    let present: Vec<usize> = (0..tallies.len())
        .filter(|&model| tallies.get(model).is_some_and(|t| t.n > 0))
        .collect();
    let mut column_of = vec![usize::MAX; tallies.len()];
    for (column, &model) in present.iter().enumerate() {
        if let Some(known) = column_of.get_mut(model) {
            *known = column;
        }
    }
    let sums = cluster_sums(&measure.values, &column_of, present.len());
    let draws = bootstrap_means(&sums, if shares { RANK_DRAWS } else { DRAWS }, SEED, ticket);
    let higher = measure.direction == Direction::Higher;
    let (ranks, groups) = match depth {
        Depth::Ranks => {
            let scores: Vec<Option<f64>> = (present.iter())
                .map(|&model| found.get(model)?.score)
                .collect();
            let ranks = rank_intervals(&draws, present.len(), higher, LEVEL);
            let order = best_first(&scores, measure.direction);
            (ranks, tie_groups(&draws, present.len(), &order, LEVEL))
        }
        _ => (Vec::new(), Vec::new()),
    };
    let mut column_draws = Vec::with_capacity(DRAWS);
    for (column, &model) in present.iter().enumerate() {
        let Some(standing) = found.get_mut(model) else {
            continue;
        };
        standing.rank_interval = ranks.get(column).copied().flatten();
        standing.tie_group = groups.get(column).copied().flatten();
        if !shares {
            column_draws.clear();
            let own = draws.iter().skip(column).step_by(present.len().max(1));
            column_draws.extend(
                own.copied()
                    .filter(|mean| !mean.is_nan())
                    .map(|mean| measure.finish(mean)),
            );
            standing.interval = percentile_interval(&mut column_draws, LEVEL);
        }
    }
}

/// The places of the scores that there are, the best first.
pub fn best_first(scores: &[Option<f64>], direction: Direction) -> Vec<usize> {
    let sign = match direction {
        Direction::Higher => -1.0,
        Direction::Lower => 1.0,
    };
    let known = scores.iter().enumerate();
    let mut known: Vec<(f64, usize)> = known
        .filter_map(|(place, score)| Some((sign * (*score)?, place)))
        .collect();
    known.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    known.into_iter().map(|(_, place)| place).collect()
}

/// The sums behind a bootstrap: the values of each cluster by column, where `column_of` a model has one.
pub(super) fn cluster_sums(values: &[Sampled], column_of: &[usize], columns: usize) -> ClusterSums {
    let mut sums = ClusterSums::new(columns);
    let clusters = values.iter().map(|sampled| sampled.cluster);
    let (Some(first), Some(last)) = (clusters.clone().min(), clusters.max()) else {
        return sums;
    };
    // The clusters of a group are neighbours: a list over their range is small, and faster than hashing.
    let mut index_of: Vec<Option<usize>> = vec![None; (last - first) as usize + 1];
    for sampled in values {
        let Some(index) = index_of.get_mut((sampled.cluster - first) as usize) else {
            continue;
        };
        let cluster = *index.get_or_insert_with(|| sums.push_cluster());
        let column = column_of.get(usize::from(sampled.model)).copied();
        if let Some(column) = column.filter(|column| *column < columns) {
            sums.add(cluster, column, sampled.value);
        }
    }
    sums
}

/// Medians, with the interval to which the percentile bootstrap converges: order statistics whose
/// places are binomial quantiles (Efron and Tibshirani 1993, section 13.3; David and Nagaraja 2003, section 7.1).
fn medians(measure: &Measure, found: &mut [Standing]) {
    for (model, standing) in found.iter_mut().enumerate() {
        let own = measure
            .values
            .iter()
            .filter(|sampled| usize::from(sampled.model) == model);
        let mut values: Vec<f64> = own.map(|sampled| sampled.value).collect();
        values.sort_by(f64::total_cmp);
        let n = values.len();
        standing.score = match (values.get(n.wrapping_sub(1) / 2), values.get(n / 2)) {
            (Some(low), Some(high)) if n > 0 => Some(f64::midpoint(*low, *high)),
            _ => None,
        };
        #[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
        let half = 0.98 * (n as f64).sqrt();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "smaller than n"
        )]
        let reach = half.ceil() as usize;
        let low = values.get((n / 2).saturating_sub(reach)).copied();
        let high = values
            .get((n / 2 + reach).min(n.saturating_sub(1)))
            .copied();
        standing.interval = low.zip(high).map(|(low, high)| Interval { low, high });
    }
}
