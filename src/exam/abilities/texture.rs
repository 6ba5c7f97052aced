//! What a surface looks like.

use std::f64::consts::TAU;

use noise::{NoiseFn as _, Perlin};

use super::canvas::{Canvas, LENGTH, mixed};
use super::drawn::{Answer, Drawn};
use super::palette::contrasting;
use crate::Dice;

/// A pattern: how much of the second colour a place has, in units of the pattern.
type Pattern = fn(f64, f64, &Grain) -> f64;

/// Attributes (names of DTD) with their patterns.
const TEXTURES: [(&str, Pattern); 12] = [
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
/// Their number.
pub const CLASSES: usize = TEXTURES.len();

/// An item with a texture.
pub fn draw(class: usize, dice: &mut Dice) -> Drawn {
    let (one, other) = contrasting(dice);
    let mut canvas = Canvas::new(one);
    let scale = LENGTH / dice.between(6.5, 11.0);
    let (sine, cosine) = dice.between(-0.4, 0.4).sin_cos();
    let grain = Grain::new(dice);
    let shade = dice.between(0.0, 0.25);
    let (name, pattern) = TEXTURES.get(class).unwrap_or(&TEXTURES[0]);
    canvas.paint(|x, y| {
        let (dx, dy) = (x - LENGTH / 2.0, y - LENGTH / 2.0);
        let (u, v) = (
            (dx * cosine - dy * sine) / scale,
            (dx * sine + dy * cosine) / scale,
        );
        let ink = mixed(one, other, pattern(u, v, &grain));
        mixed(ink, [0; 3], shade * (y / 32.0).floor() / 8.0)
    });
    Drawn::new(
        canvas,
        "What is the texture attribute of the image?".to_owned(),
        Answer::Shuffled {
            right: name,
            all: TEXTURES.iter().map(|(name, _)| *name).collect(),
        },
    )
    .with_number("scale", scale)
}

fn step(value: f64) -> f64 {
    f64::from(u8::from(value > 0.0))
}

/// Distance to the nearest whole number.
fn near(x: f64) -> f64 {
    (x - x.round()).abs()
}

/// Distance from the middle of the hexagon that a place lies in; 0.5 on its sides.
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

/// Bands over and under each other.
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

/// Rows of half discs, each over the row above.
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

/// What is random about a surface.
struct Grain {
    noise: Perlin,
    centre: (f64, f64),
}

impl Grain {
    fn new(dice: &mut Dice) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "any number is a seed")]
        let seed = dice.bits() as u32;
        Self {
            noise: Perlin::new(seed),
            centre: (dice.between(-1.5, 1.5), dice.between(-1.5, 1.5)),
        }
    }

    fn cloud(&self, x: f64, y: f64) -> f64 {
        self.noise.get([x, y])
    }

    /// The point of a cell, and a number of its own.
    fn seed(&self, x: f64, y: f64) -> (f64, f64, f64) {
        let part = |shift: f64| {
            let value = self
                .noise
                .get([x * 1.37 + shift + 0.31, y * 1.73 - shift + 0.57]);
            (value * 7.0).sin() * 0.5 + 0.5
        };
        (x + part(0.0), y + part(40.5), part(91.2))
    }

    /// The cells around a place: distance and number, nearest first.
    fn cells(&self, x: f64, y: f64) -> Vec<(f64, f64)> {
        let mut cells = Vec::with_capacity(9);
        for dy in [-1.0, 0.0, 1.0] {
            for dx in [-1.0, 0.0, 1.0] {
                let (px, py, own) = self.seed(x.floor() + dx, y.floor() + dy);
                cells.push(((px - x).hypot(py - y), own));
            }
        }
        cells.sort_by(|one, other| one.0.total_cmp(&other.0));
        cells
    }

    /// How far a place is from the border between two cells.
    fn edge(&self, x: f64, y: f64) -> f64 {
        let (x, y) = (x * 0.7, y * 0.7);
        match self.cells(x, y).as_slice() {
            [(one, _), (other, _), ..] => other - one,
            _ => 1.0,
        }
    }

    /// Rings of many sizes with a light in each.
    fn bubble(&self, x: f64, y: f64) -> f64 {
        let (x, y) = (x * 0.9, y * 0.9);
        let mut value = 0.0;
        for dy in [-1.0, 0.0, 1.0] {
            for dx in [-1.0, 0.0, 1.0] {
                let (px, py, own) = self.seed(x.floor() + dx, y.floor() + dy);
                let (radius, distance) = (0.2 + 0.3 * own, (px - x).hypot(py - y));
                if distance < radius {
                    let light =
                        (px - x - radius * 0.35).hypot(py - y + radius * 0.35) < radius * 0.2;
                    value = if distance > radius * 0.82 || light {
                        1.0
                    } else {
                        0.3
                    };
                }
            }
        }
        value
    }
}
