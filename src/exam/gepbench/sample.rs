//! Random shapes of any size, position and orientation (Algorithm 1, lines 3 and 4).

use std::f64::consts::{PI, TAU};

use kurbo::{Point, Vec2};

use super::clear::{RATIO, is_clear};
use super::shape::{Outline, Round, Spiral};
use super::{Shape, ShapeKind};
use crate::Rng;

/// Maximum number of tries per shape.
const TRIES: usize = 24;

/// A random clear shape around the origin, with extent at most `reach`; rarely `None`.
pub fn shape(kind: ShapeKind, reach: f64, rng: &mut Rng) -> Option<Shape> {
    (0..TRIES)
        .map(|_| draft(kind, reach * rng.between(0.55, 1.0), rng))
        .find(is_clear)
}

fn draft(kind: ShapeKind, reach: f64, rng: &mut Rng) -> Shape {
    let turn = rng.between(0.0, TAU);
    let outline = match kind {
        ShapeKind::Line => {
            let half = Vec2::from_angle(turn) * reach;
            return Shape::line(Point::ZERO - half, Point::ZERO + half);
        }
        ShapeKind::Circle => return Shape::circle(Point::ZERO, reach),
        ShapeKind::Ellipse => Outline::Round(Round {
            center: Point::ZERO,
            major: reach,
            minor: reach / ratio(rng),
            turn: turn / 2.0,
        }),
        ShapeKind::Spiral => Outline::Spiral(Spiral {
            center: Point::ZERO,
            outer: reach,
            turns: rng.between(2.0, 3.5) * if rng.chance(0.5) { 1.0 } else { -1.0 },
            turn,
        }),
        ShapeKind::Rectangle => Outline::Polygon(rectangle(Point::ZERO, reach, ratio(rng), turn)),
        ShapeKind::Square => Outline::Polygon(rectangle(Point::ZERO, reach, 1.0, turn)),
        _ => Outline::Polygon(loose_polygon(kind.corners(), reach, turn, rng)),
    };
    Shape { kind, outline }
}

/// A random ratio of the longer to the shorter side or axis.
pub fn ratio(rng: &mut Rng) -> f64 {
    rng.between(RATIO.0 + 0.05, RATIO.1 - 0.3)
}

/// A rectangle around a centre. `reach` is the distance of its corners, `turn` the direction of its
/// longer sides in radians.
pub fn rectangle(center: Point, reach: f64, ratio: f64, turn: f64) -> Vec<Point> {
    let half = Vec2::new(ratio, 1.0).normalize() * reach;
    let along = Vec2::from_angle(turn);
    let corner = |x: f64, y: f64| center + along * (half.x * x) + along.turn_90() * (half.y * y);
    vec![
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
    ]
}

/// Corners of a random polygon around the origin, with unequal angles and distances.
fn loose_polygon(corners: usize, reach: f64, turn: f64, rng: &mut Rng) -> Vec<Point> {
    let spread = if corners > 4 { 0.22 } else { 0.42 };
    let nearest = if corners > 4 { 0.86 } else { 0.6 };
    loose_angles(corners, turn, spread, rng)
        .into_iter()
        .map(|angle| Point::ZERO + Vec2::from_angle(angle) * (reach * rng.between(nearest, 1.0)))
        .collect()
}

/// Increasing angles around a circle, each off its even position by up to `spread` of a step.
pub fn loose_angles(count: usize, turn: f64, spread: f64, rng: &mut Rng) -> Vec<f64> {
    #[expect(clippy::cast_precision_loss, reason = "six at most")]
    let step = TAU / count.max(1) as f64;
    let mut angles = Vec::with_capacity(count);
    let mut at = turn;
    for _ in 0..count {
        angles.push(at + step * rng.between(-spread, spread));
        at += step;
    }
    angles
}

/// A random unit vector.
pub fn direction(rng: &mut Rng) -> Vec2 {
    Vec2::from_angle(rng.between(-PI, PI))
}
