//! Surfaces: a colour with a pattern.

use noise::{NoiseFn as _, Perlin};

use super::shape::V3;
use crate::Rng;

/// Pattern of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    /// One colour, no pattern.
    Plain,
    /// Horizontal bands.
    Stripes,
    /// Cubes of two shades.
    Checks,
    /// Smooth random shades.
    Mottled,
    /// Horizontal rows of bricks with joints.
    Bricks,
    /// Boards with joints that lead away from the camera.
    Boards,
}

/// Colour and pattern of a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    paint: Paint,
    /// Red, green and blue in linear light.
    color: [f64; 3],
}

/// Colours of things, in linear light.
const COLORS: [[f64; 3]; 9] = [
    [0.60, 0.05, 0.04],
    [0.72, 0.26, 0.02],
    [0.70, 0.52, 0.04],
    [0.08, 0.34, 0.07],
    [0.03, 0.33, 0.36],
    [0.05, 0.13, 0.52],
    [0.29, 0.07, 0.42],
    [0.58, 0.16, 0.30],
    [0.52, 0.50, 0.46],
];
/// Width of bands, checks and bricks, in meters.
const WIDE: f64 = 0.16;
/// Brightness of a pattern's dark shade, relative to the light one.
const DARK: f64 = 0.45;

impl Surface {
    /// Creates a surface with this pattern and colour.
    pub(super) const fn of(paint: Paint, color: [f64; 3]) -> Self {
        Self { paint, color }
    }

    /// A random colour without a pattern.
    pub(super) fn plain(rng: &mut Rng) -> Self {
        Self::of(Paint::Plain, rng.choose(&COLORS))
    }

    /// A random colour with a random pattern, for objects.
    pub(super) fn some(rng: &mut Rng) -> Self {
        let paints = [Paint::Plain, Paint::Stripes, Paint::Checks, Paint::Mottled];
        Self::of(rng.choose(&paints), rng.choose(&COLORS))
    }

    /// A random surface for the floor of a room.
    pub(super) fn of_floor(rng: &mut Rng) -> Self {
        Self::of_room([Paint::Boards, Paint::Checks, Paint::Mottled], rng)
    }

    /// A random surface for the wall of a room.
    pub(super) fn of_wall(rng: &mut Rng) -> Self {
        Self::of_room([Paint::Bricks, Paint::Plain, Paint::Mottled], rng)
    }

    fn of_room(paints: [Paint; 3], rng: &mut Rng) -> Self {
        let light = rng.between(0.16, 0.5);
        let warm = rng.between(0.75, 1.0);
        Self::of(
            rng.choose(&paints),
            [light, light * warm, light * warm * warm],
        )
    }

    /// The colour without its pattern.
    pub(super) fn color_alone(&self) -> V3 {
        V3::from(self.color)
    }

    /// Colour at a point of the surface, in linear light.
    pub(super) fn color(&self, at: V3) -> V3 {
        self.color_alone() * self.shade(at)
    }

    fn shade(&self, at: V3) -> f64 {
        let is_odd = |along: f64| (along / WIDE).floor().rem_euclid(2.0) >= 1.0;
        let two = |is_dark: bool| if is_dark { DARK } else { 1.0 };
        match self.paint {
            Paint::Plain => 1.0,
            Paint::Stripes => two(is_odd(at.y)),
            // Shifted away from the floor plane: on it, rounding would decide the shade.
            Paint::Checks => two(is_odd(at.x) ^ is_odd(at.y + 0.37 * WIDE) ^ is_odd(at.z)),
            Paint::Mottled => {
                let coarse = grain(at * 4.0);
                let fine = grain(at * 17.0);
                0.3f64.mul_add(coarse, 0.15f64.mul_add(fine, 0.85))
            }
            Paint::Bricks => joints(at.x, at.y, 0.5, 0.18) * 0.1f64.mul_add(grain(at * 9.0), 0.95),
            Paint::Boards => {
                let along = V3::new(at.x * 18.0, 0.0, at.z * 1.5);
                joints(at.z, at.x, 2.4, 0.24) * 0.18f64.mul_add(grain(along), 0.9)
            }
        }
    }
}

/// Dark joints between bricks of length `long` and height `high`; alternate rows are shifted by
/// half a brick.
fn joints(along: f64, up: f64, long: f64, high: f64) -> f64 {
    let row = (up / high).floor();
    let moved = row.rem_euclid(2.0).mul_add(0.5, along / long);
    let (x, y) = (moved.rem_euclid(1.0) * long, up.rem_euclid(high));
    if x.min(y) < 0.022 { DARK } else { 1.0 }
}

/// Smooth noise from -1 to 1.
fn grain(at: V3) -> f64 {
    thread_local! {
        static NOISE: Perlin = Perlin::new(7);
    }
    NOISE.with(|noise| noise.get([at.x, at.y, at.z]))
}
