//! Finds columns that distinguish several rows of one sample, such as seeds, prompts or models.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::path::Path;

use super::names::{ENCODERS, PARTS, is_named};
use super::{read_from, unit};
use crate::{Context, Sink, find};
use base::config::ColumnMap;
use record::{Labels, Problem, Record, Value};

/// Maximum number of rows to examine.
const MOST: usize = 10_000;
/// Maximum number of columns that are combined to distinguish rows.
const COLUMNS: usize = 3;
/// Maximum number of distinct values in a column that distinguishes rows.
const VALUES: usize = 50;
/// Additional names of the model column.
const MODELS: [&str; 5] = ["engine", "llm", "arch", "agent", "variant"];

/// Number of rows that repeat the sample, model and condition of another row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// Number of rows examined.
    pub rows: usize,
    /// Number of rows that would be replaced by a later row.
    pub repeated: usize,
}

/// Assigns the columns that distinguish rows of one sample to the model, ability, benchmark or a
/// condition instead of a tag. Returns the number of rows that are still repeated; `None` if there
/// are none.
pub fn explain(path: &Path, map: &mut ColumnMap) -> Option<Repeats> {
    if map.is_published() || map.sample_id.is_none() || !map.has_answer() {
        return None;
    }
    let rows = Rows::read(path, map)?;
    let mut chosen: Vec<String> = Vec::new();
    let repeated = rows.repeated(&chosen);
    let mut left = repeated;
    while left > 0 && chosen.len() < COLUMNS {
        let others = map.tags.iter().filter(|tag| !chosen.contains(tag));
        let candidates = others.filter_map(|tag| {
            let values = rows
                .values(tag)
                .filter(|count| (2..=VALUES).contains(count))?;
            let with: Vec<String> = chosen.iter().chain([tag]).cloned().collect();
            Some((rows.repeated(&with), values, tag))
        });
        let Some((next, _, tag)) = candidates.min_by_key(|(left, values, _)| (*left, *values))
        else {
            break;
        };
        if next == left {
            break;
        }
        chosen.push(tag.clone());
        left = next;
    }
    // If some rows are still repeated, the columns do not describe a run.
    if left > 0 {
        return Some(Repeats {
            rows: rows.0.len(),
            repeated,
        });
    }
    for column in chosen {
        map.tags.retain(|tag| *tag != column);
        let is = |names: &[&str]| names.iter().any(|name| is_named(&column, name));
        let field = if map.model.is_none() && (is(&MODELS) || is(&ENCODERS)) {
            "model"
        } else if is(&PARTS) && map.ability.is_none() {
            "ability"
        } else if is(&PARTS) && map.benchmark.is_none() {
            "benchmark"
        } else {
            "condition"
        };
        map.assign(field, column);
    }
    None
}

/// Key and tags of each row.
struct Rows(Vec<(String, Labels)>);

impl Rows {
    fn read(path: &Path, map: &ColumnMap) -> Option<Self> {
        let context = Context {
            columns: vec![map.clone()],
            ..Context::default()
        };
        let file = find(&[path.to_path_buf()]).0.into_iter().next()?;
        let mut rows = Self(Vec::new());
        read_from(&unit(file, &context), &context, None, &mut rows);
        Some(rows)
    }

    /// Returns the number of rows with the same key and the same values in `columns` as an earlier
    /// row.
    fn repeated(&self, columns: &[String]) -> usize {
        let rows = self.0.iter().map(|(key, tags)| {
            let values = columns
                .iter()
                .map(|column| tags.get(label(column)).map(Value::to_string));
            (key, values.collect::<Vec<_>>())
        });
        let distinct: HashSet<_> = rows.collect();
        self.0.len() - distinct.len()
    }

    /// Returns the number of distinct values in a column; `None` if a row has no value.
    fn values(&self, column: &str) -> Option<usize> {
        let values = self
            .0
            .iter()
            .map(|(_, tags)| tags.get(label(column)).map(Value::to_string));
        let values: Option<BTreeSet<String>> = values.collect();
        values.map(|values| values.len())
    }
}

/// Returns the tag name of a column: the last part of its path.
fn label(column: &str) -> &str {
    column.rsplit('.').next().unwrap_or(column)
}

impl Sink for Rows {
    fn record(&mut self, record: Record, _: u64) {
        let Record {
            benchmark,
            ability,
            sample_id,
            model,
            condition,
            content,
            ..
        } = record;
        let key = format!("{:?}", (benchmark, ability, sample_id, model, condition));
        self.0.push((key, content.tags));
    }

    fn problem(&mut self, _: Problem) {}

    fn progress(&mut self, _: u64) -> ControlFlow<()> {
        if self.0.len() < MOST {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}
