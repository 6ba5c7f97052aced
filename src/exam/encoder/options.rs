//! A head for multiple choice: one output per known answer, or, if the questions differ, one output
//! per pair of question and option.

use std::collections::BTreeSet;

use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};

use super::Example;
use super::pairs::Pairs;
use super::ridge::Ridge;
use record::{Content, Target};

/// One in this many examples is held out to choose the kind of head.
const HELD_OUT: usize = 4;
/// Maximum number of options for pairs.
const MOST: usize = 6;

/// Trained head for multiple choice.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Options {
    /// One output per known answer; the largest among the offered options wins.
    Classes {
        /// The answers' texts, sorted.
        classes: Vec<String>,
        /// From features to outputs.
        ridge: Ridge,
    },
    /// One output for each pair of question and option.
    Pairs(Pairs),
}

impl Options {
    /// Trains both kinds of head and keeps the one that is right more often on held-out examples.
    /// Returns `None` if no example has a right option.
    pub fn train(examples: &[Example<'_>], features: &[Vec<f32>]) -> Option<Self> {
        if !differ(examples) {
            return Self::classes(examples, features);
        }
        let held = |at: &usize| at.is_multiple_of(HELD_OUT);
        let part = |held_out: bool| -> (Vec<Example<'_>>, Vec<Vec<f32>>) {
            let wanted = (0..examples.len()).filter(|at| held(at) == held_out);
            wanted
                .filter_map(|at| Some((*examples.get(at)?, features.get(at)?.clone())))
                .unzip()
        };
        let (kept, held) = (part(false), part(true));
        let right = |head: &Self| {
            let asked = held.0.iter().zip(&held.1);
            let right = asked.filter(|(example, features)| {
                head.choose(example.content, features) == right_option(example.content)
            });
            right.count()
        };
        let classes = Self::classes(&kept.0, &kept.1)?;
        let pairs = Pairs::train(&kept.0, &kept.1).map(Self::Pairs)?;
        if right(&pairs) > right(&classes) {
            Pairs::train(examples, features).map(Self::Pairs)
        } else {
            Self::classes(examples, features)
        }
    }

    fn classes(examples: &[Example<'_>], features: &[Vec<f32>]) -> Option<Self> {
        let answers: Vec<Option<&str>> = examples
            .iter()
            .map(|example| {
                let choice = example.content.choices.get(right_option(example.content)?);
                choice.map(|choice| choice.text.as_str())
            })
            .collect();
        let classes: BTreeSet<&str> = answers.iter().copied().flatten().collect();
        let classes: Vec<String> = classes.into_iter().map(str::to_owned).collect();
        let outputs = DMatrix::from_fn(answers.len(), classes.len(), |row, class| {
            let answer = answers.get(row).copied().flatten();
            f64::from(u8::from(answer == classes.get(class).map(String::as_str)))
        });
        let ridge = Ridge::fit(features, &outputs)?;
        Some(Self::Classes { classes, ridge })
    }

    /// Index of the most likely option; `None` without options.
    pub fn choose(&self, content: &Content, features: &[f32]) -> Option<usize> {
        match self {
            Self::Classes { classes, ridge } => best(content, classes, &ridge.predict(features)),
            Self::Pairs(pairs) => {
                (!content.choices.is_empty()).then(|| pairs.choose(content, features))
            }
        }
    }
}

/// Returns true if the questions differ and have few options.
fn differ(examples: &[Example<'_>]) -> bool {
    let mut contents = examples.iter().map(|example| example.content);
    let first = examples.first().map(|example| &example.content.question);
    contents
        .clone()
        .all(|content| content.choices.len() <= MOST)
        && contents.any(|content| Some(&content.question) != first)
}

/// Index of the right option, which the target gives as letter or text.
pub fn right_option(content: &Content) -> Option<usize> {
    let Some(Target::Text(target)) = &content.target else {
        return None;
    };
    content
        .choices
        .iter()
        .position(|choice| choice.letter == *target || choice.text == *target)
}

/// Index of the offered option with the largest output; unknown options come last.
fn best(content: &Content, classes: &[String], outputs: &[f64]) -> Option<usize> {
    let output = |text: &String| {
        let class = classes.binary_search(text).ok();
        class
            .and_then(|class| outputs.get(class).copied())
            .unwrap_or(f64::MIN)
    };
    let options = content.choices.iter().enumerate();
    let best = options.reduce(|best, other| {
        if output(&other.1.text) > output(&best.1.text) {
            other
        } else {
            best
        }
    });
    best.map(|(at, _)| at)
}
