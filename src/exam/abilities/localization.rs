//! Localization: where an object is.

use super::background;
use super::canvas::{Canvas, LENGTH};
use super::drawn::DrawnItem;
use super::icon::Icon;
use super::icons::ICONS;
use super::palette::bright;
use crate::Rng;
use record::Target;

/// Number of bins of box area, as a fraction of the image.
pub const CLASSES: usize = 5;
/// Edges of the bins (AVA-Bench, figure 8; the smallest box from its appendix A.2).
const EDGES: [f64; 6] = [0.002, 0.1, 0.2, 0.3, 0.4, 0.5];

/// Draws an item whose box area lies in a bin.
pub fn draw(class: usize, rng: &mut Rng) -> DrawnItem {
    let (kind, mut canvas) = background::any(rng);
    let edge = |at: usize| EDGES.get(at).copied().unwrap_or(0.5);
    let area = rng.between(edge(class).max(0.006), edge(class + 1) - 0.004);
    let wide: Vec<&Icon> = ICONS.iter().filter(|icon| fits(icon, area)).collect();
    let icon = rng.pick(&wide).copied();
    let corners = icon.map_or([0.0; 4], |icon| placed(icon, area, rng));
    clutter(&mut canvas, icon, corners, rng);
    if let Some(icon) = icon {
        icon.draw(&mut canvas, corners, bright(rng));
    }
    let name = icon.map_or("", |icon| icon.name);
    DrawnItem::exact(
        canvas,
        format!(
            "Provide bounding box coordinate for {name}. Answer with [x0, y0, x1, y1] in pixels \
             of the {LENGTH} x {LENGTH} image."
        ),
        Target::Box(corners),
    )
    .with_number("box_area", share(corners))
    .with_name("object", name)
    .with_name("dataset", kind)
}

/// Fraction of the image that a box covers.
pub fn share([x0, y0, x1, y1]: [f64; 4]) -> f64 {
    (x1 - x0) * (y1 - y0) / (LENGTH * LENGTH)
}

/// Width and height in pixels of an icon that covers a fraction of the image.
fn sides(icon: &Icon, area: f64) -> (f64, f64) {
    let width = (area * icon.aspect()).sqrt() * LENGTH;
    (width, width / icon.aspect())
}

fn fits(icon: &Icon, area: f64) -> bool {
    let (width, height) = sides(icon, area);
    width.max(height) < LENGTH - 8.0
}

/// A random box, in whole pixels, for an icon that covers a fraction of the image.
pub fn placed(icon: &Icon, area: f64, rng: &mut Rng) -> [f64; 4] {
    let (width, height) = sides(icon, area);
    let x = rng.between(2.0, LENGTH - 2.0 - width);
    let y = rng.between(2.0, LENGTH - 2.0 - height);
    [x, y, x + width, y + height].map(f64::round)
}

/// Returns true if two boxes are at least `gap` pixels apart.
pub fn are_apart(one: [f64; 4], other: [f64; 4], gap: f64) -> bool {
    one[0] > other[2] + gap
        || other[0] > one[2] + gap
        || one[1] > other[3] + gap
        || other[1] > one[3] + gap
}

/// Draws up to three smaller objects of other kinds around the object in question.
fn clutter(canvas: &mut Canvas, asked: Option<&Icon>, corners: [f64; 4], rng: &mut Rng) {
    let mut taken = vec![corners];
    for _ in 0..rng.below(4) {
        let Some(icon) = rng.pick(ICONS) else {
            continue;
        };
        let area = rng.between(0.006, 0.02);
        let place = placed(icon, area, rng);
        let ink = bright(rng);
        let other = asked.is_none_or(|asked| asked.name != icon.name);
        if other && taken.iter().all(|corners| are_apart(*corners, place, 4.0)) {
            icon.draw(canvas, place, ink);
            taken.push(place);
        }
    }
}
