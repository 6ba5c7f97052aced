//! Tests that boxes stay on their objects for every EXIF orientation, from the file to the screen
//! cells.

use std::io::Cursor;

use base64::Engine as _;
use image::{ImageFormat, Rgb, RgbImage};
use media::{Overlay, Source, Stroke, Turn, Unit};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;

use super::draw::{Request, draw};
use super::probe::Protocol;
use super::testing::terminal;

/// The colour of the box.
const RED: Color = Color::Rgb(255, 0, 0);

/// Returns a white JPEG with an EXIF orientation and a black block of 16 x 8 pixels stored at
/// (8, 16).
fn stored(code: u8) -> Source {
    let pixels = RgbImage::from_fn(48, 32, |x, y| {
        let inside = (8..24).contains(&x) && (16..24).contains(&y);
        Rgb([if inside { 0 } else { 255 }; 3])
    });
    let mut bytes = Cursor::new(Vec::new());
    pixels.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
    let mut jpeg = bytes.into_inner();
    let mut exif = b"\xff\xe1\x00\x22Exif\0\0MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00".to_vec();
    exif[29] = code;
    jpeg.splice(2..2, exif);
    Source::Inline(base64::engine::general_purpose::STANDARD.encode(jpeg))
}

fn request(source: Source, turn: Turn, boxed: bool) -> Request {
    let overlay = Overlay {
        xyxy: [8.0, 16.0, 24.0, 24.0],
        unit: Unit::Pixel,
        color: [255, 0, 0],
        style: Stroke::Solid,
        width: 1,
        letter: None,
        number: None,
    };
    Request {
        key: 1,
        source,
        area: (48, 24),
        overlays: if boxed { vec![overlay] } else { Vec::new() },
        layers: Vec::new(),
        region: None,
        turn,
        budget: None,
    }
}

/// Draws a picture and returns the colour of each half block, row by row.
fn shown(request: &Request) -> Vec<Vec<Color>> {
    let picture = media::load(&request.source).unwrap();
    let view = request.view(picture.form.orientation);
    let drawn = draw(&terminal(Protocol::Blocks), &picture.pixels, view).unwrap();
    let (width, height) = drawn.size();
    let mut screen = Buffer::empty(Rect::new(0, 0, width, height));
    drawn.draw((0, 0), &mut screen);
    let rows = screen.content.chunks(usize::from(width));
    rows.flat_map(|row| {
        let upper = row.iter().map(|cell| cell.fg).collect();
        let lower = row.iter().map(|cell| cell.bg).collect();
        [upper, lower]
    })
    .collect()
}

/// Returns left, top, right and bottom of the half blocks whose colour satisfies `is`.
fn bounds(rows: &[Vec<Color>], is: impl Fn(Color) -> bool) -> [usize; 4] {
    let mut found = [usize::MAX, usize::MAX, 0, 0];
    for (y, row) in rows.iter().enumerate() {
        for (x, _) in row.iter().enumerate().filter(|(_, color)| is(**color)) {
            let [x0, y0, x1, y1] = found;
            found = [x0.min(x), y0.min(y), x1.max(x + 1), y1.max(y + 1)];
        }
    }
    found
}

#[test]
fn boxes_lie_on_their_things_at_each_orientation_and_turn() {
    let is_dark = |color: Color| matches!(color, Color::Rgb(red, ..) if red < 100);
    for code in 1..=8 {
        for turn in Turn::EACH {
            let plain = shown(&request(stored(code), turn, false));
            let boxed = shown(&request(stored(code), turn, true));
            let sides = [plain[0].len(), plain.len()];
            let is_sideways = (code > 4) != turn.is_sideways();
            let expected = if is_sideways { [32, 48] } else { [48, 32] };
            assert_eq!(sides, expected, "orientation {code}, {turn:?}");
            assert_eq!(
                bounds(&boxed, |color| color == RED),
                bounds(&plain, is_dark),
                "orientation {code}, {turn:?}"
            );
        }
    }
}
