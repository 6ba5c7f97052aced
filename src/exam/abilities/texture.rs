//! Texture: which attribute a surface has.

use std::f64::consts::TAU;

use noise::{NoiseFn as _, Perlin};

use super::canvas::{Canvas, LENGTH, mixed};
use super::drawn::DrawnItem;
use super::palette::contrasting;
use crate::Rng;

/// A pattern: the share of the second colour at a position, in pattern units.
pub type Pattern = fn(f64, f64, &Grain) -> f64;

/// Texture attributes (names from DTD) with their patterns.
pub const TEXTURES: [(&str, Pattern); 12] = [
    ("striped", |x, _, _| step(x.rem_euclid(1.0) - 0.5)),
    ("chequered", |x, y, _| {
        step((x.rem_euclid(2.0) - 1.0) * (y.rem_euclid(2.0) - 1.0))
    }),
    ("polka-dotted", |x, y, _| {
        let row = y.floor();
        let x = (x + 0.5 * row.rem_euclid(2.0)).rem_euclid(1.0) - 0.5;
        step(0.3 - x.hypot(y - row - 0.5))
    }),
    ("zigzagged", |x, y, _| {
        let tooth = (x.rem_euclid(2.0) - 1.0).abs();
        step((y + tooth).rem_euclid(1.0) - 0.5)
    }),
    ("honeycombed", |x, y, _| step(hexagon(x, y) - 0.42)),
    ("cracked", |x, y, grain| step(0.06 - grain.edge(x, y))),
    ("marbled", |x, y, grain| {
        0.5 + 0.5 * ((x + 3.0 * grain.cloud(x * 0.5, y * 0.5)) * 2.0).sin()
    }),
    ("woven", |x, y, _| woven(x, y)),
    ("scaly", |x, y, _| scales(x, y)),
    ("spiralled", |x, y, grain| {
        let (x, y) = (x - grain.centre.0, y - grain.centre.1);
        step((x.hypot(y) - y.atan2(x) / TAU).rem_euclid(1.0) - 0.5)
    }),
    ("bubbly", |x, y, grain| grain.bubble(x, y)),
    ("grid", |x, y, _| step(0.1 - near(x).min(near(y)))),
];
/// Number of textures.
pub const CLASSES: usize = TEXTURES.len();

/// Draws an item with the texture of the class.
pub fn draw(class: usize, rng: &mut Rng) -> DrawnItem {
    let (one, other) = contrasting(rng);
    let mut canvas = Canvas::new(one);
    let scale = LENGTH / rng.between(6.5, 11.0);
    let (sine, cosine) = rng.between(-0.4, 0.4).sin_cos();
    let grain = Grain::new(rng);
    let shade = rng.between(0.0, 0.25);
    let (name, pattern) = *TEXTURES.get(class).unwrap_or(&TEXTURES[0]);
    canvas.paint(move |x, y| {
        let (dx, dy) = (x - LENGTH / 2.0, y - LENGTH / 2.0);
        let (u, v) = (
            (dx * cosine - dy * sine) / scale,
            (dx * sine + dy * cosine) / scale,
        );
        let ink = mixed(one, other, pattern(u, v, &grain));
        mixed(ink, [0; 3], shade * (y / 32.0).floor() / 8.0)
    });
    DrawnItem::shuffled(
        canvas,
        "What is the texture attribute of the image?",
        name,
        TEXTURES.iter().map(|(name, _)| *name).collect(),
    )
    .with_number("scale", scale)
}

fn step(value: f64) -> f64 {
    f64::from(u8::from(value > 0.0))
}

/// Distance to the nearest integer.
fn near(x: f64) -> f64 {
    (x - x.round()).abs()
}

/// Distance from the centre of the hexagonal cell of a position; 0.5 on its edges.
fn hexagon(x: f64, y: f64) -> f64 {
    let high = 3.0_f64.sqrt();
    let within = |x: f64, y: f64| (x.rem_euclid(1.0) - 0.5, y.rem_euclid(high) - high / 2.0);
    let (one, other) = (within(x, y), within(x - 0.5, y - high / 2.0));
    let (x, y) = if one.0.hypot(one.1) < other.0.hypot(other.1) {
        one
    } else {
        other
    };
    x.abs().max(x.abs() * 0.5 + y.abs() * high / 2.0)
}

