//! Colours of things: none is near the pure red and blue of drawn boxes.

use super::canvas::{Ink, mixed};
use crate::Dice;

/// Colours that differ at a glance.
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

/// One of the bright colours, a little lighter or darker.
pub fn bright(dice: &mut Dice) -> Ink {
    let ink = dice.pick(&BRIGHT).copied().unwrap_or_default();
    let toward = if dice.chance(0.5) { [0; 3] } else { [255; 3] };
    mixed(ink, toward, dice.between(0.0, 0.2))
}

/// Two colours that are far apart in lightness.
pub fn contrasting(dice: &mut Dice) -> (Ink, Ink) {
    let (dark, light) = (bright(dice), bright(dice));
    let (dark, light) = (
        mixed(dark, [0; 3], dice.between(0.55, 0.8)),
        mixed(light, [255; 3], dice.between(0.6, 0.85)),
    );
    if dice.chance(0.5) {
        (dark, light)
    } else {
        (light, dark)
    }
}

/// A pale colour for grounds.
pub fn pale(dice: &mut Dice) -> Ink {
    mixed(bright(dice), [235, 235, 230], dice.between(0.6, 0.85))
}
