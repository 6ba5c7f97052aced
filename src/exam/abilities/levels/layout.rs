//! Places objects on a canvas; positions are in its units.

use super::finish::SCALE;
use crate::Rng;
use crate::abilities::canvas::{Canvas, LENGTH};
use crate::abilities::counting::sides;
use crate::abilities::icons::ICONS;
use crate::abilities::localization::apart;
use crate::abilities::palette::bright;

/// Maximum number of random positions tried for an object that must not touch others.
const TRIES: usize = 60;

/// A random box for an object whose longer side is `size`, at least `margin` from the edges of the
/// picture.
pub fn anywhere(aspect: f64, size: f64, margin: f64, rng: &mut Rng) -> [f64; 4] {
    let (width, height) = sides(aspect, size);
    let x = rng.between(margin, (LENGTH - margin - width).max(margin + 1e-9));
    let y = rng.between(margin, (LENGTH - margin - height).max(margin + 1e-9));
    [x, y, x + width, y + height]
}

/// As [`anywhere`], at least `gap` apart from the taken boxes; `None` if no position was found.
pub fn free(
    taken: &[[f64; 4]],
    (aspect, size): (f64, f64),
    (margin, gap): (f64, f64),
    rng: &mut Rng,
) -> Option<[f64; 4]> {
    (0..TRIES).find_map(|_| {
        let place = anywhere(aspect, size, margin, rng);
        let is_free = taken.iter().all(|other| apart(*other, place, gap));
        is_free.then_some(place)
    })
}

/// Draws up to `count` distractors of similar size, apart from the taken boxes. None has the name
/// `but`.
pub fn others(
    canvas: &mut Canvas,
    taken: &mut Vec<[f64; 4]>,
    (count, size, gap): (usize, f64, f64),
    but: &str,
    rng: &mut Rng,
) {
    for _ in 0..count {
        let Some(icon) = rng.pick(ICONS) else {
            continue;
        };
        let size = size * rng.between(0.8, 1.25);
        let place = free(taken, (icon.aspect(), size), (3.0, gap), rng);
        let ink = bright(rng);
        if let (Some(place), true) = (place, icon.name != but) {
            icon.draw(canvas, place, ink);
            taken.push(place);
        }
    }
}

/// Converts a box from units to whole pixels and widens it by `gap` pixels on each side.
pub fn around(corners: [f64; 4], gap: f64) -> [f64; 4] {
    let [x0, y0, x1, y1] = corners.map(|at| at * f64::from(SCALE));
    [x0 - gap, y0 - gap, x1 + gap, y1 + gap].map(|at| at.round().clamp(0.0, super::finish::SIDE))
}
