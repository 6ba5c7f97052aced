//! Pictures out of coloured half blocks: two pixels above each other in every cell.
//!
//! The way that works everywhere. The picture comes in scaled to one pixel per column and two per row, with
//! its boxes drawn, so that nothing is left to blur. Knows no widget library; whoever draws cells reads
//! [`HalfBlocks::cells`].

use std::fmt::Write;

use image::RgbaImage;

use super::depth::{ColorDepth, luminance, nearest_ansi, nearest_indexed};

/// Red, green, blue; `None` is the terminal's own background.
type Color = Option<[u8; 3]>;

/// A picture as cells, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HalfBlocks {
    columns: u16,
    rows: u16,
    cells: Vec<(Color, Color)>,
}

impl HalfBlocks {
    /// From a picture of one pixel per column and two per row. What does not fit 65,535 cells is cut off.
    #[must_use]
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

    /// Columns and rows.
    #[must_use]
    pub const fn size(&self) -> (u16, u16) {
        (self.columns, self.rows)
    }

    /// Bytes that the cells take.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.cells.len() * size_of::<(Color, Color)>()
    }

    /// Column, row, colour of the upper half (the foreground of `▀`), colour of the lower half (its
    /// background). Where the upper half has none but the lower has, draw `▄` instead.
    pub fn cells(&self) -> impl Iterator<Item = (u16, u16, Color, Color)> {
        let places = (0..self.rows).flat_map(|y| (0..self.columns).map(move |x| (x, y)));
        let with_place =
            |((x, y), (upper, lower)): ((u16, u16), &(Color, Color))| (x, y, *upper, *lower);
        places.zip(&self.cells).map(with_place)
    }

    /// The picture as lines of text with colour sequences; every line ends without colour.
    #[must_use]
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

/// One line; a colour is only written where it changes.
fn push_row(text: &mut String, row: &[(Color, Color)], depth: ColorDepth) {
    let mut last = (Tone::Own, Tone::Own);
    for &(upper, lower) in row {
        let (upper, lower) = (Tone::of(upper, depth), Tone::of(lower, depth));
        // A cell whose upper half is empty is drawn upside down.
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

/// Number of the first foreground sequence.
const FOREGROUND: u8 = 30;
/// Number of the first background sequence.
const BACKGROUND: u8 = 40;

/// A colour as the terminal is told it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tone {
    /// The terminal's own.
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

/// How bright a cell is, as one of five characters.
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
        let cells: Vec<_> = blocks.cells().collect();
        assert_eq!(
            cells,
            [
                (0, 0, Some(RED), Some(WHITE)),
                (1, 0, Some(BLUE), None),
                (0, 1, Some(BLUE), None),
                (1, 1, Some(RED), None),
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
