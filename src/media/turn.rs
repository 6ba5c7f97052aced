//! Quarter rotations of pictures and their boxes.

use image::{RgbaImage, imageops};

use super::fit::{Region, fit};

/// A clockwise rotation by a multiple of 90 degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Turn(u8);

impl Turn {
    /// The rotation by 0 degrees.
    pub const NONE: Self = Self(0);

    /// Returns the rotation plus a quarter clockwise.
    #[must_use]
    pub const fn right(self) -> Self {
        Self((self.0 + 1) % 4)
    }

    /// Returns the rotation plus a quarter anticlockwise.
    #[must_use]
    pub const fn left(self) -> Self {
        Self((self.0 + 3) % 4)
    }

    /// All rotations, upright first.
    pub const EACH: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    /// Angle in degrees: 0, 90, 180 or 270.
    pub const fn degrees(self) -> u16 {
        90 * self.0 as u16
    }

    /// Returns true if width and height are swapped.
    pub const fn is_sideways(self) -> bool {
        self.0 % 2 == 1
    }

    /// Rotates the pixels of a picture.
    pub fn pixels(self, picture: RgbaImage) -> RgbaImage {
        match self.0 {
            0 => picture,
            1 => imageops::rotate90(&picture),
            2 => imageops::rotate180(&picture),
            _ => imageops::rotate270(&picture),
        }
    }

    /// Rotates `[x0, y0, x1, y1]`, given as fractions of the picture.
    pub fn corners(self, [x0, y0, x1, y1]: [f64; 4]) -> [f64; 4] {
        match self.0 {
            0 => [x0, y0, x1, y1],
            1 => [1.0 - y1, x0, 1.0 - y0, x1],
            2 => [1.0 - x1, 1.0 - y1, 1.0 - x0, 1.0 - y0],
            _ => [y0, 1.0 - x1, y1, 1.0 - x0],
        }
    }

    /// Rotates a region of a picture.
    pub fn region(self, region: Region) -> Region {
        Region::new(self.corners(region.xyxy()))
    }

    /// Converts a direction on screen to a direction in the picture. Right and down are positive.
    pub const fn unturned(self, (right, down): (f64, f64)) -> (f64, f64) {
        match self.0 {
            0 => (right, down),
            1 => (down, -right),
            2 => (-right, -down),
            _ => (-down, right),
        }
    }
}

/// Side in pixels of the scaled copies that are compared.
const COMPARED: u32 = 64;
/// Minimum ratio of the second-smallest to the smallest difference for a clear result.
const CLEARLY: u64 = 2;

impl Turn {
    /// Returns the rotation that turns the first picture into the second; `None` if the result is
    /// unclear.
    pub fn between(before: &RgbaImage, after: &RgbaImage) -> Option<Self> {
        let small = |picture: &RgbaImage| fit(picture, Region::WHOLE, (COMPARED, COMPARED));
        let (before, after) = (small(before)?, small(after)?);
        let apart = |turn: Self| {
            let turned = turn.pixels(before.clone());
            let pairs = turned.as_raw().iter().zip(after.as_raw());
            pairs.map(|(a, b)| u64::from(a.abs_diff(*b))).sum::<u64>()
        };
        let mut turns = Self::EACH.map(|turn| (apart(turn), turn));
        turns.sort_by_key(|(apart, _)| *apart);
        let [(least, turn), (next, _), ..] = turns;
        (least.saturating_mul(CLEARLY) < next).then_some(turn)
    }
}

#[cfg(test)]
mod tests {
    use image::Rgba;
    use proptest::prelude::*;

    use super::*;
    use crate::{Overlay, Stroke, Unit, draw};

    const TURNS: [Turn; 4] = [Turn(0), Turn(1), Turn(2), Turn(3)];

    #[test]
    fn four_quarters_are_a_whole_turn_and_left_undoes_right() {
        for turn in TURNS {
            assert_eq!(turn.right().right().right().right(), turn);
            assert_eq!(turn.right().left(), turn);
        }
        assert_eq!(Turn::NONE.right().degrees(), 90);
    }

    fn drawn(turn: Turn) -> Vec<String> {
        let ground = RgbaImage::from_pixel(8, 4, Rgba([0, 0, 0, 255]));
        let mut picture = turn.pixels(ground);
        let overlay = Overlay {
            xyxy: turn.corners([0.0, 0.0, 0.5, 0.75]),
            unit: Unit::Fraction,
            color: [255; 3],
            style: Stroke::Solid,
            width: 1,
            letter: None,
            number: None,
        };
        draw(&mut picture, Region::WHOLE, &[overlay]);
        let sign = |pixel: &Rgba<u8>| if pixel[0] > 0 { '#' } else { '.' };
        picture.rows().map(|row| row.map(sign).collect()).collect()
    }

    #[test]
    fn boxes_turn_with_their_picture() {
        assert_eq!(
            drawn(Turn(0)),
            ["####....", "#..#....", "####....", "........"]
        );
        assert_eq!(
            drawn(Turn(1)),
            [
                ".###", ".#.#", ".#.#", ".###", "....", "....", "....", "...."
            ]
        );
        assert_eq!(
            drawn(Turn(2)),
            ["........", "....####", "....#..#", "....####"]
        );
        assert_eq!(
            drawn(Turn(3)),
            [
                "....", "....", "....", "....", "###.", "#.#.", "#.#.", "###."
            ]
        );
    }

    #[test]
    fn pixels_turn_clockwise() {
        let picture = RgbaImage::from_fn(2, 1, |x, _| Rgba([u8::try_from(x).unwrap(), 0, 0, 255]));
        let turned = Turn(1).pixels(picture);
        assert_eq!(turned.dimensions(), (1, 2));
        assert_eq!(
            [turned.get_pixel(0, 0)[0], turned.get_pixel(0, 1)[0]],
            [0, 1]
        );
    }

    #[test]
    fn a_turn_is_told_from_its_pictures() {
        let picture =
            RgbaImage::from_fn(60, 40, |x, y| Rgba([(x * 4) as u8, (y * 6) as u8, 0, 255]));
        for turn in TURNS {
            assert_eq!(
                Turn::between(&picture, &turn.pixels(picture.clone())),
                Some(turn)
            );
        }
        let grey = RgbaImage::from_pixel(8, 8, Rgba([9, 9, 9, 255]));
        assert_eq!(Turn::between(&grey, &grey), None);
    }

    proptest! {
        /// A step to the right on screen moves to the right in the rotated picture.
        #[test]
        fn directions_follow_the_turn(which in 0_usize..4, x in 0.3..0.6_f64, y in 0.3..0.6_f64) {
            let turn = TURNS[which];
            let (right, down) = turn.unturned((0.1, 0.0));
            let before = turn.corners([x, y, x, y]);
            let after = turn.corners([x + right, y + down, x + right, y + down]);
            prop_assert!((after[0] - before[0] - 0.1).abs() < 1e-12);
            prop_assert!((after[1] - before[1]).abs() < 1e-12);
        }
    }
}
