//! Spatial relations: where one object is relative to another.

use super::background;
use super::canvas::LENGTH;
use super::drawn::DrawnItem;
use super::icon::Icon;
use super::icons::ICONS;
use super::localization::share;
use super::palette::bright;
use crate::Rng;

/// The relations, in the paper's order.
const RELATIONS: [&str; 4] = ["Left above", "Left below", "Right above", "Right below"];
/// Number of relations.
pub const CLASSES: usize = RELATIONS.len();

/// Draws an item whose red box is in the class's relation to the blue box.
pub fn draw(class: usize, rng: &mut Rng) -> DrawnItem {
    let (kind, mut canvas) = background::any(rng);
    let mut icons: Vec<&Icon> = ICONS.iter().collect();
    rng.shuffle(&mut icons);
    let (right, below) = (class >= 2, class % 2 == 1);
    // Column and row that separate the two objects.
    let split = [rng.between(90.0, 166.0), rng.between(90.0, 166.0)];
    let mut corner = |right: bool, below: bool, icon: &Icon| {
        let span = |far: bool, split: f64| {
            if far {
                (split + 5.0, LENGTH - 4.0)
            } else {
                (4.0, split - 5.0)
            }
        };
        let (x, y) = (span(right, split[0]), span(below, split[1]));
        let size = rng.between(48.0, 84.0).min(x.1 - x.0).min(y.1 - y.0);
        let (width, height) = (
            size * icon.aspect().min(1.0),
            size * (1.0 / icon.aspect()).min(1.0),
        );
        let left = rng.between(x.0, x.1 - width);
        let top = rng.between(y.0, y.1 - height);
        [left, top, left + width, top + height].map(f64::round)
    };
    let [first, second, ..] = icons.as_slice() else {
        return DrawnItem::listed(canvas, "", &RELATIONS, class);
    };
    let (target, reference) = (corner(right, below, first), corner(!right, !below, second));
    for (icon, corners) in [(first, target), (second, reference)] {
        icon.draw(&mut canvas, corners, bright(rng));
    }
    let question = format!(
        "Considering the relative positions of two objects in the image, where is the {} (annotated by \
         the red box) located with respect to the {} (annotated by the blue box)?",
        first.name, second.name
    );
    DrawnItem::listed(canvas, question, &RELATIONS, class)
        .with_box(first.name, "red", wider(target))
        .with_box(second.name, "blue", wider(reference))
        .with_number("box_area", share(target))
        .with_name("object", first.name)
        .with_name("dataset", kind)
}

/// Widens a box by the width of its line.
pub fn wider([x0, y0, x1, y1]: [f64; 4]) -> [f64; 4] {
    [x0 - 3.0, y0 - 3.0, x1 + 3.0, y1 + 3.0].map(|at| at.clamp(0.0, LENGTH))
}
