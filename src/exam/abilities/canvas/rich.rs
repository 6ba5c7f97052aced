//! Renders a canvas richly: shapes with relief, grain and soft shadows in the light of one lamp, on
//! textured ground.
//!
//! Outlines are those of the plain drawing. Every shape keeps its mean colour; light and grain only
//! vary around it. So sizes and contrasts stay the same.

use image::RgbImage;
use kurbo::{BezPath, Shape as _};
use tiny_skia::{Pixmap, Transform};

use super::ground::Backdrop;
use super::light::Light;
use super::{Canvas, DrawnPath, Ink, Stroke, Surface, byte, mixed, put, rgb, short};
use crate::abilities::blur::blurred;

/// Look of the following shapes in a rich drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// Plain colour, no shadow.
    #[default]
    Flat,
    /// Plain colour with a shadow behind the shape, like a sheet of paper.
    Sheet,
    /// With relief, and a shadow behind the shape.
    Solid,
    /// With relief but no shadow: an object in front of a landscape.
    Upright,
    /// With grain only: a flat face of a body that is shaded already.
    Face,
    /// A shadow; its edge is blurred.
    Shade,
}

impl Look {
    const fn casts_shadow(self) -> bool {
        matches!(self, Self::Sheet | Self::Solid)
    }
}

/// Maximum half thickness that relief and shadows follow, in units.
const THICK: f64 = 20.0;
/// Standard deviations of relief, cast shadow and shade edge, and offset of a cast shadow, all in
/// half thicknesses of the shape.
const RELIEF: f64 = 0.45;
const SOFT: f64 = 0.22;
const SHADE: f64 = 0.25;
const MOVED: f64 = 0.2;
/// Opacity of a cast shadow.
const DARK: f64 = 0.38;
/// Steepness of the relief.
const STEEP: f64 = 1.7;
/// Share of ambient light.
const AMBIENT: f64 = 0.45;
/// Range of the light on a shape, relative to its mean.
const BOUNDS: (f64, f64) = (0.55, 1.45);
/// Coverage below which a pixel is skipped.
const SEEN: f64 = 1e-3;
/// Samples per pixel and side for surfaces.
const SAMPLES: u32 = 2;

impl Canvas {
    /// Renders richly at `scale` pixels per unit; empty if memory is insufficient.
    pub fn rich_at(&self, scale: u32, light: &Light) -> RgbImage {
        let side = super::SIDE * scale;
        let Some(pixmap) = Pixmap::new(side, side) else {
            return RgbImage::default();
        };
        let mut sheet = Sheet {
            pixmap,
            scale: f64::from(scale),
            light,
        };
        let mut look = Look::default();
        for stroke in &self.0 {
            match stroke {
                Stroke::Look(next) => look = *next,
                Stroke::Backdrop(backdrop) => sheet.back(*backdrop),
                Stroke::Shadow(path) => {
                    sheet.shape(DrawnPath::filled(path), [0; 3], DARK, Look::Shade);
                }
                Stroke::Fill(path, ink) => sheet.shape(DrawnPath::filled(path), *ink, 1.0, look),
                Stroke::Line(path, width, ink) => {
                    sheet.shape(DrawnPath::stroked(path, *width), *ink, 1.0, look);
                }
                Stroke::Bands { rows, inks, .. } => sheet.gradient(*rows, *inks),
                Stroke::Surface(ink) => sheet.surface(ink),
                _ => stroke.draw(&mut sheet.pixmap, sheet.scale),
            }
        }
        rgb(&sheet.pixmap)
    }
}

/// The rendered part of a picture.
struct Sheet<'a> {
    pixmap: Pixmap,
    scale: f64,
    light: &'a Light,
}

