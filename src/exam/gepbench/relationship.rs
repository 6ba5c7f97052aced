//! The nine relationships (`GePBench` section 3.1).
//!
//! The paper names tangency, parallelism and inscription; circumscription, shared edges, diagonals,
//! axes and diameters come from its authors' published generator.

use super::ShapeKind;

base::named_enum! {
    /// A relationship of one shape to another.
    ///
    /// Questions and figures are drawn from all nine.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Relationship {
        /// A line or circle touches a circle or ellipse from outside in one point.
        Tangent = "tangent",
        /// Two lines have the same direction.
        Parallel = "parallel",
        /// A polygon in a circle or ellipse with all corners on it, or a circle in a polygon that
        /// touches all sides.
        Inscribed = "inscribed",
        /// The inverse of [`Self::Inscribed`].
        Circumscribed = "circumscribed",
        /// Two polygons share a whole side and lie on opposite sides of it.
        SharedEdge = "shared edge",
        /// The line joins two corners of a polygon that no side joins.
        Diagonal = "diagonal",
        /// The line is an ellipse's longest chord.
        MajorAxis = "major axis",
        /// The line is the chord through an ellipse's centre perpendicular to the longest one.
        MinorAxis = "minor axis",
        /// The line is a chord through a circle's centre.
        Diameter = "diameter",
    }
}

impl Relationship {
    /// The subject's role towards the object: `inscribed in it`.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Tangent => "tangent to it",
            Self::Parallel => "parallel to it",
            Self::Inscribed => "inscribed in it",
            Self::Circumscribed => "circumscribed about it",
            Self::SharedEdge => "shares a whole edge with it",
            Self::Diagonal => "a diagonal of it",
            Self::MajorAxis => "its major axis",
            Self::MinorAxis => "its minor axis",
            Self::Diameter => "a diameter of it",
        }
    }

    /// The verb between subject and object: `is inscribed in`.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Tangent => "is tangent to",
            Self::Parallel => "is parallel to",
            Self::Inscribed => "is inscribed in",
            Self::Circumscribed => "is circumscribed about",
            Self::SharedEdge => "shares a whole edge with",
            Self::Diagonal => "is a diagonal of",
            Self::MajorAxis => "is the major axis of",
            Self::MinorAxis => "is the minor axis of",
            Self::Diameter => "is a diameter of",
        }
    }

    /// The relationship between two shapes of one kind: `one is inscribed in the other`.
    pub const fn mutual_phrase(self) -> &'static str {
        match self {
            Self::Tangent => "they are tangent",
            Self::Parallel => "they are parallel",
            Self::Inscribed => "one is inscribed in the other",
            Self::Circumscribed => "one is circumscribed about the other",
            Self::SharedEdge => "they share a whole edge",
            Self::Diagonal => "one is a diagonal of the other",
            Self::MajorAxis => "one is the major axis of the other",
            Self::MinorAxis => "one is the minor axis of the other",
            Self::Diameter => "one is a diameter of the other",
        }
    }

    /// The inverse relationship, if it has a name.
    pub const fn reverse(self) -> Option<Self> {
        match self {
            Self::Tangent | Self::Parallel | Self::SharedEdge => Some(self),
            Self::Inscribed => Some(Self::Circumscribed),
            Self::Circumscribed => Some(Self::Inscribed),
            Self::Diagonal | Self::MajorAxis | Self::MinorAxis | Self::Diameter => None,
        }
    }

    /// Returns true if the engine can place shapes of these kinds in this relationship.
    pub fn is_between(self, subject: ShapeKind, object: ShapeKind) -> bool {
        use ShapeKind::{Circle, Ellipse, Line, Rectangle, Square, Triangle};
        let cornered = |kind: ShapeKind| kind.corners() > 0;
        match self {
            Self::Tangent => {
                let line = |kind| kind == Line;
                let round = |kind| matches!(kind, Circle | Ellipse);
                (line(subject) && round(object))
                    || (round(subject) && line(object))
                    || (subject == Circle && object == Circle)
            }
            Self::Parallel => subject == Line && object == Line,
            Self::Inscribed => {
                (cornered(subject) && object == Circle)
                    || (matches!(subject, Triangle | Rectangle) && object == Ellipse)
                    || (subject == Circle && cornered(object) && object != Rectangle)
            }
            Self::Circumscribed => Self::Inscribed.is_between(object, subject),
            Self::SharedEdge => {
                let built = |kind| matches!(kind, Triangle | Square | Rectangle);
                cornered(subject) && cornered(object) && (built(subject) || built(object))
            }
            Self::Diagonal => subject == Line && object.corners() > 3,
            Self::MajorAxis | Self::MinorAxis => subject == Line && object == Ellipse,
            Self::Diameter => subject == Line && object == Circle,
        }
    }
}

/// A relationship between two shapes of a figure; the subject is tangent to, inscribed in, or a
/// diagonal of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Index of the subject among the figure's shapes.
    pub subject: usize,
    /// Index of the object among the figure's shapes.
    pub object: usize,
    /// The relationship of the subject to the object.
    pub relationship: Relationship,
}
