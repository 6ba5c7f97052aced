//! Partners across a shape: diagonals, axes and diameters, and shapes around such lines.

use std::f64::consts::{FRAC_PI_2, PI};

use kurbo::{Line, Vec2};

use crate::Rng;
use crate::gepbench::sample::ratio;
use crate::gepbench::shape::{Outline, Round};
use crate::gepbench::{Relationship, Shape, ShapeKind};

/// A diagonal of a polygon; for a line, a rectangle or square with that diagonal.
pub fn diagonal(first: &Shape, rng: &mut Rng) -> Option<Shape> {
    if let Outline::Line(line) = &first.outline {
        return Some(about_diagonal(line, rng));
    }
    let corners = first.corners();
    if corners.len() < 4 {
        return None;
    }
    let from = rng.below(corners.len());
    let to = (from + 2 + rng.below(corners.len() - 3)) % corners.len();
    Some(Shape::line(*corners.get(from)?, *corners.get(to)?))
}

fn about_diagonal(line: &Line, rng: &mut Rng) -> Shape {
    let (kind, ratio) = if rng.chance(0.3) {
        (ShapeKind::Square, 1.0)
    } else {
        (ShapeKind::Rectangle, ratio(rng))
    };
    let along = (line.p1 - line.p0) / 2.0;
    let turn = 2.0 * (1.0 / ratio).atan() * if rng.chance(0.5) { 1.0 } else { -1.0 };
    let across = Vec2::from_angle(turn).rotate_scale(along);
    let middle = line.midpoint();
    let corners = vec![line.p0, middle - across, line.p1, middle + across];
    Shape::polygon(kind, corners)
}

/// An axis or diameter of a circle or ellipse; for a line, a circle or ellipse with that axis or
/// diameter.
pub fn axis(first: &Shape, relationship: Relationship, rng: &mut Rng) -> Option<Shape> {
    match &first.outline {
        Outline::Line(line) => {
            let (half, center) = ((line.p1 - line.p0) / 2.0, line.midpoint());
            let (length, turn) = (half.hypot(), half.atan2());
            let ratio = ratio(rng);
            let (major, minor, turn) = match relationship {
                Relationship::MajorAxis => (length, length / ratio, turn),
                Relationship::MinorAxis => (length * ratio, length, turn + FRAC_PI_2),
                _ => return Some(Shape::circle(center, length)),
            };
            Some(Shape {
                kind: ShapeKind::Ellipse,
                outline: Outline::Round(Round {
                    center,
                    major,
                    minor,
                    turn,
                }),
            })
        }
        Outline::Round(round) => {
            let angle = match (relationship, first.kind) {
                (Relationship::MajorAxis, ShapeKind::Ellipse) => 0.0,
                (Relationship::MinorAxis, ShapeKind::Ellipse) => FRAC_PI_2,
                (Relationship::Diameter, ShapeKind::Circle) => rng.between(0.0, PI),
                _ => return None,
            };
            Some(Shape::line(round.at(angle), round.at(angle + PI)))
        }
        Outline::Polygon(_) | Outline::Spiral(_) => None,
    }
}