/// Weave of bands that pass over and under each other.
fn woven(x: f64, y: f64) -> f64 {
    let over = (x.floor() + y.floor()).rem_euclid(2.0) < 1.0;
    let across = if over { y } else { x };
    let side = (across.rem_euclid(1.0) - 0.5).abs();
    if side > 0.4 {
        1.0
    } else {
        0.15 + if over { 0.0 } else { 0.35 }
    }
}

/// Overlapping rows of half discs.
fn scales(x: f64, y: f64) -> f64 {
    let row = (y * 2.0).floor();
    for ahead in [0.0, 1.0] {
        let row = row - ahead;
        let x = (x + 0.5 * row.rem_euclid(2.0)).rem_euclid(1.0) - 0.5;
        let distance = x.hypot(y - row / 2.0);
        if distance < 0.5 {
            return step(distance - 0.42);
        }
    }
    1.0
}

/// Number of cells on each side of the centre whose seed points are stored.
const KEPT: i32 = 16;
/// Stored cells per row: both sides and the centre.
const ROW: usize = 33;

/// Random parameters of a texture.
pub struct Grain {
    noise: Perlin,
    centre: (f64, f64),
    /// Seed points of the cells around the centre, row by row. They are stored because every pixel
    /// needs nine of them.
    seeds: Vec<(f64, f64, f64)>,
}

/// Computes the seed point of a grid cell, with a random number.
fn drawn_seed(noise: &Perlin, x: f64, y: f64) -> (f64, f64, f64) {
    let part = |shift: f64| {
        let value = noise.get([x * 1.37 + shift + 0.31, y * 1.73 - shift + 0.57]);
        (value * 7.0).sin() * 0.5 + 0.5
    };
    (x + part(0.0), y + part(40.5), part(91.2))
}

impl Grain {
    /// Draws the parameters of a texture.
    pub fn new(rng: &mut Rng) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "any number is a seed")]
        let seed = rng.bits() as u32;
        let noise = Perlin::new(seed);
        let kept = || (-KEPT..=KEPT).map(f64::from);
        let seeds = kept().flat_map(|y| kept().map(move |x| (x, y)));
        Self {
            seeds: seeds.map(|(x, y)| drawn_seed(&noise, x, y)).collect(),
            noise,
            centre: (rng.between(-1.5, 1.5), rng.between(-1.5, 1.5)),
        }
    }

    fn cloud(&self, x: f64, y: f64) -> f64 {
        self.noise.get([x, y])
    }

    /// Seed point of a grid cell, with a random number; stored near the centre, else computed.
    fn seed(&self, x: f64, y: f64) -> (f64, f64, f64) {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a whole number, or far outside the stored cells"
        )]
        let place = |at: f64| usize::try_from((at as i32).saturating_add(KEPT)).ok();
        let place = |at: f64| place(at).filter(|place| *place < ROW);
        let kept = place(x).zip(place(y));
        let kept = kept.and_then(|(column, row)| self.seeds.get(row * ROW + column));
        kept.map_or_else(|| drawn_seed(&self.noise, x, y), |seed| *seed)
    }

    /// Seed points of the grid cell at a position and of its eight neighbours, row by row.
    fn around(&self, x: f64, y: f64) -> impl Iterator<Item = (f64, f64, f64)> {
        const STEPS: [f64; 3] = [-1.0, 0.0, 1.0];
        let (x, y) = (x.floor(), y.floor());
        let row = move |dy| STEPS.map(|dx| self.seed(x + dx, y + dy));
        STEPS.into_iter().flat_map(row)
    }

    /// Distance of a position from the border between its two nearest Voronoi cells.
    fn edge(&self, x: f64, y: f64) -> f64 {
        let (x, y) = (x * 0.7, y * 0.7);
        let (mut nearest, mut next) = (f64::INFINITY, f64::INFINITY);
        for (px, py, _) in self.around(x, y) {
            let distance = (px - x).hypot(py - y);
            if distance < nearest {
                (nearest, next) = (distance, nearest);
            } else if distance < next {
                next = distance;
            }
        }
        next - nearest
    }

    /// Pattern of rings of many sizes, each with a highlight.
    fn bubble(&self, x: f64, y: f64) -> f64 {
        let (x, y) = (x * 0.9, y * 0.9);
        let mut value = 0.0;
        for (px, py, own) in self.around(x, y) {
            let (radius, distance) = (0.2 + 0.3 * own, (px - x).hypot(py - y));
            if distance < radius {
                let light = (px - x - radius * 0.35).hypot(py - y + radius * 0.35) < radius * 0.2;
                value = if distance > radius * 0.82 || light {
                    1.0
                } else {
                    0.3
                };
            }
        }
        value
    }
}
