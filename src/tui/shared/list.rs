//! The list of samples, which the sample on screen is one of.

use record::{Moved, Row};
use widget::table::TableState;
use workspace::outline::Outline;
use workspace::page::Sort;

/// What the list of samples holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListOf {
    /// What passes the lens.
    #[default]
    Lens,
    /// The spot check.
    Check,
    /// Samples that were selected in another view.
    Flagged,
}

/// The list of samples.
#[derive(Clone, Debug)]
pub struct SampleList {
    /// Predictions, by their row in the table.
    pub rows: Vec<u32>,
    /// What they have in common.
    pub outline: Outline,
    /// What they are.
    pub of: ListOf,
    /// The cursor.
    pub table: TableState,
    /// Their order.
    pub sort: Sort,
    /// True if the order is reversed.
    pub reverse: bool,
}

impl Default for SampleList {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            outline: Outline::default(),
            of: ListOf::default(),
            table: TableState::default(),
            sort: Sort::Worst,
            reverse: false,
        }
    }
}

impl SampleList {
    /// Rows stand elsewhere: each one that is kept goes by its new number, and the cursor with it.
    pub fn renumber(&mut self, moved: &Moved) {
        let new = |row: u32| moved.row(Row(row)).map(|Row(row)| row);
        let rows = std::mem::take(&mut self.rows);
        let at = self.table.selected;
        let gone = rows.iter().take(at).filter(|row| new(**row).is_none());
        self.table.selected = at - gone.count().min(at);
        self.rows = rows.into_iter().filter_map(new).collect();
    }

    /// The row under the cursor.
    pub fn here(&self) -> Option<u32> {
        self.at(0)
    }

    /// The row so many steps away from the cursor.
    pub fn at(&self, step: isize) -> Option<u32> {
        let at = self.table.selected.checked_add_signed(step)?;
        self.rows.get(at).copied()
    }

    /// Returns true if the list is the spot check.
    pub fn is_check(&self) -> bool {
        self.of == ListOf::Check
    }
}

/// Which model's answer stands beside the first one's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Second {
    /// The other model of a comparison, else the first selected one that is not the sample's own.
    #[default]
    Picked,
    /// This one.
    Model(String),
    /// None.
    Nobody,
}
