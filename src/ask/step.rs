//! Steps: the variants in which a protocol asks each sample.

use std::sync::Arc;

use super::edited::QuestionEdit;
use super::template::Template;
use media::{Orientation, Turn};
use record::{Labels, Value, label_words};

/// One variant in which a protocol asks each sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// Labels added to the condition of the records.
    pub labels: Labels,
    /// Change of the picture, and of the question with it.
    pub change: Change,
    /// Wording that replaces the harness's.
    pub wording: Option<Arc<Template>>,
    /// Number of the repeat, from 0.
    pub repeat: u32,
    /// Temperature that replaces the default.
    pub temperature: Option<f64>,
    /// Edits by hand: words, picture, sampling.
    pub edited: Option<Arc<QuestionEdit>>,
    /// Level of reasoning effort; `None` for the run's.
    pub effort: Option<String>,
    /// True if the result combines the answers of a chain.
    pub is_of_parts: bool,
    /// The next user message after the previous step's answer, in the same conversation; `None` for
    /// an independent question.
    pub follows: Option<Arc<Template>>,
    /// True if the message asks whether the previous answer is sure. A mere
    /// confirmation keeps that answer.
    pub asks_whether_sure: bool,
    /// Maximum number of votes for a majority; 0 for a single answer.
    pub votes: u32,
}

/// Change of a picture, and of the question with it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Change {
    /// The picture stays as it is.
    #[default]
    None,
    /// Rotated by this angle in the benchmark's direction; boxes and direction words follow.
    Turn(Turn),
    /// Mirrored or flipped; boxes and direction words follow.
    Mirror(Orientation),
    /// Replaced by a grey picture of the same size.
    Blank,
    /// The boxes that the question refers to are drawn.
    Boxes,
    /// Cropped so that the object takes this share of the area.
    Crop(f64),
}

impl Step {
    /// Returns a step with one label.
    pub fn labelled(name: &str, value: impl Into<Value>, change: Change) -> Self {
        Self {
            labels: Labels::from([(name.to_owned(), value.into())]),
            change,
            ..Self::default()
        }
    }

    /// Returns the seed: the run's own plus the number of the repeat.
    pub fn seed(&self, of_run: Option<u64>) -> Option<u64> {
        of_run.map(|seed| seed.wrapping_add(u64::from(self.repeat)))
    }

    /// Returns the name in one line, for example `rotation=90`; empty for the log's own variant.
    pub fn name(&self) -> String {
        label_words(&self.labels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_repeat_has_its_own_seed() {
        let seed = |repeat: u32, of_run| {
            let step = Step {
                repeat,
                ..Step::default()
            };
            step.seed(of_run)
        };
        assert_eq!(
            [0, 1, 2].map(|repeat| seed(repeat, Some(7))),
            [7, 8, 9].map(Some)
        );
        assert_eq!(seed(1, Some(u64::MAX)), Some(0));
        assert_eq!(seed(3, None), None);
    }
}
