//! Orientation: which way an object faces.

use std::f64::consts::FRAC_PI_4;

use super::background;
use super::drawn::DrawnItem;
use super::palette::bright;
use super::toy::{self, TOYS, Viewpoint};
use crate::Rng;

/// The nine views of the paper, in its order.
pub const VIEWS: [&str; 9] = [
    "front",
    "front right",
    "right",
    "back right",
    "back",
    "back left",
    "left",
    "front left",
    "top",
];
/// Number of classes: nine views of each toy.
pub const CLASSES: usize = VIEWS.len() * TOYS.len();

/// Draws an item with a toy seen from a view.
pub fn draw(class: usize, rng: &mut Rng) -> DrawnItem {
    let view = class % VIEWS.len();
    let (name, blocks) = TOYS.get(class / VIEWS.len()).copied().unwrap_or(TOYS[0]);
    let mut canvas = background::draw("studio", rng);
    let top = view == 8;
    let eighth = f64::from(u8::try_from(view).unwrap_or(0));
    let middle = (rng.between(100.0, 156.0), rng.between(108.0, 160.0));
    let viewpoint = if top {
        Viewpoint {
            yaw: FRAC_PI_4 * 2.0 * f64::from(u8::try_from(rng.below(4)).unwrap_or(0))
                + rng.between(-0.2, 0.2),
            pitch: rng.between(1.4, 1.5),
            scale: rng.between(40.0, 70.0),
            middle,
            edge: 1.0,
        }
    } else {
        Viewpoint {
            yaw: FRAC_PI_4 * eighth + rng.between(-0.16, 0.16),
            pitch: rng.between(0.22, 0.62),
            scale: rng.between(40.0, 70.0),
            middle,
            edge: 1.0,
        }
    };
    if !top {
        let radius = 1.25 * viewpoint.scale;
        canvas.oval(
            middle,
            (radius, radius * viewpoint.pitch.sin()),
            [150, 145, 140],
        );
    }
    toy::draw(&mut canvas, &blocks(bright(rng)), &viewpoint);
    let question = format!(
        "What is the orientation of the {name} in the image? It is named by where the {name} faces: front is \
         towards the camera, right is the right edge of the image; top is a view from above."
    );
    DrawnItem::listed(canvas, question, &VIEWS, view)
        .with_name("view", VIEWS[view])
        .with_name("object", name)
}
