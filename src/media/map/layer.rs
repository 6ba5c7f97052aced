//! Draws the colours and outlines of a pixel map over a scaled picture.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use image::{Rgba, RgbaImage};

use crate::{Orientation, Region, Stroke};

/// Colours of a pixel map, to be drawn over a picture of any size. Rows and columns are those of
/// the stored picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    width: u32,
    height: u32,
    /// Red, green, blue and opacity, row by row.
    colors: Vec<[u8; 4]>,
    outline: Option<Outline>,
    digest: u64,
}

/// The borders between regions of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// The region of each pixel in row order; 0 is outside all regions.
    pub parts: Vec<u32>,
    /// Line colour: red, green, blue.
    pub color: [u8; 3],
    /// Line style: solid, dashed, dotted or thin.
    pub style: Stroke,
    /// Line width in screen pixels.
    pub width: u32,
}

/// Line width and colour with which outlines are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Pen {
    /// Factor on the outline's width; lines below half a pixel are skipped.
    pub scale: f64,
    /// Colour that replaces the outline's own, for monochrome screens.
    pub color: Option<[u8; 3]>,
}

impl Pen {
    /// Draws with the outline's own width and colour.
    pub const OWN: Self = Self {
        scale: 1.0,
        color: None,
    };
}

impl Layer {
    /// Returns a layer with `width` colours per row. An incomplete last row is dropped.
    pub fn new(width: u32, colors: Vec<[u8; 4]>, outline: Option<Outline>) -> Self {
        let count = u32::try_from(colors.len()).unwrap_or(u32::MAX);
        let height = count.checked_div(width).unwrap_or_default();
        let mut hasher = DefaultHasher::new();
        (width, &colors).hash(&mut hasher);
        if let Some(Outline {
            parts,
            color,
            style,
            width,
        }) = &outline
        {
            (parts, color, style, width).hash(&mut hasher);
        }
        Self {
            width,
            height,
            colors,
            outline,
            digest: hasher.finish(),
        }
    }

    /// Returns the hash of size, colours and outline. Equal layers have equal hashes.
    pub const fn digest(&self) -> u64 {
        self.digest
    }

    /// Returns the approximate memory of colours and regions in bytes.
    pub fn held(&self) -> usize {
        let parts = self
            .outline
            .as_ref()
            .map_or(0, |outline| outline.parts.len());
        4 * (self.colors.len() + parts)
    }

    /// Returns true if more than half of the pixels hide the picture below them.
    pub fn hides(&self) -> bool {
        let opaque = |color: &&[u8; 4]| matches!(color, [_, _, _, u8::MAX]);
        2 * self.colors.iter().filter(opaque).count() > self.colors.len()
    }

    /// Returns the bounding box `[x0, y0, x1, y1]` of the outlined regions, as fractions of the
    /// stored picture; `None` without regions.
    pub fn bounds(&self) -> Option<[f64; 4]> {
        let parts = &self.outline.as_ref()?.parts;
        let width = usize::try_from(self.width)
            .ok()
            .filter(|width| *width > 0)?;
        let inside = (0..).zip(parts).filter(|(_, part)| **part > 0);
        let places = inside.map(|(at, _): (usize, _)| (at % width, at / width));
        let around = |around: Option<[usize; 4]>, (x, y): (usize, usize)| {
            let [x0, y0, x1, y1] = around.unwrap_or([x, y, x, y]);
            Some([x0.min(x), y0.min(y), x1.max(x + 1), y1.max(y + 1)])
        };
        let corners = places.fold(None, around)?;
        let real = |corner: usize| u32::try_from(corner).map_or(f64::MAX, f64::from);
        let [x0, y0, x1, y1] = corners.map(real);
        let (width, height) = (f64::from(self.width), f64::from(self.height));
        Some([x0 / width, y0 / height, x1 / width, y1 / height])
    }

    /// Draws the layer over the visible `region` of an upright picture. `orientation` is the
    /// orientation of the stored picture.
    pub fn lay(&self, picture: &mut RgbaImage, region: Region, orientation: Orientation, pen: Pen) {
        let size = picture.dimensions();
        let place = Places::new(region, orientation, size, (self.width, self.height));
        for (x, y, pixel) in picture.enumerate_pixels_mut() {
            let color = place.of(x, y).and_then(|at| self.colors.get(at));
            if let Some(color) = color {
                blend(pixel, *color);
            }
        }
        if let Some(outline) = &self.outline {
            outline.draw(picture, &place, pen);
        }
    }
}

