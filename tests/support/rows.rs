//! The rows of a table with what is said of each, to be compared with those of another.

// Each test target uses its own part of this.
#![allow(dead_code)]

use std::collections::BTreeMap;

use eyechart::record::{INVALID, NAMED_METRIC, Row, Scoring, Table};

/// What identifies a row: benchmark, sample, model and condition.
pub type Key = (String, String, String, String);

/// A row.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Its ability, metrics, scores and flags.
    pub said: String,
    /// The harness's score; `NaN` without one.
    pub score: f64,
    /// No answer could be read.
    pub invalid: bool,
    /// Its file and line.
    pub place: (String, u32),
}

/// The rows of a table.
pub fn rows(table: &Table) -> BTreeMap<Key, Judged> {
    (0..table.len()).map(|row| judged(table, row)).collect()
}

fn judged(table: &Table, row: usize) -> (Key, Judged) {
    let id = Row(u32::try_from(row).unwrap());
    let item = table.item(id);
    let ability = table.ability(item).unwrap();
    let condition = format!("{:?}", table.condition(item).unwrap());
    let key = (
        ability.benchmark.clone(),
        table.sample_id(item).to_owned(),
        table.names().model(table.model(id)).to_owned(),
        condition,
    );
    let metrics = table.names().metrics.values();
    let of = |scoring| {
        let metric = &metrics[usize::from(table.metric_of(scoring)[row])];
        (metric.as_str(), table.scores(scoring)[row])
    };
    let beside: Vec<(&str, f64)> = table
        .beside()
        .map(|(metric, scores)| (metric, scores[row]))
        .filter(|(_, score)| !score.is_nan())
        .collect();
    let harness = of(Scoring::Harness);
    let place = table.place(id);
    let source = &table.sources()[place.unit as usize];
    let said = format!(
        "{} {harness:?} {:?} {beside:?} {}",
        ability.name,
        of(Scoring::Strict),
        // Whether the log names the metric says nothing of the score.
        table.flags()[row] & !NAMED_METRIC
    );
    let judged = Judged {
        said,
        score: harness.1,
        invalid: table.flags()[row] & INVALID != 0,
        place: (source.path.display().to_string(), place.line),
    };
    (key, judged)
}
