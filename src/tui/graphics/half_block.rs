//! Draws pictures with coloured half blocks: two pixels per cell, one above the other.
//!
//! Works in every terminal. The input is already scaled to one pixel per column and two per row,
//! and its boxes are already drawn.

use std::fmt::Write;

use image::RgbaImage;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Color as Ink;

use super::depth::{ColorDepth, luminance, nearest_ansi, nearest_indexed};
use super::view::PlacedTag;

/// Red, green and blue; `None` for the background colour of the terminal.
type Color = Option<[u8; 3]>;

/// A picture as cells, each with an upper and a lower colour, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HalfBlocks {
    columns: u16,
    rows: u16,
    cells: Vec<(Color, Color)>,
}

impl HalfBlocks {
    /// Converts a picture with one pixel per column and two per row. Columns and rows above
    /// 65,535 are cut off.
    pub fn new(picture: &RgbaImage) -> Self {
        let (width, height) = picture.dimensions();
        let columns = u16::try_from(width).unwrap_or(u16::MAX);
        let rows = u16::try_from(height.div_ceil(2)).unwrap_or(u16::MAX);
        let at = |x: u16, y: u32| {
            let pixel = picture.get_pixel_checked(u32::from(x), y)?;
            let [red, green, blue, alpha] = pixel.0;
            (alpha >= 128).then_some([red, green, blue])
        };
        let pair = |(x, y): (u16, u16)| (at(x, 2 * u32::from(y)), at(x, 2 * u32::from(y) + 1));
        let cells = (0..rows)
            .flat_map(|y| (0..columns).map(move |x| (x, y)))
            .map(pair)
            .collect();
        Self {
            columns,
            rows,
            cells,
        }
    }

    /// Returns the size in cells: columns and rows.
    pub const fn size(&self) -> (u16, u16) {
        (self.columns, self.rows)
    }

    /// Merges neighbours in a row whose colours differ by at most `tolerance` in every channel.
    /// This saves bytes, because only colour changes are sent.
    pub(super) fn smoothed(&self, tolerance: u8) -> Self {
        let mut coarse = self.clone();
        for row in coarse.cells.chunks_mut(usize::from(self.columns).max(1)) {
            let mut last = (None, None);
            for cell in row {
                if is_near(cell.0, last.0, tolerance) && is_near(cell.1, last.1, tolerance) {
                    *cell = last;
                }
                last = *cell;
            }
        }
        coarse
    }

    /// Returns the picture as screen cells, with tags drawn over them.
    ///
    /// A terminal with 256 colours also gets 24-bit colours. Nearly all such terminals support
    /// them, and SSH does not pass on the variable that announces this.
    pub(super) fn to_cells(&self, depth: ColorDepth, tags: &[PlacedTag]) -> Buffer {
        let depth = match depth {
            ColorDepth::Indexed => ColorDepth::True,
            other => other,
        };
        let mut screen = Buffer::empty(Rect::new(0, 0, self.columns, self.rows));
        for (to, (upper, lower)) in screen.content.iter_mut().zip(&self.cells) {
            paint(to, (*upper, *lower), depth);
        }
        for (text, x, y, color) in tags {
            for (column, sign) in (*x..).zip(text.chars()) {
                let Some(cell) = screen.cell_mut((column, *y)) else {
                    break;
                };
                cell.set_char(sign);
                if depth != ColorDepth::None {
                    cell.set_fg(Ink::Black);
                    cell.set_bg(Tone::of(Some(*color), depth).ink());
                }
            }
        }
        screen
    }

    /// Returns the picture as lines of text with colour sequences. Every line resets the
    /// colour.
    pub fn to_ansi(&self, depth: ColorDepth) -> String {
        let mut text = String::new();
        for row in self.cells.chunks(usize::from(self.columns).max(1)) {
            if depth == ColorDepth::None {
                text.extend(row.iter().map(|(upper, lower)| shade(*upper, *lower)));
            } else {
                push_row(&mut text, row, depth);
            }
            text.push('\n');
        }
        text
    }
}

/// Returns true if two colours differ by at most `tolerance` in every channel.
fn is_near(one: Color, other: Color, tolerance: u8) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one
            .iter()
            .zip(other)
            .all(|(one, other)| one.abs_diff(other) <= tolerance),
        (one, other) => one == other,
    }
}