impl Outline {
    fn draw(&self, picture: &mut RgbaImage, place: &Places, pen: Pen) {
        let [red, green, blue] = pen.color.unwrap_or(self.color);
        let width = whole(f64::from(self.width) * pen.scale);
        if width == 0 {
            return;
        }
        let part = |x: i64, y: i64| {
            let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
            self.parts.get(place.of(x, y)?).copied()
        };
        for (x, y, pixel) in picture.enumerate_pixels_mut() {
            let (x, y) = (i64::from(x), i64::from(y));
            let Some(own) = part(x, y).filter(|own| *own > 0) else {
                continue;
            };
            let differs = |dx: i64, dy: i64| part(x + dx, y + dy).is_some_and(|it| it != own);
            let ends = |dx: i64, dy: i64| part(x + dx, y + dy) == Some(0);
            // The border between two regions is drawn in only one of them.
            let on_border = (1..=width).any(|step| {
                differs(step, 0) || differs(0, step) || ends(-step, 0) || ends(0, -step)
            });
            if on_border && self.style.is_down(x + y, width) {
                *pixel = Rgba([red, green, blue, u8::MAX]);
            }
        }
    }
}

/// Rounds a line width to 0 to 8 pixels.
#[expect(clippy::cast_possible_truncation, reason = "between 0 and 8")]
fn whole(width: f64) -> i64 {
    width.round().clamp(0.0, 8.0) as i64
}

/// For each screen column and row, the index of the nearest column or row of the map.
struct Places {
    columns: Vec<usize>,
    rows: Vec<usize>,
}

impl Places {
    fn new(region: Region, orientation: Orientation, shown: (u32, u32), map: (u32, u32)) -> Self {
        let [x0, y0, x1, y1] = region.xyxy();
        let run = orientation.run();
        let row = usize::try_from(map.0).unwrap_or_default();
        let of_column = |at: usize| at;
        let of_row = |at: usize| at * row;
        let places = |part, shown, side, far, stride: &dyn Fn(usize) -> usize| -> Vec<usize> {
            let last = usize::try_from(side).unwrap_or_default().saturating_sub(1);
            let at = nearest(part, shown, side).into_iter();
            at.map(|at| stride(if far { last - at } else { at }))
                .collect()
        };
        if run.sideways {
            return Self {
                columns: places((x0, x1), shown.0, map.1, run.far_row, &of_row),
                rows: places((y0, y1), shown.1, map.0, run.far_column, &of_column),
            };
        }
        Self {
            columns: places((x0, x1), shown.0, map.0, run.far_column, &of_column),
            rows: places((y0, y1), shown.1, map.1, run.far_row, &of_row),
        }
    }

    fn of(&self, x: u32, y: u32) -> Option<usize> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        Some(self.columns.get(x)? + self.rows.get(y)?)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a fraction of the map's side"
)]
fn nearest((from, to): (f64, f64), shown: u32, map: u32) -> Vec<usize> {
    let last = map.saturating_sub(1) as usize;
    (0..shown)
        .map(|at| {
            let fraction = from + (f64::from(at) + 0.5) / f64::from(shown) * (to - from);
            ((fraction * f64::from(map)) as usize).min(last)
        })
        .collect()
}

