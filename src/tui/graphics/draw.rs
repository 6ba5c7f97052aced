//! Turns a decoded picture into terminal output within a byte budget.

use std::sync::Arc;

use image::RgbaImage;

use media::{Layer, Orientation, Overlay, Source, Turn};

use super::bandwidth::best_within;
use super::encode::{encode, encode_compressed};
use super::probe::{Protocol, Terminal};
use super::terminal_picture::TerminalPicture;
use super::view::{View, in_blocks, in_pixels, narrow, pixels_of, scaled, shown_size, whole};

/// Colour tolerances tried for merging neighbouring half blocks.
const TOLERANCES: [u8; 5] = [0, 6, 12, 20, 32];
/// Approximate bytes of a half block after neighbours were merged.
const BYTES_OF_CELL: f64 = 24.0;
/// Smallest share of a picture's pixels that is tried.
const LEAST: f64 = 1e-4;

/// A request to draw a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The caller's key for this picture with this size and these boxes. The reply contains it.
    pub key: u64,
    /// Source of the picture's bytes.
    pub source: Source,
    /// Maximum columns and rows.
    pub area: (u16, u16),
    /// Boxes drawn on the picture, in stored coordinates.
    pub overlays: Vec<Overlay>,
    /// Maps drawn over the picture, below the boxes, in stored coordinates.
    pub layers: Vec<Arc<Layer>>,
    /// The visible part as fractions `[x0, y0, x1, y1]` of the upright picture; `None` for the
    /// whole picture.
    pub region: Option<[f64; 4]>,
    /// Rotation chosen by the user.
    pub turn: Turn,
    /// Maximum bytes sent to the terminal; `None` for no limit.
    pub budget: Option<usize>,
}

impl Request {
    pub(super) fn view(&self, orientation: Orientation) -> View<'_> {
        View {
            orientation,
            area: self.area,
            overlays: &self.overlays,
            layers: &self.layers,
            region: self.region,
            turn: self.turn,
            budget: self.budget,
        }
    }
}

/// Draws a picture for the terminal. Returns `None` if there is no space or pictures are off.
pub(super) fn draw(
    terminal: &Terminal,
    picture: &RgbaImage,
    view: View,
) -> Option<TerminalPicture> {
    match (terminal.protocol, view.budget) {
        (Protocol::Off, _) => None,
        (Protocol::Blocks, _) => blocks(terminal, picture, view),
        (_, None) => in_pixels(terminal, picture, view)
            .and_then(|shown| encode(terminal, &shown))
            .or_else(|| blocks(terminal, picture, view)),
        (_, Some(budget)) => within_budget(terminal, picture, view, budget)
            .or_else(|| blocks(terminal, picture, view)),
    }
}

/// Draws in the terminal's pixel protocol with as many pixels as the budget allows.
fn within_budget(
    terminal: &Terminal,
    picture: &RgbaImage,
    view: View,
    budget: usize,
) -> Option<TerminalPicture> {
    let area = capped(view.area, cells_within(terminal.protocol, budget));
    let bounds = pixels_of(area, terminal.cell);
    let (width, height) = shown_size(picture, view, bounds, 1.0)?;
    let guess = bytes_of(budget) / (f64::from(width) * f64::from(height)).max(1.0);
    best_within(budget, guess, LEAST, |share| {
        let side = |length: u32| whole(f64::from(length) * share.sqrt());
        let fewer = (side(bounds.0), side(bounds.1));
        // If the terminal scales up the picture, lines become wider, so draw them thinner.
        let line = match terminal.protocol {
            Protocol::Sixel => 1.0,
            _ => share.sqrt(),
        };
        let pixels = scaled(picture, view, fewer, line)?;
        let drawn = encode_compressed(terminal, &pixels, (width, height))?;
        let bytes = drawn.bytes();
        Some((drawn, bytes))
    })
}

/// Returns the number of cells of a protocol that fit in a budget; `None` if cells need no limit.
const fn cells_within(protocol: Protocol, budget: usize) -> Option<usize> {
    match protocol {
        Protocol::Kitty => Some(budget / 12),
        _ => None,
    }
}

/// Draws half blocks, with the names of the boxes as text.
fn blocks(terminal: &Terminal, picture: &RgbaImage, view: View) -> Option<TerminalPicture> {
    let Some(budget) = view.budget else {
        let (blocks, tags) = in_blocks(terminal, picture, view)?;
        return Some(TerminalPicture::of_blocks(
            blocks.to_cells(terminal.depth, &tags),
        ));
    };
    let cells = f64::from(view.area.0) * f64::from(view.area.1);
    let guess = bytes_of(budget) / (BYTES_OF_CELL * cells).max(1.0);
    best_within(budget, guess, LEAST, |share| {
        let side = |length: u16| narrow(whole(f64::from(length) * share.sqrt()));
        let area = (side(view.area.0), side(view.area.1));
        let (blocks, tags) = in_blocks(terminal, picture, View { area, ..view })?;
        let coarser = TOLERANCES.iter().map(|tolerance| {
            let cells = blocks.smoothed(*tolerance);
            TerminalPicture::of_blocks(cells.to_cells(terminal.depth, &tags))
        });
        let mut last = None;
        for drawn in coarser {
            let bytes = drawn.bytes();
            last = Some((drawn, bytes));
            if bytes <= budget {
                break;
            }
        }
        last
    })
}

