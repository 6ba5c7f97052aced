//! Footprints of shapes, which keep unrelated shapes apart.

use geo::{
    BoundingRect, Contains as _, Distance as _, Euclidean, LineString, Point as Place, Polygon,
    Translate as _,
};
use kurbo::{Rect, Vec2};

use super::Shape;

/// Minimum distance between shapes and the figure's edge, in sides of the figure.
pub const MARGIN: f64 = 0.03;
/// Minimum gap between unrelated shapes. The paper allows slight overlap. Here no two shapes may
/// look tangent, so that "none of the above" is never debatable.
pub const GAP: f64 = 0.025;

/// The area that a shape occupies.
pub struct Footprint {
    /// Bounding box of the shape and its region.
    pub bounds: Rect,
    trace: LineString,
    region: Option<Polygon>,
}

impl Footprint {
    /// Computes the footprint of a shape.
    pub fn new(shape: &Shape) -> Self {
        let region = shape.region();
        let edge = region.as_ref().map(|region| region.exterior().clone());
        let kept = region.as_ref().and_then(BoundingRect::bounding_rect);
        let kept =
            kept.map(|kept| Rect::new(kept.min().x, kept.min().y, kept.max().x, kept.max().y));
        Self {
            bounds: kept.map_or(shape.bounds(), |kept| kept.union(shape.bounds())),
            trace: edge.unwrap_or_else(|| shape.trace()),
            region,
        }
    }

    /// The footprint moved by a vector.
    #[must_use]
    pub fn moved(&self, by: Vec2) -> Self {
        Self {
            bounds: self.bounds + by,
            trace: self.trace.translate(by.x, by.y),
            region: self
                .region
                .as_ref()
                .map(|region| region.translate(by.x, by.y)),
        }
    }

    /// Returns true if the shape keeps [`MARGIN`] from the figure's edge.
    pub fn is_inside_figure(&self) -> bool {
        let Rect { x0, y0, x1, y1 } = self.bounds;
        x0 >= MARGIN && y0 >= MARGIN && x1 <= 1.0 - MARGIN && y1 <= 1.0 - MARGIN
    }

    /// Returns true if two shapes are at least [`GAP`] apart and neither contains the other.
    pub fn is_apart_from(&self, other: &Self) -> bool {
        if !touches(self.bounds.inflate(GAP, GAP), other.bounds) {
            return true;
        }
        Euclidean.distance(&self.trace, &other.trace) >= GAP
            && !self.holds(other)
            && !other.holds(self)
    }

    fn holds(&self, other: &Self) -> bool {
        let first = other.trace.coords().next().copied().map(Place::from);
        match (&self.region, first) {
            (Some(region), Some(first)) => region.contains(&first),
            _ => false,
        }
    }
}

/// Returns true if two boxes intersect.
fn touches(one: Rect, other: Rect) -> bool {
    one.x0 <= other.x1 && other.x0 <= one.x1 && one.y0 <= other.y1 && other.y0 <= one.y1
}
