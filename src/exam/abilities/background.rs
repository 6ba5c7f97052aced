//! Plain backgrounds for objects.

use super::canvas::{Backdrop, Canvas, Ink, LENGTH, Look, mixed};
use super::palette::pale;
use crate::Rng;

/// Values of the tag for the kind of background.
pub const KINDS: [&str; 3] = ["outdoors", "indoors", "studio"];

/// Draws a background of the given kind.
pub fn draw(kind: &str, rng: &mut Rng) -> Canvas {
    match kind {
        "outdoors" => outdoors(rng),
        "indoors" => indoors(rng),
        _ => studio(rng),
    }
}

/// Draws a background of a random kind.
pub fn any(rng: &mut Rng) -> (&'static str, Canvas) {
    let kind = rng.choose(&KINDS);
    (kind, draw(kind, rng))
}

fn outdoors(rng: &mut Rng) -> Canvas {
    let mut canvas = Canvas::new([200, 225, 240]);
    let horizon = rng.between(90.0, 170.0);
    canvas.bands((0.0, horizon), ([165, 205, 235], [225, 238, 245]), 12);
    canvas.look(Look::Upright);
    for _ in 0..3 {
        let (x, y) = (rng.between(0.0, LENGTH), rng.between(10.0, horizon * 0.6));
        for part in [-14.0, 0.0, 13.0] {
            canvas.oval((x + part, y), (16.0, 8.0), [240, 246, 250]);
        }
    }
    let hill = rng.between(20.0, 60.0);
    canvas.oval(
        (rng.between(0.0, LENGTH), horizon + 10.0),
        (150.0, hill),
        [150, 185, 150],
    );
    canvas.look(Look::Flat);
    let grass = [[150, 190, 120], [190, 195, 140], [165, 185, 130]];
    let near: Ink = rng.choose(&grass);
    canvas.bands((horizon, LENGTH), (mixed(near, [255; 3], 0.25), near), 8);
    for _ in 0..24 {
        let (x, y) = (rng.between(0.0, LENGTH), rng.between(horizon + 8.0, LENGTH));
        canvas.line(
            &[(x, y), (x + 2.0, y - 5.0)],
            1.2,
            mixed(near, [0; 3], 0.18),
        );
    }
    canvas.backdrop(Backdrop::Land(horizon));
    canvas.look(Look::Solid);
    canvas
}

fn indoors(rng: &mut Rng) -> Canvas {
    let wall = pale(rng);
    let mut canvas = Canvas::new(wall);
    let stripe = mixed(wall, [255; 3], 0.3);
    let step = rng.between(18.0, 40.0);
    let mut x = rng.between(0.0, step);
    while x < LENGTH {
        canvas.rect([x, 0.0, x + step / 2.0, LENGTH], stripe);
        x += step;
    }
    let skirting = rng.between(150.0, 200.0);
    let floor = mixed([160, 125, 90], [220, 205, 185], rng.between(0.0, 1.0));
    canvas.rect([0.0, skirting, LENGTH, LENGTH], floor);
    canvas.rect(
        [0.0, skirting - 5.0, LENGTH, skirting],
        mixed(wall, [0; 3], 0.2),
    );
    for plank in 1..5 {
        let y = skirting + f64::from(plank * plank) * 6.0;
        canvas.rect([0.0, y, LENGTH, y + 1.5], mixed(floor, [0; 3], 0.15));
    }
    canvas.backdrop(Backdrop::Boards(skirting));
    canvas.look(Look::Solid);
    canvas
}

fn studio(rng: &mut Rng) -> Canvas {
    let ink = pale(rng);
    let mut canvas = Canvas::new(ink);
    canvas.bands(
        (0.0, LENGTH),
        (mixed(ink, [255; 3], 0.3), mixed(ink, [0; 3], 0.12)),
        16,
    );
    canvas.backdrop(Backdrop::Paper);
    canvas.look(Look::Solid);
    canvas
}
