//! What the audit remembers: the book, what is not saved yet, the spot check that runs.

use std::mem::take;
use std::sync::Arc;

use crate::app::App;
use crate::widget::table::TableState;
use analysis::audit::{Findings, sample_key};
use record::{Moved, Row};
use verdict::{Book, Entry, History, SampleKey};

/// How many samples a spot check has until the user says otherwise.
const SIZE: usize = 50;
/// Two people who draw from the same logs judge the same samples, so that their agreement can be told.
pub const SEED: u64 = 1;

/// What the list of samples holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListOf {
    /// What passes the lens.
    #[default]
    Lens,
    /// The spot check.
    Check,
    /// What is left out of the ranking.
    Flagged,
}

/// The label audit.
#[derive(Clone, Debug)]
pub struct AuditState {
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
    /// A note that waits for its verdict.
    pub draft: Option<(SampleKey, String)>,
    /// Samples of the next spot check.
    pub size: usize,
    /// The spot check that was drawn: one prediction of each sample.
    pub check: Vec<u32>,
    /// What the list of samples holds.
    pub list: ListOf,
    /// The prediction whose answer was asked for.
    pub revealed: Option<u32>,
    /// True if ambiguous samples are left out of the ranking too.
    pub drop_ambiguous: bool,
    /// What the verdicts say.
    pub findings: Option<Box<Findings>>,
    /// The cursor in the list of flagged samples.
    pub table: TableState,
    /// The panel that a narrow screen shows.
    pub panel: usize,
}

impl Default for AuditState {
    fn default() -> Self {
        Self {
            author: "anonymous".to_owned(),
            place: String::new(),
            book: Arc::default(),
            unsaved: Vec::new(),
            trouble: None,
            history: History::default(),
            draft: None,
            size: SIZE,
            check: Vec::new(),
            list: ListOf::default(),
            revealed: None,
            drop_ambiguous: false,
            findings: None,
            table: TableState::default(),
            panel: 0,
        }
    }
}

impl AuditState {
    /// Rows stand elsewhere: the samples of the spot check and those that are flagged go by their new numbers.
    pub fn renumber(&mut self, moved: &Moved) {
        let new = |row: u32| moved.row(Row(row)).map(|Row(row)| row);
        self.check = self.check.iter().copied().filter_map(new).collect();
        self.revealed = self.revealed.and_then(new);
        if let Some(found) = &mut self.findings {
            let words = take(&mut found.flagged).into_iter();
            let flagged = words.zip(take(&mut found.flagged_rows));
            let kept = flagged.filter_map(|(word, row)| Some((word, moved.row(row)?)));
            (found.flagged, found.flagged_rows) = kept.unzip();
        }
    }

    /// Returns true if the list of samples is the spot check.
    pub fn is_checking(&self) -> bool {
        self.list == ListOf::Check
    }

    /// Returns true if what the models said of a prediction's sample is hidden for now.
    pub fn is_blind(&self, row: Row) -> bool {
        self.is_checking() && self.revealed != Some(row.0)
    }

    /// Returns true if the user judged a sample.
    pub fn has_judged(&self, key: &SampleKey) -> bool {
        self.book.of_author(key, &self.author).is_some()
    }
}

/// The sample of a prediction.
pub fn key_of(app: &App, row: u32) -> SampleKey {
    sample_key(&app.table, app.table.item(Row(row)))
}

/// How many samples of the spot check the user has judged.
pub fn judged_of_check(app: &App) -> usize {
    let judged = |row: &&u32| app.audit.has_judged(&key_of(app, **row));
    app.audit.check.iter().filter(judged).count()
}
