//! Shapes of random size, position and orientation (Algorithm 1, lines 3 and 4).

use std::f64::consts::{PI, TAU};

use kurbo::{Point, Vec2};

use super::clear::{RATIO, is_clear};
use super::shape::{Outline, Round, Spiral};
use super::{Kind, Shape};
use crate::Dice;

/// Tries before a kind is given up.
const TRIES: usize = 24;

/// A shape of a kind around the origin; `reach` is how far it may extend from there. `None` is rare.
#[must_use]
pub fn shape(kind: Kind, reach: f64, dice: &mut Dice) -> Option<Shape> {
    (0..TRIES)
        .map(|_| draft(kind, reach * dice.between(0.55, 1.0), dice))
        .find(is_clear)
}

fn draft(kind: Kind, reach: f64, dice: &mut Dice) -> Shape {
    let turn = dice.between(0.0, TAU);
    let outline = match kind {
        Kind::Line => {
            let half = Vec2::from_angle(turn) * reach;
            return Shape::line(Point::ZERO - half, Point::ZERO + half);
        }
        Kind::Circle => return Shape::circle(Point::ZERO, reach),
        Kind::Ellipse => Outline::Round(Round {
            center: Point::ZERO,
            major: reach,
            minor: reach / ratio(dice),
            turn: turn / 2.0,
        }),
        Kind::Spiral => Outline::Spiral(Spiral {
            center: Point::ZERO,
            outer: reach,
            turns: dice.between(2.0, 3.5) * if dice.chance(0.5) { 1.0 } else { -1.0 },
            turn,
        }),
        Kind::Rectangle => Outline::Polygon(rectangle(Point::ZERO, reach, ratio(dice), turn)),
        Kind::Square => Outline::Polygon(rectangle(Point::ZERO, reach, 1.0, turn)),
        _ => Outline::Polygon(loose_polygon(kind.corners(), reach, turn, dice)),
    };
    Shape { kind, outline }
}

/// How much longer the longer side or axis is.
#[must_use]
pub fn ratio(dice: &mut Dice) -> f64 {
    dice.between(RATIO.0 + 0.05, RATIO.1 - 0.3)
}

/// A rectangle around a centre; `reach` is the distance of its corners, `turn` the direction of its longer sides.
#[must_use]
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

/// Corners in turn around the origin, at unequal angles and distances.
fn loose_polygon(corners: usize, reach: f64, turn: f64, dice: &mut Dice) -> Vec<Point> {
    let spread = if corners > 4 { 0.22 } else { 0.42 };
    let nearest = if corners > 4 { 0.86 } else { 0.6 };
    loose_angles(corners, turn, spread, dice)
        .into_iter()
        .map(|angle| Point::ZERO + Vec2::from_angle(angle) * (reach * dice.between(nearest, 1.0)))
        .collect()
}

/// Rising angles around a circle, each off its even place by up to `spread` of a step.
#[must_use]
pub fn loose_angles(count: usize, turn: f64, spread: f64, dice: &mut Dice) -> Vec<f64> {
    #[expect(clippy::cast_precision_loss, reason = "six at most")]
    let step = TAU / count.max(1) as f64;
    let mut angles = Vec::with_capacity(count);
    let mut at = turn;
    for _ in 0..count {
        angles.push(at + step * dice.between(-spread, spread));
        at += step;
    }
    angles
}

/// A random direction.
#[must_use]
pub fn direction(dice: &mut Dice) -> Vec2 {
    Vec2::from_angle(dice.between(-PI, PI))
}
