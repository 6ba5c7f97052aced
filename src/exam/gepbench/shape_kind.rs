//! The ten shapes (`GePBench` section 3.1).

base::named_enum! {
    /// A kind of shape. Kinds are exclusive: a square is not a rectangle here, and a circle not an
    /// ellipse.
    ///
    /// [`Self::ALL`] is in the paper's order; names are those of the paper, used in questions.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum ShapeKind {
        /// A straight line segment.
        Line = "line",
        /// An ellipse whose axes differ clearly.
        Ellipse = "ellipse",
        /// A circle, never called an ellipse.
        Circle = "circle",
        /// A triangle with clear angles.
        Triangle = "triangle",
        /// A convex quadrilateral that is clearly not a rectangle.
        Quadrilateral = "quadrilateral",
        /// A convex pentagon.
        Pentagon = "pentagon",
        /// A convex hexagon.
        Hexagon = "hexagon",
        /// A rectangle whose sides differ clearly.
        Rectangle = "rectangle",
        /// A square, never called a rectangle.
        Square = "square",
        /// An Archimedean spiral of several turns.
        Spiral = "spiral",
    }
}

impl ShapeKind {
    /// Plural of the paper's name.
    pub fn plural(self) -> String {
        format!("{}s", self.name())
    }

    /// Kinds that this kind's name also covers in everyday geometry.
    pub const fn covers(self) -> &'static [Self] {
        match self {
            Self::Ellipse => &[Self::Circle],
            Self::Rectangle => &[Self::Square],
            Self::Quadrilateral => &[Self::Rectangle, Self::Square],
            _ => &[],
        }
    }

    /// Unambiguous name, which covers this kind only.
    pub const fn exact_name(self) -> &'static str {
        match self {
            Self::Line => "line (not an edge)",
            Self::Ellipse => "ellipse (not a circle)",
            Self::Rectangle => "rectangle (not a square)",
            Self::Quadrilateral => "quadrilateral (not a rectangle)",
            _ => self.name(),
        }
    }

    /// Plural of the unambiguous name.
    pub fn exact_plural(self) -> String {
        let limits = match self {
            Self::Line => " (not edges)",
            Self::Ellipse => " (not circles)",
            Self::Rectangle => " (not squares)",
            Self::Quadrilateral => " (not rectangles)",
            _ => "",
        };
        self.plural() + limits
    }

    /// Number of corners; 0 for kinds without corners.
    pub const fn corners(self) -> usize {
        match self {
            Self::Triangle => 3,
            Self::Quadrilateral | Self::Rectangle | Self::Square => 4,
            Self::Pentagon => 5,
            Self::Hexagon => 6,
            _ => 0,
        }
    }

    /// Returns true if the shape encloses an area.
    pub const fn is_closed(self) -> bool {
        !matches!(self, Self::Line | Self::Spiral)
    }
}
