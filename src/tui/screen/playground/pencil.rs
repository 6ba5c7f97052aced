//! A box that the user draws on the picture with keys or the mouse.

use media::{Overlay, Region, Stroke, Unit};

/// Distance that a key press moves the box, as a fraction of the picture's side.
const STEP: f64 = 1.0 / 40.0;
/// Minimum side of a box, as a fraction of the picture's side.
const LEAST: f64 = 1.0 / 200.0;
/// Colour of the box, which is visible on most pictures.
const COLOR: [u8; 3] = [255, 0, 255];

/// A box that the user draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pencil {
    /// Left, top, right and bottom, in fractions of the picture.
    corners: [f64; 4],
    /// True if keys move the lower right corner; false if keys move the whole box.
    pub sizes: bool,
    /// Cell of the first corner, if the mouse set it. The next click or drag sets the other corner.
    anchor: Option<[f64; 4]>,
    /// True while the mouse button is held.
    is_dragged: bool,
}

impl Pencil {
    /// A box in the middle of the picture.
    pub const MIDDLE: Self = Self {
        corners: [0.3, 0.3, 0.7, 0.7],
        sizes: false,
        anchor: None,
        is_dragged: false,
    };

    /// Creates a box that starts at a screen cell, given in fractions of the picture.
    pub const fn at(cell: [f64; 4]) -> Self {
        Self {
            corners: cell,
            sizes: false,
            anchor: Some(cell),
            is_dragged: false,
        }
    }

    /// Returns true if a click set the first corner, and the other corner is not set.
    pub const fn is_begun(&self) -> bool {
        self.anchor.is_some() && !self.is_dragged
    }

    /// Extends the box from the first corner to this cell while the mouse button is held.
    pub fn drag(&mut self, cell: [f64; 4]) {
        let first = self.anchor.unwrap_or(self.corners);
        let [x0, y0, x1, y1] = first;
        self.corners = [
            x0.min(cell[0]),
            y0.min(cell[1]),
            x1.max(cell[2]),
            y1.max(cell[3]),
        ];
        self.anchor = Some(first);
        self.is_dragged = true;
    }

    /// Extends the box to the cell of a second click.
    pub fn finish(&mut self, cell: [f64; 4]) {
        self.drag(cell);
        self.anchor = None;
        self.is_dragged = false;
    }

    /// Moves the box, or only its lower right corner, by a number of steps.
    pub fn step(&mut self, right: f64, down: f64) {
        self.anchor = None;
        let [x0, y0, x1, y1] = self.corners;
        let (right, down) = (right * STEP, down * STEP);
        if self.sizes {
            let far = |from: f64, to: f64| to.clamp((from + LEAST).min(1.0), 1.0);
            self.corners = [x0, y0, far(x0, x1 + right), far(y0, y1 + down)];
            return;
        }
        let within = |by: f64, from: f64, to: f64| by.clamp(-from, 1.0 - to);
        let (right, down) = (within(right, x0, x1), within(down, y0, y1));
        self.corners = [x0 + right, y0 + down, x1 + right, y1 + down];
    }

    /// Returns the box as a part of the picture.
    pub fn region(&self) -> Region {
        Region::new(self.corners)
    }

    /// Returns the box as an overlay for drawing.
    pub fn overlay(&self) -> Overlay {
        Overlay {
            number: None,
            xyxy: self.corners,
            unit: Unit::Fraction,
            color: COLOR,
            style: Stroke::Solid,
            width: 2,
            letter: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(pencil: &Pencil) -> [i64; 4] {
        pencil
            .corners
            .map(|corner| (corner * 1000.0).round() as i64)
    }

    #[test]
    fn keys_move_a_box_within_the_picture_and_size_it() {
        let mut pencil = Pencil::MIDDLE;
        pencil.step(1.0, -1.0);
        assert_eq!(corners(&pencil), [325, 275, 725, 675]);
        for _ in 0..50 {
            pencil.step(1.0, 1.0);
        }
        assert_eq!(corners(&pencil), [600, 600, 1000, 1000]);
        pencil.sizes = true;
        for _ in 0..50 {
            pencil.step(-1.0, 0.0);
        }
        assert_eq!(corners(&pencil), [600, 600, 605, 1000]);
    }

    #[test]
    fn the_mouse_draws_from_any_corner_to_the_other() {
        let cell = |x: f64, y: f64| [x, y, x + 0.1, y + 0.1];
        let mut pencil = Pencil::at(cell(0.5, 0.5));
        assert!(pencil.is_begun());
        pencil.drag(cell(0.7, 0.8));
        assert!(!pencil.is_begun(), "the next click begins anew");
        assert_eq!(corners(&pencil), [500, 500, 800, 900]);
        pencil.finish(cell(0.2, 0.1));
        assert_eq!(corners(&pencil), [200, 100, 600, 600]);
        assert!(!pencil.is_begun());
    }
}
