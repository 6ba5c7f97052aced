//! Ways to ask a log's samples again, one file each.

mod blind;
mod boxes;
mod chains;
mod crop;
mod effort;
mod error;
mod finding;
mod parse;
mod prompts;
mod repeats;
mod rotational;
mod vanilla;

use std::sync::Arc;

use super::boxes::{has_box, objects};
use super::chain::{Bound, Chain, Independent, TaskChain};
use super::sample::Sample;
use super::step::Step;
use super::summary::Summary;
use super::template::Template;

pub use error::ProtocolError;

/// A way to ask.
#[derive(Clone, Debug, PartialEq)]
pub enum Protocol {
    /// As the log asked.
    Vanilla,
    /// At 0, 90, 180 and 270 degrees.
    Rotational,
    /// With nothing to be seen.
    Blind,
    /// With the boxes drawn of which the question speaks.
    Boxes,
    /// Without them.
    NoBoxes,
    /// With the object at several sizes.
    Crop,
    /// In the user's own words.
    Prompts(Vec<Arc<Template>>),
    /// So many times.
    Repeat(u32),
    /// At levels of reasoning effort.
    Effort(Vec<String>),
    /// A dense task by a chain of questions.
    Chain(TaskChain),
}

impl Protocol {
    /// Its name, which leads back where no file is named.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Vanilla => "vanilla".to_owned(),
            Self::Rotational => "rotational".to_owned(),
            Self::Blind => "blind".to_owned(),
            Self::Boxes => "boxes".to_owned(),
            Self::NoBoxes => "no-boxes".to_owned(),
            Self::Crop => "crop".to_owned(),
            Self::Prompts(templates) => {
                let names: Vec<&str> = templates.iter().map(|known| known.name.as_str()).collect();
                format!("prompt:{}", names.join(","))
            }
            Self::Repeat(count) => format!("repeat:{count}"),
            Self::Effort(levels) => format!("effort:{}", levels.join(",")),
            Self::Chain(chain) => format!("chain:{}", chain.name()),
        }
    }

    /// What it finds out, in one line.
    #[must_use]
    pub const fn about(&self) -> &'static str {
        match self {
            Self::Vanilla => "as the log asked: did it get worse",
            Self::Rotational => "at 0, 90, 180 and 270°: does it survive",
            Self::Blind => "a blank picture: what is guessed",
            Self::Boxes => "its boxes drawn: does pointing help",
            Self::NoBoxes => "no boxes drawn: the other half of boxes",
            Self::Crop => "object at sizes: is it too small to see",
            Self::Prompts(_) => "your words: does a better prompt fix it",
            Self::Repeat(_) => "N times: how often does it change",
            Self::Effort(_) => "levels of reasoning effort",
            Self::Chain(chain) => chain.about(),
        }
    }

    /// The ways in which it asks each sample.
    #[must_use]
    pub fn steps(&self) -> Vec<Step> {
        match self {
            Self::Vanilla => vanilla::steps(),
            Self::Rotational => rotational::steps(),
            Self::Blind => blind::steps(),
            Self::Boxes => boxes::steps(true),
            Self::NoBoxes => boxes::steps(false),
            Self::Crop => crop::steps(),
            Self::Prompts(templates) => prompts::steps(templates),
            Self::Repeat(count) => repeats::steps(*count),
            Self::Effort(levels) => effort::steps(levels),
            Self::Chain(_) => chains::steps(),
        }
    }

    /// The questions of a sample that is asked at these steps.
    #[must_use]
    pub fn chain(&self, steps: &Arc<[Step]>) -> Arc<dyn Chain> {
        match self {
            Self::Chain(chain) => Arc::new(*chain),
            _ => Arc::new(Independent {
                steps: Arc::clone(steps),
            }),
        }
    }

    /// Requests that some samples take.
    #[must_use]
    pub fn requests(&self, samples: &[Sample]) -> Bound {
        let chain = self.chain(&self.steps().into());
        samples.iter().map(|sample| chain.bound(sample)).sum()
    }

    /// Why a sample cannot be asked in this way; `None`: it can.
    #[must_use]
    pub fn unfit(&self, sample: &Sample) -> Option<&'static str> {
        let record = &sample.record;
        match self {
            Self::Chain(chain) => chain.unfit(sample),
            _ if record.content.question.is_empty() => Some("no question"),
            _ if record.detections.is_some() || record.masks.is_some() => {
                Some("no question of words")
            }
            Self::Boxes if !has_box(&record.content) => Some("no box"),
            Self::Crop if objects(&record.content).is_empty() => Some("no box"),
            Self::Vanilla | Self::Prompts(_) | Self::Repeat(_) | Self::Effort(_) => None,
            _ if sample.pictures.is_empty() => Some("no picture"),
            _ => None,
        }
    }

    /// Returns true if a sample is asked once for all its rotations, and not once for each that its log has.
    #[must_use]
    pub const fn turns(&self) -> bool {
        matches!(self, Self::Rotational)
    }

    /// The wordings of its own, name and text.
    #[must_use]
    pub fn prompts(&self) -> Vec<(String, String)> {
        let Self::Prompts(templates) = self else {
            return Vec::new();
        };
        let pair = |known: &Arc<Template>| (known.name.clone(), known.text().to_owned());
        templates.iter().map(pair).collect()
    }

    /// What was found, in a few sentences: the answer to the protocol's question first. Nothing without an answer.
    #[must_use]
    pub fn finding(&self, found: &Summary) -> Vec<String> {
        let is_scored = found.steps.iter().any(|step| step.scored > 0);
        if !is_scored && !matches!(self, Self::Chain(_)) {
            return Vec::new();
        }
        match self {
            Self::Vanilla => vanilla::finding(found),
            Self::Rotational => rotational::finding(found),
            Self::Blind => blind::finding(found),
            Self::Boxes => boxes::finding(found, true),
            Self::NoBoxes => boxes::finding(found, false),
            Self::Crop => crop::finding(found),
            Self::Prompts(_) => prompts::finding(found),
            Self::Repeat(_) => repeats::finding(found),
            Self::Effort(_) => effort::finding(found),
            Self::Chain(_) => chains::finding(found),
        }
    }
}
