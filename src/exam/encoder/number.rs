//! A head for numbers: from the whole picture, as a sum over salient objects, or relative to a
//! number in the question.

use image::RgbaImage;
use nalgebra::DMatrix;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::head::Training;
use super::ridge::Ridge;
use super::sight::Sight;
use super::things::things;
use super::view::View;
use super::{Encoder, Example};
use record::{Content, Target};

/// One in this many examples is held out to choose the features.
const HELD_OUT: usize = 4;

/// Input and output of the regression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum NumberMethod {
    /// From the whole picture; predicts the logarithm.
    Views,
    /// From the sum of all objects' features; predicts the number.
    Sum,
    /// From the columns around the marks; predicts the logarithm of the ratio to the number in the
    /// question.
    Columns,
}

/// Trained head that predicts numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Number {
    by: NumberMethod,
    ridge: Ridge,
    /// Smallest and largest training target; predictions are clipped to it.
    range: (f64, f64),
    /// True if all training targets are whole numbers.
    is_whole: bool,
}

impl NumberMethod {
    fn features(self, encoder: Encoder, picture: &RgbaImage) -> Vec<f32> {
        match self {
            Self::Views => encoder.features(picture),
            Self::Columns => Sight::Columns.features(encoder, picture),
            Self::Sum => {
                let mut sums = vec![0.0; encoder.of_view(&View::blank()).len() + 1];
                for view in things(picture)
                    .iter()
                    .filter_map(|thing| thing.view(picture))
                {
                    let features = encoder.of_view(&view);
                    for (sum, part) in sums.iter_mut().zip(features.iter().chain([&1.0])) {
                        *sum += part;
                    }
                }
                sums
            }
        }
    }

    /// Regression target for a number.
    fn output(self, number: f64, question: &str) -> f64 {
        match self {
            Self::Views => number.max(1e-3).ln(),
            Self::Sum => number,
            Self::Columns => (number / number_in(question)).max(1e-3).ln(),
        }
    }

    /// Number for a regression output; the inverse of `output`.
    fn number(self, output: f64, question: &str) -> f64 {
        match self {
            Self::Views => output.exp(),
            Self::Sum => output,
            Self::Columns => output.exp() * number_in(question),
        }
    }
}

/// A training example with a numeric target.
struct NumberExample<'a> {
    question: &'a str,
    picture: &'a RgbaImage,
    number: f64,
}

impl Number {
    /// Trains a head; with regions, salient objects and marked columns may be its features. Returns
    /// `None` without examples.
    pub fn train(training: Training, examples: &[Example<'_>]) -> Option<Self> {
        let known = examples.iter().filter_map(|example| {
            Some(NumberExample {
                question: &example.content.question,
                picture: example.picture,
                number: number(example.content)?,
            })
        });
        let known: Vec<NumberExample<'_>> = known.collect();
        let ways: &[NumberMethod] = match training.with_regions {
            true if known.iter().all(|known| number_in(known.question) > 0.0) => {
                &[NumberMethod::Views, NumberMethod::Columns]
            }
            true => &[NumberMethod::Views, NumberMethod::Sum],
            false => &[NumberMethod::Views],
        };
        let tried = ways
            .iter()
            .filter_map(|by| Self::tried(*by, training.encoder, &known));
        let best = tried.min_by(|(error, _), (other, _)| error.total_cmp(other))?;
        Some(best.1)
    }

    /// Sum of relative errors on held-out examples (each at most 1), and the head trained on all
    /// examples.
    fn tried(
        by: NumberMethod,
        encoder: Encoder,
        known: &[NumberExample<'_>],
    ) -> Option<(f64, Self)> {
        let features: Vec<Vec<f32>> = known
            .par_iter()
            .map(|known| by.features(encoder, known.picture))
            .collect();
        let fit = |at: &[usize]| {
            let features: Vec<Vec<f32>> = at.iter().map(|at| features[*at].clone()).collect();
            let outputs = DMatrix::from_fn(at.len(), 1, |row, _| {
                let known = &known[at[row]];
                by.output(known.number, known.question)
            });
            let numbers = at.iter().map(|at| known[*at].number);
            let range = numbers
                .clone()
                .fold((f64::MAX, f64::MIN), |(low, high), number| {
                    (low.min(number), high.max(number))
                });
            Some(Self {
                by,
                ridge: Ridge::fit(&features, &outputs)?,
                range,
                is_whole: numbers.into_iter().all(|number| number.fract() == 0.0),
            })
        };
        let (held, kept): (Vec<usize>, Vec<usize>) =
            (0..known.len()).partition(|at| at.is_multiple_of(HELD_OUT));
        let all: Vec<usize> = (0..known.len()).collect();
        let Some(trial) = fit(&kept) else {
            return Some((f64::MAX, fit(&all)?));
        };
        let errors = held.iter().map(|at| {
            let known = &known[*at];
            let found = trial.of(&features[*at], known.question);
            ((found - known.number).abs() / known.number).min(1.0)
        });
        Some((errors.sum(), fit(&all)?))
    }

    fn of(&self, features: &[f32], question: &str) -> f64 {
        let output = self.ridge.predict(features)[0];
        let (low, high) = self.range;
        self.by.number(output, question).clamp(low, high)
    }

    /// Response to a question about a picture.
    pub fn respond(&self, encoder: Encoder, content: &Content, picture: &RgbaImage) -> String {
        let number = self.of(&self.by.features(encoder, picture), &content.question);
        let decimals = usize::from(!self.is_whole);
        format!("{number:.decimals$}")
    }
}

/// The number in the question; 0 if it contains none or several.
fn number_in(question: &str) -> f64 {
    let parts = question.split(|c: char| !c.is_ascii_digit() && c != '.');
    let mut numbers = parts.filter_map(|part| part.trim_matches('.').parse::<f64>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(number), None) => number,
        _ => 0.0,
    }
}

fn number(content: &Content) -> Option<f64> {
    match content.target {
        Some(Target::Number(number)) if number > 0.0 => Some(number),
        _ => None,
    }
}
