//! Emotion: the emotion that a face shows.

use super::background;
use super::canvas::LENGTH;
use super::drawn::DrawnItem;
use super::face::Face;
use crate::Rng;

/// The seven emotions of the paper, in its order.
pub const EMOTIONS: [&str; 7] = [
    "happy", "sad", "angry", "fear", "surprise", "neutral", "disgust",
];
/// Number of emotions.
pub const CLASSES: usize = EMOTIONS.len();
/// Draws an item with a face in the red box; often with a second face next to it.
pub fn draw(class: usize, rng: &mut Rng) -> DrawnItem {
    let (_, mut canvas) = background::any(rng);
    let two = rng.chance(0.4);
    let radius = if two {
        rng.between(44.0, 54.0)
    } else {
        rng.between(52.0, 88.0)
    };
    let y = rng.between(radius * 1.25 + 6.0, 248.0 - radius * 1.25);
    let mut x = rng.between(radius + 12.0, 244.0 - radius);
    if two {
        let left = rng.chance(0.5);
        x = if left { 66.0 } else { 190.0 };
        let other = (rng.below(CLASSES), rng.between(38.0, 50.0));
        let at = (if left { 194.0 } else { 62.0 }, rng.between(80.0, 180.0));
        Face::new(at, other.1, rng).draw(&mut canvas, other.0, rng);
    }
    Face::new((x, y), radius, rng).draw(&mut canvas, class, rng);
    let mut loose = || radius * rng.between(1.06, 1.34);
    let corners = [
        x - loose(),
        y - loose() * 1.1,
        x + loose(),
        y + loose() * 1.1,
    ];
    let corners = corners.map(|at| at.clamp(0.0, LENGTH));
    let question = "Which of the following best describes the person's emotion in the red box?";
    DrawnItem::listed(canvas, question, &EMOTIONS, class)
        .with_box("face", "red", corners)
        .with_name("emotion", EMOTIONS[class])
        .with_number("faces", if two { 2.0 } else { 1.0 })
}
