//! Compares the rankings of two sets of runs.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::common::{CommonSamples, Keys};
use super::measure::{Measure, MeasureOptions, SampleValue, measures};
use super::standing::{Depth, standings};
use super::{DRAWS, Group, LEVEL, SEED, Selection, groups};
use crate::metric::{
    ClusterSums, CorrelationError, Interval, kendall_tau_b, means_in_two_sets, spearman_rho,
};
use base::job::Ticket;
use record::benchmark::Direction;
use record::{Ability, ModelId};

/// Agreement of the rankings of two sets of runs in one ability.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Ability whose ranking is compared.
    pub ability: String,
    /// Ranking metric of each set; empty for a set without the ability.
    pub metrics: [String; 2],
    /// Whether higher or lower scores are better.
    pub direction: Direction,
    /// Models in both sets with both scores, ordered from best to worst in the first set.
    pub models: Vec<(String, [f64; 2])>,
    /// Models that only the first or only the second set has.
    pub only: [Vec<String>; 2],
    /// Models in both sets that are not ranked, because they answered too few of the samples.
    pub excluded: Vec<String>,
    /// Number of values in each set that the scores of the shared models are computed from, over
    /// all models.
    pub n: [u64; 2],
    /// Kendall's tau-b over the shared models.
    pub tau: Result<f64, CorrelationError>,
    /// 95 % interval of tau-b of the models' true scores; errors are clustered by picture
    /// ([`crate::metric::tau_interval`]).
    pub tau_interval: Option<Interval>,
    /// Spearman's rho over the shared models.
    pub rho: Result<f64, CorrelationError>,
    /// Pairs that swap: the first model is better in the first set and worse in the second.
    pub swaps: Vec<(String, String)>,
}

/// Scores of one set in an ability.
struct Side {
    measure: Measure,
    /// Score and model code, by model name; models of the two sets are matched by this name.
    models: BTreeMap<String, (f64, u16)>,
    n: u64,
}

/// Compares the rankings of two selections of one table, ability by ability. `name_of` maps a
/// model to the name that identifies it in both sets.
pub fn agreements(
    first: Selection<'_>,
    second: Selection<'_>,
    name_of: &(dyn Fn(&str) -> String + Sync),
) -> Vec<Agreement> {
    let sides = [groups(first), groups(second)];
    let names: BTreeSet<&Ability> = sides.iter().flatten().map(|group| &group.name).collect();
    let mut order: Vec<&Ability> = names.into_iter().collect();
    order.sort_by_key(|name| (&name.benchmark, record::benchmark::order_of(&name.name)));
    let of = |name: &Ability| {
        let [one, other] = &sides;
        let one = side(first, one, name, None, name_of);
        let metric = one.as_ref().map(|side| side.measure.name.as_str());
        let other = side(second, other, name, metric, name_of);
        let selected_by = first.selected_by.or(second.selected_by);
        let both = Selection {
            selected_by,
            ..first
        };
        compare(name, one, other, both)
    };
    order.par_iter().map(|name| of(name)).collect()
}

/// Scores one set in an ability. If the set has several metrics, uses `metric`, the metric of the
/// other set.
fn side(
    selection: Selection<'_>,
    groups: &[Group],
    name: &Ability,
    metric: Option<&str>,
    name_of: &dyn Fn(&str) -> String,
) -> Option<Side> {
    let wanted = MeasureOptions {
        all: false,
        rotational: true,
    };
    let own = groups.iter().filter(|group| group.name == *name);
    let mut found: Vec<Measure> = own
        .filter_map(|group| measures(selection, group, wanted).into_iter().next())
        .collect();
    let at = found
        .iter()
        .position(|measure| Some(measure.name.as_str()) == metric);
    let measure = if found.is_empty() {
        return None;
    } else {
        found.swap_remove(at.unwrap_or_default())
    };
    let names = selection.table.names();
    let standings = standings(
        &measure,
        names.models.values().len(),
        Depth::Scores,
        selection.ticket,
    );
    let model = |(code, standing): (u16, super::standing::Standing)| {
        let name = name_of(names.model(ModelId(code)));
        standing.score.map(|score| (name, (score, code)))
    };
    Some(Side {
        n: standings.iter().map(|standing| standing.n).sum(),
        models: (0..).zip(standings).filter_map(model).collect(),
        measure,
    })
}

