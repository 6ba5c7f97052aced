//! Viewpoint on a picture: zoom, pan and rotation.

use media::Turn;

/// The whole picture, in fractions.
const WHOLE: [f64; 4] = [0.0, 0.0, 1.0, 1.0];
/// Minimum side of the visible part, as a fraction of the picture.
const SHORTEST: f64 = 0.02;
/// Distance of a pan step, as a fraction of the visible part.
const PAN: f64 = 0.25;

/// Maximum number of pictures that are shown side by side.
pub const SIDE_BY_SIDE: usize = 4;

/// A step along the pictures of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureStep {
    /// To the next picture.
    Next,
    /// To the previous picture.
    Previous,
}

/// Visible part of a picture, and its rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Viewpoint {
    /// The visible part as fractions of the upright picture; `None` for the whole picture.
    pub region: Option<[f64; 4]>,
    /// Rotation by the user.
    pub turn: Turn,
    /// Index of the box that fills the view.
    pub boxed: Option<usize>,
    /// Index of the picture that is shown large above a strip of all pictures. `None` shows all
    /// pictures side by side if they fit, otherwise the first picture.
    pub picture: Option<usize>,
}

impl Viewpoint {
    /// Scales the visible part around its centre. A factor below 1 magnifies.
    pub fn zoom(&mut self, factor: f64) {
        self.boxed = None;
        self.region = Some(scaled(self.region.unwrap_or(WHOLE), factor)).filter(|it| *it != WHOLE);
    }

    /// Moves the visible part by steps to the right and down, as seen on screen.
    pub fn pan(&mut self, direction: (f64, f64)) {
        let (right, down) = self.turn.unturned(direction);
        if let Some([x0, y0, x1, y1]) = self.region {
            let (x0, x1) = moved(x0, x1, right);
            let (y0, y1) = moved(y0, y1, down);
            self.region = Some([x0, y0, x1, y1]);
        }
    }

    /// Zooms to the next box with a margin. After the last box, shows the whole picture.
    pub fn next_box(&mut self, boxes: &[[f64; 4]]) {
        let next = self.boxed.map_or(0, |at| at + 1);
        let corners = boxes.get(next).copied();
        self.boxed = corners.map(|_| next);
        self.region = corners
            .map(|[x0, y0, x1, y1]| scaled([x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)], 2.0));
    }

    /// Goes to the next or previous of `count` pictures; wraps around.
    pub fn step_picture(&mut self, count: usize, step: PictureStep) {
        let last = count.saturating_sub(1);
        let shown = self.picture.or((count > SIDE_BY_SIDE).then_some(0));
        self.picture = Some(match (step, shown) {
            (PictureStep::Next, Some(at)) if at < last => at + 1,
            (PictureStep::Next, _) => 0,
            (PictureStep::Previous, Some(at)) if at > 0 => at - 1,
            (PictureStep::Previous, _) => last,
        });
    }

    /// Returns the magnification relative to the whole picture.
    pub fn magnification(&self) -> f64 {
        self.region.map_or(1.0, |[x0, y0, x1, y1]| {
            1.0 / (x1 - x0).max(y1 - y0).max(SHORTEST)
        })
    }
}

/// Scales a part of a picture around its centre. The result stays within the picture.
fn scaled([x0, y0, x1, y1]: [f64; 4], factor: f64) -> [f64; 4] {
    let side = |low: f64, high: f64| {
        let size = ((high - low) * factor).clamp(SHORTEST, 1.0);
        let start = (f64::midpoint(low, high) - size / 2.0).clamp(0.0, 1.0 - size);
        (start, start + size)
    };
    let ((x0, x1), (y0, y1)) = (side(x0, x1), side(y0, y1));
    [x0, y0, x1, y1]
}

/// Moves an interval by steps relative to its length. The result stays within 0 to 1.
fn moved(low: f64, high: f64, steps: f64) -> (f64, f64) {
    let size = high - low;
    let start = (low + steps * PAN * size).clamp(0.0, 1.0 - size);
    (start, start + size)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn zooming_in_and_out_leads_back_to_the_whole() {
        let mut view = Viewpoint::default();
        view.zoom(0.5);
        assert_eq!(view.region, Some([0.25, 0.25, 0.75, 0.75]));
        assert!((view.magnification() - 2.0).abs() < 1e-12);
        view.zoom(2.0);
        assert_eq!(view.region, None);
    }

    #[test]
    fn a_pan_follows_the_screen_however_the_picture_is_turned() {
        let mut view = Viewpoint::default();
        view.pan((1.0, 0.0));
        assert_eq!(view.region, None, "all of it is in sight");
        view.zoom(0.5);
        view.pan((1.0, 0.0));
        assert_eq!(view.region, Some([0.375, 0.25, 0.875, 0.75]));
        view.turn = Turn::NONE.right();
        view.pan((1.0, 0.0));
        assert_eq!(view.region, Some([0.375, 0.125, 0.875, 0.625]));
    }

    #[test]
    fn boxes_come_one_after_the_other_and_then_the_whole() {
        let boxes = [[0.4, 0.4, 0.6, 0.6], [0.9, 0.9, 0.8, 0.8]];
        let mut view = Viewpoint::default();
        view.next_box(&boxes);
        let [x0, _, x1, _] = view.region.unwrap();
        assert!((x0 - 0.3).abs() < 1e-9 && (x1 - 0.7).abs() < 1e-9);
        view.next_box(&boxes);
        assert_eq!(view.boxed, Some(1));
        view.next_box(&boxes);
        assert_eq!((view.region, view.boxed), (None, None));
    }

    #[test]
    fn pictures_are_walked_round_and_four_stand_side_by_side() {
        let walk = |count: usize, step: PictureStep| {
            let mut view = Viewpoint::default();
            let steps = (0..4).map(|_| {
                view.step_picture(count, step);
                view.picture.unwrap()
            });
            steps.collect::<Vec<_>>()
        };
        assert_eq!(walk(3, PictureStep::Next), [0, 1, 2, 0]);
        assert_eq!(walk(3, PictureStep::Previous), [2, 1, 0, 2]);
        // If not all pictures fit, the first one is already shown large.
        assert_eq!(walk(5, PictureStep::Next), [1, 2, 3, 4]);
        assert_eq!(walk(5, PictureStep::Previous), [4, 3, 2, 1]);
    }

    proptest! {
        #[test]
        fn what_is_shown_lies_in_the_picture(steps in prop::collection::vec(0_u8..8, 0..60)) {
            let mut view = Viewpoint::default();
            for step in steps {
                match step {
                    0 => view.zoom(0.5),
                    1 => view.zoom(2.0),
                    2 => view.pan((1.0, 0.0)),
                    3 => view.pan((-1.0, 0.0)),
                    4 => view.pan((0.0, 1.0)),
                    5 => view.pan((0.0, -1.0)),
                    6 => view.turn = view.turn.right(),
                    _ => view.next_box(&[[0.1, 0.9, 0.2, 1.4]]),
                }
                let [x0, y0, x1, y1] = view.region.unwrap_or(WHOLE);
                prop_assert!(x0 >= 0.0 && y0 >= 0.0 && x1 <= 1.0 + 1e-9 && y1 <= 1.0 + 1e-9);
                prop_assert!(x1 - x0 >= SHORTEST - 1e-9 && y1 - y0 >= SHORTEST - 1e-9);
            }
        }
    }
}
