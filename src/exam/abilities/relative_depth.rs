//! Relative depth: which of two objects is closer to the camera.

use super::absolute_depth::Scene;
use super::drawn::DrawnItem;
use super::localization::are_apart;
use super::spatial::wider;
use crate::Rng;

/// The two answers, in the paper's order.
const ANSWERS: [&str; 2] = ["red", "blue"];
/// Number of classes: two answers, indoors and outdoors.
pub const CLASSES: usize = 4;

/// Draws an item with one object in each box; the class defines which is closer.
pub fn draw(class: usize, rng: &mut Rng) -> DrawnItem {
    let (right, outdoors) = (class % 2, class >= 2);
    let (low, high, least): (f64, f64, f64) = if outdoors {
        (9.0, 30.0, 2.5)
    } else {
        (1.9, 6.8, 0.6)
    };
    let mut scene = if outdoors {
        Scene::outdoors(rng)
    } else {
        Scene::indoors(rng)
    };
    let (near, far, ahead, boxes) = loop {
        let (one, other) = (rng.between(low, high), rng.between(low, high));
        let (near, far) = (one.min(other), one.max(other));
        let things = [scene.kind(rng), scene.kind(rng)];
        let place = |at: usize, ahead: f64, rng: &mut Rng| {
            things.get(at).map_or([0.0; 4], |(icon, height)| {
                scene.corners(icon, *height, ahead, rng.between(0.0, 1.0))
            })
        };
        let boxes = [place(0, near, rng), place(1, far, rng)];
        if far - near >= least.max(near * 0.2) && are_apart(wider(boxes[0]), wider(boxes[1]), 2.0) {
            break (things[0].0, things[1].0, [near, far], boxes);
        }
    };
    scene.stand(far, boxes[1], rng);
    scene.stand(near, boxes[0], rng);
    let names = if right == 0 { [near, far] } else { [far, near] }.map(|icon| icon.name);
    let marked = if right == 0 {
        boxes
    } else {
        [boxes[1], boxes[0]]
    };
    let question = format!(
        "Estimate the real-world distances between the objects in this image. Which object is closer to the \
         camera, the {} (highlighted by a red box) or the {} (highlighted by a blue box)?",
        names[0], names[1]
    );
    DrawnItem::listed(scene.canvas, question, &ANSWERS, right)
        .with_box(names[0], "red", wider(marked[0]))
        .with_box(names[1], "blue", wider(marked[1]))
        .with_number("depth_difference_m", ahead[1] - ahead[0])
        .with_name("dataset", if outdoors { "outdoor" } else { "indoor" })
}
