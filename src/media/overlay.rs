//! Draws boxes and points on a scaled picture.
//!
//! Drawing after scaling keeps thin lines sharp at every zoom. The caller chooses the colours.

use image::{Rgba, RgbaImage};

use super::fit::Region;
use super::frame::Frame;
use super::letter::Letter;
use super::orientation::Orientation;

/// A box to draw. A box without extent is drawn as a cross.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    /// Corners `[x0, y0, x1, y1]`, relative to the whole stored picture.
    pub xyxy: [f64; 4],
    /// Unit of the corners: fractions or pixels.
    pub unit: Unit,
    /// Line colour: red, green, blue.
    pub color: [u8; 3],
    /// Line style, which distinguishes boxes without colour.
    pub style: Stroke,
    /// Line width in pixels. From 2 on, the line has a dark hairline on both sides.
    pub width: u32,
    /// Letter at a corner, which distinguishes the boxes of two models.
    pub letter: Option<Letter>,
    /// Number after the letter, which identifies a box among many.
    pub number: Option<u16>,
}

/// Unit of a box's corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Fractions of the picture's sides.
    Fraction,
    /// Pixels of the stored picture.
    Pixel,
}

impl Overlay {
    /// Returns the corners as fractions of a stored picture of this size in pixels.
    pub fn fractions(&self, size: (u32, u32)) -> [f64; 4] {
        let [x0, y0, x1, y1] = self.xyxy;
        let (width, height) = match self.unit {
            Unit::Fraction => return self.xyxy,
            Unit::Pixel => (f64::from(size.0.max(1)), f64::from(size.1.max(1))),
        };
        [x0 / width, y0 / height, x1 / width, y1 / height]
    }

    /// Returns the corners as fractions of an upright picture. `size` is its size, and
    /// `orientation` the orientation in which it was stored.
    pub fn upright(&self, size: (u32, u32), orientation: Orientation) -> [f64; 4] {
        orientation.corners(self.fractions(orientation.size(size)))
    }

    /// Returns true if the box has no extent.
    fn is_point(&self) -> bool {
        let [x0, y0, x1, y1] = self.xyxy;
        x0.to_bits() == x1.to_bits() && y0.to_bits() == y1.to_bits()
    }
}

/// Line style; distinguishes boxes without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stroke {
    /// A line without gaps.
    Solid,
    /// Long dashes, in proportion to the line width.
    Dashed,
    /// Dots of the line's width, with gaps twice as long.
    Dotted,
    /// A line of at most 2 pixels. At width 1, only every second pixel is drawn.
    Thin,
}

impl Stroke {
    /// Returns true if the line has no gap at `way` pixels along an edge.
    pub(super) fn is_down(self, way: i64, width: i64) -> bool {
        let (on, off) = match self {
            Self::Solid => return true,
            Self::Dashed => (8 * width - 4, 5 * width - 2),
            Self::Dotted => (width, 2 * width),
            Self::Thin if width > 1 => return true,
            Self::Thin => (1, 1),
        };
        way.rem_euclid(on + off) < on
    }
}

/// Draws boxes on the visible part of a picture; later boxes cover earlier ones. Corners must be
/// fractions.
///
/// A box is clipped to the picture. A box with a NaN corner is skipped.
pub fn draw(picture: &mut RgbaImage, region: Region, overlays: &[Overlay]) {
    let size = picture.dimensions();
    let canvas = Frame::of([0.0, 0.0, 1.0, 1.0], region, size);
    let shapes: Vec<(Shape, &Overlay)> = overlays
        .iter()
        .filter(|overlay| overlay.width > 0 && !overlay.xyxy.iter().any(|edge| edge.is_nan()))
        .map(|overlay| (Shape::of(overlay, region, size, canvas), overlay))
        .collect();
    // Draw hairlines first. Where two boxes coincide, the gaps of one line then show the other line
    // instead of a hairline.
    for (shape, _) in &shapes {
        shape.shade(picture);
    }
    for (shape, overlay) in &shapes {
        shape.ink(picture, overlay);
    }
}

