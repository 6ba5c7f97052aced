//! Curved outlines: circles, ellipses, spirals.

use kurbo::{Point, Vec2};

/// A circle or an ellipse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// Centre of the ellipse.
    pub center: Point,
    /// Length of the semi-major axis.
    pub major: f64,
    /// Length of the semi-minor axis.
    pub minor: f64,
    /// Direction of the major axis, in radians.
    pub turn: f64,
}

/// An Archimedean spiral, `r = outer * (inner share + (1 - inner share) * t)` for `t` from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spiral {
    /// Centre of the spiral.
    pub center: Point,
    /// Distance of its outer end from the centre.
    pub outer: f64,
    /// Number of turns; negative for the opposite sense.
    pub turns: f64,
    /// Direction of its inner end, in radians.
    pub turn: f64,
}

impl Round {
    /// The point at parameter `angle` of the ellipse.
    pub fn at(&self, angle: f64) -> Point {
        let (major, minor) = (self.major * angle.cos(), self.minor * angle.sin());
        let along = Vec2::from_angle(self.turn);
        self.center + along * major + along.turn_90() * minor
    }

    /// The unit tangent at [`Self::at`].
    pub fn tangent(&self, angle: f64) -> Vec2 {
        let (major, minor) = (-self.major * angle.sin(), self.minor * angle.cos());
        let along = Vec2::from_angle(self.turn);
        (along * major + along.turn_90() * minor).normalize()
    }

    /// The curve as a `kurbo` ellipse.
    pub fn ellipse(&self) -> kurbo::Ellipse {
        kurbo::Ellipse::new(self.center, (self.major, self.minor), self.turn)
    }
}

impl Spiral {
    /// Radius of the inner end, as a share of the outer radius.
    const INNER: f64 = 0.08;
    /// Line segments per turn.
    const PIECES: f64 = 48.0;

    /// Points along the spiral, from the inner end.
    pub fn points(&self) -> impl Iterator<Item = Point> + '_ {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a few hundred"
        )]
        let pieces = (self.turns.abs() * Self::PIECES).ceil() as u32;
        (0..=pieces).map(move |piece| {
            let t = f64::from(piece) / f64::from(pieces.max(1));
            let radius = self.outer * (Self::INNER + (1.0 - Self::INNER) * t);
            let angle = self.turn + self.turns * std::f64::consts::TAU * t;
            self.center + Vec2::from_angle(angle) * radius
        })
    }
}