/// Sets the symbol and the colours of one cell.
fn paint(cell: &mut Cell, (upper, lower): (Color, Color), depth: ColorDepth) {
    if depth == ColorDepth::None {
        cell.set_char(shade(upper, lower));
        return;
    }
    match (upper, lower) {
        (None, None) => {}
        (None, lower) => {
            cell.set_char('▄').set_fg(Tone::of(lower, depth).ink());
        }
        (upper, lower) => {
            cell.set_char('▀')
                .set_fg(Tone::of(upper, depth).ink())
                .set_bg(Tone::of(lower, depth).ink());
        }
    }
}

/// Appends one line. A colour is written only where it changes.
fn push_row(text: &mut String, row: &[(Color, Color)], depth: ColorDepth) {
    let mut last = (Tone::Own, Tone::Own);
    for &(upper, lower) in row {
        let (upper, lower) = (Tone::of(upper, depth), Tone::of(lower, depth));
        // A cell whose upper half is empty uses the lower half block.
        let (symbol, ink, paper) = match (upper, lower) {
            (Tone::Own, Tone::Own) => (' ', last.0, Tone::Own),
            (Tone::Own, lower) => ('▄', lower, Tone::Own),
            (upper, lower) => ('▀', upper, lower),
        };
        if ink != last.0 {
            ink.push_to(text, FOREGROUND);
        }
        if paper != last.1 {
            paper.push_to(text, BACKGROUND);
        }
        last = (ink, paper);
        text.push(symbol);
    }
    if last != (Tone::Own, Tone::Own) {
        text.push_str("\x1b[0m");
    }
}

/// Base code of the foreground colour sequences.
const FOREGROUND: u8 = 30;
/// Base code of the background colour sequences.
const BACKGROUND: u8 = 40;

/// A colour at the terminal's depth.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tone {
    /// The terminal's default colour.
    Own,
    True([u8; 3]),
    Indexed(u8),
    Ansi(u8),
}

impl Tone {
    fn of(color: Color, depth: ColorDepth) -> Self {
        match (color, depth) {
            (None, _) | (_, ColorDepth::None) => Self::Own,
            (Some(color), ColorDepth::True) => Self::True(color),
            (Some(color), ColorDepth::Indexed) => Self::Indexed(nearest_indexed(color)),
            (Some(color), ColorDepth::Ansi) => Self::Ansi(nearest_ansi(color)),
        }
    }

    const fn ink(self) -> Ink {
        match self {
            Self::Own => Ink::Reset,
            Self::True([red, green, blue]) => Ink::Rgb(red, green, blue),
            Self::Indexed(at) | Self::Ansi(at) => Ink::Indexed(at),
        }
    }

    fn push_to(self, text: &mut String, first: u8) {
        let written = match self {
            Self::Own => write!(text, "\x1b[{}m", first + 9),
            Self::True([red, green, blue]) => {
                write!(text, "\x1b[{};2;{red};{green};{blue}m", first + 8)
            }
            Self::Indexed(at) => write!(text, "\x1b[{};5;{at}m", first + 8),
            Self::Ansi(at @ 0..8) => write!(text, "\x1b[{}m", first + at),
            Self::Ansi(at) => write!(text, "\x1b[{}m", first + 60 + at - 8),
        };
        debug_assert!(written.is_ok(), "writing to a string does not fail");
    }
}