/// The shape of an overlay in pixels.
enum Shape {
    /// A border and its line width.
    Box(Frame, i64),
    /// The two bars of a cross and their width.
    Cross([Frame; 2], i64),
}

impl Shape {
    fn of(overlay: &Overlay, region: Region, size: (u32, u32), canvas: Frame) -> Self {
        let edge = Frame::of(overlay.xyxy, region, size);
        let width = match overlay.style {
            Stroke::Thin => i64::from(overlay.width).min(2),
            _ => i64::from(overlay.width),
        };
        if overlay.is_point() {
            let bars = edge.cross(width).map(|bar| bar.within(canvas));
            return Self::Cross(bars, width);
        }
        Self::Box(edge.grown(width - 1).within(canvas), width)
    }

    /// Draws the dark hairlines along wide lines.
    fn shade(&self, picture: &mut RgbaImage) {
        match self {
            Self::Box(frame, width) if *width >= 2 => {
                frame.grown(1).trace(1, picture, |pixel, _| darken(pixel));
                frame
                    .grown(-width)
                    .trace(1, picture, |pixel, _| darken(pixel));
            }
            Self::Cross(bars, width) if *width >= 2 => {
                for bar in bars {
                    bar.grown(1).fill(picture, darken);
                }
            }
            Self::Box(..) | Self::Cross(..) => {}
        }
    }

    fn ink(&self, picture: &mut RgbaImage, overlay: &Overlay) {
        let [red, green, blue] = overlay.color;
        let ink = Rgba([red, green, blue, u8::MAX]);
        match self {
            Self::Box(frame, width) => frame.trace(*width, picture, |pixel, way| {
                if overlay.style.is_down(way, *width) {
                    *pixel = ink;
                }
            }),
            Self::Cross(bars, _) => {
                for bar in bars {
                    bar.fill(picture, |pixel| *pixel = ink);
                }
            }
        }
    }
}

