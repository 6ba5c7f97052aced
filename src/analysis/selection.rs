//! Which predictions are asked about, and by whose rules they are scored.

use record::{Scoring, Table};

/// A table, a rule, and the rows that pass a filter.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    /// The table.
    pub table: &'a Table,
    /// Whose rules score.
    pub scoring: Scoring,
    /// One flag a prediction; `None`: all of them.
    pub mask: Option<&'a [bool]>,
}

impl<'a> Selection<'a> {
    /// Every prediction of a table.
    #[must_use]
    pub const fn all(table: &'a Table, scoring: Scoring) -> Self {
        Self {
            table,
            scoring,
            mask: None,
        }
    }

    /// The rows that are selected, in table order.
    pub fn rows(self) -> impl Iterator<Item = u32> + 'a {
        let rows = u32::try_from(self.table.len()).unwrap_or(u32::MAX);
        (0..rows).filter(move |&row| self.has(row))
    }

    /// Whether a row is selected.
    #[must_use]
    pub fn has(self, row: u32) -> bool {
        self.mask
            .is_none_or(|mask| mask.get(row as usize).copied().unwrap_or_default())
    }
}
