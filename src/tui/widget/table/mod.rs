//! Draws a list of any length. Only visible rows are read.

mod columns;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::widgets::StatefulWidget;

pub use self::columns::{Column, ColumnWidth};

use self::columns::{VisibleColumn, place};
use super::canvas::Canvas;
use super::scroll::{offset_for, scrollbar};
use super::text::{fit, fit_middle, width};
use crate::widget::theme::Theme;
use base::format::{visible, wrap};

/// Row index that means that the cursor is in another widget.
pub const ELSEWHERE: usize = usize::MAX;
/// Number of header lines: titles and a rule.
pub const HEADER: u16 = 2;

/// A cell: text and style.
#[derive(Clone, Debug, Default)]
pub struct TableCell<'a> {
    /// Text without control characters.
    pub text: Cow<'a, str>,
    /// Style, applied over the theme's text style.
    pub style: Style,
}

impl<'a> TableCell<'a> {
    /// Creates a cell from a text that contains no control characters.
    pub fn new(text: impl Into<Cow<'a, str>>, style: Style) -> Self {
        let text = text.into();
        Self { text, style }
    }
}

impl TableCell<'static> {
    /// Creates a cell from a text in a log, with control characters made visible.
    pub fn visible(text: &str, style: Style) -> Self {
        Self::new(visible(text).into_owned(), style)
    }
}

/// Source of rows. A row is created only when it becomes visible.
pub trait Rows {
    /// Returns the number of rows.
    fn total(&self) -> usize;
    /// Returns the cells of one row, in the order of the columns.
    fn cells(&self, row: usize) -> Vec<TableCell<'_>>;
}

/// Rows of a list: one per item, with the cells that a function creates.
pub struct ItemRows<'a, T, F> {
    items: &'a [T],
    cells: F,
}

impl<'a, T, F: Fn(&'a T) -> Vec<TableCell<'a>>> ItemRows<'a, T, F> {
    /// Creates a row for each item.
    pub const fn new(items: &'a [T], cells: F) -> Self {
        Self { items, cells }
    }
}

impl<'a, T, F: Fn(&'a T) -> Vec<TableCell<'a>>> Rows for ItemRows<'a, T, F> {
    fn total(&self) -> usize {
        self.items.len()
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        let item = self.items.get(row);
        item.map_or_else(Vec::new, |item| (self.cells)(item))
    }
}

/// Sort order of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortOrder {
    /// Index of the sorted column.
    pub column: usize,
    /// True if the largest value is on top.
    pub descending: bool,
}

/// A table with a header, a cursor and a scroll bar.
pub struct Table<'a, R: ?Sized> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// Columns, from left to right.
    pub columns: &'a [Column<'a>],
    /// Source of the rows.
    pub rows: &'a R,
    /// Sort order, marked in the header.
    pub sorted: Option<SortOrder>,
    /// Number of lines per row, at least 1. Texts of cells are wrapped into these lines.
    pub lines: u16,
    /// Index of the column under the cursor; `None` if the cursor marks whole rows.
    pub column: Option<usize>,
}

/// Cursor and scroll position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableState {
    /// Row under the cursor, or [`ELSEWHERE`].
    pub selected: usize,
    /// Index of the first visible row.
    pub offset: usize,
}

/// Target of a mouse position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableSpot {
    /// Title of the column with this index.
    Title(usize),
    /// Row with this index.
    Row(usize),
}

impl<'a, R: ?Sized> Table<'a, R> {
    /// Creates a table without a marked sort order.
    pub const fn new(theme: &'a Theme, columns: &'a [Column<'a>], rows: &'a R) -> Self {
        Self {
            theme,
            columns,
            rows,
            sorted: None,
            lines: 1,
            column: None,
        }
    }
}

impl<R: Rows + ?Sized> Table<'_, R> {
    /// Returns the target at a screen position, as last drawn in `area`.
    pub fn spot_at(&self, area: Rect, state: &TableState, x: u16, y: u16) -> Option<TableSpot> {
        if !area.contains(Position { x, y }) {
            return None;
        }
        match (y - area.y).checked_sub(HEADER) {
            Some(line) => Some(state.offset + usize::from(line / self.lines.max(1)))
                .filter(|row| *row < self.rows.total())
                .map(TableSpot::Row),
            None if y == area.y => {
                let placed = place(self.columns, area.width);
                let over = |placed: &&VisibleColumn| {
                    (x - area.x)
                        .checked_sub(placed.x)
                        .is_some_and(|x| x < placed.width)
                };
                placed
                    .iter()
                    .find(over)
                    .map(|placed| TableSpot::Title(placed.index))
            }
            None => None,
        }
    }

