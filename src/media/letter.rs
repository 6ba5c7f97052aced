//! Letters and numbers at the corners of boxes. They identify boxes, and distinguish the boxes of
//! two models without colour.

use image::{Rgba, RgbaImage};

use super::fit::Region;
use super::frame::Frame;
use super::overlay::Overlay;

/// Letter of one of two compared models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Letter {
    /// The first model; its letter is at the upper left corner.
    A,
    /// The second model; its letter is at the upper right corner. So the letters of two equal boxes
    /// do not overlap.
    B,
}

/// Five rows of a glyph, three dots wide; the highest bit is the leftmost dot.
type Shape = [u8; 5];
const SHAPE_A: Shape = [0b010, 0b101, 0b111, 0b101, 0b101];
const SHAPE_B: Shape = [0b110, 0b101, 0b110, 0b101, 0b110];
const DIGITS: [Shape; 10] = [
    [0b111, 0b101, 0b101, 0b101, 0b111],
    [0b010, 0b110, 0b010, 0b010, 0b111],
    [0b111, 0b001, 0b111, 0b100, 0b111],
    [0b111, 0b001, 0b111, 0b001, 0b111],
    [0b101, 0b101, 0b111, 0b001, 0b001],
    [0b111, 0b100, 0b111, 0b001, 0b111],
    [0b111, 0b100, 0b111, 0b101, 0b111],
    [0b111, 0b001, 0b001, 0b010, 0b010],
    [0b111, 0b101, 0b111, 0b101, 0b111],
    [0b111, 0b101, 0b111, 0b001, 0b111],
];

impl Letter {
    /// Returns the letter as a character.
    pub const fn sign(self) -> char {
        match self {
            Self::A => 'A',
            Self::B => 'B',
        }
    }
}

/// A tag at the corner of a box: its letter, its number, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The text, for example `A`, `3` or `A3`.
    pub text: String,
    /// Column and row of the corner in pixels.
    pub corner: (u32, u32),
    /// True if the text ends at the corner (upper right); false if it starts there.
    pub ends: bool,
}

/// Returns the tag of a box; `None` without letter and number, or if the corner is not visible.
pub fn place(overlay: &Overlay, region: Region, size: (u32, u32)) -> Option<Tag> {
    let number = overlay.number.map(|number| number.to_string());
    let letter = overlay.letter.map(|letter| letter.sign().to_string());
    let text: String = letter.into_iter().chain(number).collect();
    if text.is_empty() {
        return None;
    }
    let canvas = Frame::of([0.0, 0.0, 1.0, 1.0], region, size);
    let (left, right, top) = Frame::of(overlay.xyxy, region, size)
        .within(canvas)
        .top_edge();
    let ends = overlay.letter == Some(Letter::B);
    let x = if ends { right } else { left };
    let (x, y) = (u32::try_from(x).ok()?, u32::try_from(top).ok()?);
    (x < size.0 && y < size.1).then_some(Tag {
        text,
        corner: (x, y),
        ends,
    })
}

/// Draws the tags of boxes just inside their corners, in black on the box's colour.
///
/// A glyph has three by five dots. The size of a dot is the line width of the box, but at most 8
/// pixels.
pub fn draw(picture: &mut RgbaImage, region: Region, overlays: &[Overlay]) {
    let size = picture.dimensions();
    for overlay in overlays {
        let Some(tag) = place(overlay, region, size) else {
            continue;
        };
        let dot = overlay.width.clamp(1, 8);
        let shapes: Vec<Shape> = tag.text.chars().filter_map(shape).collect();
        let (x, y) = tag.corner;
        let columns = columns(&shapes) * dot;
        let left = if tag.ends {
            (x + 1).saturating_sub(columns)
        } else {
            x
        };
        plate(picture, &shapes, (left, y), dot, overlay.color);
    }
}

fn shape(sign: char) -> Option<Shape> {
    match sign {
        'A' => Some(SHAPE_A),
        'B' => Some(SHAPE_B),
        digit => DIGITS.get(digit.to_digit(10)? as usize).copied(),
    }
}

