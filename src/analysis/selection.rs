//! Which predictions are asked about, and by whose rules they are scored.

use job::{FOR_GOOD, Ticket};
use record::{Published, Scoring, Table};

/// The share of the samples which at least half of the models answered that all ranked models must have answered.
pub const COVERAGE: f64 = 0.8;

/// A table, a rule, the rows that pass a filter, and who waits for what is made of them.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    /// The table.
    pub table: &'a Table,
    /// Whose rules score.
    pub scoring: Scoring,
    /// One flag a prediction; `None`: all of them.
    pub mask: Option<&'a [bool]>,
    /// One flag a published score; `None`: all of them.
    pub published: Option<&'a [bool]>,
    /// The share of samples that all ranked models of an ability must have answered; see [`COVERAGE`].
    pub coverage: f64,
    /// Long loops stop when it is stale; what they return then is of no use.
    pub ticket: &'a Ticket,
}

impl<'a> Selection<'a> {
    /// Every prediction of a table.
    #[must_use]
    pub const fn all(table: &'a Table, scoring: Scoring) -> Self {
        Self {
            table,
            scoring,
            mask: None,
            published: None,
            coverage: COVERAGE,
            ticket: &FOR_GOOD,
        }
    }

    /// The rows that are selected, in table order.
    pub fn rows(self) -> impl Iterator<Item = u32> + 'a {
        let rows = u32::try_from(self.table.len()).unwrap_or(u32::MAX);
        (0..rows).filter(move |&row| self.has(row))
    }

    /// Returns true if a row is selected.
    #[must_use]
    pub fn has(self, row: u32) -> bool {
        self.mask.is_none_or(|mask| mask[row as usize])
    }

    /// The published scores that are selected.
    pub fn published(self) -> impl Iterator<Item = &'a Published> {
        let published = self.table.published().iter().enumerate();
        let held = move |(at, _): &(usize, &Published)| self.published.is_none_or(|held| held[*at]);
        published.filter(held).map(|(_, row)| row)
    }
}
