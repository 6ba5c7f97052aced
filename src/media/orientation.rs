//! EXIF orientation: converts between stored and upright pictures.
//!
//! Cameras store pixels as the sensor records them, and add the rotation as EXIF metadata. People
//! and models see the upright picture. Annotations refer to stored pixels, because the tools for
//! COCO and similar data sets ignore the orientation. So boxes, points and maps in logs use stored
//! coordinates. An [`Orientation`] converts them to upright coordinates.

use image::metadata::Orientation as Exif;

use super::turn::Turn;

/// How a stored picture is turned upright: a clockwise rotation, then optionally a left-right
/// mirroring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Orientation {
    turn: Turn,
    mirrored: bool,
}

impl Orientation {
    /// The orientation of a picture that is stored upright.
    pub const UPRIGHT: Self = Self {
        turn: Turn::NONE,
        mirrored: false,
    };

    /// The orientation of a picture that is mirrored left to right.
    pub const MIRRORED: Self = Self {
        turn: Turn::NONE,
        mirrored: true,
    };

    /// The orientation of a picture that is flipped top to bottom.
    pub const FLIPPED: Self = Self {
        turn: Turn::EACH[2],
        mirrored: true,
    };

    /// Returns the orientation of a rotation.
    pub const fn turned(turn: Turn) -> Self {
        Self {
            turn,
            mirrored: false,
        }
    }

    /// Converts from the `image` crate's type.
    pub(super) const fn of(exif: Exif) -> Self {
        let [none, right, half, left] = Turn::EACH;
        let (turn, mirrored) = match exif {
            Exif::NoTransforms => (none, false),
            Exif::Rotate90 => (right, false),
            Exif::Rotate180 => (half, false),
            Exif::Rotate270 => (left, false),
            Exif::FlipHorizontal => (none, true),
            Exif::FlipVertical => (half, true),
            Exif::Rotate90FlipH => (right, true),
            Exif::Rotate270FlipH => (left, true),
        };
        Self { turn, mirrored }
    }

    /// Returns true if the stored picture is already upright.
    pub fn is_upright(self) -> bool {
        self == Self::UPRIGHT
    }

    /// Combines this orientation with another orientation that is applied afterwards.
    #[must_use]
    pub const fn then(self, next: Self) -> Self {
        // A rotation after mirroring equals the opposite rotation before it.
        let quarters = if self.mirrored {
            next.turn.degrees() / 90 * 3
        } else {
            next.turn.degrees() / 90
        };
        let mut turn = self.turn;
        let mut left = quarters % 4;
        while left > 0 {
            turn = turn.right();
            left -= 1;
        }
        Self {
            turn,
            mirrored: self.mirrored != next.mirrored,
        }
    }

    /// Returns true if the picture is mirrored.
    pub const fn is_mirrored(self) -> bool {
        self.mirrored
    }

    /// Returns true if width and height are swapped.
    pub const fn is_sideways(self) -> bool {
        self.turn.is_sideways()
    }

    /// Converts stored width and height to upright ones, or upright ones to stored ones.
    pub const fn size(self, (width, height): (u32, u32)) -> (u32, u32) {
        if self.is_sideways() {
            (height, width)
        } else {
            (width, height)
        }
    }

    /// Converts the corners `[x0, y0, x1, y1]` from fractions of the stored picture to fractions of
    /// the upright picture.
    pub fn corners(self, stored: [f64; 4]) -> [f64; 4] {
        let [x0, y0, x1, y1] = self.turn.corners(stored);
        if self.mirrored {
            [1.0 - x1, y0, 1.0 - x0, y1]
        } else {
            [x0, y0, x1, y1]
        }
    }

    /// Returns how the rows and columns of the upright picture map to the stored picture.
    pub(super) const fn run(self) -> PixelOrder {
        // For each rotation: whether the stored column and the stored row are counted from the far
        // side.
        let (far_column, far_row) = match self.turn.degrees() {
            0 => (false, false),
            90 => (false, true),
            180 => (true, true),
            _ => (true, false),
        };
        // Mirroring reverses the direction along upright rows.
        let sideways = self.is_sideways();
        PixelOrder {
            sideways,
            far_column: far_column != (self.mirrored && !sideways),
            far_row: far_row != (self.mirrored && sideways),
        }
    }
}

/// How rows and columns of the upright picture map to the stored picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PixelOrder {
    /// True if upright rows run along stored columns.
    pub(super) sideways: bool,
    /// True if the stored column counts from the far side.
    pub(super) far_column: bool,
    /// True if the stored row counts from the far side.
    pub(super) far_row: bool,
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, GenericImageView as _, Rgba, RgbaImage};

    use super::*;

    /// A picture whose pixels encode their stored column and row.
    fn stored() -> RgbaImage {
        RgbaImage::from_fn(5, 3, |x, y| Rgba([x as u8, y as u8, 0, 255]))
    }

    #[test]
    fn one_after_the_other_is_one() {
        let all = || {
            let turns = Turn::EACH.into_iter();
            turns.flat_map(|turn| [false, true].map(|mirrored| Orientation { turn, mirrored }))
        };
        let stored = [0.125, 0.25, 0.5, 0.875];
        for (first, next) in all().flat_map(|first| all().map(move |next| (first, next))) {
            let both = next.corners(first.corners(stored));
            assert_eq!(first.then(next).corners(stored), both, "{first:?} {next:?}");
        }
    }

    #[test]
    fn boxes_and_runs_follow_the_pixels_at_each_orientation() {
        for code in 1..=8 {
            let exif = Exif::from_exif(code).unwrap();
            let orientation = Orientation::of(exif);
            let mut upright = DynamicImage::ImageRgba8(stored());
            upright.apply_orientation(exif);
            assert_eq!(orientation.size((5, 3)), upright.dimensions(), "{code}");
            let (width, height) = (f64::from(upright.width()), f64::from(upright.height()));
            for (x, y) in [(0, 0), (4, 0), (1, 2), (3, 1)] {
                let (left, top) = (f64::from(x), f64::from(y));
                let pixel = [left / 5.0, top / 3.0, (left + 1.0) / 5.0, (top + 1.0) / 3.0];
                let [x0, y0, ..] = orientation.corners(pixel);
                let at = ((x0 * width).round() as u32, (y0 * height).round() as u32);
                let [column, row, ..] = upright.get_pixel(at.0, at.1).0;
                assert_eq!((u32::from(column), u32::from(row)), (x, y), "{code}");
                let run = orientation.run();
                let (along, down) = if run.sideways { (at.1, at.0) } else { at };
                let column = if run.far_column { 4 - along } else { along };
                let row = if run.far_row { 2 - down } else { down };
                assert_eq!((column, row), (x, y), "{code}");
            }
        }
    }

    #[test]
    fn only_the_first_orientation_is_upright() {
        let upright = (1..=8).map(|code| Orientation::of(Exif::from_exif(code).unwrap()));
        let upright: Vec<bool> = upright.map(Orientation::is_upright).collect();
        assert_eq!(upright.iter().filter(|is| **is).count(), 1);
        assert!(upright[0]);
    }
}
