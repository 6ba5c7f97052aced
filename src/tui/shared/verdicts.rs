//! State of verdicts on labels: the book, unsaved verdicts, and the current spot check.

use std::sync::Arc;

use analysis::audit::sample_key;
use record::verdict::{Book, Entry, History, SampleKey};
use record::{Row, RowMap, Table};

/// State of verdicts on labels.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    /// Author name for the user's verdicts.
    pub author: String,
    /// Path of the verdict file.
    pub place: String,
    /// Verdicts of all authors, including the user's unsaved ones.
    pub book: Arc<Book>,
    /// Verdicts not saved yet, oldest first.
    pub unsaved: Vec<Entry>,
    /// Reason of a failed save.
    pub trouble: Option<String>,
    /// Undo history of this session.
    pub history: History,
    /// True if keys judge labels outside of a spot check too.
    pub judging: bool,
    /// Row of the last sample drawn in full; in a spot check only this one can be judged.
    pub seen: Option<u32>,
    /// A note that waits for its verdict.
    pub draft: Option<(SampleKey, String)>,
    /// Spot check: one prediction per sample.
    pub check: Vec<u32>,
    /// Prediction whose answer the user revealed.
    pub revealed: Option<u32>,
}

impl Verdicts {
    /// Updates the row numbers after the table changed.
    pub fn renumber(&mut self, moved: &RowMap) {
        let new = |row: u32| moved.row(Row(row)).map(|Row(row)| row);
        self.check = self.check.iter().copied().filter_map(new).collect();
        self.revealed = self.revealed.and_then(new);
        self.seen = self.seen.and_then(new);
    }

    /// Returns true if the user judged a sample.
    pub fn has_judged(&self, key: &SampleKey) -> bool {
        self.book.of_author(key, &self.author).is_some()
    }

    /// Returns how many samples of the spot check the user judged.
    pub fn judged_of_check(&self, table: &Table) -> usize {
        let judged = |row: &&u32| self.has_judged(&key_of(table, **row));
        self.check.iter().filter(judged).count()
    }
}

/// Returns the sample key of a prediction.
pub fn key_of(table: &Table, row: u32) -> SampleKey {
    sample_key(table, table.item(Row(row)))
}
