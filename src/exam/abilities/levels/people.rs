//! Emotion, action and orientation: faces, figures and toys that become smaller by level.

use std::f64::consts::FRAC_PI_4;

use super::finish::units;
use super::item_spec::{ItemSpec, LevelItem, of_like_length};
use super::layout::{NeededRoom, anywhere, around, free};
use super::names::{ACTIONS, FEELINGS};
use crate::Rng;
use crate::abilities::background;
use crate::abilities::canvas::{LENGTH, Look};
use crate::abilities::drawn::DrawnItem;
use crate::abilities::face::Face;
use crate::abilities::orientation::VIEWS;
use crate::abilities::palette::bright;
use crate::abilities::poses::POSES;
use crate::abilities::toy::{self, TOYS, Viewpoint};

/// Height of a pose on its grid.
const POSE: f64 = 100.0;
/// Height of a head in radii.
const HEAD: f64 = 2.3;
/// Length of a toy in units of its blocks.
const TOY: f64 = 2.6;
/// Half the side of a square that contains a pose at any rotation, on its grid.
const POSE_REACH: f64 = 58.0;
/// Half the side of a square that contains a toy from any view, in units of its blocks.
const TOY_REACH: f64 = 1.75;
/// Index of the view from above.
const TOP: usize = 8;

/// Draws a face in the red box and another face next to it.
pub fn emotion(asked: &ItemSpec, rng: &mut Rng) -> LevelItem {
    let (_, mut canvas) = background::any(rng);
    let size = units(asked.quantity);
    let (right, all) = of_like_length(&FEELINGS, rng);
    let footprint = NeededRoom {
        aspect: 0.85,
        size,
        margin: 8.0,
        gap: 10.0,
    };
    let place = anywhere(footprint.aspect, size, footprint.margin, rng);
    let elsewhere = free(&[place], footprint, rng);
    let other = rng.choose(&FEELINGS);
    for (place, emotion) in [(elsewhere, other), (Some(place), right)] {
        let at = FEELINGS.iter().position(|known| *known == emotion);
        if let (Some([x0, y0, x1, y1]), Some(at)) = (place, at) {
            let middle = (f64::midpoint(x0, x1), f64::midpoint(y0, y1));
            Face::new(middle, size / HEAD, rng).draw(&mut canvas, at, rng);
        }
    }
    let question =
        "Which emotion does the face in the red box show? Answer with the letter of one option.";
    let item = DrawnItem::shuffled(canvas, question, right, all)
        .with_box("face", "red", around(place, 8.0))
        .with_name("emotion", right);
    LevelItem::from(item).noisy()
}

/// Draws a figure in the red box. The box has the same shape for every pose.
pub fn action(asked: &ItemSpec, rng: &mut Rng) -> LevelItem {
    let (kind, mut canvas) = background::any(rng);
    let (right, all) = of_like_length(&ACTIONS, rng);
    let pose = ACTIONS.iter().position(|action| *action == right);
    let pose = pose.and_then(|at| POSES.get(at));
    let scale = units(asked.quantity) / POSE;
    let middle = super::super::action::figure(&mut canvas, pose.unwrap_or(&POSES[0]), scale, rng);
    let question = "What is the person in the red box doing? Answer with the letter of one option.";
    let item = DrawnItem::shuffled(canvas, question, right, all)
        .with_box(
            "person",
            "red",
            around(square(middle, POSE_REACH * scale), 6.0),
        )
        .with_name("dataset", kind);
    LevelItem::from(item).noisy()
}

/// Square around a point; `reach` is half its side.
fn square((x, y): (f64, f64), reach: f64) -> [f64; 4] {
    [x - reach, y - reach, x + reach, y + reach]
}

/// Draws a toy in the red box. The box has the same shape for every view.
pub fn orientation(asked: &ItemSpec, rng: &mut Rng) -> LevelItem {
    let mut canvas = background::draw("studio", rng);
    let (right, all) = of_like_length(&VIEWS, rng);
    let view = VIEWS.iter().position(|view| *view == right).unwrap_or(0);
    let (name, blocks) = rng.choose(&TOYS);
    let length = units(asked.quantity);
    let scale = length / TOY;
    let margin = TOY_REACH * scale + 4.0;
    let middle = (
        rng.between(margin, LENGTH - margin),
        rng.between(margin, LENGTH - margin),
    );
    let eighth = FRAC_PI_4 * f64::from(u8::try_from(view).unwrap_or(0));
    let quarter = FRAC_PI_4 * f64::from(u8::try_from(2 * rng.below(4)).unwrap_or(0));
    let (turn, tilt, high) = (
        rng.between(-0.12, 0.12),
        rng.between(0.3, 0.55),
        rng.between(1.4, 1.5),
    );
    let is_top = view == TOP;
    let viewpoint = Viewpoint {
        yaw: turn + if is_top { quarter } else { eighth },
        pitch: if is_top { high } else { tilt },
        scale,
        middle,
        edge: (scale / 55.0).min(1.0),
    };
    // The shadow does not depend on the view, so it reveals nothing.
    let radius = 1.25 * scale;
    canvas.look(Look::Shade);
    canvas.oval(middle, (radius, radius * rng.between(0.3, 0.95)), SHADOW);
    canvas.look(Look::Face);
    toy::draw(&mut canvas, &blocks(bright(rng)), &viewpoint);
    let question = format!(
        "Which way does the {name} in the red box face? Front: towards the camera. Right: towards the right edge of the \
         image. Front right: half-way between the two. Top: it is seen from above. Answer with the letter of one option."
    );
    let item = DrawnItem::shuffled(canvas, question, right, all)
        .with_box(name, "red", around(square(middle, TOY_REACH * scale), 6.0))
        .with_name("view", right)
        .with_name("object", name);
    LevelItem::from(item).noisy()
}

/// Colour of a toy's shadow.
const SHADOW: [u8; 3] = [150, 145, 140];