/// Returns one of five characters for a cell's brightness.
fn shade(upper: Color, lower: Color) -> char {
    let halves = [upper, lower].map(|half| half.map_or(0, luminance));
    match u8::midpoint(halves[0], halves[1]) {
        0..26 => ' ',
        26..90 => '░',
        90..154 => '▒',
        154..218 => '▓',
        _ => '█',
    }
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;

    const RED: [u8; 3] = [255, 0, 0];
    const BLUE: [u8; 3] = [0, 0, 255];
    const WHITE: [u8; 3] = [255; 3];

    fn picture(width: u32, pixels: &[[u8; 4]]) -> RgbaImage {
        let height = u32::try_from(pixels.len()).unwrap() / width;
        RgbaImage::from_fn(width, height, |x, y| Rgba(pixels[(y * width + x) as usize]))
    }

    fn opaque([red, green, blue]: [u8; 3]) -> [u8; 4] {
        [red, green, blue, 255]
    }

    #[test]
    fn two_rows_of_pixels_make_one_row_of_cells() {
        let blocks = HalfBlocks::new(&picture(
            2,
            &[
                opaque(RED),
                opaque(BLUE),
                opaque(WHITE),
                [9, 9, 9, 0],
                opaque(BLUE),
                opaque(RED),
            ],
        ));
        assert_eq!(blocks.size(), (2, 2));
        assert_eq!(
            blocks.cells,
            [
                (Some(RED), Some(WHITE)),
                (Some(BLUE), None),
                (Some(BLUE), None),
                (Some(RED), None),
            ]
        );
    }

    #[test]
    fn colours_are_written_where_they_change() {
        let row = [
            opaque(RED),
            opaque(RED),
            opaque(BLUE),
            opaque(BLUE),
            opaque(BLUE),
            opaque(BLUE),
        ];
        let blocks = HalfBlocks::new(&picture(3, &row));
        assert_eq!(
            blocks.to_ansi(ColorDepth::True),
            "\x1b[38;2;255;0;0m\x1b[48;2;0;0;255m▀▀\x1b[38;2;0;0;255m▀\x1b[0m\n"
        );
        assert_eq!(
            blocks.to_ansi(ColorDepth::Indexed),
            "\x1b[38;5;196m\x1b[48;5;21m▀▀\x1b[38;5;21m▀\x1b[0m\n"
        );
        assert_eq!(
            blocks.to_ansi(ColorDepth::Ansi),
            "\x1b[91m\x1b[44m▀▀\x1b[34m▀\x1b[0m\n"
        );
    }

    #[test]
    fn cells_carry_colours_and_letters() {
        let blocks = HalfBlocks::new(&picture(
            3,
            &[
                [0; 4],
                opaque(RED),
                opaque(RED),
                opaque(BLUE),
                [0; 4],
                opaque(WHITE),
            ],
        ));
        let cells = blocks.to_cells(
            ColorDepth::True,
            &[
                ("B12".to_owned(), 2, 0, WHITE),
                ("A".to_owned(), 9, 9, WHITE),
            ],
        );
        let cell = |x| (cells[(x, 0)].symbol(), cells[(x, 0)].fg, cells[(x, 0)].bg);
        let ink = |[red, green, blue]: [u8; 3]| Ink::Rgb(red, green, blue);
        assert_eq!(cell(0), ("▄", ink(BLUE), Ink::Reset));
        assert_eq!(cell(1), ("▀", ink(RED), Ink::Reset));
        assert_eq!(cell(2), ("B", Ink::Black, ink(WHITE)));
        let plain = blocks.to_cells(ColorDepth::None, &[]);
        assert!(plain.content.iter().all(|cell| cell.fg == Ink::Reset));
    }

    #[test]
    fn near_neighbours_become_one() {
        let near = [250, 4, 0];
        let row = [RED, RED, near, near, BLUE, BLUE].map(opaque);
        let row = [row[0], row[2], row[4], row[1], row[3], row[5]];
        let blocks = HalfBlocks::new(&picture(3, &row)).smoothed(5);
        assert_eq!(blocks.cells[1], (Some(RED), Some(RED)));
        assert_eq!(blocks.cells[2], (Some(BLUE), Some(BLUE)));
    }

    #[test]
    fn without_colours_there_are_shades_and_no_escapes() {
        let grey = [128, 128, 128, 255];
        let blocks = HalfBlocks::new(&picture(3, &[opaque(WHITE), grey, opaque([0; 3])]));
        assert_eq!(blocks.to_ansi(ColorDepth::None), "▒░ \n");
    }

    #[test]
    fn an_empty_upper_half_is_drawn_upside_down() {
        let blocks = HalfBlocks::new(&picture(1, &[[0; 4], opaque(RED)]));
        assert_eq!(blocks.to_ansi(ColorDepth::Ansi), "\x1b[91m▄\x1b[0m\n");
    }

    #[test]
    fn no_pixels_make_no_text() {
        assert_eq!(
            HalfBlocks::new(&RgbaImage::new(0, 0)).to_ansi(ColorDepth::True),
            ""
        );
    }
}
