//! A region of the screen that clips everything drawn into it.
//!
//! Positions are relative to the region's top left corner. Every widget draws through a canvas, so
//! that no terminal size can cause a panic.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;

use super::text::{fit, width};

/// A region of a buffer.
pub struct Canvas<'a> {
    buffer: &'a mut Buffer,
    area: Rect,
}

impl<'a> Canvas<'a> {
    /// Creates a canvas for the part of `area` inside the buffer.
    pub fn new(area: Rect, buffer: &'a mut Buffer) -> Self {
        let area = area.intersection(buffer.area);
        Self { buffer, area }
    }

    /// Returns the width in columns.
    pub const fn width(&self) -> u16 {
        self.area.width
    }

    /// Returns the height in rows.
    pub const fn height(&self) -> u16 {
        self.area.height
    }

    /// Returns true if the region is empty.
    pub const fn is_empty(&self) -> bool {
        self.area.is_empty()
    }

    /// Returns a canvas for a part of this region.
    pub fn part(&mut self, x: u16, y: u16, width: u16, height: u16) -> Canvas<'_> {
        let part = Rect {
            x: self.area.x.saturating_add(x),
            y: self.area.y.saturating_add(y),
            width,
            height,
        };
        Canvas {
            area: part.intersection(self.area),
            buffer: self.buffer,
        }
    }

    /// Writes text starting at a position. Returns the column after it.
    pub fn text(&mut self, x: u16, y: u16, text: &str, style: Style) -> u16 {
        let room = self.area.width.saturating_sub(x);
        if y >= self.area.height || room == 0 {
            return x;
        }
        let (column, row) = (self.area.x + x, self.area.y + y);
        self.buffer
            .set_stringn(column, row, text, usize::from(room), style)
            .0
            - self.area.x
    }

    /// Writes text into a field of fixed width. Text that does not fit ends in `…`.
    pub fn field(
        &mut self,
        (x, y): (u16, u16),
        room: u16,
        text: &str,
        align: Alignment,
        style: Style,
    ) {
        let text = fit(text, room);
        let spare = room.saturating_sub(width(&text));
        let indent = match align {
            Alignment::Left => 0,
            Alignment::Center => spare / 2,
            Alignment::Right => spare,
        };
        self.text(x.saturating_add(indent), y, &text, style);
    }

    /// Writes text that ends before column `end`, and returns its first column.
    pub fn text_before(&mut self, end: u16, y: u16, text: &str, style: Style) -> u16 {
        let start = end.saturating_sub(width(text));
        self.text(start, y, &fit(text, end - start), style);
        start
    }

    /// Repeats a symbol that is one column wide.
    pub fn repeat(&mut self, x: u16, y: u16, count: u16, symbol: &str, style: Style) {
        for column in x..x.saturating_add(count).min(self.area.width) {
            self.text(column, y, symbol, style);
        }
    }

    /// Changes the style of `count` columns without changing their text.
    pub fn tint(&mut self, x: u16, y: u16, count: u16, style: Style) {
        let part = self.part(x, y, count, 1);
        let area = part.area;
        self.buffer.set_style(area, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_drawn_outside() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 2));
        let mut canvas = Canvas::new(Rect::new(2, 0, 3, 9), &mut buffer);
        assert_eq!((canvas.width(), canvas.height()), (3, 2));
        assert_eq!(canvas.text(1, 0, "abcdef", Style::new()), 3);
        canvas.text(9, 9, "x", Style::new());
        canvas.field((0, 1), 3, "long", Alignment::Left, Style::new());
        assert_eq!(buffer, Buffer::with_lines(["   ab ", "  lo… "]));
    }

    #[test]
    fn fields_align() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 9, 1));
        let mut canvas = Canvas::new(Rect::new(0, 0, 9, 1), &mut buffer);
        canvas.field((0, 0), 4, "7", Alignment::Right, Style::new());
        canvas.text_before(9, 0, "end", Style::new());
        assert_eq!(buffer, Buffer::with_lines(["   7  end"]));
    }
}