/// Returns the largest area of the same aspect ratio with at most `most` cells.
#[expect(clippy::cast_precision_loss, reason = "cells of one screen")]
fn capped((columns, rows): (u16, u16), most: Option<usize>) -> (u16, u16) {
    let Some(most) = most else {
        return (columns, rows);
    };
    let all = (f64::from(columns) * f64::from(rows)).max(1.0);
    let shrink = (most as f64 / all).sqrt().min(1.0);
    let side = |length: u16| narrow(whole(f64::from(length) * shrink));
    (side(columns), side(rows))
}

#[expect(clippy::cast_precision_loss, reason = "bytes of one picture")]
const fn bytes_of(budget: usize) -> f64 {
    budget as f64
}

#[cfg(test)]
mod tests {
    use image::Rgba;
    use proptest::prelude::*;
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ratatui::style::Color;

    use super::super::depth::ColorDepth;
    use super::*;
    use crate::graphics::testing::{PIXEL_PROTOCOLS, terminal};
    use media::{Letter, Stroke, Unit};

    fn request(area: (u16, u16), region: Option<[f64; 4]>) -> Request {
        let frame = Overlay {
            xyxy: [0.0, 0.0, 1.0, 1.0],
            color: [255, 0, 0],
            unit: Unit::Fraction,
            style: Stroke::Solid,
            width: 2,
            letter: None,
            number: None,
        };
        Request {
            key: 1,
            source: Source::Inline(String::new()),
            area,
            overlays: vec![frame],
            layers: Vec::new(),
            region,
            turn: Turn::NONE,
            budget: None,
        }
    }

    fn cells(
        area: (u16, u16),
        region: Option<[f64; 4]>,
        size: (u32, u32),
    ) -> Option<TerminalPicture> {
        let picture = RgbaImage::from_pixel(size.0, size.1, Rgba([0, 0, 9, 255]));
        draw(
            &near(),
            &picture,
            request(area, region).view(Orientation::UPRIGHT),
        )
    }

    fn near() -> Terminal {
        let mut near = terminal(Protocol::Blocks);
        near.depth = ColorDepth::True;
        near
    }

    #[test]
    fn a_picture_keeps_its_shape_in_the_area() {
        assert_eq!(cells((40, 30), None, (400, 200)).unwrap().size(), (40, 10));
        assert_eq!(cells((40, 5), None, (400, 200)).unwrap().size(), (20, 5));
    }

    #[test]
    fn boxes_are_one_pixel_wide_in_half_blocks() {
        let blocks = cells((6, 3), None, (60, 60)).unwrap();
        let (red, ground) = (Color::Rgb(255, 0, 0), Color::Rgb(0, 0, 9));
        let mut screen = Buffer::empty(Rect::new(0, 0, 6, 3));
        blocks.draw((0, 0), &mut screen);
        let cell = |at| (screen[at].fg, screen[at].bg);
        assert_eq!(cell((0, 1)), (red, red));
        assert_eq!(cell((1, 0)), (red, ground));
        assert_eq!(cell((1, 1)), (ground, ground));
        assert_eq!(cell((1, 2)), (ground, red));
    }

    #[test]
    fn small_pictures_are_enlarged_within_reason_and_parts_further() {
        assert_eq!(cells((80, 40), None, (2, 2)).unwrap().size(), (16, 8));
        assert_eq!(
            cells((80, 40), Some([0.0, 0.0, 0.5, 0.5]), (2, 2))
                .unwrap()
                .size(),
            (64, 32)
        );
    }

    #[test]
    fn no_room_draws_nothing() {
        assert!(cells((0, 3), None, (4, 4)).is_none());
        assert!(cells((3, 0), None, (4, 4)).is_none());
    }

    /// Renders the drawn cells as text: block characters for red lines, letters unchanged.
    fn signs(drawn: &TerminalPicture) -> Vec<String> {
        let (width, height) = drawn.size();
        let mut screen = Buffer::empty(Rect::new(0, 0, width, height));
        drawn.draw((0, 0), &mut screen);
        let sign = |cell: &ratatui::buffer::Cell| match (cell.symbol(), cell.fg, cell.bg) {
            ("▀", Color::Rgb(255, ..), Color::Rgb(255, ..)) => "█".to_owned(),
            ("▀", Color::Rgb(255, ..), _) => "▀".to_owned(),
            ("▀", _, Color::Rgb(255, ..)) => "▄".to_owned(),
            ("▀", ..) => "·".to_owned(),
            (letter, ..) => letter.to_owned(),
        };
        let rows = screen.content.chunks(usize::from(width));
        rows.map(|row| row.iter().map(sign).collect()).collect()
    }

