//! What is in the red box.

use super::backdrop;
use super::canvas::LENGTH;
use super::drawn::{Answer, Drawn};
use super::icons::{FIRST, ICONS};
use super::localization::{apart, placed, share};
use super::palette::bright;
use crate::Dice;

/// Kinds of things.
pub const CLASSES: usize = ICONS.len();

/// An item whose red box holds a thing of a kind, among others.
pub fn draw(class: usize, dice: &mut Dice) -> Drawn {
    let (kind, mut canvas) = backdrop::any(dice);
    let asked = ICONS.get(class).unwrap_or(FIRST);
    let size = dice.between(46.0, 130.0);
    let room = size * 0.62 + 8.0;
    let at = (
        dice.between(room, LENGTH - room),
        dice.between(room, LENGTH - room),
    );
    let turn = (size, dice.between(-0.45, 0.45), dice.chance(0.5));
    let corners = asked.draw_turned(&mut canvas, at, turn, bright(dice));
    let mut taken = vec![corners];
    for _ in 0..6 {
        let Some(icon) = dice.pick(ICONS) else {
            continue;
        };
        let share = dice.between(0.02, 0.08);
        let place = placed(icon, share, dice);
        let ink = bright(dice);
        if taken.iter().all(|corners| apart(*corners, place, 20.0)) {
            icon.draw(&mut canvas, place, ink);
            taken.push(place);
        }
    }
    let mut loose = || dice.between(4.0, 16.0);
    let around = [
        corners[0] - loose(),
        corners[1] - loose(),
        corners[2] + loose(),
        corners[3] + loose(),
    ]
    .map(|at| at.clamp(0.0, LENGTH));
    Drawn::new(
        canvas,
        "What is in the red bounding box?".to_owned(),
        Answer::Shuffled {
            right: asked.name,
            all: ICONS.iter().map(|icon| icon.name).collect(),
        },
    )
    .with_box("", "red", around)
    .with_number("box_area", share(around))
    .with_name("dataset", kind)
}
