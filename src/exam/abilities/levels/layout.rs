//! Where things stand on a canvas, in its units.

use super::finish::SCALE;
use crate::Rng;
use crate::abilities::canvas::{Canvas, LENGTH};
use crate::abilities::counting::sides;
use crate::abilities::icons::ICONS;
use crate::abilities::localization::apart;
use crate::abilities::palette::bright;

/// Places tried for a thing that must not touch others.
const TRIES: usize = 60;

/// A box for a thing whose longer side is `size`, anywhere at least `margin` from the edge of the picture.
pub fn anywhere(aspect: f64, size: f64, margin: f64, rng: &mut Rng) -> [f64; 4] {
    let (width, height) = sides(aspect, size);
    let x = rng.between(margin, (LENGTH - margin - width).max(margin + 1e-9));
    let y = rng.between(margin, (LENGTH - margin - height).max(margin + 1e-9));
    [x, y, x + width, y + height]
}

/// The same, apart from what is there already; `None` where there is no room.
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

/// Draws up to `count` things of about a size that are not called `but`, apart from what is there already.
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

/// A box in whole pixels, from one in units, wider by `gap` pixels on each side.
pub fn around(corners: [f64; 4], gap: f64) -> [f64; 4] {
    let [x0, y0, x1, y1] = corners.map(|at| at * f64::from(SCALE));
    [x0 - gap, y0 - gap, x1 + gap, y1 + gap].map(|at| at.round().clamp(0.0, super::finish::SIDE))
}