    #[test]
    fn a_turned_picture_turns_its_boxes_and_keeps_its_letters() {
        let mut request = request((16, 8), None);
        request.overlays[0].xyxy = [0.0, 0.0, 0.5, 0.5];
        request.overlays[0].letter = Some(Letter::A);
        let picture = RgbaImage::from_pixel(160, 80, Rgba([0, 0, 9, 255]));
        let shown = |request: &Request| {
            signs(&draw(&near(), &picture, request.view(Orientation::UPRIGHT)).unwrap())
        };
        assert_eq!(
            shown(&request),
            [
                "A▀▀▀▀▀▀█········",
                "█▄▄▄▄▄▄█········",
                "················",
                "················"
            ]
        );
        request.turn = Turn::NONE.right();
        assert_eq!(
            shown(&request),
            [
                "····A▀▀█",
                "····█··█",
                "····█··█",
                "····█▄▄█",
                "········",
                "········",
                "········",
                "········"
            ]
        );
    }

    #[test]
    fn without_colours_boxes_are_dark_on_bright_pictures_and_bright_on_dark_ones() {
        let mut plain = near();
        plain.depth = ColorDepth::None;
        for (ground, line, inside) in [(255, ' ', '█'), (0, '█', ' ')] {
            let picture = RgbaImage::from_pixel(60, 60, Rgba([ground, ground, ground, 255]));
            let drawn = draw(
                &plain,
                &picture,
                request((6, 3), None).view(Orientation::UPRIGHT),
            )
            .unwrap();
            let rows = signs(&drawn);
            let cell = |x: usize| rows[1].chars().nth(x);
            assert_eq!((cell(0), cell(2)), (Some(line), Some(inside)));
        }
    }

    #[test]
    fn boxes_in_pixels_are_those_of_the_whole_picture() {
        let mut request = request((8, 4), None);
        request.overlays[0].unit = Unit::Pixel;
        request.overlays[0].xyxy = [0.0, 0.0, 40.0, 40.0];
        let picture = RgbaImage::from_pixel(80, 80, Rgba([0, 0, 9, 255]));
        let drawn = draw(&near(), &picture, request.view(Orientation::UPRIGHT)).unwrap();
        assert_eq!(
            signs(&drawn),
            ["█▀▀█····", "█▄▄█····", "········", "········"]
        );
    }

    fn noise(size: (u32, u32), seed: u32) -> RgbaImage {
        RgbaImage::from_fn(size.0, size.1, |x, y| {
            let mixed = (x * 7919 + y * 104_729 + seed).wrapping_mul(2_654_435_761);
            let [a, b, c, _] = (mixed ^ (mixed >> 15)).to_le_bytes();
            Rgba([a, b, c, 255])
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Checks noise, which cannot be compressed, for any area and protocol, with and
        /// without tmux.
        #[test]
        fn no_picture_costs_more_than_its_budget(
            which in 0_usize..4,
            multiplexed: bool,
            columns in 1_u16..200,
            rows in 1_u16..60,
            width in 1_u32..500,
            height in 1_u32..500,
            seed: u32,
            budget in prop::sample::select(vec![4_000_usize, 20_000, 60_000]),
            zoomed: bool,
        ) {
            let protocol = [Protocol::Blocks, Protocol::Kitty, Protocol::Sixel, Protocol::Iterm2][which];
            let mut far = terminal(protocol);
            far.multiplexed = multiplexed;
            far.depth = ColorDepth::True;
            let mut request = request((columns, rows), zoomed.then_some([0.2, 0.2, 0.7, 0.6]));
            request.budget = Some(budget);
            if let Some(drawn) = draw(&far, &noise((width, height), seed), request.view(Orientation::UPRIGHT)) {
                prop_assert!(drawn.bytes() <= budget, "{protocol:?}: {} bytes", drawn.bytes());
                prop_assert_eq!(drawn.is_fragile(), protocol != Protocol::Blocks, "{:?} became half blocks", protocol);
            } else {
                prop_assert!(false, "{protocol:?}: no picture");
            }
        }
    }

    #[test]
    fn a_budget_is_used() {
        let mut request = request((80, 40), None);
        request.budget = Some(60_000);
        for protocol in PIXEL_PROTOCOLS {
            let drawn = draw(
                &terminal(protocol),
                &noise((900, 900), 1),
                request.view(Orientation::UPRIGHT),
            )
            .unwrap();
            assert!(drawn.bytes() > 30_000, "{protocol:?}: {}", drawn.bytes());
        }
    }
}
