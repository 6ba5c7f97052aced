//! Places a second shape in a relationship to a first one (Algorithm 1, lines 11 and 12).
//!
//! Every partner is computed from the first shape's own numbers, so relationships hold up to
//! rounding.

mod across;
mod beside;
mod within;

use across::{axis, diagonal};
use beside::{on_edge, parallel, tangent};
use within::{circumscribed, inscribed};

use super::clear::is_clear;
use super::{Relationship, Shape, ShapeKind};
use crate::Rng;

/// Maximum number of tries per partner.
const TRIES: usize = 12;

/// A shape placed in a relationship to another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Partner {
    /// The new shape.
    pub shape: Shape,
    /// True if the new shape is the relationship's subject, false if it is the object.
    pub is_subject: bool,
    /// The relationship of the subject to the object.
    pub relationship: Relationship,
}

/// Relationships in which a shape of this kind can get a partner.
pub const fn relationships(kind: ShapeKind) -> &'static [Relationship] {
    use Relationship::{
        Circumscribed, Diagonal, Diameter, Inscribed, MajorAxis, MinorAxis, Parallel, SharedEdge,
        Tangent,
    };
    match kind {
        ShapeKind::Line => &[Tangent, Parallel, Diagonal, MajorAxis, MinorAxis, Diameter],
        ShapeKind::Ellipse => &[Tangent, Inscribed, MajorAxis, MinorAxis],
        ShapeKind::Circle => &[Tangent, Inscribed, Circumscribed, Diameter],
        ShapeKind::Triangle => &[Inscribed, Circumscribed, SharedEdge],
        ShapeKind::Quadrilateral | ShapeKind::Pentagon | ShapeKind::Hexagon => {
            &[SharedEdge, Diagonal]
        }
        ShapeKind::Rectangle => &[Circumscribed, SharedEdge, Diagonal],
        ShapeKind::Square => &[Inscribed, Circumscribed, SharedEdge, Diagonal],
        ShapeKind::Spiral => &[],
    }
}

/// A clear partner with an extent of about `reach`; `None` if no try succeeded.
pub fn place(
    first: &Shape,
    relationship: Relationship,
    reach: f64,
    rng: &mut Rng,
) -> Option<Partner> {
    (0..TRIES)
        .filter_map(|_| draft(first, relationship, reach, rng))
        .find(|partner| is_clear(&partner.shape))
}

fn draft(first: &Shape, relationship: Relationship, reach: f64, rng: &mut Rng) -> Option<Partner> {
    let (shape, is_subject) = match relationship {
        Relationship::Tangent => (tangent(first, reach, rng), true),
        Relationship::Parallel => (parallel(first, reach, rng), true),
        Relationship::Inscribed => (inscribed(first, rng), true),
        Relationship::Circumscribed => (circumscribed(first, rng), true),
        Relationship::SharedEdge => (on_edge(first, reach, rng), true),
        Relationship::Diagonal => (diagonal(first, rng), first.kind != ShapeKind::Line),
        Relationship::MajorAxis | Relationship::MinorAxis | Relationship::Diameter => (
            axis(first, relationship, rng),
            first.kind != ShapeKind::Line,
        ),
    };
    Some(Partner {
        shape: shape?,
        is_subject,
        relationship,
    })
}
