//! Object recognition, localization, counting and spatial relations; harder levels have smaller,
//! more or closer objects.

use super::finish::{SCALE, SIDE, units};
use super::item_spec::{BOXES, ItemSpec, LevelItem, of_like_length};
use super::layout::{Distractors, NeededRoom, anywhere, around, free, others};
use crate::Rng;
use crate::abilities::background;
use crate::abilities::canvas::{Canvas, LENGTH};
use crate::abilities::counting::{KINDS, sides};
use crate::abilities::drawn::DrawnItem;
use crate::abilities::icon::Icon;
use crate::abilities::icons::{FIRST, ICONS};
use crate::abilities::palette::bright;
use record::Target;

/// Number of possible counts at a level, from the smallest up.
const COUNTS: usize = 8;
/// Number of distractors.
const OTHERS: usize = 5;

/// Draws an object in the red box, and distractors of similar size.
pub fn recognition(asked: &ItemSpec, rng: &mut Rng) -> LevelItem {
    let (kind, mut canvas) = background::any(rng);
    let names: Vec<&str> = ICONS.iter().map(|icon| icon.name).collect();
    let (right, all) = of_like_length(&names, rng);
    let icon = Icon::named(right).unwrap_or(FIRST);
    let size = units(asked.quantity);
    // The square is drawn first and does not depend on the object in it.
    let room = anywhere(1.0, size, 10.0, rng);
    let place = within(room, icon.aspect());
    icon.draw(&mut canvas, place, bright(rng));
    let distractors = Distractors {
        count: OTHERS,
        size,
        gap: 10.0,
        but: "",
    };
    others(&mut canvas, &mut vec![room], distractors, rng);
    let question = "What is in the red box? Answer with the letter of one option.";
    let item = DrawnItem::shuffled(canvas, question, right, all)
        .with_box("", "red", around(room, 8.0))
        .with_name("dataset", kind);
    LevelItem::from(item).noisy()
}

/// Largest box of an aspect ratio that fits a square, with the same centre.
fn within([x0, y0, x1, y1]: [f64; 4], aspect: f64) -> [f64; 4] {
    let (wide, high) = sides(aspect, (x1 - x0) / 2.0);
    let (x, y) = (f64::midpoint(x0, x1), f64::midpoint(y0, y1));
    [x - wide, y - high, x + wide, y + high]
}

/// Draws an object that the question names, and distractors of similar size.
pub fn localization(asked: &ItemSpec, rng: &mut Rng) -> LevelItem {
    let (kind, mut canvas) = background::any(rng);
    let icon = rng.pick(ICONS).unwrap_or(FIRST);
    let size = units(asked.quantity);
    let place = anywhere(icon.aspect(), size, 2.0, rng);
    // Rounded to whole pixels.
    let place = place.map(|at| units((at * f64::from(SCALE)).round()));
    icon.draw(&mut canvas, place, bright(rng));
    let mut taken = vec![place];
    let distractors = Distractors {
        count: OTHERS,
        size,
        gap: 3.0,
        but: icon.name,
    };
    others(&mut canvas, &mut taken, distractors, rng);
    let corners = around(place, 0.0);
    let question = format!(
        "Where is the {}? Answer with its bounding box [x0, y0, x1, y1] in pixels; the image is {SIDE} x {SIDE}.",
        icon.name
    );
    let [x0, y0, x1, y1] = corners;
    DrawnItem::exact(canvas, question, Target::Box(corners))
        .with_number("box_area", (x1 - x0) * (y1 - y0) / (SIDE * SIDE))
        .with_name("object", icon.name)
        .with_name("dataset", kind)
        .into()
}

/// Draws objects of one kind; their total area does not depend on their number.
pub fn counting(asked: &ItemSpec, rng: &mut Rng) -> LevelItem {
    let (name, plural) = rng.choose(&KINDS);
    let mut canvas = background::draw("studio", rng);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small whole number"
    )]
    let fewest = asked.quantity.round() as usize;
    let count = fewest + asked.place(COUNTS);
    let icon = Icon::named(name).unwrap_or(FIRST);
    let number = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    let each = (rng.between(0.1, 0.2) / number).sqrt() * LENGTH;
    let (ink, is_same) = (bright(rng), rng.chance(0.5));
    for place in places(icon.aspect(), count, each, rng) {
        let ink = if is_same { ink } else { bright(rng) };
        icon.draw(&mut canvas, place, ink);
    }
    let question = format!("How many {plural} are there in the image? Answer with a whole number.");
    DrawnItem::exact(canvas, question, Target::Number(number))
        .with_number("count", number)
        .with_name("object", name)
        .into()
}