fn blend(pixel: &mut Rgba<u8>, [red, green, blue, cover]: [u8; 4]) {
    let cover = u32::from(cover);
    for (below, above) in pixel.0.iter_mut().zip([red, green, blue]) {
        let mixed = (u32::from(above) * cover + u32::from(*below) * (255 - cover) + 127) / 255;
        *below = u8::try_from(mixed).unwrap_or(u8::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(style: Stroke) -> Layer {
        // A square of 2 x 2 in a map of 4 x 4.
        let inside = |at: u32| (1..3).contains(&(at % 4)) && (1..3).contains(&(at / 4));
        let colors = (0..16).map(|at| [0, 0, 200, if inside(at) { 51 } else { 0 }]);
        let outline = Outline {
            parts: (0..16).map(|at| u32::from(inside(at))).collect(),
            color: [255, 0, 0],
            style,
            width: 1,
        };
        Layer::new(4, colors.collect(), Some(outline))
    }

    /// Rows as text: `#` is outline, `+` tint, `.` background.
    fn drawn(layer: &Layer, size: u32, region: Region) -> Vec<String> {
        let mut picture = RgbaImage::from_pixel(size, size, Rgba([100, 100, 100, 255]));
        layer.lay(&mut picture, region, Orientation::UPRIGHT, Pen::OWN);
        let sign = |pixel: &Rgba<u8>| match pixel.0 {
            [255, 0, 0, 255] => '#',
            [100, 100, 100, 255] => '.',
            _ => '+',
        };
        picture.rows().map(|row| row.map(sign).collect()).collect()
    }

    #[test]
    fn a_thing_is_tinted_within_an_outline_of_one_pixel_of_the_screen() {
        assert_eq!(
            drawn(&square(Stroke::Solid), 8, Region::WHOLE),
            [
                "........", "........", "..####..", "..#++#..", "..#++#..", "..####..", "........",
                "........"
            ]
        );
    }

    #[test]
    fn what_the_screen_cuts_off_has_no_border() {
        let part = Region::new([0.5, 0.5, 1.0, 1.0]);
        assert_eq!(
            drawn(&square(Stroke::Solid), 4, part),
            ["+#..", "##..", "....", "...."]
        );
    }

    #[test]
    fn a_broken_line_differs_without_colour() {
        let signs = |style| drawn(&square(style), 8, Region::WHOLE).concat();
        let lines = |style| signs(style).matches('#').count();
        assert!(lines(Stroke::Dotted) < lines(Stroke::Dashed));
        assert!(lines(Stroke::Dashed) < lines(Stroke::Solid));
    }

    #[test]
    fn a_map_lies_as_the_picture_was_stored() {
        use image::metadata::Orientation as Exif;
        // Each pixel of the stored picture has a different colour. The map has the same colours.
        let stored = RgbaImage::from_fn(6, 4, |x, y| Rgba([40 * x as u8, 60 * y as u8, 9, 255]));
        let colors: Vec<[u8; 4]> = stored.pixels().map(|pixel| pixel.0).collect();
        let layer = Layer::new(6, colors, None);
        for code in 1..=8 {
            let exif = Exif::from_exif(code).unwrap();
            let mut upright = image::DynamicImage::ImageRgba8(stored.clone());
            upright.apply_orientation(exif);
            let upright = upright.into_rgba8();
            let ground = Rgba([255; 4]);
            let mut laid = RgbaImage::from_pixel(upright.width(), upright.height(), ground);
            layer.lay(&mut laid, Region::WHOLE, Orientation::of(exif), Pen::OWN);
            assert_eq!(laid, upright, "orientation {code}");
        }
    }

    #[test]
    fn a_cover_of_all_hides_the_picture() {
        let layer = Layer::new(1, vec![[1, 2, 3, 255]], None);
        let mut picture = RgbaImage::from_pixel(2, 2, Rgba([9, 9, 9, 255]));
        layer.lay(&mut picture, Region::WHOLE, Orientation::UPRIGHT, Pen::OWN);
        assert_eq!(picture, RgbaImage::from_pixel(2, 2, Rgba([1, 2, 3, 255])));
    }

    #[test]
    fn nothing_to_lay_leaves_the_picture() {
        let mut picture = RgbaImage::from_pixel(2, 2, Rgba([9, 9, 9, 255]));
        for layer in [
            Layer::new(0, vec![], None),
            Layer::new(5, vec![[0; 4]; 3], None),
        ] {
            let before = picture.clone();
            layer.lay(&mut picture, Region::WHOLE, Orientation::UPRIGHT, Pen::OWN);
            assert_eq!(picture, before);
        }
    }

    #[test]
    fn bounds_lie_around_what_is_outlined() {
        let square = square(Stroke::Solid);
        assert_eq!(square.bounds(), Some([0.25, 0.25, 0.75, 0.75]));
        assert!(!square.hides());
        let opaque = Layer::new(1, vec![[1, 2, 3, 255]], None);
        assert_eq!((opaque.bounds(), opaque.hides()), (None, true));
    }

    #[test]
    fn digests_tell_layers_apart() {
        let (solid, dashed) = (square(Stroke::Solid), square(Stroke::Dashed));
        assert_eq!(solid.digest(), square(Stroke::Solid).digest());
        assert_ne!(solid.digest(), dashed.digest());
    }
}
