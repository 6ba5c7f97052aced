//! Draws models by abilities as a grid of coloured cells. Each row is a model's fingerprint.
//!
//! Cells also have text, so that the grid is readable without colours. The grid scrolls both ways,
//! and `‹ ›` mark hidden columns. Only visible cells are read.

mod content;
mod layout;

#[cfg(test)]
mod tests;

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::widgets::StatefulWidget;

pub use self::content::{HeatCell, HeatCells, HeatColumn, HeatRow, HeatSpot, HeatWidths};

use self::layout::{GAP, GUTTER, Layout, number};
use super::canvas::Canvas;
use super::scroll::{offset_for, scrollbar};
use super::text::{fit_middle, width};
use crate::widget::theme::Theme;

/// A grid of models by abilities.
#[derive(Clone, Copy, Debug)]
pub struct HeatGrid<'a, R> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// Titles of the lead columns.
    pub lead: &'a [&'a str],
    /// Abilities, from left to right.
    pub columns: &'a [HeatColumn<'a>],
    /// Models with their cells.
    pub rows: &'a R,
    /// Maximum text widths over all rows.
    pub widths: &'a HeatWidths,
}

/// Cursor and scroll position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeatGridState {
    /// Index of the model under the cursor.
    pub row: usize,
    /// Index of the ability under the cursor.
    pub column: usize,
    /// Index of the first visible model.
    pub row_offset: usize,
    /// Index of the first visible ability.
    pub column_offset: usize,
}

impl HeatGridState {
    /// Keeps the cursor inside the grid and visible.
    fn settle<R: HeatCells>(&mut self, grid: &HeatGrid<'_, R>, layout: &Layout) {
        let total = grid.rows.total();
        self.row = self.row.min(total.saturating_sub(1));
        self.column = self.column.min(grid.columns.len().saturating_sub(1));
        self.row_offset = offset_for(self.row_offset, self.row, layout.rows, total);
        self.column_offset = offset_for(
            self.column_offset,
            self.column,
            layout.columns,
            grid.columns.len(),
        );
    }
}