/// Boxes of `count` objects that do not touch; smaller than `size` if they do not fit.
fn places(aspect: f64, count: usize, mut size: f64, rng: &mut Rng) -> Vec<[f64; 4]> {
    loop {
        let mut taken: Vec<[f64; 4]> = Vec::new();
        for _ in 0..count {
            let footprint = NeededRoom {
                aspect,
                size: size * rng.between(0.8, 1.2),
                margin: 3.0,
                gap: 1.5,
            };
            match free(&taken, footprint, rng) {
                Some(place) => taken.push(place),
                None => break,
            }
        }
        if taken.len() == count {
            return taken;
        }
        size *= 0.95;
    }
}

/// Directions from one box to the other: words, whether horizontal, and whether towards smaller
/// coordinates.
const DIRECTIONS: [(&str, bool, bool); 4] = [
    ("farther to the left", true, true),
    ("farther to the right", true, false),
    ("higher up", false, true),
    ("farther down", false, false),
];
/// Range of the sizes of the two objects, in pixels.
const SIZES: (f64, f64) = (40.0, 72.0);
/// Distance between an object and its box, in pixels.
const GAP: f64 = 8.0;
/// Minimum distance of a box's centre from the picture's edge, in pixels.
const EDGE: f64 = SIZES.1 / 2.0 + GAP + 2.0;

/// Draws two objects. The dial sets the distance of their centres on one axis; the other axis is
/// random.
///
/// If two objects are far apart, the position of one reveals on which side the other fits. The
/// question therefore names a random direction out of four, so that the position alone reveals
/// nothing.
pub fn spatial(asked: &ItemSpec, rng: &mut Rng) -> LevelItem {
    let (kind, mut canvas) = background::any(rng);
    let mut icons: Vec<&Icon> = ICONS.iter().collect();
    rng.shuffle(&mut icons);
    let (direction, is_across, is_smaller) = rng.choose(&DIRECTIONS);
    let is_red = asked.place(BOXES.len()) == 0;
    let offset = asked.quantity.round();
    // The position of the pair is random.
    let first = rng.between(EDGE, SIDE - EDGE - offset).round();
    let along = if is_red == is_smaller {
        [first, first + offset]
    } else {
        [first + offset, first]
    };
    let mut beside = [
        rng.between(156.0, 196.0).round(),
        rng.between(316.0, 356.0).round(),
    ];
    rng.shuffle(&mut beside);
    let mut boxes = Vec::new();
    for (icon, middle) in icons.into_iter().zip(along.into_iter().zip(beside)) {
        let (x, y) = if is_across {
            middle
        } else {
            (middle.1, middle.0)
        };
        boxes.push((icon.name, boxed(&mut canvas, icon, (x, y), rng)));
    }
    let question = format!(
        "Compare the centers of the two boxes: the center of which box lies {direction}? Answer with red or blue."
    );
    let item = DrawnItem::listed(canvas, question, &BOXES, usize::from(!is_red))
        .with_name("axis", if is_across { "horizontal" } else { "vertical" })
        .with_name("dataset", kind);
    let boxes = boxes.into_iter().zip(BOXES);
    let with_box = |item: DrawnItem, ((name, corners), color): ((&str, [f64; 4]), &str)| {
        item.with_box(name, color, corners)
    };
    boxes.fold(item, with_box).into()
}

/// Draws an icon around a point in whole pixels; returns its box with the gap.
fn boxed(canvas: &mut Canvas, icon: &Icon, (x, y): (f64, f64), rng: &mut Rng) -> [f64; 4] {
    let size = rng.between(SIZES.0, SIZES.1);
    let half = |share: f64| (size * share / 2.0).round().max(4.0);
    let (wide, high) = (
        half(icon.aspect().min(1.0)),
        half((1.0 / icon.aspect()).min(1.0)),
    );
    let corners = [x - wide, y - high, x + wide, y + high].map(units);
    icon.draw(canvas, corners, bright(rng));
    around(corners, GAP)
}
