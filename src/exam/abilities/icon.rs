//! Icons of objects, composed of a few shapes on a 24 x 24 grid.

use kurbo::{Affine, BezPath, Circle, Rect, Shape as _};

use super::canvas::{Canvas, Ink, into_box, mixed};
use super::icons::ICONS;

/// A shape on the icon's grid.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// An SVG path; inner paths are holes.
    Path(&'static str),
    /// A circle: centre and radius.
    Disc(f64, f64, f64),
    /// A ring: centre, outer and inner radius.
    Ring(f64, f64, f64, f64),
    /// A rectangle: two corners.
    Rect(f64, f64, f64, f64),
}

/// Fill of a shape.
#[derive(Clone, Copy, Debug)]
pub enum Fill {
    /// The icon's own colour.
    Own,
    /// A darker shade of the icon's colour.
    Shade,
    /// A lighter tint of the icon's colour.
    Tint,
    /// A fixed colour.
    Ink(Ink),
}

/// An icon of an everyday object.
#[derive(Debug)]
pub struct Icon {
    /// Name of the object in questions.
    pub name: &'static str,
    /// Its shapes, back to front.
    pub parts: &'static [(Fill, Form)],
}

impl Form {
    fn path(self) -> BezPath {
        match self {
            Self::Path(text) => BezPath::from_svg(text).unwrap_or_default(),
            Self::Disc(x, y, radius) => Circle::new((x, y), radius).to_path(0.01),
            Self::Ring(x, y, outer, inner) => {
                let mut ring = Circle::new((x, y), outer).to_path(0.01);
                ring.extend(Circle::new((x, y), inner).to_path(0.01));
                ring
            }
            Self::Rect(x0, y0, x1, y1) => Rect::new(x0, y0, x1, y1).to_path(0.01),
        }
    }
}

/// Size and orientation of a drawn icon.
#[derive(Clone, Copy, Debug)]
pub struct IconPlacement {
    /// Length of the longer side, in pixels.
    pub size: f64,
    /// Angle in radians.
    pub angle: f64,
    /// True if it is mirrored left to right.
    pub mirrored: bool,
}

impl Icon {
    /// Finds an icon by the name of its object.
    pub fn named(name: &str) -> Option<&'static Self> {
        ICONS.iter().find(|icon| icon.name == name)
    }

    /// Bounding box of all shapes, in units of the grid.
    fn bounds(&self) -> Rect {
        let parts = self
            .parts
            .iter()
            .map(|(_, form)| form.path().bounding_box());
        parts
            .reduce(|one, other| one.union(other))
            .unwrap_or_default()
    }

    /// Aspect ratio: width divided by height.
    pub fn aspect(&self) -> f64 {
        let bounds = self.bounds();
        bounds.width() / bounds.height()
    }

    /// Draws the icon so that it fills a box `[x0, y0, x1, y1]`.
    pub fn draw(&self, canvas: &mut Canvas, corners: [f64; 4], ink: Ink) {
        let bounds = self.bounds();
        let to_unit = Affine::scale_non_uniform(1.0 / bounds.width(), 1.0 / bounds.height())
            * Affine::translate((-bounds.x0, -bounds.y0));
        self.draw_by(canvas, into_box(corners) * to_unit, ink);
    }

    /// Draws the icon centred at a point. Returns the bounding box.
    pub fn draw_turned(
        &self,
        canvas: &mut Canvas,
        (x, y): (f64, f64),
        turn: IconPlacement,
        ink: Ink,
    ) -> [f64; 4] {
        let IconPlacement {
            size,
            angle,
            mirrored,
        } = turn;
        let bounds = self.bounds();
        let scale = size / bounds.width().max(bounds.height());
        let across = if mirrored { -scale } else { scale };
        let transform = Affine::translate((x, y))
            * Affine::rotate(angle)
            * Affine::scale_non_uniform(across, scale)
            * Affine::translate(-bounds.center().to_vec2());
        self.draw_by(canvas, transform, ink);
        let parts = self
            .parts
            .iter()
            .map(|(_, form)| (transform * form.path()).bounding_box());
        let bounds = parts
            .reduce(|one, other| one.union(other))
            .unwrap_or_default();
        [bounds.x0, bounds.y0, bounds.x1, bounds.y1]
    }

    fn draw_by(&self, canvas: &mut Canvas, transform: Affine, ink: Ink) {
        for (fill, form) in self.parts {
            let ink = match fill {
                Fill::Own => ink,
                Fill::Shade => mixed(ink, [0; 3], 0.4),
                Fill::Tint => mixed(ink, [255; 3], 0.55),
                Fill::Ink(ink) => *ink,
            };
            canvas.fill(&(transform * form.path()), ink);
        }
    }
}
