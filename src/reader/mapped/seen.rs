//! Finds columns of a map that are missing in all rows, and targets that need answer options.

use std::collections::BTreeSet;
use std::path::Path;

use super::row::GetCell;
use crate::Sink;
use base::config::{ColumnMap, parts};
use record::{Problem, Record, Target};

/// Findings in the rows that were read so far.
#[derive(Debug)]
pub struct SeenColumns {
    /// Columns of the map that did not occur so far.
    missing: BTreeSet<String>,
    /// Number of records, or of rows with published scores, so far.
    rows: u64,
    /// Line of the first response that cannot be compared with its target without the options.
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

    /// Marks a column as present.
    pub fn column(&mut self, path: &str) {
        if !self.missing.is_empty() {
            for part in parts(path) {
                self.missing.remove(part);
            }
        }
    }

    /// Counts a row of published scores, and marks its columns as present.
    pub fn row(&mut self, get: &GetCell<'_>) {
        self.rows += 1;
        self.missing.retain(|path| get(path).is_none());
    }

    /// Counts a record, and checks whether it needs options.
    pub fn record(&mut self, record: &Record, line: u64) {
        self.rows += 1;
        if self.lettered.is_none() && needs_choices(record) {
            self.lettered = Some(line);
        }
    }

    /// Reports columns that are missing in all rows, and targets that need options.
    pub fn report(&self, path: &Path, sink: &mut dyn Sink) {
        if self.rows == 0 {
            return;
        }
        for column in &self.missing {
            let what = format!("no row has the column `{column}` of `[[columns]]`");
            sink.problem(Problem::file(path, what));
        }
        if let Some(line) = self.lettered {
            let what = "the target is the letter of an option, but no options are known: name \
                        their columns with `choices`, or the letters with `letters`, in `[[columns]]`";
            sink.problem(Problem::line(path, line, what));
        }
    }
}

/// True for a record without score and options whose response looks like `(B) red` and whose target
/// is `B`.
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
