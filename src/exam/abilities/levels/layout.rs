//! Places objects on a canvas; positions are in its units.

use super::finish::SCALE;
use crate::Rng;
use crate::abilities::canvas::{Canvas, LENGTH};
use crate::abilities::counting::sides;
use crate::abilities::icons::ICONS;
use crate::abilities::localization::are_apart;
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

/// Space that an object needs.
#[derive(Clone, Copy, Debug)]
pub struct NeededRoom {
    /// Width divided by height.
    pub aspect: f64,
    /// Length of the longer side.
    pub size: f64,
    /// Minimum distance from the edges of the picture.
    pub margin: f64,
    /// Minimum distance from other objects.
    pub gap: f64,
}

/// Like [`anywhere`], at a distance from the taken boxes; `None` if no position was found.
pub fn free(taken: &[[f64; 4]], wanted: NeededRoom, rng: &mut Rng) -> Option<[f64; 4]> {
    let NeededRoom {
        aspect,
        size,
        margin,
        gap,
    } = wanted;
    (0..TRIES).find_map(|_| {
        let place = anywhere(aspect, size, margin, rng);
        let is_free = taken.iter().all(|other| are_apart(*other, place, gap));
        is_free.then_some(place)
    })
}

/// Objects that distract from the object in question.
#[derive(Clone, Copy, Debug)]
pub struct Distractors<'a> {
    /// Maximum number of objects.
    pub count: usize,
    /// Mean length of the longer side.
    pub size: f64,
    /// Minimum distance from other objects.
    pub gap: f64,
    /// Name of an object that is not drawn.
    pub but: &'a str,
}

/// Draws distractors of similar size, at a distance from the taken boxes.
pub fn others(
    canvas: &mut Canvas,
    taken: &mut Vec<[f64; 4]>,
    wanted: Distractors<'_>,
    rng: &mut Rng,
) {
    for _ in 0..wanted.count {
        let Some(icon) = rng.pick(ICONS) else {
            continue;
        };
        let footprint = NeededRoom {
            aspect: icon.aspect(),
            size: wanted.size * rng.between(0.8, 1.25),
            margin: 3.0,
            gap: wanted.gap,
        };
        let place = free(taken, footprint, rng);
        let ink = bright(rng);
        if let (Some(place), true) = (place, icon.name != wanted.but) {
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
