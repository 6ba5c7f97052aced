//! Where a thing is.

use super::backdrop;
use super::canvas::{Canvas, LENGTH};
use super::drawn::{Answer, Drawn};
use super::icon::Icon;
use super::icons::ICONS;
use super::palette::bright;
use crate::Dice;
use record::Target;

/// Bins of the box's share of the image.
pub const CLASSES: usize = 5;
/// Their edges (AVA-Bench, figure 8; the smallest box of its appendix A.2).
const EDGES: [f64; 6] = [0.002, 0.1, 0.2, 0.3, 0.4, 0.5];

/// An item whose box is of a bin.
pub fn draw(class: usize, dice: &mut Dice) -> Drawn {
    let (kind, mut canvas) = backdrop::any(dice);
    let edge = |at: usize| EDGES.get(at).copied().unwrap_or(0.5);
    let area = dice.between(edge(class).max(0.006), edge(class + 1) - 0.004);
    let wide: Vec<&Icon> = ICONS.iter().filter(|icon| fits(icon, area)).collect();
    let icon = dice.pick(&wide).copied();
    let corners = icon.map_or([0.0; 4], |icon| placed(icon, area, dice));
    clutter(&mut canvas, icon, corners, dice);
    if let Some(icon) = icon {
        icon.draw(&mut canvas, corners, bright(dice));
    }
    let name = icon.map_or("", |icon| icon.name);
    Drawn::new(
        canvas,
        format!(
            "Provide bounding box coordinate for {name}. Answer with [x0, y0, x1, y1] in pixels \
             of the {LENGTH} x {LENGTH} image."
        ),
        Answer::Exact(Target::Box(corners)),
    )
    .with_number("box_area", share(corners))
    .with_name("object", name)
    .with_name("dataset", kind)
}

/// The share of the image that a box covers.
pub fn share([x0, y0, x1, y1]: [f64; 4]) -> f64 {
    (x1 - x0) * (y1 - y0) / (LENGTH * LENGTH)
}

/// Sides in pixels of a thing that covers a share of the image.
fn sides(icon: &Icon, area: f64) -> (f64, f64) {
    let width = (area * icon.aspect()).sqrt() * LENGTH;
    (width, width / icon.aspect())
}

fn fits(icon: &Icon, area: f64) -> bool {
    let (width, height) = sides(icon, area);
    width.max(height) < LENGTH - 8.0
}

/// A box in whole pixels that a thing of a share of the image fills.
pub fn placed(icon: &Icon, area: f64, dice: &mut Dice) -> [f64; 4] {
    let (width, height) = sides(icon, area);
    let x = dice.between(2.0, LENGTH - 2.0 - width);
    let y = dice.between(2.0, LENGTH - 2.0 - height);
    [x, y, x + width, y + height].map(f64::round)
}

/// Whether two boxes keep `gap` pixels between them.
pub fn apart(one: [f64; 4], other: [f64; 4], gap: f64) -> bool {
    one[0] > other[2] + gap
        || other[0] > one[2] + gap
        || one[1] > other[3] + gap
        || other[1] > one[3] + gap
}

/// Up to three smaller things of other kinds beside the one that is asked about.
fn clutter(canvas: &mut Canvas, asked: Option<&Icon>, corners: [f64; 4], dice: &mut Dice) {
    let mut taken = vec![corners];
    for _ in 0..dice.below(4) {
        let Some(icon) = dice.pick(ICONS) else {
            continue;
        };
        let area = dice.between(0.006, 0.02);
        let place = placed(icon, area, dice);
        let ink = bright(dice);
        let other = asked.is_none_or(|asked| asked.name != icon.name);
        if other && taken.iter().all(|corners| apart(*corners, place, 4.0)) {
            icon.draw(canvas, place, ink);
            taken.push(place);
        }
    }
}
