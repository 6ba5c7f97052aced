//! Rectangles on the pixel grid of a scaled picture, and traversal of their borders.
//!
//! Rectangles may extend far outside the picture. They are clipped pixel by pixel, so that no edge
//! is drawn at the picture's border.

use image::{Rgba, RgbaImage};

use super::fit::Region;

/// A rectangle on the pixel grid, far edges excluded. It may extend outside the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    left: i64,
    top: i64,
    right: i64,
    bottom: i64,
}

impl Frame {
    /// Converts fractions of the whole picture to pixels. `region` is shown in `size` pixels.
    pub(super) fn of(xyxy: [f64; 4], region: Region, size: (u32, u32)) -> Self {
        let [left, top, right, bottom] = region.xyxy();
        let across = |x: f64| place(x, left, right, size.0);
        let down = |y: f64| place(y, top, bottom, size.1);
        let [x0, y0, x1, y1] = xyxy;
        let (left, right) = (across(x0.min(x1)), across(x0.max(x1)));
        let (top, bottom) = (down(y0.min(y1)), down(y0.max(y1)));
        // A box without extent gets one pixel, at most the last pixel of the picture.
        let (left, right) = span(left, right, across(1.0));
        let (top, bottom) = span(top, bottom, down(1.0));
        Self {
            left,
            top,
            right,
            bottom,
        }
    }

    /// Returns the horizontal and the vertical bar of a cross at the first pixel, for this line
    /// width.
    pub(super) const fn cross(self, width: i64) -> [Self; 2] {
        let (arm, half) = (3 * width - 1, width / 2);
        let rest = width - half;
        [
            Self {
                left: self.left - arm,
                right: self.left + arm + 1,
                top: self.top - half,
                bottom: self.top + rest,
            },
            Self {
                left: self.left - half,
                right: self.left + rest,
                top: self.top - arm,
                bottom: self.top + arm + 1,
            },
        ]
    }

    /// Visits every pixel of the rectangle that lies inside the picture.
    pub(super) fn fill(self, picture: &mut RgbaImage, mut visit: impl FnMut(&mut Rgba<u8>)) {
        self.paint(picture, |_, _| 0, &mut |pixel, _| visit(pixel));
    }

    /// Returns the first column, the last column and the first row.
    pub(super) const fn top_edge(self) -> (i64, i64, i64) {
        (self.left, self.right - 1, self.top)
    }

    pub(super) const fn grown(self, by: i64) -> Self {
        Self {
            left: self.left - by,
            top: self.top - by,
            right: self.right + by,
            bottom: self.bottom + by,
        }
    }

    pub(super) fn within(self, other: Self) -> Self {
        Self {
            left: self.left.clamp(other.left, other.right),
            top: self.top.clamp(other.top, other.bottom),
            right: self.right.clamp(other.left, other.right),
            bottom: self.bottom.clamp(other.top, other.bottom),
        }
    }

    /// Visits the pixels of a border of `width` inside this rectangle. Passes each pixel and its
    /// distance along the edge.
    pub(super) fn trace(
        self,
        width: i64,
        picture: &mut RgbaImage,
        mut visit: impl FnMut(&mut Rgba<u8>, i64),
    ) {
        if self.left >= self.right || self.top >= self.bottom {
            return;
        }
        let inner = self.grown(-width);
        let hollow = inner.left < inner.right && inner.top < inner.bottom;
        let (top_end, bottom_start) = if hollow {
            (inner.top, inner.bottom)
        } else {
            (self.bottom, self.bottom)
        };
        let level = |x: i64, _: i64| x - self.left;
        let upright = |_: i64, y: i64| y - self.top;
        self.rows(self.top, top_end)
            .paint(picture, level, &mut visit);
        self.rows(bottom_start, self.bottom)
            .paint(picture, level, &mut visit);
        if hollow {
            let sides = Self {
                top: inner.top,
                bottom: inner.bottom,
                ..self
            };
            Self {
                right: inner.left,
                ..sides
            }
            .paint(picture, upright, &mut visit);
            Self {
                left: inner.right,
                ..sides
            }
            .paint(picture, upright, &mut visit);
        }
    }

    const fn rows(self, top: i64, bottom: i64) -> Self {
        Self {
            top,
            bottom,
            ..self
        }
    }

    /// Visits each pixel inside the picture. `way` computes the distance that is passed with the
    /// pixel.
    fn paint(
        self,
        picture: &mut RgbaImage,
        way: impl Fn(i64, i64) -> i64,
        visit: &mut impl FnMut(&mut Rgba<u8>, i64),
    ) {
        let (width, height) = picture.dimensions();
        for y in self.top.max(0)..self.bottom.min(i64::from(height)) {
            for x in self.left.max(0)..self.right.min(i64::from(width)) {
                let (Ok(column), Ok(row)) = (u32::try_from(x), u32::try_from(y)) else {
                    continue;
                };
                if let Some(pixel) = picture.get_pixel_mut_checked(column, row) {
                    visit(pixel, way(x, y));
                }
            }
        }
    }
}

/// Converts a fraction of the picture to the nearest pixel border. `from..to` is shown in `length`
/// pixels.
#[expect(
    clippy::cast_possible_truncation,
    reason = "clamped; a region is never shorter than a thousandth"
)]
fn place(fraction: f64, from: f64, to: f64, length: u32) -> i64 {
    ((fraction.clamp(0.0, 1.0) - from) / (to - from) * f64::from(length)).round() as i64
}

/// Widens an empty span to one pixel that ends at most at `end`.
fn span(from: i64, to: i64, end: i64) -> (i64, i64) {
    if to > from {
        return (from, to);
    }
    let from = from.min(end - 1);
    (from, from + 1)
}
