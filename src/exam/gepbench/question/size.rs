//! How wide, how high, how large in area, in a figure of side 1.

use super::{Question, Want, tag, the};
use crate::Dice;
use crate::gepbench::{Figure, Kind, Shape};

/// What is measured, the four sizes that are offered, and digits behind the point.
///
/// The same sizes are offered whichever is right. Were they made around the right one, numbers alone would tell
/// it: shapes of middling size are the most common.
const DIMENSIONS: [(&str, [f64; 4], usize); 3] = [
    ("horizontal span", [0.10, 0.16, 0.25, 0.37], 2),
    ("vertical span", [0.10, 0.16, 0.25, 0.37], 2),
    ("area", [0.020, 0.038, 0.070, 0.118], 3),
];
/// Factors by which all four are multiplied, so that not every question has the same numbers.
const FACTORS: [f64; 3] = [0.9, 1.0, 1.1];
/// By which factor the true size may differ from the right option as printed; from others it differs by 1.25 at
/// least.
const NEAR: f64 = 1.12;

/// The question on the wanted dimension, the right answer at the wanted place among the options' sizes.
pub fn ask(figure: &Figure, want: &Want, dice: &mut Dice) -> Option<Question> {
    want.tries(DIMENSIONS.len(), 0).find_map(|dimension| {
        want.tries(4, 1)
            .find_map(|rank| question(figure, dimension, rank, dice))
    })
}

fn question(figure: &Figure, dimension: usize, rank: usize, dice: &mut Dice) -> Option<Question> {
    let (name, sizes, digits) = *DIMENSIONS.get(dimension)?;
    let factor = dice.pick(&FACTORS).copied()?;
    let texts = sizes.map(|size| format!("{:.digits$}", size * factor));
    let right: f64 = texts.get(rank)?.parse().ok()?;
    let fits = |(_, shape): &(usize, &Shape)| {
        let ratio = measure(shape, dimension)? / right;
        (1.0 / NEAR..=NEAR).contains(&ratio).then_some(shape.kind)
    };
    let candidates: Vec<Kind> = figure.singles().iter().filter_map(fits).collect();
    let kind = *dice.pick(&candidates)?;
    let mut texts = texts.to_vec();
    let right = texts.remove(rank);
    let mut tags = tag("form", name);
    tags.insert("kind".to_owned(), kind.name().into());
    Some(Question {
        stem: format!(
            "The figure is 1 wide and 1 high. Which number is closest to the {name} of the {}?",
            the(kind, figure)
        ),
        right,
        wrong: texts,
        tags,
        ..Question::default()
    })
}

fn measure(shape: &Shape, dimension: usize) -> Option<f64> {
    match dimension {
        0 => Some(shape.bounds().width()),
        1 => Some(shape.bounds().height()),
        _ => shape.area(),
    }
}