    /// Returns the row at a screen position, as last drawn in `area`.
    pub fn row_at(&self, area: Rect, state: &TableState, x: u16, y: u16) -> Option<usize> {
        match self.spot_at(area, state, x, y) {
            Some(TableSpot::Row(row)) => Some(row),
            _ => None,
        }
    }

    /// Draws titles, the sort mark and a rule.
    fn header(&self, canvas: &mut Canvas<'_>, placed: &[VisibleColumn]) {
        for VisibleColumn {
            index,
            x,
            width: room,
        } in placed
        {
            let Some(column) = self.columns.get(*index) else {
                continue;
            };
            let sign = match self.sorted.filter(|sorted| sorted.column == *index) {
                None => "",
                Some(sorted) if sorted.descending => " ▾",
                Some(_) => " ▴",
            };
            let style = if sign.is_empty() && self.column != Some(*index) {
                self.theme.header()
            } else {
                self.theme.accent()
            };
            let title = format!("{}{sign}", column.title);
            // The sort mark can extend into the gap, so that the title is not cut.
            let room = width(&title).clamp(*room, room + width(sign));
            canvas.field(
                (*x, 0),
                room,
                &fit_middle(&title, room),
                column.align,
                style,
            );
        }
        canvas.repeat(
            0,
            1,
            canvas.width().saturating_sub(1),
            "─",
            self.theme.border(),
        );
    }

    /// Draws the cells of one row.
    fn row(&self, canvas: &mut Canvas<'_>, y: u16, index: usize, placed: &[VisibleColumn]) {
        let cells = self.rows.cells(index);
        for VisibleColumn { index, x, width } in placed {
            if let (Some(cell), Some(column)) = (cells.get(*index), self.columns.get(*index)) {
                let style = self.theme.text().patch(cell.style);
                for (line, text) in (0..).zip(self.wrapped(&cell.text, *column, *width)) {
                    canvas.field((*x, y + line), *width, &text, column.align, style);
                }
            }
        }
    }

    /// Returns the lines of a cell's text. The last line is cut if the text is longer.
    fn wrapped<'t>(&self, text: &'t str, column: Column<'_>, room: u16) -> Vec<Cow<'t, str>> {
        let most = usize::from(self.lines.max(1));
        if most == 1 || width(text) <= room {
            return vec![(column.cut)(text, room)];
        }
        let mut lines: Vec<_> = wrap(text, room).take(most).collect();
        if let Some(last) = lines.last_mut() {
            last.end = text.len();
        }
        let lines = lines.into_iter().filter_map(|line| text.get(line));
        lines.map(|line| fit(line, room)).collect()
    }

    /// Marks the row under the cursor. If the cursor is on a cell, marks only the first lines of
    /// the row's first cell and of that cell.
    fn mark(&self, canvas: &mut Canvas<'_>, y: u16, placed: &[VisibleColumn]) {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let style = self.theme.screen().patch(self.theme.cursor()).patch(bold);
        let whole = canvas.width().saturating_sub(1);
        let row = if self.column.is_some() { bold } else { style };
        for line in 0..self.lines.max(1) {
            canvas.tint(0, y + line, whole, row);
        }
        if let Some(column) = self.column {
            let is_marked = |it: &&VisibleColumn| it.index == 0 || it.index == column;
            for cell in placed.iter().filter(is_marked) {
                canvas.tint(cell.x, y, cell.width, style);
            }
        }
    }

    /// Returns the height of a row in lines, limited to the height below the header.
    fn row_height(&self, height: u16) -> u16 {
        self.lines.clamp(1, height.max(1))
    }
}

impl<R: Rows + ?Sized> StatefulWidget for Table<'_, R> {
    type State = TableState;

    fn render(self, area: Rect, buffer: &mut Buffer, state: &mut Self::State) {
        let total = self.rows.total();
        let lines = area.height.saturating_sub(HEADER);
        let each = self.row_height(lines);
        if state.selected != ELSEWHERE {
            state.selected = state.selected.min(total.saturating_sub(1));
        }
        let selected = match state.selected {
            ELSEWHERE => state.offset,
            row => row,
        };
        state.offset = offset_for(state.offset, selected, usize::from(lines / each), total);
        let mut canvas = Canvas::new(area, buffer);
        let placed = place(self.columns, area.width);
        self.header(&mut canvas, &placed);
        let seen = canvas.height().saturating_sub(HEADER) / each;
        for (line, index) in (0..seen).zip(state.offset..total) {
            let y = HEADER + line * each;
            self.row(&mut canvas, y, index, &placed);
            if index == state.selected {
                self.mark(&mut canvas, y, &placed);
            }
        }
        let mut body = canvas.part(0, HEADER, area.width, lines / each * each);
        let each = usize::from(each);
        scrollbar(&mut body, state.offset * each, total * each, self.theme);
    }
}