/// Returns the width of a tag in dots, with a margin of one dot around each glyph.
fn columns(shapes: &[Shape]) -> u32 {
    u32::try_from(shapes.len()).map_or(1, |count| 4 * count + 1)
}

fn plate(picture: &mut RgbaImage, shapes: &[Shape], at: (u32, u32), dot: u32, color: [u8; 3]) {
    let [red, green, blue] = color;
    let is_inked = |column: u32, row: u32| {
        let (column, row) = (column.checked_sub(1)?, row.checked_sub(1)?);
        let shape = shapes.get(usize::try_from(column / 4).ok()?)?;
        let dots = shape.get(usize::try_from(row).ok()?)?;
        Some(column % 4 < 3 && (dots >> (2 - column % 4)) & 1 == 1)
    };
    for y in 0..7 * dot {
        for x in 0..columns(shapes) * dot {
            let Some(pixel) = picture.get_pixel_mut_checked(at.0 + x, at.1 + y) else {
                continue;
            };
            *pixel = if is_inked(x / dot, y / dot) == Some(true) {
                Rgba([0, 0, 0, u8::MAX])
            } else {
                Rgba([red, green, blue, u8::MAX])
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Stroke, Unit};

    fn overlay(letter: Letter) -> Overlay {
        Overlay {
            xyxy: [0.0, 0.0, 1.0, 1.0],
            unit: Unit::Fraction,
            color: [255, 0, 0],
            style: Stroke::Solid,
            width: 1,
            letter: Some(letter),
            number: None,
        }
    }

    #[test]
    fn letters_stand_in_opposite_corners() {
        let mut picture = RgbaImage::from_pixel(12, 7, Rgba([255; 4]));
        draw(
            &mut picture,
            Region::WHOLE,
            &[overlay(Letter::A), overlay(Letter::B)],
        );
        let sign = |pixel: &Rgba<u8>| match pixel.0 {
            [0, ..] => '#',
            [_, 0, ..] => ':',
            _ => '.',
        };
        let rows: Vec<String> = picture.rows().map(|row| row.map(sign).collect()).collect();
        assert_eq!(
            rows,
            [
                ":::::..:::::", //
                "::#::..:##::",
                ":#:#:..:#:#:",
                ":###:..:##::",
                ":#:#:..:#:#:",
                ":#:#:..:##::",
                ":::::..:::::",
            ]
        );
    }

    #[test]
    fn a_corner_out_of_sight_has_no_letter() {
        let part = Region::new([0.5, 0.5, 1.0, 1.0]);
        let mut far = overlay(Letter::A);
        far.xyxy = [0.0, 0.0, 0.9, 0.9];
        assert_eq!(place(&far, part, (10, 10)), None);
        let tag = place(&far, Region::WHOLE, (10, 10)).unwrap();
        assert_eq!(
            (tag.text.as_str(), tag.corner, tag.ends),
            ("A", (0, 0), false)
        );
    }

    #[test]
    fn numbers_follow_the_letter_and_end_at_the_right_corner() {
        let mut numbered = overlay(Letter::B);
        numbered.number = Some(17);
        let tag = place(&numbered, Region::WHOLE, (20, 10)).unwrap();
        assert_eq!(
            (tag.text.as_str(), tag.corner, tag.ends),
            ("B17", (19, 0), true)
        );
        let mut picture = RgbaImage::from_pixel(10, 7, Rgba([255; 4]));
        numbered.letter = None;
        draw(&mut picture, Region::WHOLE, &[numbered]);
        let sign = |pixel: &Rgba<u8>| match pixel.0 {
            [0, ..] => '#',
            [_, 0, ..] => ':',
            _ => '.',
        };
        let rows: Vec<String> = picture.rows().map(|row| row.map(sign).collect()).collect();
        assert_eq!(
            rows,
            [
                ":::::::::.",
                "::#::###:.",
                ":##::::#:.",
                "::#::::#:.",
                "::#:::#::.",
                ":###::#::.",
                ":::::::::."
            ]
        );
    }
}
