//! Finds out which columns of a map no row of its table has, and targets that need options.

use std::collections::BTreeSet;
use std::path::Path;

use super::row::GetCell;
use crate::Sink;
use base::config::{ColumnMap, parts};
use record::{Problem, Record, Target};

/// What the rows of a table contained so far.
#[derive(Debug)]
pub struct SeenColumns {
    /// Columns of the map that no row had.
    missing: BTreeSet<String>,
    /// Number of records, or of rows with published scores.
    rows: u64,
    /// Line of the first answer that needs the options to be compared with its target.
    lettered: Option<u64>,
}

impl SeenColumns {
    /// Creates the state before the first row.
    pub fn new(map: &ColumnMap) -> Self {
        Self {
            missing: map
                .named()
                .chain(map.score_paths())
                .map(str::to_owned)
                .collect(),
            rows: 0,
            lettered: None,
        }
    }

    /// Adds a column that a row has.
    pub fn column(&mut self, path: &str) {
        if !self.missing.is_empty() {
            for part in parts(path) {
                self.missing.remove(part);
            }
        }
    }

    /// Adds a row of published scores.
    pub fn row(&mut self, get: &GetCell<'_>) {
        self.rows += 1;
        self.missing.retain(|path| get(path).is_none());
    }

    /// Adds the record of a row.
    pub fn record(&mut self, record: &Record, line: u64) {
        self.rows += 1;
        if self.lettered.is_none() && needs_choices(record) {
            self.lettered = Some(line);
        }
    }

    /// Reports columns without a value and targets without options.
    pub fn tell(&self, path: &Path, sink: &mut dyn Sink) {
        if self.rows == 0 {
            return;
        }
        for column in &self.missing {
            let what = format!("no row has the column `{column}` of `[[columns]]`");
            sink.problem(Problem::file(path, what));
        }
        if let Some(line) = self.lettered {
            let what = "the target is the letter of an option, but no options are known: name \
                        their columns with `choices` in `[[columns]]`";
            sink.problem(Problem::line(path, line, what));
        }
    }
}

/// True for an unscored response such as `(B) red` to the target `B`, without options.
fn needs_choices(record: &Record) -> bool {
    let Some(Target::Text(target)) = &record.content.target else {
        return false;
    };
    let response = record.response.as_deref().unwrap_or_default().trim();
    let mut words = response.split(|c: char| !c.is_alphanumeric());
    let is_letter = matches!(target.as_bytes(), [b'A'..=b'Z']);
    let is_chosen = is_letter && response != target && words.any(|word| word == target);
    is_chosen && record.stored.is_none() && record.content.choices.is_empty()
}
