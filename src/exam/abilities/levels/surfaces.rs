//! Scene, texture and colour: harder levels have more blur, less contrast and smaller patches.

use super::finish::{Finish, units};
use super::item_spec::{ItemSpec, LevelItem, of_like_length};
use super::layout::{Distractors, anywhere, around, others};
use super::names::{PLACES, SITES, SURFACES};
use crate::Rng;
use crate::abilities::background;
use crate::abilities::canvas::{Backdrop, Canvas, CloseUp, Ink, LENGTH, Look, mixed};
use crate::abilities::drawn::DrawnItem;
use crate::abilities::palette::{bright, contrasting};
use crate::abilities::scene::{AERIAL, SceneKind, VIEWS};
use crate::abilities::texture::{Grain, TEXTURES};
use record::Target;

/// Standard deviation of the noise on scenes, in levels of 255.
const NOISE: f64 = 18.0;
/// Range of the noise on textures. It varies, and the contrast with it, so that the file's size
/// does not reveal the texture.
const NOISES: (f64, f64) = (11.0, 22.0);

/// Draws a scene in two colours, blurred and noisy.
pub fn scene(asked: &ItemSpec, rng: &mut Rng) -> LevelItem {
    let (places, names, dataset): (&[SceneKind], &[&str], &str) = if rng.chance(0.5) {
        (&VIEWS, &PLACES, "ground")
    } else {
        (&AERIAL, &SITES, "aerial")
    };
    let (right, all) = of_like_length(names, rng);
    let place = names.iter().position(|name| *name == right);
    let place = place.and_then(|at| places.get(at));
    let (_, place) = place.copied().unwrap_or(VIEWS[0]);
    let mut canvas = place(rng);
    canvas.closer(CloseUp::somewhere(1.4, rng));
    canvas.smooth();
    let (dark, light) = (
        mixed(bright(rng), [0; 3], 0.75),
        mixed(bright(rng), [255; 3], 0.75),
    );
    let question = "Which kind of place does the image show? Answer with the letter of one option.";
    let item = DrawnItem::shuffled(canvas, question, right, all);
    LevelItem {
        item: item.with_name("dataset", dataset),
        finish: Finish {
            tint: Some((dark, light)),
            blur: asked.quantity,
            noise: NOISE,
        },
    }
}

/// Draws a noisy texture whose contrast the dial sets.
pub fn texture(asked: &ItemSpec, rng: &mut Rng) -> LevelItem {
    let (right, all) = of_like_length(&SURFACES, rng);
    let known = SURFACES.iter().position(|name| *name == right);
    let known = known.and_then(|at| TEXTURES.get(at));
    let (_, pattern) = *known.unwrap_or(&TEXTURES[0]);
    let (one, other) = contrasting(rng);
    let scale = LENGTH / rng.between(6.5, 11.0);
    let (sine, cosine) = rng.between(-0.4, 0.4).sin_cos();
    let grain = Grain::new(rng);
    let noise = rng.between(NOISES.0, NOISES.1);
    let contrast = asked.quantity / 100.0 * noise / NOISE;
    let mut canvas = Canvas::new(one);
    canvas.paint(move |x, y| {
        let (dx, dy) = (x - LENGTH / 2.0, y - LENGTH / 2.0);
        let (u, v) = (
            (dx * cosine - dy * sine) / scale,
            (dx * sine + dy * cosine) / scale,
        );
        let share = 0.5 + contrast * (pattern(u, v, &grain) - 0.5);
        mixed(one, other, share)
    });
    canvas.backdrop(Backdrop::Even);
    let question =
        "Which texture does the surface in the image have? Answer with the letter of one option.";
    let item = DrawnItem::shuffled(canvas, question, right, all);
    LevelItem {
        item: item.with_number("scale", scale).with_number("noise", noise),
        finish: Finish {
            noise,
            ..Finish::default()
        },
    }
}

/// Draws a square of a random colour in the red box, and distractors elsewhere.
pub fn color(asked: &ItemSpec, rng: &mut Rng) -> LevelItem {
    let (kind, mut canvas) = background::any(rng);
    let size = units(asked.quantity);
    let place = anywhere(1.0, size, 16.0, rng);
    let ink = any_color(rng);
    let mut taken = vec![around_in_units(place)];
    let distractors = Distractors {
        count: 6,
        size: 30.0,
        gap: 6.0,
        but: "",
    };
    others(&mut canvas, &mut taken, distractors, rng);
    // No shading, because the question asks for the square's colour.
    canvas.look(Look::Sheet);
    canvas.rect(place, ink);
    let question = "What is the color of the square in the middle of the red box? Answer with [r, g, b], 0 to 255 each.";
    DrawnItem::exact(canvas, question, Target::Color(ink.map(f64::from)))
        .with_box("", "red", around(place, 12.0))
        .with_name("dataset", kind)
        .into()
}

/// Red box around a patch, in units.
fn around_in_units([x0, y0, x1, y1]: [f64; 4]) -> [f64; 4] {
    [x0 - 8.0, y0 - 8.0, x1 + 8.0, y1 + 8.0]
}

/// A random colour with channels from 20 to 235, unlike the pure colours of the boxes.
fn any_color(rng: &mut Rng) -> Ink {
    let mut channel = || u8::try_from(20 + rng.below(216)).unwrap_or(u8::MAX);
    [channel(), channel(), channel()]
}
