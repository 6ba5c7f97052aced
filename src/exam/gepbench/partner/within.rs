//! Partners inside or around a shape: inscribed and circumscribed shapes.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use kurbo::{Point, Vec2};

use crate::Rng;
use crate::gepbench::clear::sides;
use crate::gepbench::sample::{loose_angles, ratio, rectangle};
use crate::gepbench::shape::{Outline, Round};
use crate::gepbench::{Shape, ShapeKind};

/// A circle inscribed in a polygon, or a polygon inscribed in a circle or ellipse.
pub fn inscribed(first: &Shape, rng: &mut Rng) -> Option<Shape> {
    match &first.outline {
        Outline::Round(round) => inscribed_polygon(first.kind, round, rng),
        Outline::Polygon(corners) => match first.kind {
            ShapeKind::Triangle => Some(incircle(corners)),
            ShapeKind::Square => {
                let side = sides(corners).first()?.length();
                Some(Shape::circle(middle(corners), side / 2.0))
            }
            _ => None,
        },
        Outline::Line(_) | Outline::Spiral(_) => None,
    }
}

fn inscribed_polygon(kind: ShapeKind, round: &Round, rng: &mut Rng) -> Option<Shape> {
    if kind == ShapeKind::Ellipse {
        return Some(if rng.chance(0.5) {
            let angle = rng.between(0.2 * PI, 0.3 * PI);
            let angles = [angle, PI - angle, PI + angle, TAU - angle];
            Shape::polygon(
                ShapeKind::Rectangle,
                angles.map(|angle| round.at(angle)).to_vec(),
            )
        } else {
            let angles = loose_angles(3, rng.between(0.0, TAU), 0.2, rng);
            let corners = angles.into_iter().map(|angle| round.at(angle)).collect();
            Shape::polygon(ShapeKind::Triangle, corners)
        });
    }
    let kind = *rng.pick(&CORNERED)?;
    let turn = rng.between(0.0, TAU);
    let corners = match kind {
        ShapeKind::Square => rectangle(round.center, round.major, 1.0, turn),
        ShapeKind::Rectangle => rectangle(round.center, round.major, ratio(rng), turn),
        _ => {
            let angles = loose_angles(kind.corners(), turn, 0.25, rng);
            angles.into_iter().map(|angle| round.at(angle)).collect()
        }
    };
    Some(Shape::polygon(kind, corners))
}

/// Kinds of shapes with corners.
const CORNERED: [ShapeKind; 6] = [
    ShapeKind::Triangle,
    ShapeKind::Quadrilateral,
    ShapeKind::Pentagon,
    ShapeKind::Hexagon,
    ShapeKind::Rectangle,
    ShapeKind::Square,
];

/// The incircle of a triangle. Its centre is the mean of the corners weighted by the opposite
/// sides; its radius is twice the area divided by the perimeter.
fn incircle(corners: &[Point]) -> Shape {
    let sides = sides(corners);
    let perimeter: f64 = sides.iter().map(|side| side.length()).sum();
    let opposite = sides.iter().cycle().skip(1);
    let weighted = corners
        .iter()
        .zip(opposite)
        .map(|(corner, side)| corner.to_vec2() * side.length());
    let center = weighted.fold(Vec2::ZERO, |sum, corner| sum + corner) / perimeter;
    let twice_area = match sides.as_slice() {
        [one, other, ..] => one.cross(*other).abs(),
        _ => 0.0,
    };
    Shape::circle(center.to_point(), twice_area / perimeter)
}

/// A polygon around a circle, or a circle around a polygon.
pub fn circumscribed(first: &Shape, rng: &mut Rng) -> Option<Shape> {
    match &first.outline {
        Outline::Round(round) if first.kind == ShapeKind::Circle => {
            circumscribed_polygon(round, rng)
        }
        Outline::Polygon(corners) => match (first.kind, corners.as_slice()) {
            (ShapeKind::Triangle, [a, b, c]) => circumcircle(*a, *b, *c),
            (ShapeKind::Rectangle | ShapeKind::Square, [corner, ..]) => {
                let center = middle(corners);
                Some(Shape::circle(center, center.distance(*corner)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// A polygon whose sides touch the circle at random angles. Its corners are the intersections of
/// neighbouring tangents.
fn circumscribed_polygon(round: &Round, rng: &mut Rng) -> Option<Shape> {
    let kind = *rng.pick(&[
        ShapeKind::Triangle,
        ShapeKind::Quadrilateral,
        ShapeKind::Pentagon,
        ShapeKind::Hexagon,
        ShapeKind::Square,
    ])?;
    let turn = rng.between(0.0, TAU);
    let angles = match kind {
        ShapeKind::Square => (0..4)
            .map(|side| turn + f64::from(side) * FRAC_PI_2)
            .collect(),
        ShapeKind::Triangle => loose_angles(3, turn, 0.1, rng),
        ShapeKind::Quadrilateral => loose_angles(4, turn, 0.25, rng),
        _ => loose_angles(kind.corners(), turn, 0.12, rng),
    };
    let next = angles
        .iter()
        .skip(1)
        .copied()
        .chain(angles.first().map(|angle| angle + TAU));
    let corner = |(angle, next): (&f64, f64)| {
        let half = (next - angle) / 2.0;
        round.center + Vec2::from_angle(angle + half) * (round.major / half.cos())
    };
    let corners = angles.iter().zip(next).map(corner).collect();
    Some(Shape::polygon(kind, corners))
}

/// The circle through three points.
fn circumcircle(a: Point, b: Point, c: Point) -> Option<Shape> {
    let (ab, ac) = (b - a, c - a);
    let twice_cross = 2.0 * ab.cross(ac);
    if twice_cross.abs() < 1e-9 {
        return None;
    }
    let (bb, cc) = (ab.hypot2(), ac.hypot2());
    let to_center = Vec2::new(ac.y * bb - ab.y * cc, ab.x * cc - ac.x * bb) / twice_cross;
    Some(Shape::circle(a + to_center, to_center.hypot()))
}

/// Mean of the points.
fn middle(points: &[Point]) -> Point {
    #[expect(clippy::cast_precision_loss, reason = "six at most")]
    let count = points.len().max(1) as f64;
    let sum = points
        .iter()
        .fold(Vec2::ZERO, |sum, point| sum + point.to_vec2());
    (sum / count).to_point()
}
