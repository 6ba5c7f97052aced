//! One way in which a protocol asks each sample.

use std::sync::Arc;

use super::edited::Edited;
use super::template::Template;
use media::Turn;
use record::{Labels, Value};

/// One way to ask.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// What the records' condition says of it, beside what the log's own says.
    pub labels: Labels,
    /// What is done to the picture, and with it to the question.
    pub change: Change,
    /// A wording instead of the harness's.
    pub wording: Option<Arc<Template>>,
    /// Which repeat, from 0.
    pub repeat: u32,
    /// A temperature instead of the run's.
    pub temperature: Option<f64>,
    /// What is edited by hand: words, picture, how the answer is drawn.
    pub edited: Option<Arc<Edited>>,
    /// A level of reasoning effort.
    pub effort: Option<String>,
    /// Its result is put together from the answers of a chain.
    pub is_of_parts: bool,
    /// Words that are said after the answer to the step before, with everything that was said so far; `None`: it is
    /// asked by itself.
    pub follows: Option<Arc<Template>>,
    /// It asks whether the answer before is sure: who only says yes keeps it.
    pub asks_whether_sure: bool,
    /// Its result is what most of at most so many answers say; 0: it is one answer.
    pub votes: u32,
}

/// What is done to a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Change {
    /// Nothing.
    #[default]
    None,
    /// It is turned by so many degrees, the way the benchmark counts them; boxes and directions turn with it.
    Turn(Turn),
    /// Nothing is to be seen.
    Blank,
    /// The boxes of which the question speaks are drawn.
    Boxes,
    /// The part in which the object takes this share of the area fills the picture.
    Crop(f64),
}

impl Step {
    /// A step with one label.
    #[must_use]
    pub fn labelled(name: &str, value: impl Into<Value>, change: Change) -> Self {
        Self {
            labels: Labels::from([(name.to_owned(), value.into())]),
            change,
            ..Self::default()
        }
    }

    /// The seed of its draws: the run's own for the first repeat, the next number for each further one.
    #[must_use]
    pub fn seed(&self, of_run: Option<u64>) -> Option<u64> {
        of_run.map(|seed| seed.wrapping_add(u64::from(self.repeat)))
    }

    /// Its name in one line, such as `rotation=90`; empty for the log's own way.
    #[must_use]
    pub fn name(&self) -> String {
        let labels = self
            .labels
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        labels.collect::<Vec<_>>().join(" ")
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
