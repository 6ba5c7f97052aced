//! Colours of objects; none is close to the pure red and blue of drawn boxes.

use super::canvas::{Ink, mixed};
use crate::Rng;

/// Clearly different colours.
pub const BRIGHT: [Ink; 10] = [
    [200, 45, 60],
    [232, 125, 40],
    [238, 200, 60],
    [70, 150, 75],
    [35, 150, 150],
    [85, 165, 220],
    [50, 70, 140],
    [130, 75, 160],
    [230, 125, 165],
    [125, 85, 55],
];

/// A random bright colour with jittered lightness.
pub fn bright(rng: &mut Rng) -> Ink {
    let ink = rng.choose(&BRIGHT);
    let toward = if rng.chance(0.5) { [0; 3] } else { [255; 3] };
    mixed(ink, toward, rng.between(0.0, 0.2))
}

/// A dark and a light colour with a large difference in lightness.
pub fn contrasting(rng: &mut Rng) -> (Ink, Ink) {
    let (dark, light) = (bright(rng), bright(rng));
    let (dark, light) = (
        mixed(dark, [0; 3], rng.between(0.55, 0.8)),
        mixed(light, [255; 3], rng.between(0.6, 0.85)),
    );
    if rng.chance(0.5) {
        (dark, light)
    } else {
        (light, dark)
    }
}

/// A random pale colour for backgrounds.
pub fn pale(rng: &mut Rng) -> Ink {
    mixed(bright(rng), [235, 235, 230], rng.between(0.6, 0.85))
}
