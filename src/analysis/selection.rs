//! Which predictions are asked about, and by whose rules they are scored.

use job::{FOR_GOOD, Ticket};
use record::{Published, Scoring, Table};

/// The share of the samples which at least half of the models answered that all ranked models must have answered.
pub const COVERAGE: f64 = 0.8;

/// What a filter says of a printed score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Printed {
    /// It is left out.
    Out,
    /// It is held, as far as the filter says anything of it.
    Held,
    /// The filter asks for its table or group: what becomes of the samples beside it does not matter.
    Named,
}

/// A table, a rule, the rows that pass a filter, and who waits for what is made of them.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    /// The table.
    pub table: &'a Table,
    /// Whose rules score.
    pub scoring: Scoring,
    /// One flag a prediction; `None`: all of them.
    pub mask: Option<&'a [bool]>,
    /// What the filter says of each published score; `None`: all of them are held.
    pub published: Option<&'a [Printed]>,
    /// The share of samples that all ranked models of an ability must have answered; see [`COVERAGE`].
    pub coverage: f64,
    /// The terms of the filter that select samples by their outcome: nothing is ranked or tested then.
    pub selected_by: Option<&'a str>,
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
            selected_by: None,
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
        self.published_or_named().map(|(row, _)| row)
    }

    /// The published scores that are selected, and whether the filter asks for their table or group.
    pub fn published_or_named(self) -> impl Iterator<Item = (&'a Published, bool)> {
        let said = move |at: usize| self.published.map_or(Printed::Held, |said| said[at]);
        let published = self.table.published().iter().enumerate();
        let published = published.map(move |(at, row)| (row, said(at)));
        let held = published.filter(|(_, said)| *said != Printed::Out);
        held.map(|(row, said)| (row, said == Printed::Named))
    }
}