fn compare(
    name: &Ability,
    first: Option<Side>,
    second: Option<Side>,
    selection: Selection<'_>,
) -> Agreement {
    let sides = [first, second];
    let known = |side: &Option<Side>| -> BTreeSet<String> {
        side.iter()
            .flat_map(|side| side.models.keys().cloned())
            .collect()
    };
    let [one, other] = [0, 1].map(|at| sides.get(at).map(known).unwrap_or_default());
    let only = [
        one.difference(&other).cloned().collect(),
        other.difference(&one).cloned().collect(),
    ];
    let metrics = [0, 1].map(|at: usize| {
        let side = sides.get(at).and_then(Option::as_ref);
        side.map(|side| side.measure.name.clone())
            .unwrap_or_default()
    });
    let keys = Keys::of(selection.table);
    let excluded = match &sides {
        [Some(first), Some(second)] => excluded([first, second], &keys, selection.coverage),
        _ => BTreeSet::new(),
    };
    let sides = on_common_samples(sides, &excluded, &keys, selection);
    let [Some(first), Some(second)] = &sides else {
        let side = sides.iter().flatten().next();
        return Agreement {
            metrics,
            only,
            ..none(name, side.map(|side| side.measure.direction))
        };
    };
    let mut models: Vec<(String, [f64; 2])> = first
        .models
        .iter()
        .filter_map(|(name, (score, _))| Some((name.clone(), [*score, second.models.get(name)?.0])))
        .collect();
    let signs = [first, second].map(Side::sign);
    models.sort_by(|(_, a), (_, b)| (signs[0] * b[0]).total_cmp(&(signs[0] * a[0])));
    let merits = [0, 1].map(|at| -> Vec<f64> {
        let merit = |(_, scores): &(String, [f64; 2])| signs[at] * scores[at];
        models.iter().map(merit).collect()
    });
    Agreement {
        metrics,
        only,
        n: [first.n, second.n],
        tau: kendall_tau_b(&merits[0], &merits[1]),
        tau_interval: if selection.selected_by.is_none() {
            tau_interval(first, second, &models, selection.ticket)
        } else {
            None
        },
        excluded: excluded.into_iter().collect(),
        rho: spearman_rho(&merits[0], &merits[1]),
        swaps: swaps(&models, signs),
        models,
        ..none(name, Some(first.measure.direction))
    }
}

/// Returns the models of both sides that answered too few samples to be ranked. `coverage` is the
/// minimum share of common samples, as in reports.
fn excluded(sides: [&Side; 2], keys: &Keys<'_>, coverage: f64) -> BTreeSet<String> {
    let [one, other] = sides;
    let mut found = BTreeSet::new();
    for (side, other) in [(one, other), (other, one)] {
        let is_both = |(name, _): &(&String, &(f64, u16))| other.models.contains_key(*name);
        let names: BTreeMap<u16, &String> = (side.models.iter())
            .filter(is_both)
            .map(|(name, (_, code))| (*code, name))
            .collect();
        let mut measure = side.measure.clone();
        measure
            .values
            .retain(|sampled| names.contains_key(&sampled.model));
        let common = CommonSamples::of(&measure, keys, coverage);
        let excluded = common
            .excluded
            .iter()
            .filter_map(|(code, _)| names.get(code));
        found.extend(excluded.map(|name| (*name).clone()));
    }
    found
}

/// Restricts both sides to their shared models, and to the samples that all shared models answered
/// on both sides. Without such samples, each side uses the samples that its own shared models
/// answered. Pooled figures such as AP stay unchanged.
fn on_common_samples(
    sides: [Option<Side>; 2],
    excluded: &BTreeSet<String>,
    keys: &Keys<'_>,
    selection: Selection<'_>,
) -> [Option<Side>; 2] {
    let [Some(mut one), Some(mut other)] = sides else {
        return sides;
    };
    let names: BTreeSet<String> = (one.models.keys())
        .filter(|name| other.models.contains_key(*name) && !excluded.contains(*name))
        .cloned()
        .collect();
    let sample_of = selection.table.sample_of();
    let mut answered = [&mut one, &mut other].map(|side| {
        side.models.retain(|name, _| names.contains(name));
        let codes: BTreeSet<u16> = side.models.values().map(|(_, code)| *code).collect();
        side.measure
            .values
            .retain(|sampled| codes.contains(&sampled.model));
        let common = CommonSamples::of(&side.measure, keys, 0.0);
        let samples = common.values(&side.measure);
        let sample =
            |(_, sampled): (u32, &SampleValue)| sample_of.get(sampled.item as usize).copied();
        samples.filter_map(sample).collect::<BTreeSet<u32>>()
    });
    let both: BTreeSet<u32> = answered[0].intersection(&answered[1]).copied().collect();
    if !both.is_empty() {
        answered = [both.clone(), both];
    }
    for (side, samples) in [&mut one, &mut other].into_iter().zip(&answered) {
        if side.measure.pooled.is_some() {
            continue;
        }
        let is_common = |item: u32| {
            let sample = sample_of.get(item as usize);
            sample.is_some_and(|sample| samples.contains(sample))
        };
        side.measure
            .values
            .retain(|sampled| is_common(sampled.item));
        let count = selection.table.names().models.values().len();
        let standings = standings(&side.measure, count, Depth::Scores, selection.ticket);
        side.n = standings.iter().map(|standing| standing.n).sum();
        side.models.retain(|_, (score, code)| {
            let standing = standings.get(usize::from(*code));
            let own = standing.and_then(|standing| standing.score);
            *score = own.unwrap_or(*score);
            own.is_some()
        });
    }
    [Some(one), Some(other)]
}