fn darken(pixel: &mut Rgba<u8>) {
    let [red, green, blue, _] = &mut pixel.0;
    for channel in [red, green, blue] {
        *channel /= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INK: [u8; 3] = [255, 0, 0];

    fn overlay(xyxy: [f64; 4], width: u32, style: Stroke) -> Overlay {
        Overlay {
            xyxy,
            unit: Unit::Fraction,
            color: INK,
            style,
            width,
            letter: None,
            number: None,
        }
    }

    /// Rows as text: `#` is line, `.` background, `:` hairline.
    fn drawn(size: (u32, u32), region: Region, overlays: &[Overlay]) -> Vec<String> {
        let mut picture = RgbaImage::from_pixel(size.0, size.1, Rgba([90, 90, 90, 255]));
        draw(&mut picture, region, overlays);
        let sign = |pixel: &Rgba<u8>| match pixel.0 {
            [255, 0, 0, 255] => '#',
            [90, 90, 90, 255] => '.',
            _ => ':',
        };
        picture.rows().map(|row| row.map(sign).collect()).collect()
    }

    fn one(xyxy: [f64; 4], width: u32) -> Vec<String> {
        drawn(
            (8, 6),
            Region::WHOLE,
            &[overlay(xyxy, width, Stroke::Solid)],
        )
    }

    #[test]
    fn a_thin_box_is_one_pixel_wide_and_exact() {
        let picture = [
            "........", //
            ".#####..", ".#...#..", ".#...#..", ".#####..", "........",
        ];
        assert_eq!(
            one([1.0 / 8.0, 1.0 / 6.0, 6.0 / 8.0, 5.0 / 6.0], 1),
            picture
        );
        assert_eq!(
            one([6.0 / 8.0, 5.0 / 6.0, 1.0 / 8.0, 1.0 / 6.0], 1),
            picture,
            "inverted"
        );
    }

    #[test]
    fn a_wide_box_grows_outwards_between_dark_hairlines() {
        let picture = drawn(
            (9, 9),
            Region::WHOLE,
            &[overlay(
                [2.0 / 9.0, 2.0 / 9.0, 7.0 / 9.0, 7.0 / 9.0],
                2,
                Stroke::Solid,
            )],
        );
        assert_eq!(
            picture,
            [
                ":::::::::",
                ":#######:",
                ":#######:",
                ":##:::##:",
                ":##:.:##:",
                ":##:::##:",
                ":#######:",
                ":#######:",
                ":::::::::",
            ]
        );
    }

    #[test]
    fn boxes_beyond_the_picture_are_drawn_on_its_border() {
        let border = [
            "########", //
            "#......#", "#......#", "#......#", "#......#", "########",
        ];
        assert_eq!(one([0.0, 0.0, 1.0, 1.0], 1), border);
        assert_eq!(one([-5.0, f64::NEG_INFINITY, 1e300, 2.0], 1), border);
        let wide = one([0.0, 0.0, 1.0, 1.0], 2);
        assert_eq!(
            [wide[0].as_str(), wide[2].as_str()],
            ["########", "##::::##"]
        );
    }

    #[test]
    fn points_and_lines_are_visible_and_nonsense_is_not() {
        let count = |xyxy| one(xyxy, 1).concat().matches('#').count();
        assert_eq!(count([0.0, 0.5, 0.1, 0.5]), 1);
        assert_eq!(count([0.0, 0.5, 1.0, 0.5]), 8);
        assert_eq!(count([f64::NAN, 0.0, 1.0, 1.0]), 0);
        assert_eq!(
            one([0.0, 0.0, 1.0, 1.0], 0).concat().matches('#').count(),
            0
        );
        assert_eq!(
            one([0.0, 0.0, 1.0, 1.0], u32::MAX)
                .concat()
                .matches('#')
                .count(),
            48
        );
    }

    #[test]
    fn a_point_is_a_cross() {
        assert_eq!(
            one([0.5, 0.5, 0.5, 0.5], 1),
            [
                "........", "....#...", "....#...", "..#####.", "....#...", "....#...",
            ]
        );
        let wide = one([0.5, 0.5, 0.5, 0.5], 2);
        assert_eq!(
            [&wide[0], &wide[3]],
            ["..:##:..", "########"].map(str::to_owned).each_ref()
        );
    }

    #[test]
    fn pixels_become_fractions_of_their_picture() {
        let mut pixels = overlay([10.0, 20.0, 30.0, 40.0], 1, Stroke::Solid);
        assert_eq!(pixels.fractions((100, 50)), pixels.xyxy);
        pixels.unit = Unit::Pixel;
        assert_eq!(pixels.fractions((100, 50)), [0.1, 0.4, 0.3, 0.8]);
    }

    #[test]
    fn an_edge_outside_the_shown_part_is_not_drawn() {
        let part = Region::new([0.0, 0.0, 0.5, 0.5]);
        let half = [overlay([0.25, 0.25, 1.0, 1.0], 1, Stroke::Solid)];
        assert_eq!(drawn((4, 4), part, &half), ["....", "....", "..##", "..#."]);
    }

    #[test]
    fn strokes_differ_without_colour() {
        let line = |style| {
            drawn(
                (15, 1),
                Region::WHOLE,
                &[overlay([0.0, 0.0, 1.0, 1.0], 1, style)],
            )
        };
        assert_eq!(line(Stroke::Solid), ["###############"]);
        assert_eq!(line(Stroke::Dashed), ["####...####...#"]);
        assert_eq!(line(Stroke::Dotted), ["#..#..#..#..#.."]);
        assert_eq!(line(Stroke::Thin), ["#.#.#.#.#.#.#.#"]);
    }

    #[test]
    fn where_boxes_agree_the_gaps_of_one_show_the_other() {
        let mut picture = RgbaImage::new(20, 20);
        let whole = [0.2, 0.2, 0.8, 0.8];
        let mut under = overlay(whole, 2, Stroke::Solid);
        under.color = [0, 255, 0];
        draw(
            &mut picture,
            Region::WHOLE,
            &[under, overlay(whole, 2, Stroke::Dashed)],
        );
        let row: Vec<[u8; 3]> = (3..17)
            .map(|x| picture.get_pixel(x, 3).0)
            .map(|[r, g, b, _]| [r, g, b])
            .collect();
        assert_eq!(&row[..12], [INK; 12]);
        assert_eq!(&row[12..], [[0, 255, 0]; 2]);
    }
}
