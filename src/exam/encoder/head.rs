//! A prediction head for one ability: ridge regression with an output per form of answer.

use image::RgbaImage;
use nalgebra::DMatrix;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::boxes::Boxes;
use super::letters::Letters;
use super::number::Number;
use super::options::{Options, right_option};
use super::ridge::Ridge;
use super::sight::{Sight, has_both};
use super::similarity::SimilarityHead;
use super::{Encoder, Example};
use record::benchmark::AnswerForm;
use record::{Content, Target};

/// One in this many examples is held out to choose the kind of head.
const HELD_OUT: usize = 4;

/// Trained head of one ability, by answer form.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Head {
    /// A choice among the options of a question.
    Options(Sight, Options),
    /// Multiple choice among visible objects: which object is most like the marked object.
    Alike(SimilarityHead),
    /// A number, as text.
    Number(Number),
    /// A box around the object that the question names.
    Box(Boxes),
    /// Red, green and blue.
    Color(Ridge),
    /// The text in the red box.
    Text(Letters),
}

/// Encoder of a head, and what the head may use.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// Encoder of the pictures.
    pub encoder: Encoder,
    /// True to use marked regions and salient objects as well.
    pub with_regions: bool,
}

impl Head {
    /// Trains a head for the answer form of the first example. Returns `None` if no example has a
    /// usable target.
    pub fn train(training: Training, ability: &str, examples: &[Example<'_>]) -> Option<Self> {
        let encoder = training.encoder;
        let first = examples.first()?;
        match AnswerForm::asked(ability, first.content) {
            AnswerForm::Choice => Self::of_choice(training, examples),
            AnswerForm::Number => Number::train(training, examples).map(Self::Number),
            AnswerForm::Box => Boxes::train(training, examples).map(Self::Box),
            AnswerForm::Color => {
                let known =
                    LabelledExamples::new(encoder, examples, |content, _| match content.target {
                        Some(Target::Color(channels)) => Some(channels),
                        _ => None,
                    });
                Some(Self::Color(known.fit(3, |parts, at| parts[at])?))
            }
            AnswerForm::Text => Letters::train(encoder, examples).map(Self::Text),
        }
    }

    /// Trains several kinds of head for multiple choice. Keeps the kind that is right most often on
    /// held-out examples.
    fn of_choice(training: Training, examples: &[Example<'_>]) -> Option<Self> {
        let encoder = training.encoder;
        let known = examples.iter().copied();
        let known: Vec<Example<'_>> = known
            .filter(|example| right_option(example.content).is_some())
            .collect();
        let views = || Self::of_options(encoder, &known, Sight::Views);
        if !training.with_regions {
            return views();
        }
        let part = |held_out: bool| -> Vec<Example<'_>> {
            let numbered = known.iter().enumerate();
            let part = numbered.filter(|(at, _)| at.is_multiple_of(HELD_OUT) == held_out);
            part.map(|(_, example)| *example).collect()
        };
        let (held, kept) = (part(true), part(false));
        let right = |head: &Self| {
            let right = held.par_iter().filter(|example| {
                let chosen = head.chosen(encoder, example.content, example.picture);
                chosen == right_option(example.content)
            });
            right.count()
        };
        let mut ways: Vec<HeadTrainer> =
            vec![|encoder, examples| Head::of_options(encoder, examples, Sight::Views)];
        if known.iter().all(|example| has_both(example.picture)) {
            ways.push(|encoder, examples| Head::of_options(encoder, examples, Sight::Map));
            ways.push(|encoder, examples| Head::of_options(encoder, examples, Sight::Columns));
        }
        ways.push(|encoder, examples| SimilarityHead::train(encoder, examples).map(Head::Alike));
        let mut best: Option<(usize, HeadTrainer)> = None;
        for way in ways {
            let Some(trial) = way(encoder, &kept) else {
                continue;
            };
            let count = right(&trial);
            // The earlier way wins a tie.
            if best.is_none_or(|(most, _)| count > most) {
                best = Some((count, way));
            }
        }
        best.map_or_else(views, |(_, way)| way(encoder, &known))
    }

    fn of_options(encoder: Encoder, examples: &[Example<'_>], sight: Sight) -> Option<Self> {
        let features: Vec<Vec<f32>> = examples
            .par_iter()
            .map(|example| sight.features(encoder, example.picture))
            .collect();
        let options = Options::train(examples, &features)?;
        Some(Self::Options(sight, options))
    }

    /// Index of the predicted option; `None` for heads without options.
    fn chosen(&self, encoder: Encoder, content: &Content, picture: &RgbaImage) -> Option<usize> {
        match self {
            Self::Options(sight, options) => {
                options.choose(content, &sight.features(encoder, picture))
            }
            // Without objects the first option is as good as any.
            Self::Alike(alike) => Some(
                alike
                    .choose(encoder, picture, content.choices.len())
                    .unwrap_or_default(),
            ),
            _ => None,
        }
    }

    /// The response to a question about a picture, in the form that the ability expects.
    pub fn respond(&self, encoder: Encoder, content: &Content, picture: &RgbaImage) -> String {
        match self {
            Self::Options(..) | Self::Alike(_) => {
                let best = self.chosen(encoder, content, picture);
                let choice = best.and_then(|best| content.choices.get(best));
                choice.map_or_else(String::new, |choice| {
                    format!("{}. {}", choice.letter, choice.text)
                })
            }
            Self::Number(number) => number.respond(encoder, content, picture),
            Self::Box(boxes) => list(boxes.respond(encoder, content, picture).into_iter()),
            Self::Color(ridge) => {
                let channels = ridge.predict(&encoder.features(picture)).into_iter();
                list(channels.map(|channel| channel.clamp(0.0, 255.0)))
            }
            Self::Text(letters) => letters.read(encoder, picture),
        }
    }
}

/// A way to train a head for multiple choice.
type HeadTrainer = fn(Encoder, &[Example<'_>]) -> Option<Head>;

/// Examples with a known answer, with their features.
struct LabelledExamples<T> {
    features: Vec<Vec<f32>>,
    answers: Vec<T>,
}

impl<T: Send> LabelledExamples<T> {
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

/// A list such as `[1, 2, 3]`, rounded to whole numbers.
fn list(numbers: impl Iterator<Item = f64>) -> String {
    let numbers: Vec<String> = numbers.map(|number| format!("{number:.0}")).collect();
    format!("[{}]", numbers.join(", "))
}
