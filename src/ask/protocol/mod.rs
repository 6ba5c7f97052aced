//! Protocols: ways to ask a log's samples again.

mod finding;
mod findings;
mod parse;
mod steps;

use std::sync::Arc;

use super::boxes::{has_box, has_painted_box, objects, shows_answer};
use super::chain::{Chain, Conversation, EachTask, Independent, Poll, RequestRange, TaskChain};
use super::content::{TurnWords, names_picture_position, rotation_refusal};
use super::edited::{PictureEdit, QuestionEdit};
use super::sample::Sample;
use super::step::Step;
use super::template::Template;
use super::twin;
use media::Turn;
use record::{Record, Value};

pub use parse::ProtocolError;

/// A benchmark whose logs hold no question, because each answer results from a chain of prompts.
const CHAINED: &str = "fm-vision-evals";

/// A way to ask the samples of a log again.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Protocol {
    /// The log's question, without changes.
    #[default]
    Vanilla,
    /// Pictures rotated by 0, 90, 180 and 270 degrees.
    Rotational,
    /// Mirrored and flipped pictures with other right answers, to find memorised keys.
    Twin,
    /// Blank pictures, to measure guessing.
    Blind,
    /// Pictures with the boxes drawn that the question refers to.
    Boxes,
    /// Pictures without the boxes that the question refers to.
    NoBoxes,
    /// The object at several sizes.
    Crop,
    /// The user's own wordings, one step each.
    Prompts(Vec<Arc<Template>>),
    /// This many repeats at a temperature.
    Repeat(u32),
    /// Several levels of reasoning effort.
    Effort(Vec<String>),
    /// A question edited by the user and saved in a file.
    Edited(Arc<QuestionEdit>),
    /// Further turns after the answer, worded by the user.
    Follow(Vec<Arc<Template>>),
    /// A second turn that asks whether the model is sure.
    SelfCheck,
    /// Majority of at most this many answers.
    Votes(u32),
    /// One dense task by a chain of questions.
    Chain(TaskChain),
    /// Dense tasks: each sample by the chain for its annotation.
    EachTask(EachTask),
}

impl Protocol {
    /// Returns the name, which [`Protocol::parse`] reads unless the protocol uses files.
    pub fn name(&self) -> String {
        match self {
            Self::Vanilla => "vanilla".to_owned(),
            Self::Rotational => "rotational".to_owned(),
            Self::Twin => "twin".to_owned(),
            Self::Blind => "blind".to_owned(),
            Self::Boxes => "boxes".to_owned(),
            Self::NoBoxes => "no-boxes".to_owned(),
            Self::Crop => "crop".to_owned(),
            Self::Prompts(templates) => format!("prompt:{}", names(templates)),
            Self::Follow(turns) => format!("follow:{}", names(turns)),
            Self::SelfCheck => "self-check".to_owned(),
            Self::Votes(count) => format!("votes:{count}"),
            Self::Repeat(count) => format!("repeat:{count}"),
            Self::Effort(levels) => format!("effort:{}", levels.join(",")),
            Self::Edited(edited) => format!("file:{}", edited.name),
            Self::Chain(chain) => format!("chain:{}", chain.name()),
            Self::EachTask(each) => format!("chain:{}", each.name()),
        }
    }

