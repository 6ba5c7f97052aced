//! Which way a thing faces.

use std::f64::consts::FRAC_PI_4;

use super::backdrop;
use super::drawn::{Answer, Drawn};
use super::palette::bright;
use super::toy::{self, Sight, TOYS};
use crate::Dice;

/// The paper's nine, in its order.
const VIEWS: [&str; 9] = [
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
/// Nine views of each toy.
pub const CLASSES: usize = VIEWS.len() * TOYS.len();

/// An item that shows a view of a toy.
pub fn draw(class: usize, dice: &mut Dice) -> Drawn {
    let view = class % VIEWS.len();
    let (name, blocks) = TOYS.get(class / VIEWS.len()).copied().unwrap_or(TOYS[0]);
    let mut canvas = backdrop::draw("studio", dice);
    let top = view == 8;
    let eighth = f64::from(u8::try_from(view).unwrap_or(0));
    let middle = (dice.between(100.0, 156.0), dice.between(108.0, 160.0));
    let sight = if top {
        Sight {
            yaw: FRAC_PI_4 * 2.0 * f64::from(u8::try_from(dice.below(4)).unwrap_or(0))
                + dice.between(-0.2, 0.2),
            pitch: dice.between(1.4, 1.5),
            scale: dice.between(40.0, 70.0),
            middle,
        }
    } else {
        Sight {
            yaw: FRAC_PI_4 * eighth + dice.between(-0.16, 0.16),
            pitch: dice.between(0.22, 0.62),
            scale: dice.between(40.0, 70.0),
            middle,
        }
    };
    if !top {
        let radius = 1.25 * sight.scale;
        canvas.oval(
            middle,
            (radius, radius * sight.pitch.sin()),
            [150, 145, 140],
        );
    }
    toy::draw(&mut canvas, &blocks(bright(dice)), &sight);
    let question = format!(
        "What is the orientation of the {name} in the image? It is named by where the {name} faces: front is \
         towards the camera, right is the right edge of the image; top is a view from above."
    );
    let answer = Answer::Listed {
        all: &VIEWS,
        right: view,
    };
    Drawn::new(canvas, question, answer)
        .with_name("view", VIEWS.get(view).copied().unwrap_or_default())
        .with_name("object", name)
}
