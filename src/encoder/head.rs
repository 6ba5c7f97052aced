//! A prediction head for one ability: ridge regression with an output per form of answer.

use image::RgbaImage;
use nalgebra::DMatrix;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::boxes::Boxes;
use super::letters::Letters;
use super::options::{Options, right_option};
use super::ridge::Ridge;
use super::{Encoder, Example};
use benchmark::AnswerForm;
use record::{Content, Target};

/// A trained head.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Head {
    /// Multiple choice.
    Options(Options),
    /// A number, predicted as its logarithm.
    Number {
        /// From features to the logarithm.
        ridge: Ridge,
        /// Minimum and maximum of the training targets.
        range: (f64, f64),
        /// True if all training targets are whole numbers.
        whole: bool,
    },
    /// A box.
    Box(Boxes),
    /// Red, green and blue.
    Color(Ridge),
    /// The text in the red box.
    Text(Letters),
}

impl Head {
    /// Trains a head for the answer form of the first example. Returns `None` if no example has a usable target.
    pub fn train(encoder: Encoder, ability: &str, examples: &[Example<'_>]) -> Option<Self> {
        let first = examples.first()?;
        match AnswerForm::asked(ability, first.content) {
            AnswerForm::Choice => Self::of_options(encoder, examples),
            AnswerForm::Number => {
                let known = Known::new(encoder, examples, |content, _| number(content));
                let numbers = || known.answers.iter().copied();
                let range = numbers().fold((f64::MAX, f64::MIN), |(low, high), number| {
                    (low.min(number), high.max(number))
                });
                let whole = numbers().all(|number| number.fract() == 0.0);
                let ridge = known.fit(1, |number, _| number.max(1e-3).ln())?;
                Some(Self::Number {
                    ridge,
                    range,
                    whole,
                })
            }
            AnswerForm::Box => Boxes::train(encoder, examples).map(Self::Box),
            AnswerForm::Color => {
                let known = Known::new(encoder, examples, |content, _| match content.target {
                    Some(Target::Color(channels)) => Some(channels),
                    _ => None,
                });
                Some(Self::Color(known.fit(3, |parts, at| parts[at])?))
            }
            AnswerForm::Text => Letters::train(encoder, examples).map(Self::Text),
        }
    }

    fn of_options(encoder: Encoder, examples: &[Example<'_>]) -> Option<Self> {
        let known = examples.par_iter().filter_map(|example| {
            right_option(example.content)?;
            Some((*example, encoder.features(example.picture)))
        });
        let (examples, features): (Vec<Example<'_>>, Vec<Vec<f32>>) = known.unzip();
        Options::train(&examples, &features).map(Self::Options)
    }

    /// The response to a question about a picture, in the form that the ability expects.
    pub fn respond(&self, encoder: Encoder, content: &Content, picture: &RgbaImage) -> String {
        let outputs = |ridge: &Ridge| ridge.predict(&encoder.features(picture));
        match self {
            Self::Options(options) => {
                let best = options.choose(content, &encoder.features(picture));
                let choice = best.and_then(|best| content.choices.get(best));
                choice.map_or_else(String::new, |choice| {
                    format!("{}. {}", choice.letter, choice.text)
                })
            }
            Self::Number {
                ridge,
                range: (low, high),
                whole,
            } => {
                let number = outputs(ridge)[0].exp().clamp(*low, *high);
                let decimals = usize::from(!whole);
                format!("{number:.decimals$}")
            }
            Self::Box(boxes) => list(boxes.respond(encoder, content, picture).into_iter()),
            Self::Color(ridge) => {
                let channels = outputs(ridge).into_iter();
                list(channels.map(|channel| channel.clamp(0.0, 255.0)))
            }
            Self::Text(letters) => letters.read(encoder, picture),
        }
    }
}

/// Examples with a known answer, with their features.
struct Known<T> {
    features: Vec<Vec<f32>>,
    answers: Vec<T>,
}

impl<T: Send> Known<T> {
    fn new(
        encoder: Encoder,
        examples: &[Example<'_>],
        answer: impl Fn(&Content, &RgbaImage) -> Option<T> + Sync,
    ) -> Self {
        let known = examples.par_iter().filter_map(|example| {
            let answer = answer(example.content, example.picture)?;
            Some((encoder.features(example.picture), answer))
        });
        let (features, answers) = known.unzip();
        Self { features, answers }
    }

    /// Fits `outputs` numbers per answer.
    fn fit(&self, outputs: usize, output: impl Fn(&T, usize) -> f64) -> Option<Ridge> {
        let outputs = DMatrix::from_fn(self.answers.len(), outputs, |row, column| {
            output(&self.answers[row], column)
        });
        Ridge::fit(&self.features, &outputs)
    }
}

fn number(content: &Content) -> Option<f64> {
    match content.target {
        Some(Target::Number(number)) if number > 0.0 => Some(number),
        _ => None,
    }
}

/// A list such as `[1, 2, 3]`, rounded to whole numbers.
fn list(numbers: impl Iterator<Item = f64>) -> String {
    let numbers: Vec<String> = numbers.map(|number| format!("{number:.0}")).collect();
    format!("[{}]", numbers.join(", "))
}
