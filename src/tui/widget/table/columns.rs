//! Columns of a table: their widths, and which columns a narrow table hides.

use std::borrow::Cow;

use ratatui::layout::Alignment;

use crate::widget::text::{fit, fit_end, fit_middle};

/// Gap between two columns in screen columns.
pub(super) const GAP: u16 = 2;

/// Width of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnWidth {
    /// A fixed number of screen columns.
    Fixed(u16),
    /// A weight for sharing the space left by fixed columns.
    Share(u16),
}

/// A column: title, width and alignment.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    /// Title, with unit and direction.
    pub title: &'a str,
    /// Fixed width, or share of the remaining space.
    pub width: ColumnWidth,
    /// Alignment; numbers are aligned right.
    pub align: Alignment,
    /// Minimum table width at which the column is shown; 0 to show it always.
    pub from: u16,
    /// Function that cuts a long text to a number of screen columns.
    pub cut: for<'t> fn(&'t str, u16) -> Cow<'t, str>,
}

impl<'a> Column<'a> {
    /// Creates a column whose cells are aligned left.
    pub const fn text(title: &'a str, width: ColumnWidth) -> Self {
        Self {
            title,
            width,
            align: Alignment::Left,
            from: 0,
            cut: fit,
        }
    }

    /// Cuts long cells at their beginning, because their ends contain more information.
    #[must_use]
    pub const fn keeping_end(self) -> Self {
        Self {
            cut: fit_end,
            ..self
        }
    }

    /// Cuts long cells in their middle, because names often begin with the same text.
    #[must_use]
    pub const fn keeping_ends(self) -> Self {
        Self {
            cut: fit_middle,
            ..self
        }
    }

    /// Creates a column of numbers, aligned right, of a fixed `width`.
    pub const fn number(title: &'a str, width: u16) -> Self {
        Self {
            align: Alignment::Right,
            ..Self::text(title, ColumnWidth::Fixed(width))
        }
    }

    /// Hides the column in tables narrower than `from`.
    #[must_use]
    pub const fn from(self, from: u16) -> Self {
        Self { from, ..self }
    }
}

/// A visible column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VisibleColumn {
    /// Index of the column.
    pub index: usize,
    /// First screen column.
    pub x: u16,
    /// Width in screen columns.
    pub width: u16,
}

/// Returns the visible columns of a table of width `room`. Its last screen column is reserved for
/// the scroll bar.
pub(super) fn place(columns: &[Column<'_>], room: u16) -> Vec<VisibleColumn> {
    let shown = || {
        columns
            .iter()
            .enumerate()
            .filter(|(_, column)| column.from <= room)
    };
    let gaps = shown().skip(1).map(|_| GAP);
    let fixed = shown().map(|(_, column)| match column.width {
        ColumnWidth::Fixed(width) => width,
        ColumnWidth::Share(_) => 0,
    });
    let taken = gaps.chain(fixed).fold(1, u16::saturating_add);
    let mut left = RemainingSpace {
        room: room.saturating_sub(taken),
        weights: shown()
            .map(|(_, column)| column.width.weight())
            .fold(0, u16::saturating_add),
    };
    let mut x = 0u16;
    let put = |(index, column): (usize, &Column<'_>)| {
        let width = match column.width {
            ColumnWidth::Fixed(width) => width,
            ColumnWidth::Share(weight) => left.take(weight),
        };
        let start = x;
        x = x.saturating_add(width).saturating_add(GAP);
        let width = width.min(room.saturating_sub(start.saturating_add(1)));
        VisibleColumn {
            index,
            x: start,
            width,
        }
    };
    shown().map(put).collect()
}

impl ColumnWidth {
    /// Returns the weight for sharing the space left by fixed columns.
    const fn weight(self) -> u16 {
        match self {
            Self::Fixed(_) => 0,
            Self::Share(weight) => weight,
        }
    }
}

/// The remaining space and the weights that share it.
struct RemainingSpace {
    room: u16,
    weights: u16,
}

impl RemainingSpace {
    /// Returns the next share. The last share includes the rounding remainder.
    fn take(&mut self, weight: u16) -> u16 {
        let share = u32::from(self.room) * u32::from(weight) / u32::from(self.weights.max(1));
        let share = u16::try_from(share).unwrap_or(self.room).min(self.room);
        self.room -= share;
        self.weights = self.weights.saturating_sub(weight);
        share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(width: ColumnWidth, from: u16) -> Column<'static> {
        Column::text("", width).from(from)
    }

    fn widths(columns: &[Column<'_>], room: u16) -> Vec<(u16, u16)> {
        place(columns, room)
            .iter()
            .map(|placed| (placed.x, placed.width))
            .collect()
    }

    #[test]
    fn shares_fill_the_room() {
        let columns = [
            column(ColumnWidth::Share(1), 0),
            column(ColumnWidth::Fixed(8), 0),
            column(ColumnWidth::Share(2), 0),
        ];
        assert_eq!(widths(&columns, 43), [(0, 10), (12, 8), (22, 20)]);
        assert_eq!(widths(&columns, 44), [(0, 10), (12, 8), (22, 21)]);
    }

    #[test]
    fn a_narrow_table_cuts_and_drops() {
        let columns = [
            column(ColumnWidth::Fixed(8), 0),
            column(ColumnWidth::Fixed(8), 30),
            column(ColumnWidth::Fixed(8), 0),
        ];
        assert_eq!(widths(&columns, 20), [(0, 8), (10, 8)]);
        assert_eq!(widths(&columns, 12), [(0, 8), (10, 1)]);
        assert_eq!(widths(&columns, 0), [(0, 0), (10, 0)]);
    }
}
