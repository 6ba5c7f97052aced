//! Partners next to a shape: tangents, parallels, polygons on one of its edges.

use std::f64::consts::TAU;

use kurbo::{Line, Vec2};

use crate::Rng;
use crate::gepbench::sample::{direction, ratio};
use crate::gepbench::shape::Outline;
use crate::gepbench::{Shape, ShapeKind};

/// A line or circle tangent to the first shape.
pub fn tangent(first: &Shape, reach: f64, rng: &mut Rng) -> Option<Shape> {
    match &first.outline {
        Outline::Line(line) => {
            let touched = line.p0.lerp(line.p1, rng.between(0.25, 0.75));
            let normal = normal(line, rng);
            let radius = reach * rng.between(0.5, 0.9);
            Some(Shape::circle(touched + normal * radius, radius))
        }
        Outline::Round(round) if first.kind == ShapeKind::Circle && rng.chance(0.5) => {
            let radius = reach * rng.between(0.5, 0.9);
            let center = round.center + direction(rng) * (round.major + radius);
            Some(Shape::circle(center, radius))
        }
        Outline::Round(round) => {
            let angle = rng.between(0.0, TAU);
            let (touched, along) = (round.at(angle), round.tangent(angle));
            let mut end = || reach * rng.between(0.5, 1.1);
            Some(Shape::line(
                touched - along * end(),
                touched + along * end(),
            ))
        }
        Outline::Polygon(_) | Outline::Spiral(_) => None,
    }
}

/// A line parallel to the first shape, which must be a line.
pub fn parallel(first: &Shape, reach: f64, rng: &mut Rng) -> Option<Shape> {
    let Outline::Line(line) = &first.outline else {
        return None;
    };
    let along = line.p1 - line.p0;
    let aside =
        normal(line, rng) * (reach * rng.between(0.5, 1.1)) + along * rng.between(-0.3, 0.3);
    let half = along * (0.5 * rng.between(0.6, 1.2));
    let middle = line.midpoint() + aside;
    Some(Shape::line(middle - half, middle + half))
}

/// A triangle, square or rectangle on the outer side of a polygon's edge.
pub fn on_edge(first: &Shape, reach: f64, rng: &mut Rng) -> Option<Shape> {
    let corners = first.corners();
    let at = rng.below(corners.len());
    let (from, to) = (*corners.get(at)?, *corners.get((at + 1) % corners.len())?);
    let edge = to - from;
    let toward = first.center() - from.midpoint(to);
    let normal = edge.turn_90().normalize();
    let outward = if normal.dot(toward) > 0.0 {
        -normal
    } else {
        normal
    };
    let length = edge.length();
    Some(match rng.below(3) {
        0 => {
            let apex =
                from.lerp(to, rng.between(0.2, 0.8)) + outward * (reach * rng.between(0.6, 1.4));
            Shape::polygon(ShapeKind::Triangle, vec![from, to, apex])
        }
        1 => Shape::polygon(
            ShapeKind::Square,
            vec![from, to, to + outward * length, from + outward * length],
        ),
        _ => {
            let ratio = ratio(rng);
            let height = if rng.chance(0.5) {
                length * ratio
            } else {
                length / ratio
            };
            Shape::polygon(
                ShapeKind::Rectangle,
                vec![from, to, to + outward * height, from + outward * height],
            )
        }
    })
}

/// Unit normal of a line, towards a random side.
fn normal(line: &Line, rng: &mut Rng) -> Vec2 {
    let normal = (line.p1 - line.p0).turn_90().normalize();
    if rng.chance(0.5) { normal } else { -normal }
}
