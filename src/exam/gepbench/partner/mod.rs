//! A second shape that stands in a relationship to a first one (Algorithm 1, lines 11 and 12).
//!
//! Every partner is computed from the first shape's own numbers, so that relationships hold to rounding.

mod across;
mod beside;
mod within;

use across::{axis, diagonal};
use beside::{on_edge, parallel, tangent};
use within::{circumscribed, inscribed};

use super::clear::is_clear;
use super::{Kind, Relationship, Shape};
use crate::Dice;

/// Tries before a partner is given up.
const TRIES: usize = 12;

/// A shape that was placed in relation to another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Partner {
    /// The new shape.
    pub shape: Shape,
    /// Whether the new shape is the subject: it is inscribed in the old one, not the other way round.
    pub is_subject: bool,
    /// The relationship of the subject to the object.
    pub relationship: Relationship,
}

/// The relationships in which a shape of a kind can be given a partner.
#[must_use]
pub const fn relationships(kind: Kind) -> &'static [Relationship] {
    use Relationship::{
        Circumscribed, Diagonal, Diameter, Inscribed, MajorAxis, MinorAxis, Parallel, SharedEdge,
        Tangent,
    };
    match kind {
        Kind::Line => &[Tangent, Parallel, Diagonal, MajorAxis, MinorAxis, Diameter],
        Kind::Ellipse => &[Tangent, Inscribed, MajorAxis, MinorAxis],
        Kind::Circle => &[Tangent, Inscribed, Circumscribed, Diameter],
        Kind::Triangle => &[Inscribed, Circumscribed, SharedEdge],
        Kind::Quadrilateral | Kind::Pentagon | Kind::Hexagon => &[SharedEdge, Diagonal],
        Kind::Rectangle => &[Circumscribed, SharedEdge, Diagonal],
        Kind::Square => &[Inscribed, Circumscribed, SharedEdge, Diagonal],
        Kind::Spiral => &[],
    }
}

/// A clear partner, or none if none was found; `reach` is about how far new shapes extend.
#[must_use]
pub fn place(
    first: &Shape,
    relationship: Relationship,
    reach: f64,
    dice: &mut Dice,
) -> Option<Partner> {
    (0..TRIES)
        .filter_map(|_| draft(first, relationship, reach, dice))
        .find(|partner| is_clear(&partner.shape))
}

fn draft(
    first: &Shape,
    relationship: Relationship,
    reach: f64,
    dice: &mut Dice,
) -> Option<Partner> {
    let (shape, is_subject) = match relationship {
        Relationship::Tangent => (tangent(first, reach, dice), true),
        Relationship::Parallel => (parallel(first, reach, dice), true),
        Relationship::Inscribed => (inscribed(first, dice), true),
        Relationship::Circumscribed => (circumscribed(first, dice), true),
        Relationship::SharedEdge => (on_edge(first, reach, dice), true),
        Relationship::Diagonal => (diagonal(first, dice), first.kind != Kind::Line),
        Relationship::MajorAxis | Relationship::MinorAxis | Relationship::Diameter => {
            (axis(first, relationship, dice), first.kind != Kind::Line)
        }
    };
    Some(Partner {
        shape: shape?,
        is_subject,
        relationship,
    })
}
