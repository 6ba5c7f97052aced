//! The paper's noise (section 3.2): Gaussian noise on the background, jittered outlines with salt
//! and pepper, Perlin noise inside closed shapes.

use std::sync::LazyLock;

use image::RgbImage;
use kurbo::{BezPath, PathEl, Point, Vec2};
use noise::{NoiseFn as _, Perlin};
use statrs::distribution::{ContinuousCDF as _, Normal};
use tiny_skia::{FillRule, Mask, Transform};

use super::draw::{self, Drawing, SIDE};
use super::{Figure, Shape};
use crate::Rng;

/// Side of a noise grain in pixels: as wide as a thin line, so that it shows on small screens.
const GRAIN: u32 = 2;
/// Quantisation step of the noise in levels: invisible, and it halves the file size.
const STEP: i16 = 4;
/// Standard deviation of the Gaussian noise, in levels of 255.
const DEVIATION: f64 = 16.0;
/// Amplitude of outline jitter in sides of the figure, and its frequency in waves per side.
const TREMBLE: (f64, f64) = (0.002, 24.0);
/// Segment length of a jittered outline, in sides of the figure.
const PIECE: f64 = 0.006;
/// Share of outline grains that are black or white.
const SALT_AND_PEPPER: f64 = 0.12;
/// Cells of Perlin noise per side, and the maximum darkening in levels.
const PERLIN: (f64, f64) = (20.0, 48.0);

/// Quantiles of Gaussian noise at equally spaced probabilities, in grey levels.
static GAUSSIAN: LazyLock<Vec<i16>> = LazyLock::new(|| {
    let count = 1_u16 << BITS;
    let normal = Normal::new(0.0, DEVIATION).ok();
    let share = |at: u16| (f64::from(at) + 0.5) / f64::from(count);
    let value = |at: u16| {
        normal
            .as_ref()
            .map_or(0.0, |normal| normal.inverse_cdf(share(at)))
    };
    #[expect(clippy::cast_possible_truncation, reason = "a few deviations")]
    (0..count)
        .map(|at| (value(at) / f64::from(STEP)).round() as i16 * STEP)
        .collect()
});
/// Number of random bits that select one of these values.
const BITS: u32 = 10;

/// Draws the noisy version of a drawing.
pub fn noisy(figure: &Figure, drawing: &Drawing, rng: &mut Rng) -> RgbImage {
    let waves = Perlin::new(seed(rng));
    let mut lanes: Vec<f64> = Vec::new();
    for at in 0..figure.shapes.len() {
        let own = rng.between(0.0, 200.0);
        // A shared edge has the same jitter in both shapes.
        let neighbour = figure.neighbour_before(at);
        let shared = neighbour.and_then(|neighbour| lanes.get(neighbour).copied());
        lanes.push(shared.unwrap_or(own));
    }
    let shapes = figure.shapes.iter().zip(lanes);
    let paths: Vec<BezPath> = shapes
        .map(|(shape, lane)| trembling(shape, &waves, lane))
        .collect();
    let canvas = draw::outlines(figure, &paths, &drawing.colors, drawing.width);
    let mut pixels = canvas.map_or_else(|| drawing.pixels(), |canvas| draw::opaque(&canvas));
    let inside = inside(figure);
    let clouds = Perlin::new(seed(rng));
    let mut bits = Bits::default();
    for y in 0..SIDE / GRAIN {
        for x in 0..SIDE / GRAIN {
            let grain = Grain {
                x: x * GRAIN,
                y: y * GRAIN,
            };
            let speck = bits.take(rng, BITS);
            let mut level = GAUSSIAN.get(speck).copied().unwrap_or(0);
            if inside.as_ref().is_some_and(|mask| grain.is_in(mask)) {
                level -= grain.cloud(&clouds);
            }
            grain.apply(&mut pixels, level, &mut bits, rng);
        }
    }
    pixels
}

#[expect(clippy::cast_possible_truncation, reason = "any 32 bits will do")]
fn seed(rng: &mut Rng) -> u32 {
    rng.bits() as u32
}

