//! State of verdicts on labels: all verdicts, unsaved verdicts, and the current spot check.

use std::sync::Arc;

use analysis::audit::sample_key;
use record::verdict::{Book, Entry, History, SampleKey};
use record::{Row, RowMap, Table};

/// Verdicts on labels, and the state of judging.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    /// Author name for the user's verdicts.
    pub author: String,
    /// Path of the verdict file.
    pub place: String,
    /// Verdicts of all authors, including unsaved verdicts of the user.
    pub book: Arc<Book>,
    /// Verdicts not saved yet, oldest first.
    pub unsaved: Vec<Entry>,
    /// Reason of a failed save.
    pub trouble: Option<String>,
    /// Undo history of this session.
    pub history: History,
    /// True if keys judge labels even outside a spot check.
    pub judging: bool,
    /// Row of the last sample drawn in the sample view. A spot check accepts verdicts on this
    /// sample only.
    pub seen: Option<u32>,
    /// A note that will be saved once its sample has a verdict.
    pub draft: Option<(SampleKey, String)>,
    /// Samples of the spot check, each represented by one prediction.
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

    /// Returns the number of samples of the spot check that the user judged.
    pub fn judged_of_check(&self, table: &Table) -> usize {
        let judged = |row: &&u32| self.has_judged(&key_of(table, **row));
        self.check.iter().filter(judged).count()
    }
}

/// Returns the sample key of a prediction.
pub fn key_of(table: &Table, row: u32) -> SampleKey {
    sample_key(table, table.item(Row(row)))
}
