//! Depth on flat ground. Only the position of an object's foot reveals it: sizes, and the heights
//! of floating objects, are random.

use super::finish::units;
use super::item_spec::{BOXES, ItemSpec, LevelItem};
use super::layout::around;
use crate::Rng;
use crate::abilities::canvas::{Backdrop, Canvas, Ink, LENGTH, Look, mixed};
use crate::abilities::drawn::DrawnItem;
use crate::abilities::icon::Icon;
use crate::abilities::icons::FIRST;
use crate::abilities::palette::bright;
use record::Target;

/// Objects with a flat foot.
const STANDING: [&str; 6] = ["car", "house", "chair", "lamp", "mug", "bus"];
/// Range of the ratio between the feet's distances below the horizon.
const RATIOS: (f64, f64) = (1.2, 5.0);
/// Range of the flag's distance, in metres.
const FLAGS: (f64, f64) = (2.0, 12.0);
/// Peg colours of the balloons in the red and the blue box.
const PEGS: [Ink; 2] = [[150, 30, 40], [35, 45, 150]];
/// Radius of a peg in units.
const PEG: f64 = 3.0;
/// Colour of strings and posts.
const DARK: Ink = [60, 55, 50];

/// Draws sky and flat ground that meet at a row.
fn ground(horizon: f64, rng: &mut Rng) -> Canvas {
    let mut canvas = Canvas::new([200, 220, 235]);
    let sky = mixed([150, 195, 230], [235, 205, 170], rng.between(0.0, 0.6));
    canvas.bands((0.0, horizon), (sky, mixed(sky, [255; 3], 0.6)), 14);
    let near = mixed([110, 150, 80], [185, 165, 120], rng.between(0.0, 1.0));
    canvas.rect([0.0, horizon, LENGTH, LENGTH], near);
    canvas.bands((horizon, LENGTH), (mixed(near, [255; 3], 0.25), near), 10);
    canvas.backdrop(Backdrop::Land(horizon));
    canvas.look(Look::Upright);
    canvas
}

/// Draws a flag at a given distance and an object at an unknown one. On flat ground, distance is
/// inversely proportional to how far the foot is below the horizon. The dial sets this for the
/// farther foot, in pixels.
pub fn absolute(asked: &ItemSpec, rng: &mut Rng) -> LevelItem {
    let horizon = rng.between(44.0, 64.0);
    let mut canvas = ground(horizon, rng);
    let ratio = rng.between(RATIOS.0.ln(), RATIOS.1.ln()).exp();
    let far = units(asked.quantity);
    let known = rng.between(FLAGS.0.ln(), FLAGS.1.ln()).exp();
    let known = (known * 10.0).round() / 10.0;
    let is_flag_near = asked.place(2) == 0;
    let (flag, thing) = if is_flag_near {
        (far * ratio, far)
    } else {
        (far, far * ratio)
    };
    let distance = (known * flag / thing * 100.0).round() / 100.0;
    let name = rng.choose(&STANDING);
    let icon = Icon::named(name).unwrap_or(FIRST);
    let (left, right) = (rng.between(40.0, 100.0), rng.between(156.0, 216.0));
    let (flag_x, thing_x) = if rng.chance(0.5) {
        (left, right)
    } else {
        (right, left)
    };
    let height = rng.between(16.0, 44.0);
    let (width, foot) = (height * icon.aspect(), horizon + thing);
    let corners = [
        thing_x - width / 2.0,
        foot - height,
        thing_x + width / 2.0,
        foot,
    ];
    let pole = rng.between(16.0, 44.0);
    let thing_ink = bright(rng);
    let draw_flag = |canvas: &mut Canvas| flag_at(canvas, (flag_x, horizon + flag), pole);
    let draw_thing = |canvas: &mut Canvas| icon.draw(canvas, corners, thing_ink);
    canvas.foot((flag_x, horizon + flag), 4.0);
    canvas.foot((thing_x, foot), 0.6 * width);
    // The nearer object is drawn last.
    if is_flag_near {
        draw_thing(&mut canvas);
        draw_flag(&mut canvas);
    } else {
        draw_flag(&mut canvas);
        draw_thing(&mut canvas);
    }
    let question = format!(
        "The ground is flat up to the horizon. The foot of the yellow flag is {known:.1} meters away from the camera. How \
         far away is the foot of the {name} in the red box, in meters? The {name} and the flag may have any size. \
         Answer with a number."
    );
    DrawnItem::exact(canvas, question, Target::Number(distance))
        .with_box(name, "red", around(corners, 6.0))
        .with_number("depth_m", distance)
        .with_name("object", name)
        .into()
}

/// Draws a yellow flag on a post.
fn flag_at(canvas: &mut Canvas, (x, foot): (f64, f64), height: f64) {
    let top = foot - height;
    canvas.rect([x - 0.7, top, x + 0.7, foot], DARK);
    let cloth = [
        (x, top),
        (x + 0.45 * height, top + 0.15 * height),
        (x, top + 0.3 * height),
    ];
    canvas.polygon(&cloth, [245, 210, 40]);
}

/// Draws two balloons on strings. Their sizes and heights have the same distribution; the dial sets
/// the difference in rows between their pegs.
pub fn relative(asked: &ItemSpec, rng: &mut Rng) -> LevelItem {
    let horizon = rng.between(108.0, 124.0);
    let mut canvas = ground(horizon, rng);
    let gap = units(asked.quantity);
    let row = rng.between(horizon + 22.0 + gap / 2.0, 248.0 - gap / 2.0);
    let (near, far) = (row + gap / 2.0, row - gap / 2.0);
    let is_red_near = asked.place(2) == 0;
    let feet = if is_red_near {
        [near, far]
    } else {
        [far, near]
    };
    let (left, right) = (rng.between(36.0, 96.0), rng.between(160.0, 220.0));
    let columns = if rng.chance(0.5) {
        [left, right]
    } else {
        [right, left]
    };
    let mut boxes = Vec::new();
    let mut balloons: Vec<(f64, f64, f64, f64, Ink)> = Vec::new();
    for (x, foot) in columns.into_iter().zip(feet) {
        let radius = rng.between(9.0, 22.0);
        let y = rng.between(radius + 8.0, horizon - radius - 6.0);
        balloons.push((x, y, radius, foot, bright(rng)));
        boxes.push([x - radius, y - 1.15 * radius, x + radius, y + 1.15 * radius]);
    }
    for ((x, y, radius, foot, ink), peg) in balloons.into_iter().zip(PEGS) {
        canvas.foot((x, foot), 2.0 * PEG);
        canvas.line(&[(x, y + radius), (x, foot)], 0.8, DARK);
        canvas.disc((x, foot), PEG, peg);
        canvas.oval((x, y), (radius, 1.15 * radius), ink);
        canvas.oval(
            (x - 0.35 * radius, y - 0.45 * radius),
            (0.2 * radius, 0.28 * radius),
            mixed(ink, [255; 3], 0.5),
        );
    }
    let question = "Two balloons are tied by vertical strings to pegs in flat ground: the one in the red box to a dark red \
                    peg, the one in the blue box to a dark blue peg. Which peg is closer to the camera? Sizes of \
                    balloons and lengths of strings differ at random. Answer with red or blue.";
    let mut item = DrawnItem::listed(canvas, question, &BOXES, usize::from(!is_red_near));
    for (corners, color) in boxes.into_iter().zip(BOXES) {
        item = item.with_box("balloon", color, around(corners, 6.0));
    }
    item.into()
}
