//! What a face feels.

use super::backdrop;
use super::canvas::LENGTH;
use super::drawn::{Answer, Drawn};
use super::face::Face;
use crate::Dice;

/// The paper's seven, in its order.
const EMOTIONS: [&str; 7] = [
    "happy", "sad", "angry", "fear", "surprise", "neutral", "disgust",
];
/// Their number.
pub const CLASSES: usize = EMOTIONS.len();
/// An item whose red box holds a face with an emotion; another face may stand beside it.
pub fn draw(class: usize, dice: &mut Dice) -> Drawn {
    let (_, mut canvas) = backdrop::any(dice);
    let two = dice.chance(0.4);
    let radius = if two {
        dice.between(44.0, 54.0)
    } else {
        dice.between(52.0, 88.0)
    };
    let y = dice.between(radius * 1.25 + 6.0, 248.0 - radius * 1.25);
    let mut x = dice.between(radius + 12.0, 244.0 - radius);
    if two {
        let left = dice.chance(0.5);
        x = if left { 66.0 } else { 190.0 };
        let other = (dice.below(CLASSES), dice.between(38.0, 50.0));
        let at = (if left { 194.0 } else { 62.0 }, dice.between(80.0, 180.0));
        Face::new(at, other.1, dice).draw(&mut canvas, other.0, dice);
    }
    Face::new((x, y), radius, dice).draw(&mut canvas, class, dice);
    let mut loose = || radius * dice.between(1.06, 1.34);
    let corners = [
        x - loose(),
        y - loose() * 1.1,
        x + loose(),
        y + loose() * 1.1,
    ];
    let corners = corners.map(|at| at.clamp(0.0, LENGTH));
    let answer = Answer::Listed {
        all: &EMOTIONS,
        right: class,
    };
    let question = "Which of the following best describes the person's emotion in the red box?";
    Drawn::new(canvas, question.to_owned(), answer)
        .with_box("face", "red", corners)
        .with_name("emotion", EMOTIONS.get(class).copied().unwrap_or_default())
        .with_number("faces", if two { 2.0 } else { 1.0 })
}
