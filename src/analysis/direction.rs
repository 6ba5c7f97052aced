//! Which way a metric is better, and how that is known.

use std::collections::{BTreeMap, BTreeSet};

use benchmark::{Direction, KnownMetric, known_metric, unfiltered};
use record::{Basis, Scoring, Table};

/// The metrics by which several models are scored and of which nobody states which way they are better, each once.
#[must_use]
pub fn without_direction(table: &Table, scoring: Scoring) -> Vec<String> {
    let mut first: BTreeMap<u16, u16> = BTreeMap::new();
    let mut shared: BTreeSet<u16> = BTreeSet::new();
    for (&metric, &model) in table.metric_of(scoring).iter().zip(table.model_of()) {
        if *first.entry(metric).or_insert(model) != model {
            shared.insert(metric);
        }
    }
    let metrics = table.names().metrics.values();
    let used = shared.into_iter();
    let used = used.filter_map(|code| metrics.get(usize::from(code)));
    let is_unknown = |metric: &&String| direction_in(table, metric).1 == Basis::Guess;
    used.filter(is_unknown).cloned().collect()
}

/// The direction of a metric in a table, and what it rests on: the user, the log, the harness's own figures, the name. Of
/// a metric with the basis [`Basis::Guess`] the direction is not known.
#[must_use]
pub fn direction_in(table: &Table, metric: &str) -> (Direction, Basis) {
    let stated = table.names().directions.get(metric);
    let stated = stated.or_else(|| table.names().directions.get(unfiltered(metric)));
    if let Some(stated) = stated {
        return *stated;
    }
    let known = known_metric(metric);
    let is_share = |known: &KnownMetric| known.name != benchmark::SCORE || is_within(table, metric);
    if let Some(known) = known.filter(is_share) {
        return (known.direction, Basis::KnownName);
    }
    let by_harness = table.published().iter().filter(|row| row.by_harness);
    let mut figures = by_harness.filter_map(|row| {
        if row.metric == metric {
            return row.higher_is_better.map(Direction::from_higher);
        }
        // A harness that takes the accuracy of a score has answers that are right or wrong.
        let of = row.metric.strip_suffix("/accuracy")?;
        (of == metric).then_some(Direction::Higher)
    });
    match figures.next() {
        Some(direction) => (direction, Basis::Harness),
        None => (Direction::Higher, Basis::Guess),
    }
}

/// Returns true if all scores under a metric are shares of one.
fn is_within(table: &Table, metric: &str) -> bool {
    let (low, high) = table.range_of(metric);
    low >= 0.0 && high <= 1.0
}