/// Returns the empty agreement of an ability that at most one set has.
fn none(name: &Ability, direction: Option<Direction>) -> Agreement {
    Agreement {
        benchmark: name.benchmark.clone(),
        ability: name.name.clone(),
        metrics: [String::new(), String::new()],
        direction: direction.unwrap_or(Direction::Higher),
        models: Vec::new(),
        only: [Vec::new(), Vec::new()],
        excluded: Vec::new(),
        n: [0; 2],
        tau: Err(CorrelationError::TooFew),
        tau_interval: None,
        rho: Err(CorrelationError::TooFew),
        swaps: Vec::new(),
    }
}

impl Side {
    /// Returns 1 where higher is better, else -1.
    fn sign(&self) -> f64 {
        self.measure.direction.sign()
    }
}

/// Returns the pairs of models whose order differs between the two scores. `models` are sorted by
/// the first score, best first; a sign is 1 where higher is better, else -1.
pub(super) fn swaps(
    models: &[(String, [f64; 2])],
    [first, second]: [f64; 2],
) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (at, (better, [a, b])) in models.iter().enumerate() {
        for (worse, [c, d]) in models.iter().skip(at + 1) {
            if first * a > first * c && second * b < second * d {
                found.push((better.clone(), worse.clone()));
            }
        }
    }
    found
}

/// Computes the interval of tau of the models' true scores; `None` if a metric has no values per
/// sample, or if the interval cannot be estimated.
fn tau_interval(
    first: &Side,
    second: &Side,
    models: &[(String, [f64; 2])],
    ticket: &Ticket,
) -> Option<Interval> {
    // Pooled figures such as AP have no value per sample, and so no sampling error.
    if first.measure.pooled.is_some() || second.measure.pooled.is_some() || !ticket.is_wanted() {
        return None;
    }
    let columns = models.len();
    let mut values = Vec::new();
    for (offset, side) in [(0, first), (columns, second)] {
        let mut column_of = BTreeMap::new();
        for (column, (name, _)) in models.iter().enumerate() {
            let (_, code) = side.models.get(name)?;
            column_of.insert(*code, u16::try_from(offset + column).ok()?);
        }
        let own = side.measure.values.iter().filter_map(|sampled| {
            let model = *column_of.get(&sampled.model)?;
            Some(SampleValue { model, ..*sampled })
        });
        values.extend(own);
    }
    let places: Vec<usize> = (0..2 * columns).collect();
    let (mut merits, noise) = means_in_two_sets(&cluster_sums(&values, &places, 2 * columns))?;
    let signs = [first.sign(), second.sign()];
    for means in &mut merits {
        *means = [signs[0] * means[0], signs[1] * means[1]];
    }
    let [[one, across], [_, other]] = noise;
    let across = signs[0] * signs[1] * across;
    let noise = [[one, across], [across, other]];
    let draws = crate::metric::Draws {
        count: DRAWS,
        seed: SEED,
    };
    crate::metric::tau_interval(&merits, noise, draws, LEVEL)
}

/// Sums the values of each cluster by column. `column_of` maps a model code to its column.
fn cluster_sums(values: &[SampleValue], column_of: &[usize], columns: usize) -> ClusterSums {
    let mut sums = ClusterSums::new(columns);
    let clusters = values.iter().map(|sampled| sampled.cluster);
    let (Some(first), Some(last)) = (clusters.clone().min(), clusters.max()) else {
        return sums;
    };
    // Clusters of a group have neighbouring numbers: a list over their range is small, and faster
    // than hashing.
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
