//! Size: width, height or area of a shape, in a figure of side 1.

use super::{FigureQuestion, QuestionSpec, tag, the};
use crate::Rng;
use crate::gepbench::{Figure, Shape, ShapeKind};

/// Name of the dimension, the four sizes offered, and the decimals printed.
///
/// The same sizes are offered for every right answer. Sizes chosen around the right answer would
/// reveal it, because shapes of medium size are the most common.
const DIMENSIONS: [(&str, [f64; 4], usize); 3] = [
    ("horizontal span", [0.10, 0.16, 0.25, 0.37], 2),
    ("vertical span", [0.10, 0.16, 0.25, 0.37], 2),
    ("area", [0.020, 0.038, 0.070, 0.118], 3),
];
/// Factors applied to all four sizes, so that not every question has the same numbers.
const FACTORS: [f64; 3] = [0.9, 1.0, 1.1];
/// Maximum ratio of the true size to the printed right option; the other options differ by a factor
/// of at least 1.25.
const NEAR: f64 = 1.12;

/// Asks about the wanted dimension, with the right answer at the wanted index.
pub fn ask(figure: &Figure, want: &QuestionSpec, rng: &mut Rng) -> Option<FigureQuestion> {
    want.tries(DIMENSIONS.len(), 0).find_map(|dimension| {
        want.tries(4, 1)
            .find_map(|rank| question(figure, dimension, rank, rng))
    })
}

fn question(
    figure: &Figure,
    dimension: usize,
    rank: usize,
    rng: &mut Rng,
) -> Option<FigureQuestion> {
    let (name, sizes, digits) = *DIMENSIONS.get(dimension)?;
    let factor = rng.pick(&FACTORS).copied()?;
    let texts = sizes.map(|size| format!("{:.digits$}", size * factor));
    let right: f64 = texts.get(rank)?.parse().ok()?;
    let fits = |(_, shape): &(usize, &Shape)| {
        let ratio = measure(shape, dimension)? / right;
        (1.0 / NEAR..=NEAR).contains(&ratio).then_some(shape.kind)
    };
    let candidates: Vec<ShapeKind> = figure.singles().iter().filter_map(fits).collect();
    let kind = *rng.pick(&candidates)?;
    let mut texts = texts.to_vec();
    let right = texts.remove(rank);
    let mut tags = tag("form", name);
    tags.insert("kind".to_owned(), kind.name().into());
    Some(FigureQuestion {
        stem: format!(
            "The figure is 1 wide and 1 high. Which number is closest to the {name} of the {}?",
            the(kind, figure)
        ),
        right,
        wrong: texts,
        tags,
        ..FigureQuestion::default()
    })
}

fn measure(shape: &Shape, dimension: usize) -> Option<f64> {
    match dimension {
        0 => Some(shape.bounds().width()),
        1 => Some(shape.bounds().height()),
        _ => shape.area(),
    }
}
