//! Object recognition: which object is in the red box.

use super::background;
use super::canvas::LENGTH;
use super::drawn::DrawnItem;
use super::icon::IconPlacement;
use super::icons::{FIRST, ICONS};
use super::localization::{are_apart, placed, share};
use super::palette::bright;
use crate::Rng;

/// Number of objects.
pub const CLASSES: usize = ICONS.len();

/// Draws an item with an object in the red box, and distractors elsewhere.
pub fn draw(class: usize, rng: &mut Rng) -> DrawnItem {
    let (kind, mut canvas) = background::any(rng);
    let asked = ICONS.get(class).unwrap_or(FIRST);
    let size = rng.between(46.0, 130.0);
    let room = size * 0.62 + 8.0;
    let at = (
        rng.between(room, LENGTH - room),
        rng.between(room, LENGTH - room),
    );
    let turn = IconPlacement {
        size,
        angle: rng.between(-0.45, 0.45),
        mirrored: rng.chance(0.5),
    };
    let corners = asked.draw_turned(&mut canvas, at, turn, bright(rng));
    let mut taken = vec![corners];
    for _ in 0..6 {
        let Some(icon) = rng.pick(ICONS) else {
            continue;
        };
        let share = rng.between(0.02, 0.08);
        let place = placed(icon, share, rng);
        let ink = bright(rng);
        if taken.iter().all(|corners| are_apart(*corners, place, 20.0)) {
            icon.draw(&mut canvas, place, ink);
            taken.push(place);
        }
    }
    let mut loose = || rng.between(4.0, 16.0);
    let around = [
        corners[0] - loose(),
        corners[1] - loose(),
        corners[2] + loose(),
        corners[3] + loose(),
    ]
    .map(|at| at.clamp(0.0, LENGTH));
    DrawnItem::shuffled(
        canvas,
        "What is in the red bounding box?",
        asked.name,
        ICONS.iter().map(|icon| icon.name).collect(),
    )
    .with_box("", "red", around)
    .with_number("box_area", share(around))
    .with_name("dataset", kind)
}
