//! Reads the rows of a table with their scores, to compare them with those of another table.

// Each test target uses only some of these functions.
#![allow(dead_code)]

use std::collections::BTreeMap;

use eyechart::record::{INVALID, NAMED_METRIC, Row, Scoring, Table};

/// Key of a row: benchmark, sample, model and condition.
pub type Key = (String, String, String, String);

/// The values of a row that are compared.
#[derive(Clone, Debug)]
pub struct ScoredRow {
    /// Ability, metrics, scores and flags as text.
    pub text: String,
    /// The harness's score; `NaN` if there is none.
    pub score: f64,
    /// True if no answer could be parsed.
    pub invalid: bool,
    /// File and line number of the row.
    pub place: (String, u32),
}

/// All rows of a table, by key.
pub fn rows(table: &Table) -> BTreeMap<Key, ScoredRow> {
    (0..table.len()).map(|row| judged(table, row)).collect()
}

fn judged(table: &Table, row: usize) -> (Key, ScoredRow) {
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
        .other_scores()
        .map(|(metric, scores)| (metric, scores[row]))
        .filter(|(_, score)| !score.is_nan())
        .collect();
    let harness = of(Scoring::Harness);
    let place = table.place(id);
    let source = &table.sources()[place.unit as usize];
    let text = format!(
        "{} {harness:?} {:?} {beside:?} {}",
        ability.name,
        of(Scoring::Strict),
        // The flag for a metric's name does not affect the score.
        table.flags()[row] & !NAMED_METRIC
    );
    let judged = ScoredRow {
        text,
        score: harness.1,
        invalid: table.flags()[row] & INVALID != 0,
        place: (source.path.display().to_string(), place.line),
    };
    (key, judged)
}
