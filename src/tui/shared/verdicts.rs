//! What people say of labels: the book, what is not saved yet, the spot check that runs.

use std::sync::Arc;

use analysis::audit::sample_key;
use record::{Moved, Row, Table};
use verdict::{Book, Entry, History, SampleKey};

/// What people say of labels.
#[derive(Clone, Debug)]
pub struct Verdicts {
    /// Under which name the user judges.
    pub author: String,
    /// The file that verdicts go to.
    pub place: String,
    /// What everybody says, the user's unsaved words included.
    pub book: Arc<Book>,
    /// Words that are not on the disk yet, the oldest first.
    pub unsaved: Vec<Entry>,
    /// Why not.
    pub trouble: Option<String>,
    /// The words of this session.
    pub history: History,
    /// True while keys judge labels outside of a spot check too.
    pub judging: bool,
    /// The sample that was last on screen whole: only what was seen is judged in a spot check.
    pub seen: Option<u32>,
    /// A note that waits for its verdict.
    pub draft: Option<(SampleKey, String)>,
    /// The spot check that was drawn: one prediction of each sample.
    pub check: Vec<u32>,
    /// The prediction whose answer was asked for.
    pub revealed: Option<u32>,
}

impl Default for Verdicts {
    fn default() -> Self {
        Self {
            author: "anonymous".to_owned(),
            place: String::new(),
            book: Arc::default(),
            unsaved: Vec::new(),
            trouble: None,
            history: History::default(),
            judging: false,
            seen: None,
            draft: None,
            check: Vec::new(),
            revealed: None,
        }
    }
}

impl Verdicts {
    /// Rows stand elsewhere: the samples of the spot check go by their new numbers.
    pub fn renumber(&mut self, moved: &Moved) {
        let new = |row: u32| moved.row(Row(row)).map(|Row(row)| row);
        self.check = self.check.iter().copied().filter_map(new).collect();
        self.revealed = self.revealed.and_then(new);
        self.seen = self.seen.and_then(new);
    }

    /// Returns true if the user judged a sample.
    pub fn has_judged(&self, key: &SampleKey) -> bool {
        self.book.of_author(key, &self.author).is_some()
    }

    /// How many samples of the spot check the user has judged.
    pub fn judged_of_check(&self, table: &Table) -> usize {
        let judged = |row: &&u32| self.has_judged(&key_of(table, **row));
        self.check.iter().filter(judged).count()
    }
}

/// The sample of a prediction.
pub fn key_of(table: &Table, row: u32) -> SampleKey {
    sample_key(table, table.item(Row(row)))
}
