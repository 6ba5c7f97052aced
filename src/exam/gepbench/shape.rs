//! Shapes in the unit square: x to the right, y downwards, lengths in sides of the figure.

use geo::{Area as _, Centroid as _, Coord, LineString, Polygon};
use kurbo::{BezPath, Line, PathEl, Point, Rect, Shape as _, Vec2};

use super::ShapeKind;
pub use super::curve::{Round, Spiral};

/// Maximum distance of a traced outline from the true outline.
const TRACE: f64 = 1e-3;

/// A shape and its outline.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Kind of the shape.
    pub kind: ShapeKind,
    /// Geometry of the shape.
    pub outline: Outline,
}

/// Geometry of a shape's outline.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A line segment.
    Line(Line),
    /// A circle or an ellipse.
    Round(Round),
    /// The corners of a polygon, in order.
    Polygon(Vec<Point>),
    /// An Archimedean spiral.
    Spiral(Spiral),
}

impl Shape {
    /// Creates a polygon of a kind from its corners.
    pub const fn polygon(kind: ShapeKind, corners: Vec<Point>) -> Self {
        Self {
            kind,
            outline: Outline::Polygon(corners),
        }
    }

    /// Creates a line between two points.
    pub const fn line(from: Point, to: Point) -> Self {
        Self {
            kind: ShapeKind::Line,
            outline: Outline::Line(Line { p0: from, p1: to }),
        }
    }

    /// Creates a circle from its centre and radius.
    pub const fn circle(center: Point, radius: f64) -> Self {
        let round = Round {
            center,
            major: radius,
            minor: radius,
            turn: 0.0,
        };
        Self {
            kind: ShapeKind::Circle,
            outline: Outline::Round(round),
        }
    }

    /// The corners of a polygon; empty for other shapes.
    pub fn corners(&self) -> &[Point] {
        match &self.outline {
            Outline::Polygon(corners) => corners,
            _ => &[],
        }
    }

    /// The outline as a path.
    pub fn path(&self) -> BezPath {
        match &self.outline {
            Outline::Line(line) => line.to_path(TRACE),
            Outline::Round(round) => round.ellipse().to_path(1e-5),
            Outline::Polygon(corners) => {
                let mut path = polyline(corners.iter().copied());
                path.close_path();
                path
            }
            Outline::Spiral(spiral) => polyline(spiral.points()),
        }
    }

    /// The axis-aligned bounding box.
    pub fn bounds(&self) -> Rect {
        match &self.outline {
            Outline::Round(round) => round.ellipse().bounding_box(),
            _ => self.path().bounding_box(),
        }
    }

    /// The outline as line segments, at most `TRACE` from the true outline.
    pub fn trace(&self) -> LineString {
        let mut points: Vec<Coord> = Vec::new();
        kurbo::flatten(self.path(), TRACE, |element| match element {
            PathEl::MoveTo(point) | PathEl::LineTo(point) => points.push(coord(point)),
            _ => {}
        });
        let mut trace = LineString::new(points);
        if self.kind.is_closed() {
            trace.close();
        }
        trace
    }

    /// Region that other shapes must avoid: the inside of a closed shape, the disc of a spiral;
    /// `None` for a line.
    pub fn region(&self) -> Option<Polygon> {
        match &self.outline {
            Outline::Line(_) => None,
            Outline::Spiral(spiral) => {
                let disc = Self::circle(spiral.center, spiral.outer);
                Some(Polygon::new(disc.trace(), Vec::new()))
            }
            Outline::Round(_) | Outline::Polygon(_) => Some(Polygon::new(self.trace(), Vec::new())),
        }
    }

    /// Enclosed area, in areas of the figure; `None` for lines and spirals.
    pub fn area(&self) -> Option<f64> {
        match &self.outline {
            Outline::Round(round) => Some(std::f64::consts::PI * round.major * round.minor),
            Outline::Polygon(_) => self.region().map(|region| region.unsigned_area()),
            Outline::Line(_) | Outline::Spiral(_) => None,
        }
    }

    /// The centroid; the midpoint of a line, the centre of a spiral.
    pub fn center(&self) -> Point {
        match &self.outline {
            Outline::Line(line) => line.midpoint(),
            Outline::Round(round) => round.center,
            Outline::Spiral(spiral) => spiral.center,
            Outline::Polygon(corners) => {
                let centroid = self.region().and_then(|region| region.centroid());
                let first = corners[0];
                centroid.map_or(first, |point| Point::new(point.x(), point.y()))
            }
        }
    }

    /// The shape moved by a vector.
    #[must_use]
    pub fn moved(mut self, by: Vec2) -> Self {
        match &mut self.outline {
            Outline::Line(line) => *line = *line + by,
            Outline::Round(round) => round.center += by,
            Outline::Spiral(spiral) => spiral.center += by,
            Outline::Polygon(corners) => corners.iter_mut().for_each(|corner| *corner += by),
        }
        self
    }
}

/// A point as a `geo` coordinate.
pub const fn coord(point: Point) -> Coord {
    Coord {
        x: point.x,
        y: point.y,
    }
}

fn polyline(points: impl Iterator<Item = Point>) -> BezPath {
    let mut path = BezPath::new();
    for (at, point) in points.enumerate() {
        if at == 0 {
            path.move_to(point);
        } else {
            path.line_to(point);
        }
    }
    path
}
