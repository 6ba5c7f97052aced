//! Lines across the first shape, and shapes about a line across them: diagonals, axes, diameters.

use std::f64::consts::{FRAC_PI_2, PI};

use kurbo::{Line, Vec2};

use crate::Dice;
use crate::gepbench::sample::ratio;
use crate::gepbench::shape::{Outline, Round};
use crate::gepbench::{Kind, Relationship, Shape};

/// A line between two corners that no side joins, or a rectangle or square about a line.
pub fn diagonal(first: &Shape, dice: &mut Dice) -> Option<Shape> {
    if let Outline::Line(line) = &first.outline {
        return Some(about_diagonal(line, dice));
    }
    let corners = first.corners();
    if corners.len() < 4 {
        return None;
    }
    let from = dice.below(corners.len());
    let to = (from + 2 + dice.below(corners.len() - 3)) % corners.len();
    Some(Shape::line(*corners.get(from)?, *corners.get(to)?))
}

fn about_diagonal(line: &Line, dice: &mut Dice) -> Shape {
    let (kind, ratio) = if dice.chance(0.3) {
        (Kind::Square, 1.0)
    } else {
        (Kind::Rectangle, ratio(dice))
    };
    let along = (line.p1 - line.p0) / 2.0;
    let turn = 2.0 * (1.0 / ratio).atan() * if dice.chance(0.5) { 1.0 } else { -1.0 };
    let across = Vec2::from_angle(turn).rotate_scale(along);
    let middle = line.midpoint();
    let corners = vec![line.p0, middle - across, line.p1, middle + across];
    Shape::polygon(kind, corners)
}

/// A line as an axis or diameter of a round shape, or a round shape about a line as its axis or diameter.
pub fn axis(first: &Shape, relationship: Relationship, dice: &mut Dice) -> Option<Shape> {
    match &first.outline {
        Outline::Line(line) => {
            let (half, center) = ((line.p1 - line.p0) / 2.0, line.midpoint());
            let (length, turn) = (half.hypot(), half.atan2());
            let ratio = ratio(dice);
            let (major, minor, turn) = match relationship {
                Relationship::MajorAxis => (length, length / ratio, turn),
                Relationship::MinorAxis => (length * ratio, length, turn + FRAC_PI_2),
                _ => return Some(Shape::circle(center, length)),
            };
            Some(Shape {
                kind: Kind::Ellipse,
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
                (Relationship::MajorAxis, Kind::Ellipse) => 0.0,
                (Relationship::MinorAxis, Kind::Ellipse) => FRAC_PI_2,
                (Relationship::Diameter, Kind::Circle) => dice.between(0.0, PI),
                _ => return None,
            };
            Some(Shape::line(round.at(angle), round.at(angle + PI)))
        }
        Outline::Polygon(_) | Outline::Spiral(_) => None,
    }
}
