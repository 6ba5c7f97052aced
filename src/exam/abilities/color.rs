//! Colour: which colour an object has.

use ::palette::{FromColor as _, Hsl, Srgb};

use super::background;
use super::canvas::{Ink, byte, mixed};
use super::drawn::DrawnItem;
use super::localization::are_apart;
use super::palette::bright;
use crate::Rng;
use record::Target;

/// Number of colours: twelve hues 30 degrees apart, and four grays.
pub const CLASSES: usize = 16;
/// Names of the hues.
const HUES: [&str; 12] = [
    "red", "orange", "yellow", "lime", "green", "spring", "cyan", "azure", "blue", "violet",
    "magenta", "rose",
];

/// Draws an item whose red box is filled with a colour of the class.
pub fn draw(class: usize, rng: &mut Rng) -> DrawnItem {
    let (kind, mut canvas) = background::any(rng);
    let (name, ink) = ink(class, rng);
    let sides = (rng.between(50.0, 110.0), rng.between(50.0, 110.0));
    let (x, y) = (
        rng.between(12.0, 244.0 - sides.0),
        rng.between(12.0, 244.0 - sides.1),
    );
    let thing = [x, y, x + sides.0, y + sides.1];
    for _ in 0..6 {
        let (x, y, size) = (
            rng.between(0.0, 210.0),
            rng.between(0.0, 210.0),
            rng.between(24.0, 60.0),
        );
        let other = [x, y, x + size, y + size];
        let ink = bright(rng);
        if are_apart(thing, other, 6.0) {
            if rng.chance(0.5) {
                canvas.rect(other, ink);
            } else {
                canvas.disc((x + size / 2.0, y + size / 2.0), size / 2.0, ink);
            }
        }
    }
    canvas.rect(thing, ink);
    // Shadows and highlights cover less area than the colour itself.
    for _ in 0..rng.below(9) {
        let at = (rng.between(x, x + sides.0), rng.between(y, y + sides.1));
        let toward = if rng.chance(0.5) { [0; 3] } else { [255; 3] };
        let spot = mixed(ink, toward, rng.between(0.25, 0.6));
        canvas.oval(
            at,
            (
                sides.0 * rng.between(0.03, 0.1),
                sides.1 * rng.between(0.03, 0.1),
            ),
            spot,
        );
    }
    let inset = |from: f64, to: f64| (from + (to - from) * 0.14, to - (to - from) * 0.14);
    let ((x0, x1), (y0, y1)) = (inset(thing[0], thing[2]), inset(thing[1], thing[3]));
    DrawnItem::exact(
        canvas,
        "What color is shown within the red bounding box? Answer with [r, g, b], 0 to 255 each.",
        Target::Color(ink.map(f64::from)),
    )
    .with_box("", "red", [x0, y0, x1, y1])
    .with_name("hue", name)
    .with_name("dataset", kind)
}

/// A random colour of a class with its name, clearly different from the red of the box.
fn ink(class: usize, rng: &mut Rng) -> (&'static str, Ink) {
    let Some(name) = HUES.get(class) else {
        let step = f64::from(u8::try_from(class.saturating_sub(HUES.len())).unwrap_or(0));
        let gray = byte(30.0 + step * 60.0 + rng.between(0.0, 40.0));
        return ("gray", [gray; 3]);
    };
    let hue = 30.0 * f64::from(u8::try_from(class).unwrap_or(0)) + rng.between(-14.0, 14.0);
    let (saturation, lightness) = (rng.between(0.3, 0.75), rng.between(0.28, 0.72));
    let rgb = Srgb::from_color(Hsl::new(hue, saturation, lightness));
    let ink = [rgb.red, rgb.green, rgb.blue].map(|share| byte(share * 255.0));
    (name, ink)
}
