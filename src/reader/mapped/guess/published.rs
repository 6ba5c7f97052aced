//! Recognises tables of published scores: models and scores without samples.

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value as Json;

use super::super::names::{AGGREGATES, FACTS, METHODS, PARTS, VALUES, is_named};
use super::super::path::cell;
use super::super::published::{is_absent, printed_number};
use super::{Guess, are_distinct};
use crate::data_url::ENDINGS;
use crate::has_ending;
use crate::json::plain;
use base::config::{ColumnMap, RowKind};
use record::benchmark::{SCORE, known_direction};

impl Guess<'_> {
    /// Returns a map of published scores for rows that hold models and scores, but no samples.
    pub(super) fn published(&self) -> Option<ColumnMap> {
        let rows = self.rows;
        let map = &self.map;
        let is_key = |column: &String| column == ColumnMap::KEY;
        let of_samples = [&map.question, &map.target, &map.response, &map.image];
        let mut of_samples = of_samples.into_iter().chain([&map.parsed]);
        let has_samples = of_samples.any(Option::is_some)
            || map.sample_id.as_ref().is_some_and(|id| !is_key(id))
            || !map.choices.is_empty();
        let free = || {
            let columns = self.columns.iter().zip(&self.taken);
            columns
                .filter(|(_, taken)| !**taken)
                .map(|(column, _)| column)
        };
        let is_method = |column: &&String| {
            METHODS.iter().any(|name| is_named(column, name)) && !has_numbers(column, rows)
        };
        let model = map.model.as_ref().or_else(|| free().find(is_method));
        let model = model.or_else(|| {
            map.sample_id
                .as_ref()
                .filter(|_| !has_pictures_as_keys(rows))
        })?;
        let is_named_of = |column: &str, names: &[&str]| {
            let name = fact(column);
            names.iter().any(|known| is_named(name, known))
        };
        let is_score = |column: &&String| {
            let words: Vec<&str> = fact(column).split([' ', '_']).collect();
            let is_spread = matches!(words[..], [_, .., "std" | "stderr" | "ci" | "se"]);
            let is_fact = is_spread || is_named_of(column, &FACTS);
            !is_fact && *column != model && has_numbers(column, rows)
        };
        let mut scores: Vec<String> = free().filter(is_score).cloned().collect();
        // A mean is no further ability, but may be all that there is.
        if scores.iter().any(|name| !is_named_of(name, &AGGREGATES)) {
            scores.retain(|name| !is_named_of(name, &AGGREGATES));
        }
        if has_samples || scores.is_empty() && map.score.is_none() {
            return None;
        }
        let mut found = ColumnMap {
            kind: Some(RowKind::Published),
            model: Some(model.clone()),
            ability: map.ability.clone(),
            benchmark: map.benchmark.clone(),
            metric: map.metric.clone(),
            direction: map.direction.clone(),
            split: map.split.clone(),
            condition: map.condition.clone(),
            ..ColumnMap::default()
        };
        if found.ability.is_none() {
            let is_part = |column: &&String| PARTS.iter().any(|name| is_named(column, name));
            found.ability = free().find(is_part).filter(|it| *it != model).cloned();
        }
        // Scores of a model by ability, unless the keys number samples: `s1`, `s2`.
        let is_by_key = map.sample_id.as_deref() == Some(ColumnMap::KEY);
        if found.ability.is_none() && is_by_key && model == ColumnMap::GROUP {
            let keys = rows.iter().filter_map(|row| cell(row, ColumnMap::KEY));
            let stem = |key: String| {
                key.trim_end_matches(|c: char| c.is_ascii_digit())
                    .to_owned()
            };
            let stems: HashSet<String> = keys.map(|key| stem(plain(&key))).collect();
            found.ability = (stems.len() > 1).then(|| ColumnMap::KEY.to_owned());
        }
        let is_value = |name: &&String| VALUES.iter().any(|value| is_named(name, value));
        let value = scores.iter().find(is_value).cloned();
        if map.score.is_none() && (scores.len() == 1 || found.metric.is_some()) && value.is_some() {
            found.score = value;
            scores.clear();
            if found.metric.is_none() {
                found.fixed.insert("metric".to_owned(), SCORE.to_owned());
            }
        }
        for (field, name) in [("unit", "unit"), ("group", "group")] {
            if let Some(column) = free().find(|column| is_named(column, name)) {
                found.assign(field, column.clone());
            }
        }
        if scores.is_empty() {
            found.score = found.score.or_else(|| map.score.clone());
        } else {
            let are_metrics = scores.iter().all(|name| known_direction(name).is_some());
            let is_once = are_distinct(rows, &[model]);
            if !are_metrics && (is_once || found.ability.is_none()) {
                // Such as the kind of a model.
                let kind = found.ability.take();
                found.group = found.group.or(kind);
                found.score_names = Some("ability".to_owned());
                if found.metric.is_none() {
                    found.fixed.insert("metric".to_owned(), SCORE.to_owned());
                }
            }
            found.scores = map.score.iter().cloned().chain(scores).collect();
        }
        // Rows with the same model, ability and metric are predictions.
        let others = found.named();
        let others: Vec<&str> = others
            .filter(|name| found.score.as_deref() != Some(name))
            .collect();
        are_distinct(rows, &others).then_some(found)
    }
}

/// Returns the name of a column without a unit and without the point of an abbreviation:
/// `Params (B)`, `Avg.`.
fn fact(column: &str) -> &str {
    let name = column.split_once(" (").map_or(column, |(name, _)| name);
    name.trim_end_matches('.')
}

/// Returns true if the keys of an object of rows are numbers or files of pictures: no models.
fn has_pictures_as_keys(rows: &[Json]) -> bool {
    let mut keys = rows.iter().filter_map(|row| cell(row, ColumnMap::KEY));
    keys.any(|key| {
        let key = plain(&key);
        has_ending(Path::new(&key), &ENDINGS) || key.parse::<u64>().is_ok()
    })
}

/// True if all cells of a column are numbers or empty, and at least one is a number.
fn has_numbers(column: &str, rows: &[Json]) -> bool {
    let cells = rows.iter().filter_map(|row| cell(row, column));
    let texts = cells.map(|cell| {
        if cell.is_boolean() {
            "-".to_owned()
        } else {
            plain(&cell)
        }
    });
    let mut texts = texts.filter(|text| !is_absent(text)).peekable();
    texts.peek().is_some() && texts.all(|text| printed_number(&text).is_some())
}
