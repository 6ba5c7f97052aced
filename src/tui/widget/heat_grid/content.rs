//! Data shown by a heat grid.

use std::borrow::Cow;

use super::super::text::width;
use super::layout::number;

/// A cell of the grid: text and colour.
#[derive(Clone, Debug, Default)]
pub struct HeatCell<'a> {
    /// Rank (`3`, or `3=` for a tie) or score; `–` for a missing value.
    pub text: Cow<'a, str>,
    /// From 0 (best) to 1 (worst). NaN for no colour, for example without a clear difference.
    pub heat: f64,
    /// True if the cell is the best of its column.
    pub best: bool,
}

impl<'a> HeatCell<'a> {
    /// Creates a cell without a colour.
    pub fn plain(text: impl Into<Cow<'a, str>>) -> Self {
        Self {
            text: text.into(),
            heat: f64::NAN,
            best: false,
        }
    }
}

/// One model, without its cells.
#[derive(Clone, Debug, Default)]
pub struct HeatRow<'a> {
    /// Name of the model.
    pub name: Cow<'a, str>,
    /// Index of the series if the model is in a chart.
    pub series: Option<usize>,
    /// Numbers before the cells, for example the average rank.
    pub lead: Vec<Cow<'a, str>>,
    /// True for a row that is dim and separated from ranked models.
    pub apart: bool,
}

/// Source of rows and cells. Each row and cell is created only when it becomes visible.
pub trait HeatCells {
    /// Returns the number of rows.
    fn total(&self) -> usize;
    /// Returns a row without its cells.
    fn row(&self, row: usize) -> HeatRow<'_>;
    /// Returns the cell of a row and a column.
    fn cell(&self, row: usize, column: usize) -> HeatCell<'_>;
}

/// Maximum text widths over all rows, including hidden ones, so that columns do not move while
/// scrolling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeatWidths {
    /// Width of the longest name.
    pub name: u16,
    /// Width of the longest cell text, without the tie sign.
    pub number: u16,
    /// Width of the longest number in each lead column.
    pub lead: Vec<u16>,
}

impl HeatWidths {
    /// Measures a grid with `columns` columns. Reads every cell, so cache the result for a large
    /// grid.
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

    /// Measures only names and lead columns, for callers that know the width of the widest cell.
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

/// Labels of one ability.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeatColumn<'a> {
    /// Abbreviation of three letters.
    pub short: &'a str,
    /// Full name, for wide screens.
    pub long: &'a str,
    /// Texts to show below the label, for example the metric and its direction, longest first. The
    /// first text that fits is shown. If no column has texts, the grid omits the line.
    pub under: &'a [String],
}

impl<'a> HeatColumn<'a> {
    /// Creates a column without texts below its label.
    pub const fn new(short: &'a str, long: &'a str) -> Self {
        let under = &[];
        Self { short, long, under }
    }
}

/// Target of a mouse position: a cell, a name (`column` is `None`) or a title (`row` is `None`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeatSpot {
    /// Index of the model.
    pub row: Option<usize>,
    /// Index of the ability.
    pub column: Option<usize>,
}