impl Sheet<'_> {
    /// Draws a shape; `share` is the ink's opacity.
    fn shape(
        &mut self,
        DrawnPath { path, width }: DrawnPath<'_>,
        ink: Ink,
        share: f64,
        look: Look,
    ) {
        let thick = width.map_or_else(|| half_thickness(path), |width| width / 2.0);
        let thick = thick.min(THICK) * self.scale;
        // Margin for blur and shadow.
        let reach = 1.5 * thick + 3.0;
        let line = width.unwrap_or(0.0) / 2.0 * self.scale;
        let bounds = path.bounding_box().scale_from_origin(self.scale);
        let area = Area::of(bounds.inflate(reach + line, reach + line), &self.pixmap);
        let Some(cover) = area.and_then(|area| area.cover(path, width, self.scale)) else {
            return;
        };
        match look {
            Look::Shade => {
                let cover = cover.blurred(SHADE * thick);
                self.blend(&cover, share, |_| ink);
                return;
            }
            look if look.casts_shadow() => {
                let [x, y] = self.light.away().map(|part| part * MOVED * thick);
                let shadow = cover.blurred(SOFT * thick);
                self.blend(&shadow.moved(x, y), DARK, |_| [0; 3]);
            }
            _ => {}
        }
        let lit = self.lit(&cover, thick, ink, look);
        self.blend(&cover, share, |at| lit.get(at).copied().unwrap_or(ink));
    }

    /// Colour at each position of a shape, with `ink` as the mean; empty for plain looks.
    fn lit(&self, cover: &Cover, thick: f64, ink: Ink, look: Look) -> Vec<Ink> {
        let relief = match look {
            Look::Flat | Look::Sheet | Look::Shade => return Vec::new(),
            Look::Face => None,
            Look::Solid | Look::Upright => Some(cover.blurred(RELIEF * thick)),
        };
        let mut light: Vec<f64> = cover
            .places()
            .map(|(at, x, y)| {
                if cover.values[at] < SEEN {
                    return 1.0;
                }
                let facing = relief.as_ref().map_or(1.0, |height| {
                    let [dx, dy] = height.slope(at);
                    let steep = STEEP * RELIEF * thick;
                    AMBIENT + (1.0 - AMBIENT) * self.light.facing(-steep * dx, -steep * dy)
                });
                facing * self.light.grain_at(x / self.scale, y / self.scale)
            })
            .collect();
        let mean = cover.mean(|at| light.get(at).copied().unwrap_or(1.0));
        for value in &mut light {
            *value = (*value / mean).clamp(BOUNDS.0, BOUNDS.1);
        }
        let shaded = |value: f64, shift: [f64; 3]| -> Ink {
            let mut own = ink;
            for (channel, shift) in own.iter_mut().zip(shift) {
                *channel = byte(f64::from(*channel) * value + shift);
            }
            own
        };
        // Corrects the mean for values clipped at 0 and 255.
        let mut shift = [0.0; 3];
        for (channel, shift) in shift.iter_mut().enumerate() {
            let of = |at: usize| {
                let value = light.get(at).copied().unwrap_or(1.0);
                f64::from(shaded(value, [0.0; 3])[channel])
            };
            *shift = f64::from(ink[channel]) - cover.mean(of);
        }
        light
            .into_iter()
            .map(|value| shaded(value, shift))
            .collect()
    }

    /// Blends inks into the picture, weighted by coverage and `share`.
    fn blend(&mut self, cover: &Cover, share: f64, ink: impl Fn(usize) -> Ink) {
        let width = self.pixmap.width() as usize;
        let data = self.pixmap.data_mut();
        for (at, value) in cover.values.iter().enumerate() {
            if *value < SEEN {
                continue;
            }
            let (x, y) = (at % cover.area.width, at / cover.area.width);
            let place = 4 * ((cover.area.y + y) * width + cover.area.x + x);
            if let Some([r, g, b, _]) = data.get_mut(place..place + 4) {
                [*r, *g, *b] = mixed([*r, *g, *b], ink(at), share * value.min(1.0));
            }
        }
    }

    /// Applies a material's grain to everything drawn so far.
    fn back(&mut self, backdrop: Backdrop) {
        let side = self.pixmap.width();
        let (scale, light) = (self.scale, self.light);
        for (at, pixel) in (0..).zip(self.pixmap.data_mut().chunks_exact_mut(4)) {
            let (x, y): (u32, u32) = (at % side, at / side);
            let value = backdrop.at(f64::from(x) / scale, f64::from(y) / scale, light);
            for channel in pixel.iter_mut().take(3) {
                *channel = byte(f64::from(*channel) * value);
            }
        }
    }

    /// Draws a smooth vertical gradient between two rows.
    fn gradient(&mut self, (from, to): (f64, f64), (first, last): (Ink, Ink)) {
        let side = self.pixmap.width();
        for (at, pixel) in (0..).zip(self.pixmap.data_mut().chunks_exact_mut(4)) {
            let row: u32 = at / side;
            let share = ((f64::from(row) + 0.5) / self.scale - from) / (to - from);
            if let (0.0..=1.0, [r, g, b, _]) = (share, pixel) {
                [*r, *g, *b] = mixed(first, last, share);
            }
        }
    }

    /// Draws a surface with several samples per pixel.
    fn surface(&mut self, ink: &Surface) {
        let side = self.pixmap.width();
        let scale = self.scale;
        let steps = || (0..SAMPLES).map(|step| (f64::from(step) + 0.5) / f64::from(SAMPLES) - 0.5);
        for (at, pixel) in (0..).zip(self.pixmap.data_mut().chunks_exact_mut(4)) {
            let (x, y): (u32, u32) = (at % side, at / side);
            let mut sum = [0.0; 3];
            for (dx, dy) in steps().flat_map(|dx| steps().map(move |dy| (dx, dy))) {
                let ink = ink((f64::from(x) + dx) / scale, (f64::from(y) + dy) / scale);
                for (sum, channel) in sum.iter_mut().zip(ink) {
                    *sum += f64::from(channel);
                }
            }
            for (channel, sum) in pixel.iter_mut().zip(sum) {
                *channel = byte(sum / f64::from(SAMPLES * SAMPLES));
            }
        }
    }
}

