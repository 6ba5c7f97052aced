//! Holds a picture in the form of terminal cells.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Color;

/// A picture ready to be drawn.
///
/// A kitty picture is transmitted only when it is drawn for the first time. If the terminal loses
/// its pictures (reset, tmux reattached), the picture must be encoded again.
#[derive(Clone, Debug)]
pub struct TerminalPicture {
    cells: Buffer,
    transmission: String,
    sent: Arc<AtomicBool>,
    bytes: usize,
    fragile: bool,
}

impl TerminalPicture {
    /// Creates a picture that consists of cells only.
    pub(super) fn of_blocks(cells: Buffer) -> Self {
        Self::new(String::new(), cells, false)
    }

    /// Creates a picture in a pixel protocol. `transmission` can be empty.
    pub(super) fn of_protocol(transmission: String, cells: Buffer) -> Self {
        Self::new(transmission, cells, true)
    }

    fn new(transmission: String, cells: Buffer, fragile: bool) -> Self {
        let bytes = transmission.len() + cost(&cells);
        Self {
            cells,
            transmission,
            sent: Arc::default(),
            bytes,
            fragile,
        }
    }

    /// Returns the size in cells: columns and rows.
    pub const fn size(&self) -> (u16, u16) {
        (self.cells.area.width, self.cells.area.height)
    }

    /// Returns the bytes sent to the terminal when the picture appears.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the approximate memory in bytes, for bounding a cache.
    pub fn memory(&self) -> usize {
        let texts: usize = self.symbols().map(str::len).sum();
        self.transmission.len() + texts + self.cells.content.len() * size_of::<Cell>()
    }

    /// Returns true if text drawn over the picture leaves fragments of it on the screen.
    pub const fn is_fragile(&self) -> bool {
        self.fragile
    }

    /// Returns true if the terminal already has the picture, so that only cells are sent.
    pub fn is_sent(&self) -> bool {
        !self.transmission.is_empty() && self.sent.load(Ordering::Relaxed)
    }

    /// Returns the area of the picture, centred in another area.
    pub fn middle_of(&self, area: Rect) -> Rect {
        let (width, height) = self.size();
        Rect {
            x: area.x + area.width.saturating_sub(width) / 2,
            y: area.y + area.height.saturating_sub(height) / 2,
            width,
            height,
        }
    }

    /// Draws the picture centred in an area, or not at all if it does not fit.
    pub fn draw_in(&self, area: Rect, screen: &mut Buffer) {
        self.draw(self.middle_of(area).as_position().into(), screen);
    }

    /// Draws the picture at a position (column, row), or not at all if it does not fit.
    /// Transparent parts keep the screen's colour.
    pub fn draw(&self, (x, y): (u16, u16), screen: &mut Buffer) {
        let (width, height) = self.size();
        let place = Rect::new(x, y, width, height);
        if place.intersection(screen.area) != place || place.is_empty() {
            return;
        }
        for row in 0..height {
            for column in 0..width {
                if let Some((to, from)) = screen
                    .cell_mut((x + column, y + row))
                    .zip(self.cells.cell((column, row)))
                {
                    let under = to.bg;
                    to.clone_from(from);
                    if to.bg == Color::Reset {
                        to.bg = under;
                    }
                }
            }
        }
        if self.transmission.is_empty() || self.sent.swap(true, Ordering::Relaxed) {
            return;
        }
        if let Some(first) = screen.cell_mut((x, y)) {
            let symbol = format!("{}{}", self.transmission, first.symbol());
            first.set_symbol(&symbol);
        }
    }

    /// Returns the first cell's symbol; for sixel that is the whole picture.
    pub(super) fn first_symbol(&self) -> &str {
        self.symbols().next().unwrap_or_default()
    }

    fn symbols(&self) -> impl Iterator<Item = &str> {
        self.cells.content.iter().map(Cell::symbol)
    }
}

/// Returns the maximum number of bytes needed to draw the cells, over all screen positions.
fn cost(cells: &Buffer) -> usize {
    // A position far from the corner, where cursor sequences are longest.
    const FAR: u16 = 1000;
    let blank = Buffer::empty(cells.area);
    let changed = blank.diff(cells);
    let mut count = ByteCounter(0);
    let far = changed
        .into_iter()
        .map(|(x, y, cell)| (x + FAR, y + FAR, cell));
    // The counting writer never fails.
    drop(CrosstermBackend::new(&mut count).draw(far));
    count.0
}

/// A writer that counts bytes.
struct ByteCounter(usize);

impl Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Style;

    use super::*;

    fn cells(text: &str) -> Buffer {
        Buffer::with_lines([text])
    }

    #[test]
    fn a_transmission_goes_out_once() {
        let drawn = TerminalPicture::of_protocol("<data>".to_owned(), cells("ab"));
        let mut screen = Buffer::empty(Rect::new(0, 0, 4, 2));
        assert!(!drawn.is_sent());
        drawn.draw((1, 1), &mut screen);
        assert_eq!(screen[(1, 1)].symbol(), "<data>a");
        assert!(drawn.clone().is_sent());
        drawn.draw((1, 1), &mut screen);
        assert_eq!([(1, 1), (2, 1)].map(|at| screen[at].symbol()), ["a", "b"]);
    }

    #[test]
    fn what_a_picture_leaves_free_has_the_colour_of_the_screen() {
        let mut picture = cells("ab");
        picture[(1, 0)].bg = Color::Red;
        let mut screen = Buffer::empty(Rect::new(0, 0, 2, 1));
        screen.set_style(screen.area, Style::new().bg(Color::White));
        TerminalPicture::of_blocks(picture).draw((0, 0), &mut screen);
        assert_eq!(
            [0, 1].map(|x| screen[(x, 0)].bg),
            [Color::White, Color::Red]
        );
    }

    #[test]
    fn what_does_not_fit_is_not_drawn_and_not_sent() {
        let drawn = TerminalPicture::of_protocol("<data>".to_owned(), cells("ab"));
        let mut screen = Buffer::empty(Rect::new(0, 0, 2, 1));
        drawn.draw((1, 0), &mut screen);
        assert_eq!(screen, Buffer::empty(screen.area));
        assert!(!drawn.is_sent());
    }

    #[test]
    fn bytes_are_those_of_the_terminal() {
        let drawn = TerminalPicture::of_blocks(cells("ab"));
        let moved = "\x1b[1001;1001H".len();
        assert!(drawn.bytes() > moved + 2);
        let longer = TerminalPicture::of_protocol("<data>".to_owned(), cells("abc"));
        assert_eq!(longer.bytes(), drawn.bytes() + 7);
        assert!(drawn.memory() > 2);
    }
}
