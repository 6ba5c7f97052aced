//! Where the columns of a heat grid stand, and how many fit.

use super::super::text::{fit, widest, width};
use super::{HeatCells, HeatColumn, HeatGrid, HeatGridState};

/// Columns before the names: the letter of a picked model and a space.
pub(super) const GUTTER: u16 = 2;
/// Columns between names, lead columns and cells.
pub(super) const GAP: u16 = 2;
/// The widest cell that a short label gets.
const ROOMY: u16 = 8;
/// Cells that must stay in sight before lead columns are shown.
const FEW: u16 = 4;

/// Columns of one drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Of the names.
    pub name: u16,
    /// Of each lead column that is shown.
    pub lead: Vec<u16>,
    /// Where the first cell starts.
    pub start: u16,
    /// Of one cell.
    pub cell: u16,
    /// Columns right of a number: one for the sign of a tie, and what centres it in a wide cell.
    pub tail: u16,
    /// Whether the long labels fit.
    pub long: bool,
    /// Cells side by side.
    pub columns: usize,
    /// Rows of the header: labels, what stands under them if anything does, and a rule.
    pub header: u16,
    /// Rows below the header.
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
        // Two columns stay for the mark of more columns and for the scroll bar.
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

    /// Where a column starts, if it is in sight.
    pub(super) fn column_x(&self, state: &HeatGridState, column: usize) -> Option<u16> {
        let place = column
            .checked_sub(state.column_offset)
            .filter(|place| *place < self.columns)?;
        Some(self.start + u16::try_from(place).ok()? * self.cell)
    }

    /// What stands under a column's label: the first text that fits.
    pub(super) fn under(&self, texts: &[String]) -> String {
        let fitting = texts.iter().find(|text| width(text) < self.cell);
        self.label(fitting.map_or("", String::as_str))
    }

    /// A label in a cell: right-aligned with the tie that a number may have.
    pub(super) fn label(&self, text: &str) -> String {
        let text = fit(text, self.cell.saturating_sub(1));
        let spare = usize::from(self.cell.saturating_sub(width(&text) + self.tail - 1));
        format!("{}{text}", " ".repeat(spare))
    }

    /// Columns that the whole grid takes.
    pub(super) fn width(&self) -> u16 {
        self.start + self.cell * u16::try_from(self.columns).unwrap_or(0)
    }
}

/// Rows of the header.
fn header(columns: &[HeatColumn<'_>]) -> u16 {
    let has_more = columns.iter().any(|column| !column.under.is_empty());
    2 + u16::from(has_more)
}

/// The width of each lead column: its title or its widest number.
fn lead_widths<R>(grid: &HeatGrid<'_, R>) -> Vec<u16> {
    let widths = grid.widths.lead.iter().copied();
    let widths = widths.chain(std::iter::repeat(0));
    let titles = grid.lead.iter().zip(widths);
    titles
        .map(|(title, widest)| widest.max(width(title)))
        .collect()
}

/// The width of one cell, and whether it holds the long labels.
fn cell_width<R>(grid: &HeatGrid<'_, R>, room: u16, short: u16, text: u16) -> (u16, bool) {
    let count = u16::try_from(grid.columns.len()).unwrap_or(u16::MAX).max(1);
    let long = widest(grid.columns.iter().map(|column| column.long)).max(text + 1) + 1;
    if long.saturating_mul(count) <= room {
        return (long.max((room / count).min(ROOMY)), true);
    }
    ((room / count).min(ROOMY).max(short).min(room.max(1)), false)
}

/// Whether a sign stands for a tie: `=`, or the letter of a group.
pub(super) const fn is_tie(sign: char) -> bool {
    sign == '=' || sign.is_ascii_lowercase()
}

/// A cell's text without the sign of a tie, which hangs behind it so that the digits line up.
pub(super) fn number(text: &str) -> &str {
    text.strip_suffix(is_tie).unwrap_or(text)
}
