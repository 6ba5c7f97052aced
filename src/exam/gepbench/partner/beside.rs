//! Partners that stand beside the first shape: tangents, parallels, shapes on one of its edges.

use std::f64::consts::TAU;

use kurbo::{Line, Vec2};

use crate::Dice;
use crate::gepbench::sample::{direction, ratio};
use crate::gepbench::shape::Outline;
use crate::gepbench::{Kind, Shape};

/// A circle that touches a line or circle, or a line that touches a circle or ellipse.
pub fn tangent(first: &Shape, reach: f64, dice: &mut Dice) -> Option<Shape> {
    match &first.outline {
        Outline::Line(line) => {
            let touched = line.p0.lerp(line.p1, dice.between(0.25, 0.75));
            let normal = normal(line, dice);
            let radius = reach * dice.between(0.5, 0.9);
            Some(Shape::circle(touched + normal * radius, radius))
        }
        Outline::Round(round) if first.kind == Kind::Circle && dice.chance(0.5) => {
            let radius = reach * dice.between(0.5, 0.9);
            let center = round.center + direction(dice) * (round.major + radius);
            Some(Shape::circle(center, radius))
        }
        Outline::Round(round) => {
            let angle = dice.between(0.0, TAU);
            let (touched, along) = (round.at(angle), round.tangent(angle));
            let mut end = || reach * dice.between(0.5, 1.1);
            Some(Shape::line(
                touched - along * end(),
                touched + along * end(),
            ))
        }
        Outline::Polygon(_) | Outline::Spiral(_) => None,
    }
}

/// A line beside a line.
pub fn parallel(first: &Shape, reach: f64, dice: &mut Dice) -> Option<Shape> {
    let Outline::Line(line) = &first.outline else {
        return None;
    };
    let along = line.p1 - line.p0;
    let aside =
        normal(line, dice) * (reach * dice.between(0.5, 1.1)) + along * dice.between(-0.3, 0.3);
    let half = along * (0.5 * dice.between(0.6, 1.2));
    let middle = line.midpoint() + aside;
    Some(Shape::line(middle - half, middle + half))
}

/// A triangle, square or rectangle on the outer side of a polygon's edge.
pub fn on_edge(first: &Shape, reach: f64, dice: &mut Dice) -> Option<Shape> {
    let corners = first.corners();
    let at = dice.below(corners.len());
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
    Some(match dice.below(3) {
        0 => {
            let apex =
                from.lerp(to, dice.between(0.2, 0.8)) + outward * (reach * dice.between(0.6, 1.4));
            Shape::polygon(Kind::Triangle, vec![from, to, apex])
        }
        1 => Shape::polygon(
            Kind::Square,
            vec![from, to, to + outward * length, from + outward * length],
        ),
        _ => {
            let ratio = ratio(dice);
            let height = if dice.chance(0.5) {
                length * ratio
            } else {
                length / ratio
            };
            Shape::polygon(
                Kind::Rectangle,
                vec![from, to, to + outward * height, from + outward * height],
            )
        }
    })
}

/// A direction across a line, to either side.
fn normal(line: &Line, dice: &mut Dice) -> Vec2 {
    let normal = (line.p1 - line.p0).turn_90().normalize();
    if dice.chance(0.5) { normal } else { -normal }
}
