//! Tests whether a shape is unmistakable: no triangle that is nearly a line, no pentagon that is
//! nearly a quadrilateral, no rectangle that is nearly a square.

use std::f64::consts::PI;

use kurbo::{Point, Vec2};

use super::shape::{Outline, Round};
use super::{Shape, ShapeKind};

/// Range of the side ratio of rectangles and the axis ratio of ellipses.
pub const RATIO: (f64, f64) = (1.5, 2.8);
/// Minimum length of a polygon's side, in sides of the figure.
const SIDE: f64 = 0.06;
/// Minimum angle of a polygon, in radians.
const SHARP: f64 = 28.0 * PI / 180.0;
/// Maximum angle of a triangle, of a quadrilateral, and of other polygons, in radians.
const BLUNT: [f64; 3] = [128.0 * PI / 180.0, 138.0 * PI / 180.0, 150.0 * PI / 180.0];
/// Minimum deviation of one angle of a quadrilateral from a right angle, in radians.
const OBLIQUE: f64 = 18.0 * PI / 180.0;

/// Returns true if a shape is unmistakably of its kind.
pub fn is_clear(shape: &Shape) -> bool {
    match &shape.outline {
        Outline::Line(line) => line.length() >= 2.0 * SIDE,
        Outline::Round(round) => is_clear_round(shape.kind, round),
        Outline::Spiral(spiral) => spiral.outer >= SIDE,
        Outline::Polygon(corners) => {
            let sides = sides(corners);
            let angles = angles(corners);
            let long_enough = sides.iter().all(|side| side.length() >= SIDE);
            let convex = is_convex(&sides);
            long_enough && convex && is_clear_polygon(shape.kind, &sides, &angles)
        }
    }
}

fn is_clear_round(kind: ShapeKind, round: &Round) -> bool {
    let ratio = round.major / round.minor;
    let shaped = match kind {
        ShapeKind::Circle => ratio < 1.0 + 1e-9,
        _ => (RATIO.0..=RATIO.1).contains(&ratio),
    };
    shaped && round.minor >= 0.6 * SIDE
}

fn is_clear_polygon(kind: ShapeKind, sides: &[Vec2], angles: &[f64]) -> bool {
    let within = |bluntest: f64| {
        angles
            .iter()
            .all(|angle| (SHARP..=bluntest).contains(angle))
    };
    let right = |tolerance: f64| {
        angles
            .iter()
            .all(|angle| (angle - PI / 2.0).abs() < tolerance)
    };
    let ratio = match sides {
        [first, second, ..] => {
            let (first, second) = (first.length(), second.length());
            first.max(second) / first.min(second)
        }
        _ => 1.0,
    };
    sides.len() == kind.corners()
        && match kind {
            ShapeKind::Square => right(1e-9) && ratio < 1.0 + 1e-9,
            ShapeKind::Rectangle => right(1e-9) && (RATIO.0..=RATIO.1).contains(&ratio),
            ShapeKind::Quadrilateral => within(BLUNT[1]) && !right(OBLIQUE),
            ShapeKind::Triangle => within(BLUNT[0]),
            _ => within(BLUNT[2]),
        }
}

/// The edge vectors of a polygon.
pub fn sides(corners: &[Point]) -> Vec<Vec2> {
    let next = corners.iter().cycle().skip(1);
    corners
        .iter()
        .zip(next)
        .map(|(from, to)| *to - *from)
        .collect()
}

/// The interior angles of a convex polygon, in radians.
fn angles(corners: &[Point]) -> Vec<f64> {
    let before = corners.iter().cycle().skip(corners.len().saturating_sub(1));
    let after = corners.iter().cycle().skip(1);
    let around = corners.iter().zip(before.zip(after));
    around
        .map(|(corner, (before, after))| {
            let (one, other) = (*before - *corner, *after - *corner);
            one.cross(other).atan2(one.dot(other)).abs()
        })
        .collect()
}

/// Returns true if all corners turn in the same direction.
fn is_convex(sides: &[Vec2]) -> bool {
    let next = sides.iter().cycle().skip(1);
    let turns: Vec<f64> = sides
        .iter()
        .zip(next)
        .map(|(one, other)| one.cross(*other))
        .collect();
    turns.iter().all(|turn| *turn > 0.0) || turns.iter().all(|turn| *turn < 0.0)
}