/// An outline in short segments with smooth random offsets, which differ by lane.
fn trembling(shape: &Shape, waves: &Perlin, lane: f64) -> BezPath {
    let aside = |point: Point| {
        let at = [point.x * TREMBLE.1, point.y * TREMBLE.1, lane];
        let across = [at[0] + 50.3, at[1] + 17.7, lane];
        point + Vec2::new(waves.get(at), waves.get(across)) * (2.0 * TREMBLE.0)
    };
    let mut path = BezPath::new();
    let mut last = Point::ZERO;
    let mut first = Point::ZERO;
    kurbo::flatten(shape.path(), 1e-4, |element| match element {
        PathEl::MoveTo(to) => {
            (first, last) = (to, to);
            path.move_to(aside(to));
        }
        PathEl::LineTo(to) => {
            pieces(last, to, |point| path.line_to(aside(point)));
            last = to;
        }
        PathEl::ClosePath => {
            pieces(last, first, |point| path.line_to(aside(point)));
            path.close_path();
        }
        PathEl::QuadTo(..) | PathEl::CurveTo(..) => {}
    });
    path
}

/// Calls `each` with the end points of a line's short segments.
fn pieces(from: Point, to: Point, mut each: impl FnMut(Point)) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few hundred"
    )]
    let count = ((to - from).length() / PIECE).ceil().max(1.0) as u32;
    for piece in 1..=count {
        each(from.lerp(to, f64::from(piece) / f64::from(count)));
    }
}

/// Mask of the inside of closed shapes.
fn inside(figure: &Figure) -> Option<Mask> {
    let mut mask = Mask::new(SIDE, SIDE)?;
    let closed = figure.shapes.iter().filter(|shape| shape.kind.is_closed());
    for path in closed.filter_map(|shape| draw::scaled(&shape.path())) {
        mask.fill_path(&path, FillRule::Winding, false, Transform::identity());
    }
    Some(mask)
}

/// A grain of noise, given by its upper left pixel.
struct Grain {
    x: u32,
    y: u32,
}

impl Grain {
    fn is_in(&self, mask: &Mask) -> bool {
        let at = (self.y * SIDE + self.x) as usize;
        mask.data().get(at).is_some_and(|covered| *covered > 0)
    }

    /// Darkening by Perlin noise at the grain, in levels.
    fn cloud(&self, clouds: &Perlin) -> i16 {
        let at = |pixel: u32| f64::from(pixel) / f64::from(SIDE) * PERLIN.0;
        let cloud = clouds.get([at(self.x), at(self.y)]).clamp(-1.0, 1.0);
        #[expect(clippy::cast_possible_truncation, reason = "levels of a byte")]
        {
            (PERLIN.1 * (1.0 + cloud) / 2.0) as i16 / STEP * STEP
        }
    }

    /// Adds `level` to the grain's pixels; on an outline they may turn black or white.
    fn apply(&self, pixels: &mut RgbImage, level: i16, bits: &mut Bits, rng: &mut Rng) {
        let corner = pixels.get_pixel_checked(self.x, self.y);
        let on_outline = corner.is_some_and(|pixel| pixel.0.iter().any(|channel| *channel < 128));
        let flips = on_outline && bits.below(rng, SALT_AND_PEPPER);
        let flipped = if flips {
            Some(if bits.below(rng, 0.5) { 0 } else { 255 })
        } else {
            None
        };
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            if let Some(pixel) = pixels.get_pixel_mut_checked(self.x + dx, self.y + dy) {
                for channel in &mut pixel.0 {
                    let changed = (i16::from(*channel) + level).clamp(0, 255);
                    *channel = flipped.unwrap_or_else(|| u8::try_from(changed).unwrap_or(0));
                }
            }
        }
    }
}

/// Buffered random bits.
#[derive(Default)]
struct Bits {
    left: u64,
    count: u32,
}

impl Bits {
    fn take(&mut self, rng: &mut Rng, count: u32) -> usize {
        if self.count < count {
            *self = Self {
                left: rng.bits(),
                count: 64,
            };
        }
        let taken = self.left & ((1 << count) - 1);
        self.left >>= count;
        self.count -= count;
        usize::try_from(taken).unwrap_or(0)
    }

    /// Returns true with the given probability, in steps of 1/1024.
    fn below(&mut self, rng: &mut Rng, probability: f64) -> bool {
        #[expect(clippy::cast_precision_loss, reason = "ten bits")]
        let share = self.take(rng, BITS) as f64 / f64::from(1_u16 << BITS);
        share < probability
    }
}
