//! Computes the position and number of the columns of a heat grid.

use super::super::text::{fit, widest, width};
use super::{HeatCells, HeatColumn, HeatGrid, HeatGridState};

/// Columns before the names. They contain the letter of a model in a chart, and a space.
pub(super) const GUTTER: u16 = 2;
/// Columns between names, lead columns and cells.
pub(super) const GAP: u16 = 2;
/// Maximum width of a grid cell with a short label, in screen columns.
const ROOMY: u16 = 8;
/// Minimum number of cells that must be visible for lead columns to be shown.
const FEW: u16 = 4;

/// Layout of a heat grid, in screen columns and rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Width of the names.
    pub name: u16,
    /// Width of each visible lead column.
    pub lead: Vec<u16>,
    /// First column of the first cell.
    pub start: u16,
    /// Width of one cell.
    pub cell: u16,
    /// Columns to the right of a number: one for the tie sign, more to centre the number in a
    /// wide cell.
    pub tail: u16,
    /// True if the full names of the abilities fit.
    pub long: bool,
    /// Number of visible cells per row.
    pub columns: usize,
    /// Number of header rows: labels, the optional line below them, and a rule.
    pub header: u16,
    /// Number of rows below the header.
    pub rows: usize,
}

impl Layout {
    pub(super) fn new<R: HeatCells>(grid: &HeatGrid<'_, R>, width: u16, height: u16) -> Self {
        let name = (grid.widths.name)
            .min((width / 3).max(6))
            .min(width.saturating_sub(GUTTER));
        let text = grid.widths.number;
        let short = widest(grid.columns.iter().map(|column| column.short)).max(text + 1) + 1;
        let mut lead = lead_widths(grid);
        let start =
            |lead: &[u16]| GUTTER + name + lead.iter().map(|lead| GAP + lead).sum::<u16>() + GAP;
        while !lead.is_empty() && start(&lead) + FEW * short > width {
            lead.pop();
        }
        let start = start(&lead);
        // Two columns are reserved: one for the mark of hidden columns, one for the scroll bar.
        let room = width.saturating_sub(start + 2);
        let (cell, long) = cell_width(grid, room, short, text);
        let columns = usize::from(room / cell.max(1)).min(grid.columns.len());
        let tail = 1 + if long {
            0
        } else {
            cell.saturating_sub(short) / 2
        };
        let header = header(grid.columns);
        Self {
            name,
            lead,
            start,
            cell,
            tail,
            long,
            columns,
            header,
            rows: usize::from(height.saturating_sub(header)),
        }
    }

    /// Returns the first screen column of an ability, or `None` if it is not visible.
    pub(super) fn column_x(&self, state: &HeatGridState, column: usize) -> Option<u16> {
        let place = column
            .checked_sub(state.column_offset)
            .filter(|place| *place < self.columns)?;
        Some(self.start + u16::try_from(place).ok()? * self.cell)
    }

    /// Returns the first text that fits below a column's label.
    pub(super) fn under(&self, texts: &[String]) -> String {
        let fitting = texts.iter().find(|text| width(text) < self.cell);
        self.label(fitting.map_or("", String::as_str))
    }

    /// Pads a label on the left, so that it is aligned with the numbers and their tie sign.
    pub(super) fn label(&self, text: &str) -> String {
        let text = fit(text, self.cell.saturating_sub(1));
        let spare = usize::from(self.cell.saturating_sub(width(&text) + self.tail - 1));
        format!("{}{text}", " ".repeat(spare))
    }

    /// Returns the width of the whole grid.
    pub(super) fn width(&self) -> u16 {
        self.start + self.cell * u16::try_from(self.columns).unwrap_or(0)
    }
}

/// Returns the height of the header.
fn header(columns: &[HeatColumn<'_>]) -> u16 {
    let has_more = columns.iter().any(|column| !column.under.is_empty());
    2 + u16::from(has_more)
}

/// Returns the width of each lead column: its title or its widest number.
fn lead_widths<R>(grid: &HeatGrid<'_, R>) -> Vec<u16> {
    let widths = grid.widths.lead.iter().copied();
    let widths = widths.chain(std::iter::repeat(0));
    let titles = grid.lead.iter().zip(widths);
    titles
        .map(|(title, widest)| widest.max(width(title)))
        .collect()
}

/// Returns the width of one cell, and whether full names fit.
fn cell_width<R>(grid: &HeatGrid<'_, R>, room: u16, short: u16, text: u16) -> (u16, bool) {
    let count = u16::try_from(grid.columns.len()).unwrap_or(u16::MAX).max(1);
    let long = widest(grid.columns.iter().map(|column| column.long)).max(text + 1) + 1;
    if long.saturating_mul(count) <= room {
        return (long.max((room / count).min(ROOMY)), true);
    }
    ((room / count).min(ROOMY).max(short).min(room.max(1)), false)
}

/// Returns true if a character marks a tie: `=`, or the letter of a tie group.
pub(super) const fn is_tie(sign: char) -> bool {
    sign == '=' || sign.is_ascii_lowercase()
}

/// Returns a cell's text without the tie sign. The tie sign is drawn separately, so that digits are
/// aligned.
pub(super) fn number(text: &str) -> &str {
    text.strip_suffix(is_tie).unwrap_or(text)
}
