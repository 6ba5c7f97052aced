//! What a heat grid shows, in plain values.

use std::borrow::Cow;

use super::super::text::width;
use super::layout::number;

/// One cell.
#[derive(Clone, Debug, Default)]
pub struct HeatCell<'a> {
    /// A rank (`3`, `3=` for a tie) or a score; `–` if there is none.
    pub text: Cow<'a, str>,
    /// From 0 (best) to 1 (worst); NaN for no colour.
    pub heat: f64,
    /// Whether the data cannot tell it from its neighbours.
    pub dim: bool,
    /// Whether it is the best of its column.
    pub best: bool,
}

/// One model, but for its cells.
#[derive(Clone, Debug, Default)]
pub struct HeatRow<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Which series it has been picked as.
    pub series: Option<usize>,
    /// Numbers before the cells, such as the average rank.
    pub lead: Vec<Cow<'a, str>>,
    /// Whether it stands apart from the others, which is dim.
    pub apart: bool,
}

/// Rows and cells that are made when they come into sight.
pub trait HeatCells {
    /// How many rows there are.
    fn total(&self) -> usize;
    /// What stands before the cells of a row.
    fn row(&self, row: usize) -> HeatRow<'_>;
    /// One cell.
    fn cell(&self, row: usize, column: usize) -> HeatCell<'_>;
}

/// How wide the widest of all rows are, in sight or not: columns stand still while the grid scrolls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeatWidths {
    /// The widest name.
    pub name: u16,
    /// The widest text of a cell, without the sign of a tie.
    pub number: u16,
    /// The widest number of each lead column.
    pub lead: Vec<u16>,
}

impl HeatWidths {
    /// Those of a grid with so many columns. Asks for every cell: a large grid keeps the answer.
    #[must_use]
    pub fn of(cells: &impl HeatCells, columns: usize) -> Self {
        let mut widths = Self::of_rows(cells);
        for row in 0..cells.total() {
            for column in 0..columns {
                let cell = cells.cell(row, column);
                widths.number = widths.number.max(width(number(&cell.text)));
            }
        }
        widths
    }

    /// Those of names and lead columns, where the caller knows the widest cell.
    #[must_use]
    pub fn of_rows(cells: &impl HeatCells) -> Self {
        let mut widths = Self::default();
        for row in (0..cells.total()).map(|row| cells.row(row)) {
            widths.name = widths.name.max(width(&row.name));
            let more = row.lead.len().saturating_sub(widths.lead.len());
            widths.lead.extend(std::iter::repeat_n(0, more));
            for (widest, text) in widths.lead.iter_mut().zip(&row.lead) {
                *widest = (*widest).max(width(text));
            }
        }
        widths
    }
}

/// One ability.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeatColumn<'a> {
    /// Three letters.
    pub short: &'a str,
    /// The name, for wide screens.
    pub long: &'a str,
    /// What stands under either, such as the metric and its direction, the longest first: the first that fits is
    /// shown. Without any the grid has no such line.
    pub under: &'a [String],
}

/// What lies under the mouse: a cell, a name (no column) or a title (no row).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeatSpot {
    /// The model.
    pub row: Option<usize>,
    /// The ability.
    pub column: Option<usize>,
}