    /// Describes the protocol in one line.
    pub const fn about(&self) -> &'static str {
        match self {
            Self::Vanilla => "as the log asked: did it get worse",
            Self::Rotational => "at 0, 90, 180 and 270°: is it robust",
            Self::Twin => "mirrored, flipped: are answers memorised",
            Self::Blind => "a blank picture: can it guess",
            Self::Boxes => "boxes drawn: does pointing help",
            Self::NoBoxes => "no boxes drawn: to compare with boxes",
            Self::Crop => "object enlarged: is it too small to see",
            Self::Prompts(_) => "your prompt: does another wording help",
            Self::Repeat(_) => "N times: how often does it change",
            Self::Effort(_) => "levels of reasoning effort",
            Self::Edited(_) => "your saved edit: does it help overall",
            Self::Follow(_) => "your follow-ups to its answer",
            Self::SelfCheck => "are you sure: does it keep its answer",
            Self::Votes(_) => "majority of N answers",
            Self::Chain(chain) => chain.about(),
            Self::EachTask(_) => "each dense task with its chain",
        }
    }

    /// Returns true if the questions come from a task, not from the log.
    pub const fn is_chain(&self) -> bool {
        matches!(self, Self::Chain(_) | Self::EachTask(_))
    }

    /// Returns the object that generates this protocol's questions for these steps.
    pub fn chain(&self, steps: &Arc<[Step]>) -> Arc<dyn Chain> {
        let steps = Arc::clone(steps);
        match self {
            Self::Chain(chain) => Arc::new(*chain),
            Self::EachTask(each) => Arc::new(each.clone()),
            Self::Follow(_) | Self::SelfCheck => Arc::new(Conversation { steps }),
            Self::Votes(_) => Arc::new(Poll { steps }),
            _ => Arc::new(Independent { steps }),
        }
    }

    /// Number of requests for some samples.
    pub fn requests(&self, samples: &[Sample]) -> RequestRange {
        let chain = self.chain(&self.steps().into());
        samples.iter().map(|sample| chain.bound(sample)).sum()
    }

    /// Returns why a sample cannot be asked under this protocol; `None` if it can.
    pub fn unfit(&self, sample: &Sample, words: TurnWords) -> Option<&'static str> {
        let record = &sample.record;
        let turns_words = words == TurnWords::On;
        match self {
            Self::Chain(chain) => chain.unfit(sample),
            Self::EachTask(each) => each.unfit(sample),
            _ if record.content.question.is_empty() => Some("no question"),
            _ if record.detections.is_some() || record.masks.is_some() => Some("no question text"),
            _ if record.benchmark == CHAINED => Some("no question text: its prompts form a chain"),
            Self::Boxes | Self::NoBoxes if !has_box(&record.content) => Some("no box"),
            Self::Crop if shows_answer(&record.content) => {
                Some("a box as its answer, which a crop around it reveals")
            }
            Self::Crop if objects(&record.content).is_empty() => Some("no box"),
            Self::Vanilla
            | Self::Prompts(_)
            | Self::Repeat(_)
            | Self::Effort(_)
            | Self::Follow(_)
            | Self::SelfCheck
            | Self::Votes(_) => None,
            Self::Edited(edited) if edited.edits.is_empty() => None,
            _ if sample.pictures.is_empty() => Some("no picture"),
            Self::Boxes | Self::NoBoxes if has_painted_box(&record.content) => {
                Some("boxes painted into the picture")
            }
            Self::NoBoxes if is_drawn(record) => Some("boxes painted into the picture"),
            Self::Edited(edited)
                if turns_words && crops(edited) && names_picture_position(&record.content) =>
            {
                Some("a position in the whole picture, which a crop loses")
            }
            Self::Crop if turns_words && names_picture_position(&record.content) => {
                Some("a position in the whole picture, which a crop loses")
            }
            Self::Rotational => unturnable(sample, words),
            Self::Twin => twin::unfit(&record.content, words),
            _ => None,
        }
    }

    /// Returns true if a sample is asked once for all rotations, even if its log
    /// has one sample per rotation.
    pub const fn turns(&self) -> bool {
        matches!(self, Self::Rotational)
    }

    /// Returns true if a sample is asked only if all its steps can move its picture.
    pub const fn moves_every_picture(&self) -> bool {
        matches!(self, Self::Rotational | Self::Twin)
    }

    /// Returns name and text of the user's own wordings.
    pub fn prompts(&self) -> Vec<(String, String)> {
        let (Self::Prompts(templates) | Self::Follow(templates)) = self else {
            return Vec::new();
        };
        let pair = |known: &Arc<Template>| (known.name.clone(), known.text().to_owned());
        templates.iter().map(pair).collect()
    }
}

/// Returns true if the edits include a crop.
fn crops(edited: &QuestionEdit) -> bool {
    let mut edits = edited.edits.iter();
    edits.any(|edit| matches!(edit, PictureEdit::Crop(_)))
}

/// Joins the names of wordings.
fn names(templates: &[Arc<Template>]) -> String {
    let names: Vec<&str> = templates.iter().map(|known| known.name.as_str()).collect();
    names.join(",")
}

/// Returns true if the log records that boxes are drawn in its picture.
fn is_drawn(record: &Record) -> bool {
    record.condition.get("boxes") == Some(&Value::Flag(true))
}

/// Returns why a sample's words cannot be rotated. Checks only rotations for which the log has no
/// picture of its own.
fn unturnable(sample: &Sample, words: TurnWords) -> Option<&'static str> {
    let own = |turn: &Turn| sample.turned.contains_key(&turn.degrees());
    let missing = Turn::EACH.into_iter().skip(1).filter(|turn| !own(turn));
    missing
        .filter_map(|turn| rotation_refusal(&sample.record.content, turn, words))
        .map(|refusal| refusal.0)
        .next()
}
