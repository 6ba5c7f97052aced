//! Determines whether higher or lower values of a metric are better, and which source this comes
//! from.

use std::collections::{BTreeMap, BTreeSet};

use record::benchmark::{Direction, KnownMetric, known_metric, unfiltered};
use record::{Basis, Scoring, Table};

/// Lists the metrics that score several models but have no known direction.
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

/// Returns the direction of a metric in a table and its source: the user, the log, a known name,
/// or the harness's figures. With [`Basis::Guess`] the direction is unknown.
pub fn direction_in(table: &Table, metric: &str) -> (Direction, Basis) {
    let stated = table.names().directions.get(metric);
    let stated = stated.or_else(|| table.names().directions.get(unfiltered(metric)));
    if let Some(stated) = stated {
        return *stated;
    }
    let known = known_metric(metric);
    let is_share =
        |known: &KnownMetric| known.name != record::benchmark::SCORE || is_within(table, metric);
    if let Some(known) = known.filter(is_share) {
        return (known.direction, Basis::KnownName);
    }
    let by_harness = table.published().iter().filter(|row| row.by_harness);
    let mut figures = by_harness.filter_map(|row| {
        if row.metric == metric {
            return row.higher_is_better.map(Direction::from_higher);
        }
        // If the harness computes an accuracy from the score, higher scores are better.
        let of = row.metric.strip_suffix("/accuracy")?;
        (of == metric).then_some(Direction::Higher)
    });
    match figures.next() {
        Some(direction) => (direction, Basis::Harness),
        None => (Direction::Higher, Basis::Guess),
    }
}

/// Returns true if all scores under a metric lie between 0 and 1.
fn is_within(table: &Table, metric: &str) -> bool {
    let (low, high) = table.range_of(metric);
    low >= 0.0 && high <= 1.0
}
