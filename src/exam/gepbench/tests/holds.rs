//! Checks relationships with predicates of `geo` and `kurbo` only.

use geo::{
    Area as _, BooleanOps as _, Contains as _, Distance as _, Euclidean, Line, Point as Place,
};
use kurbo::{Affine, ParamCurveNearest as _, Point, Shape as _};

use super::super::shape::{Outline, Round, coord};
use super::super::{Relationship, Shape, ShapeKind};

/// Tolerance for rounding errors.
const TINY: f64 = 1e-9;

/// Returns true if the first shape is in the relationship to the second.
pub fn holds(relationship: Relationship, one: &Shape, other: &Shape) -> bool {
    match relationship {
        Relationship::Tangent => tangent(one, other) || tangent(other, one),
        Relationship::Parallel => parallel(one, other),
        Relationship::Inscribed => inscribed(one, other),
        Relationship::Circumscribed => inscribed(other, one),
        Relationship::SharedEdge => shared_edge(one, other),
        Relationship::Diagonal => diagonal(one, other),
        Relationship::MajorAxis => chord(one, other, |round, length| {
            round.major > round.minor + TINY && (length - 2.0 * round.major).abs() < TINY
        }),
        Relationship::MinorAxis => chord(one, other, |round, length| {
            round.major > round.minor + TINY && (length - 2.0 * round.minor).abs() < TINY
        }),
        Relationship::Diameter => chord(one, other, |round, _| round.major - round.minor < TINY),
    }
}

/// The transform from an ellipse to the unit circle.
fn unit(round: &Round) -> Affine {
    Affine::scale_non_uniform(1.0 / round.major, 1.0 / round.minor)
        * Affine::rotate(-round.turn)
        * Affine::translate(-round.center.to_vec2())
}

/// Returns true if a line is tangent to a round shape, or a circle to another circle. Lines: the
/// distance from the centre is 1 after the ellipse is mapped to the unit circle. Circles: the
/// distance of the centres is the sum of the radii.
fn tangent(one: &Shape, other: &Shape) -> bool {
    match (&one.outline, &other.outline) {
        (Outline::Line(line), Outline::Round(round)) => {
            let line = kurbo::Line::new(unit(round) * line.p0, unit(round) * line.p1);
            let nearest = line.nearest(Point::ZERO, 1e-12);
            (nearest.distance_sq.sqrt() - 1.0).abs() < TINY && (0.01..0.99).contains(&nearest.t)
        }
        (Outline::Round(one), Outline::Round(other)) => {
            let circles = one.major == one.minor && other.major == other.minor;
            let apart = one.center.distance(other.center);
            circles && (apart - one.major - other.major).abs() < TINY
        }
        _ => false,
    }
}

fn parallel(one: &Shape, other: &Shape) -> bool {
    let (Outline::Line(one), Outline::Line(other)) = (&one.outline, &other.outline) else {
        return false;
    };
    let (along, other_along) = (one.p1 - one.p0, other.p1 - other.p0);
    let aside = (other.p0 - one.p0).cross(along) / along.length();
    (along.cross(other_along) / along.length() / other_along.length()).abs() < TINY
        && aside.abs() > 0.01
}

/// Returns true if all corners of a polygon lie on a round shape, or a circle touches all sides of
/// a polygon from inside.
fn inscribed(one: &Shape, other: &Shape) -> bool {
    match (&one.outline, &other.outline) {
        (Outline::Polygon(corners), Outline::Round(round)) => corners
            .iter()
            .all(|corner| ((unit(round) * *corner).to_vec2().hypot() - 1.0).abs() < TINY),
        (Outline::Round(round), Outline::Polygon(corners)) => {
            let center = Place::from(coord(round.center));
            let next = corners.iter().cycle().skip(1);
            let touches = |(from, to): (&Point, &Point)| {
                let side = Line::new(coord(*from), coord(*to));
                let distance: f64 = Euclidean.distance(&center, &side);
                (distance - round.major).abs() < TINY
            };
            round.major == round.minor
                && corners.iter().zip(next).all(touches)
                && other.region().unwrap().contains(&center)
        }
        _ => false,
    }
}

/// Returns true if the shapes have two corners in common and no common area.
fn shared_edge(one: &Shape, other: &Shape) -> bool {
    let common = one.corners().iter().filter(|corner| {
        let same = |other: &&Point| other.distance(**corner) < TINY;
        other.corners().iter().any(|point| same(&point))
    });
    if common.count() != 2 {
        return false;
    }
    let (one, other) = (one.region().unwrap(), other.region().unwrap());
    one.intersection(&other).unsigned_area() < TINY
}

/// Returns true if both ends are corners that are not neighbours.
fn diagonal(one: &Shape, other: &Shape) -> bool {
    let Outline::Line(line) = &one.outline else {
        return false;
    };
    let corners = other.corners();
    let corner = |point: Point| {
        corners
            .iter()
            .position(|corner| corner.distance(point) < TINY)
    };
    let (Some(from), Some(to)) = (corner(line.p0), corner(line.p1)) else {
        return false;
    };
    let steps = from.abs_diff(to);
    steps > 1 && steps < corners.len() - 1
}

/// Returns true if a line passes through the centre of a round shape from side to side.
fn chord(one: &Shape, other: &Shape, fits: impl Fn(&Round, f64) -> bool) -> bool {
    let (Outline::Line(line), Outline::Round(round)) = (&one.outline, &other.outline) else {
        return false;
    };
    let on_it = |point: Point| ((unit(round) * point).to_vec2().hypot() - 1.0).abs() < TINY;
    line.midpoint().distance(round.center) < TINY
        && on_it(line.p0)
        && on_it(line.p1)
        && fits(round, line.length())
}

#[test]
fn measures_agree_with_kurbo() {
    for seed in 0..200 {
        let mut rng = crate::Rng::new(seed, &[]);
        for kind in ShapeKind::ALL {
            let Some(shape) = super::super::sample::shape(kind, 0.2, &mut rng) else {
                continue;
            };
            let path = shape.path();
            if let Some(area) = shape.area() {
                assert!((path.area().abs() - area).abs() < 1e-3, "{shape:?}");
            }
            let (bounds, drawn) = (shape.bounds(), path.bounding_box());
            assert!((bounds.width() - drawn.width()).abs() < 1e-4);
            assert!((bounds.height() - drawn.height()).abs() < 1e-4);
        }
    }
}