/// Half thickness of a shape in units: the radius of a disc, half the width of a bar.
fn half_thickness(path: &BezPath) -> f64 {
    let bounds = path.bounding_box();
    let narrow = bounds.width().min(bounds.height()) / 2.0;
    narrow.min(2.0 * path.area().abs() / path.perimeter(0.1).max(1e-9))
}

/// A rectangle of the picture, in pixels.
#[derive(Clone, Copy)]
struct Area {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
}

impl Area {
    /// The pixels of a box that lie in the picture; `None` if there are none.
    fn of(bounds: kurbo::Rect, pixmap: &Pixmap) -> Option<Self> {
        let side = f64::from(pixmap.width());
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped to the picture"
        )]
        let whole = |at: f64| at.clamp(0.0, side) as usize;
        let (x, y) = (whole(bounds.x0.floor()), whole(bounds.y0.floor()));
        let (right, low) = (whole(bounds.x1.ceil()), whole(bounds.y1.ceil()));
        (right > x && low > y).then(|| Self {
            x,
            y,
            width: right - x,
            height: low - y,
        })
    }

    /// Coverage of each pixel by a shape, 0 to 1.
    fn cover(self, path: &BezPath, width: Option<f64>, scale: f64) -> Option<Cover> {
        let size = |side: usize| u32::try_from(side).ok();
        let mut pixmap = Pixmap::new(size(self.width)?, size(self.height)?)?;
        #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
        let corner = (self.x as f64, self.y as f64);
        let transform = Transform::from_scale(short(scale), short(scale))
            .post_translate(-short(corner.0), -short(corner.1));
        put(&mut pixmap, DrawnPath { path, width }, [255; 3], transform);
        let alpha = pixmap.data().chunks_exact(4);
        let alpha = alpha.map(|pixel| f64::from(pixel[3]) / 255.0);
        Some(Cover {
            area: self,
            values: alpha.collect(),
        })
    }
}

/// Coverage of an area's pixels, row by row, 0 to 1.
struct Cover {
    area: Area,
    values: Vec<f64>,
}

impl Cover {
    fn blurred(&self, sigma: f64) -> Self {
        Self {
            values: blurred(self.values.clone(), self.area.width, sigma),
            ..*self
        }
    }

    /// The coverage, shifted within its area by whole pixels; zeros fill the edges.
    fn moved(&self, x: f64, y: f64) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
        let by = (x.round() as isize, y.round() as isize);
        let (width, height) = (self.area.width, self.area.height);
        let from = |at: usize| {
            let (x, y) = (at % width, at / width);
            let (x, y) = (x.checked_add_signed(-by.0)?, y.checked_add_signed(-by.1)?);
            let is_inside = x < width && y < height;
            is_inside.then(|| self.values[y * width + x])
        };
        let values = (0..self.values.len()).map(|at| from(at).unwrap_or(0.0));
        Self {
            values: values.collect(),
            ..*self
        }
    }

    /// For each value, its index and the position of its pixel in the picture.
    fn places(&self) -> impl Iterator<Item = (usize, f64, f64)> + '_ {
        (0..self.values.len()).map(|at| {
            let (x, y) = (at % self.area.width, at / self.area.width);
            #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
            let place = |from: usize, by: usize| (from + by) as f64;
            (at, place(self.area.x, x), place(self.area.y, y))
        })
    }

    /// Slope of the values to the right and downwards, per pixel.
    fn slope(&self, at: usize) -> [f64; 2] {
        let own = self.values[at];
        let value = |at: Option<usize>| {
            let known = at.and_then(|at| self.values.get(at));
            known.copied().unwrap_or(own)
        };
        let width = self.area.width;
        [
            (value(at.checked_add(1)) - value(at.checked_sub(1))) / 2.0,
            (value(at.checked_add(width)) - value(at.checked_sub(width))) / 2.0,
        ]
    }

    /// Mean of a function over the covered positions, weighted by coverage; 1 without coverage.
    fn mean(&self, of: impl Fn(usize) -> f64) -> f64 {
        let mut sum = (0.0, 0.0);
        for (at, cover) in self.values.iter().enumerate() {
            if *cover > 0.0 {
                sum = (sum.0 + cover * of(at), sum.1 + cover);
            }
        }
        if sum.1 > 0.0 { sum.0 / sum.1 } else { 1.0 }
    }
}
