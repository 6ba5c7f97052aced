//! Draws lines in braille. Each cell has eight dots, two across and four down.

use ratatui::style::Style;

use super::canvas::Canvas;
use super::scale::cells;

/// Dash pattern of a line, which distinguishes lines without colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stroke {
    /// Every dot.
    #[default]
    Solid,
    /// Four dots, then a gap of two.
    Dashed,
    /// Every third dot.
    Dotted,
}

impl Stroke {
    /// Returns the stroke of the `i`th series.
    pub const fn of_series(i: usize) -> Self {
        match i % 3 {
            0 => Self::Solid,
            1 => Self::Dashed,
            _ => Self::Dotted,
        }
    }

    /// Returns a sample of the stroke for a legend.
    pub const fn sample(self) -> &'static str {
        match self {
            Self::Solid => "━━",
            Self::Dashed => "╍╍",
            Self::Dotted => "┈┈",
        }
    }

    /// Returns true if the `step`th dot of a line is drawn.
    const fn draws(self, step: u16) -> bool {
        match self {
            Self::Solid => true,
            Self::Dashed => step % 6 < 4,
            Self::Dotted => step.is_multiple_of(3),
        }
    }
}

/// A grid of braille dots, 2 x 4 per cell. Each cell has the colour of the last dot drawn in
/// it.
pub struct Dots {
    width: u16,
    height: u16,
    cells: Vec<(u8, Style)>,
}

/// Bit of each dot in a braille character, by row and column.
const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

impl Dots {
    /// Creates an empty grid of `width` x `height` cells.
    pub fn new(width: u16, height: u16) -> Self {
        Self {
            width,
            height,
            cells: vec![(0, Style::new()); usize::from(width) * usize::from(height)],
        }
    }

    /// Returns the width in dots.
    pub fn columns(&self) -> f64 {
        f64::from(self.width) * 2.0
    }

    /// Returns the height in dots.
    pub fn rows(&self) -> f64 {
        f64::from(self.height) * 4.0
    }

    /// Returns the cell and bit of a dot, or `None` outside the grid.
    fn place(&self, x: f64, y: f64) -> Option<(usize, u8)> {
        let inside = x >= -0.5 && y >= -0.5 && x < self.columns() - 0.5 && y < self.rows() - 0.5;
        let (x, y) = (usize::from(cells(x)), usize::from(cells(y)));
        inside.then(|| (y / 4 * usize::from(self.width) + x / 2, BITS[y % 4][x % 2]))
    }

    /// Draws one dot; positions outside the grid are ignored.
    pub fn dot(&mut self, x: f64, y: f64, style: Style) {
        if let Some((index, bit)) = self.place(x, y)
            && let Some(cell) = self.cells.get_mut(index)
        {
            *cell = (cell.0 | bit, style);
        }
    }

    /// Draws a straight line, both ends included.
    pub fn line(
        &mut self,
        (x0, y0): (f64, f64),
        (x1, y1): (f64, f64),
        stroke: Stroke,
        style: Style,
    ) {
        if ![x0, y0, x1, y1].into_iter().all(f64::is_finite) {
            return;
        }
        let steps = cells((x1 - x0).abs().max((y1 - y0).abs()).min(4096.0)).max(1);
        for step in (0..=steps).filter(|step| stroke.draws(*step)) {
            let t = f64::from(step) / f64::from(steps);
            self.dot((x1 - x0).mul_add(t, x0), (y1 - y0).mul_add(t, y0), style);
        }
    }

    /// Draws every fourth dot of a column between two heights, to shade a band.
    pub fn shade(&mut self, x: f64, from: f64, to: f64, style: Style) {
        let (from, to) = (from.min(to).max(0.0).ceil(), from.max(to).min(self.rows()));
        let column = cells(x);
        for y in cells(from)..=cells(to) {
            if (y % 4 == 0 && column.is_multiple_of(4)) || (y % 4 == 2 && column % 4 == 2) {
                self.dot(x, f64::from(y), style);
            }
        }
    }

    /// Draws the dots on the screen. Cells without dots stay unchanged.
    pub fn render(&self, canvas: &mut Canvas<'_>) {
        for (index, (bits, style)) in self
            .cells
            .iter()
            .enumerate()
            .filter(|(_, (bits, _))| *bits != 0)
        {
            let index = u16::try_from(index).unwrap_or(u16::MAX);
            let symbol = char::from_u32(0x2800 + u32::from(*bits)).unwrap_or(' ');
            canvas.text(
                index % self.width,
                index / self.width,
                symbol.encode_utf8(&mut [0; 4]),
                *style,
            );
        }
    }

    /// Puts this grid over `below`. A cell with dots hides the cell below it.
    #[must_use]
    pub fn over(mut self, below: &Self) -> Self {
        for (cell, under) in self.cells.iter_mut().zip(&below.cells) {
            if cell.0 == 0 {
                *cell = *under;
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;

    use super::*;

    fn drawn(width: u16, height: u16, draw: impl Fn(&mut Dots)) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        let mut dots = Dots::new(width, height);
        draw(&mut dots);
        dots.render(&mut Canvas::new(buffer.area, &mut buffer));
        buffer
    }

    #[test]
    fn a_diagonal_goes_through_both_corners() {
        let buffer = drawn(4, 2, |dots| {
            dots.line((0.0, 0.0), (7.0, 7.0), Stroke::Solid, Style::new());
        });
        assert_eq!(buffer, Buffer::with_lines(["⠑⢄  ", "  ⠑⢄"]));
    }

    #[test]
    fn strokes_differ() {
        let line = |stroke| {
            drawn(6, 1, |dots| {
                dots.line((0.0, 0.0), (11.0, 0.0), stroke, Style::new());
            })
        };
        assert_eq!(line(Stroke::Solid), Buffer::with_lines(["⠉⠉⠉⠉⠉⠉"]));
        assert_eq!(line(Stroke::Dashed), Buffer::with_lines(["⠉⠉ ⠉⠉ "]));
        assert_eq!(line(Stroke::Dotted), Buffer::with_lines(["⠁⠈ ⠁⠈ "]));
    }

    #[test]
    fn dots_outside_are_lost() {
        let buffer = drawn(2, 1, |dots| {
            dots.line(
                (-9.0, 1.0),
                (f64::INFINITY, 1.0),
                Stroke::Solid,
                Style::new(),
            );
        });
        assert_eq!(buffer, Buffer::with_lines(["  "]));
        let buffer = drawn(2, 1, |dots| {
            dots.line((-9.0, 0.0), (99.0, 0.0), Stroke::Solid, Style::new());
        });
        assert_eq!(buffer, Buffer::with_lines(["⠉⠉"]));
    }
}