impl<R: HeatCells> HeatGrid<'_, R> {
    /// Returns the target at a screen position, as last drawn in `area`.
    pub fn cell_at(&self, area: Rect, state: &HeatGridState, x: u16, y: u16) -> Option<HeatSpot> {
        if !area.contains(Position { x, y }) {
            return None;
        }
        let layout = Layout::new(self, area.width, area.height);
        let below = (y - area.y).checked_sub(layout.header);
        let row = below
            .map(|row| state.row_offset + usize::from(row))
            .filter(|row| *row < self.rows.total());
        let along = (x - area.x)
            .checked_sub(layout.start)
            .map(|x| usize::from(x / layout.cell.max(1)));
        let column = along
            .filter(|place| *place < layout.columns)
            .map(|place| state.column_offset + place);
        let titled = y + 1 < area.y + layout.header && column.is_some();
        (row.is_some() || titled).then_some(HeatSpot { row, column })
    }

    /// Returns true if all columns fit in a width.
    pub fn fits(&self, width: u16) -> bool {
        let layout = Layout::new(self, width, 0);
        layout.columns == self.columns.len() && layout.lead.len() == self.lead.len()
    }

    /// Draws the titles and the rule below them.
    fn header(&self, canvas: &mut Canvas<'_>, state: &HeatGridState, layout: &Layout) {
        let mut x = GUTTER + layout.name;
        for (title, room) in self.lead.iter().zip(&layout.lead) {
            canvas.field(
                (x + GAP, 0),
                *room,
                title,
                Alignment::Right,
                self.theme.header(),
            );
            x += GAP + room;
        }
        for (i, column) in self.columns.iter().enumerate() {
            let Some(x) = layout.column_x(state, i) else {
                continue;
            };
            let here = i == state.column;
            let style = if here {
                self.theme.accent().add_modifier(Modifier::BOLD)
            } else {
                self.theme.header()
            };
            canvas.text(
                x,
                0,
                &layout.label(if layout.long {
                    column.long
                } else {
                    column.short
                }),
                style,
            );
            if layout.header > 2 {
                canvas.text(x, 1, &layout.under(column.under), self.theme.dim());
            }
        }
        let last = state.column_offset + layout.columns;
        if state.column_offset > 0 {
            canvas.text(layout.start.saturating_sub(1), 0, "‹", self.theme.accent());
        }
        if last < self.columns.len() {
            canvas.text(layout.width() + 1, 0, "›", self.theme.accent());
        }
        let rule = layout.header - 1;
        canvas.repeat(0, rule, layout.width(), "─", self.theme.border());
    }

    /// Draws the row of one model.
    fn row(
        &self,
        canvas: &mut Canvas<'_>,
        y: u16,
        index: usize,
        state: &HeatGridState,
        layout: &Layout,
    ) {
        if index >= self.rows.total() {
            return;
        }
        let row = self.rows.row(index);
        let here = index == state.row;
        if let Some(series) = row.series {
            canvas.text(
                0,
                y,
                self.theme.marker(series),
                self.theme.series(series).add_modifier(Modifier::BOLD),
            );
        }
        let name = match row.series {
            Some(series) => self.theme.series(series),
            None if row.apart => self.theme.dim(),
            None => self.theme.text(),
        };
        let lead = if row.apart {
            self.theme.dim()
        } else {
            self.theme.text()
        };
        let name = if here {
            name.patch(self.theme.cursor()).add_modifier(Modifier::BOLD)
        } else {
            name
        };
        let text = fit_middle(&row.name, layout.name);
        canvas.field((GUTTER, y), layout.name, &text, Alignment::Left, name);
        let mut x = GUTTER + layout.name;
        for (text, room) in row.lead.iter().zip(&layout.lead) {
            canvas.field((x + GAP, y), *room, text, Alignment::Right, lead);
            x += GAP + room;
        }
        let columns = state.column_offset..self.columns.len();
        for column in columns.take(layout.columns) {
            if let Some(x) = layout.column_x(state, column) {
                let cell = self.rows.cell(index, column);
                self.cell(
                    canvas,
                    (x, y),
                    &cell,
                    here && column == state.column,
                    layout,
                );
            }
        }
    }

    /// Draws one cell. The cell under the cursor gets no heat colour, because the cursor would not
    /// stand out.
    fn cell(
        &self,
        canvas: &mut Canvas<'_>,
        (x, y): (u16, u16),
        cell: &HeatCell<'_>,
        here: bool,
        layout: &Layout,
    ) {
        let style = if here {
            self.cursor()
        } else {
            self.cell_style(cell)
        };
        let number = number(&cell.text);
        let mut part = canvas.part(x, y, layout.cell, 1);
        part.repeat(0, 0, layout.cell, " ", style);
        let end = layout.cell.saturating_sub(layout.tail);
        part.text(end.saturating_sub(width(number)), 0, &cell.text, style);
        if here {
            part.text(0, 0, "▸", style);
        }
    }

    /// Returns the style of the cursor's cell.
    fn cursor(&self) -> Style {
        let plain = self.theme.screen().patch(self.theme.cursor());
        plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// Returns the style of a cell.
    fn cell_style(&self, cell: &HeatCell<'_>) -> Style {
        let style = self.theme.heat(cell.heat);
        if cell.best {
            style.add_modifier(Modifier::BOLD)
        } else {
            style
        }
    }
}

impl<R: HeatCells> StatefulWidget for HeatGrid<'_, R> {
    type State = HeatGridState;

    fn render(self, area: Rect, buffer: &mut Buffer, state: &mut Self::State) {
        let layout = Layout::new(&self, area.width, area.height);
        state.settle(&self, &layout);
        let mut canvas = Canvas::new(area, buffer);
        self.header(&mut canvas, state, &layout);
        for line in 0..area.height.saturating_sub(layout.header) {
            let index = state.row_offset + usize::from(line);
            self.row(&mut canvas, layout.header + line, index, state, &layout);
        }
        let below = area.height.saturating_sub(layout.header);
        let mut body = canvas.part(0, layout.header, area.width, below);
        scrollbar(&mut body, state.row_offset, self.rows.total(), self.theme);
    }
}
