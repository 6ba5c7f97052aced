//! Defines a selection: the predictions to analyse, and the rules that score them.

use base::job::{FOR_GOOD, Ticket};
use record::{PublishedScore, Scoring, Table};

/// Default coverage: share of the samples that all ranked models must have answered, among samples
/// that at least half of the models answered.
pub const COVERAGE: f64 = 0.8;

/// Result of a filter applied to a printed score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PrintedMatch {
    /// The score is excluded.
    Out,
    /// The score is included, as far as the filter applies to it.
    Held,
    /// The filter selects the score by its table or group; excluded samples do not affect it.
    Named,
}

/// Selection of a table's rows, with the scoring rules and a ticket to cancel the work.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    /// Table with the predictions.
    pub table: &'a Table,
    /// Rules that score the predictions.
    pub scoring: Scoring,
    /// Mask with a flag for each prediction; `None` selects all.
    pub mask: Option<&'a [bool]>,
    /// Filter result for each published score; `None` keeps all.
    pub published: Option<&'a [PrintedMatch]>,
    /// Share of samples that all ranked models of an ability must have answered; see
    /// [`COVERAGE`].
    pub coverage: f64,
    /// Terms of the filter that select samples by outcome; if set, nothing is ranked or tested.
    pub selected_by: Option<&'a str>,
    /// Ticket that stops long loops when it is stale; the results of these loops are then
    /// meaningless.
    pub ticket: &'a Ticket,
}

impl<'a> Selection<'a> {
    /// Selects every prediction of a table.
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

    /// Iterates over the selected rows in table order.
    pub fn rows(self) -> impl Iterator<Item = u32> + 'a {
        let rows = u32::try_from(self.table.len()).unwrap_or(u32::MAX);
        (0..rows).filter(move |&row| self.has(row))
    }

    /// Returns true if a row is selected.
    pub fn has(self, row: u32) -> bool {
        self.mask.is_none_or(|mask| mask[row as usize])
    }

    /// Iterates over the selected published scores.
    pub fn published(self) -> impl Iterator<Item = &'a PublishedScore> {
        self.published_or_named().map(|(row, _)| row)
    }

    /// Iterates over the selected published scores. The flag is true if the filter selects the
    /// score by its table or group.
    pub fn published_or_named(self) -> impl Iterator<Item = (&'a PublishedScore, bool)> {
        let said = move |at: usize| self.published.map_or(PrintedMatch::Held, |said| said[at]);
        let published = self.table.published().iter().enumerate();
        let published = published.map(move |(at, row)| (row, said(at)));
        let held = published.filter(|(_, said)| *said != PrintedMatch::Out);
        held.map(|(row, said)| (row, said == PrintedMatch::Named))
    }
}
