//! What the embedded models learn from: the very questions from which the models of the sample runs have learnt.
//!
//! They are of seeds that [`Lessons::SEEDS`] names, so a set of any other seed has nothing in common with them. What
//! is asked all the same of a picture that was learnt from can be told by [`Learnt::has_seen`].

use std::collections::{BTreeSet, HashSet};

use image::RgbaImage;
use image::imageops::rotate90;

use super::abilities::{Exam, Split, TopDown};
use super::gepbench::question::Aspect;
use super::gepbench::{Gepbench, Noise};
use super::runs::{Asked, asked, learnt};
use super::samples::{LEARNT, Samples};
use super::{Benchmark, Item};
use crate::benchmark::{AnswerForm, metric_of};
use crate::encoder::{Encoder, Heads};
use crate::record::{Content, Target, Value};

/// A set of questions to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lessons {
    /// The training split of the exam: the fourteen abilities of AVA-Bench.
    Exam,
    /// Upright scenes seen from above.
    TopDown,
    /// Figures without noise.
    Gepbench,
}

impl Lessons {
    /// Every set.
    pub const ALL: [Self; 3] = [Self::Exam, Self::TopDown, Self::Gepbench];
    /// The seeds that are learnt from: a set that is to be asked has another one.
    pub const SEEDS: [u64; 2] = [Samples::SEED, Samples::SEED + 1];

    /// The lessons for a benchmark's questions. AVA-Bench asks for the abilities of the exam in the same words.
    #[must_use]
    pub fn of(benchmark: &str) -> Option<Self> {
        Some(match benchmark {
            "exam" | "exam-boxes" | "ava-bench" | "ava_bench" => Self::Exam,
            "exam-topdown" => Self::TopDown,
            "gepbench" => Self::Gepbench,
            _ => return None,
        })
    }

    /// The benchmark that they belong to.
    #[must_use]
    pub const fn benchmark(self) -> &'static str {
        match self {
            Self::Exam => "exam",
            Self::TopDown => "exam-topdown",
            Self::Gepbench => "gepbench",
        }
    }

    /// Names of what can be learnt, in the paper's order.
    #[must_use]
    pub fn abilities(self) -> Vec<&'static str> {
        match self {
            Self::Exam => Exam::abilities().collect(),
            Self::TopDown => TopDown::abilities().collect(),
            Self::Gepbench => Aspect::ALL.map(Aspect::name).into(),
        }
    }

    /// The questions of one ability with their pictures.
    #[must_use]
    pub fn questions(self, ability: &str) -> Vec<Asked> {
        asked(&*self.set(ability), |item| is_for(item, ability))
    }

    /// The form of answer that is learnt; `None` for an ability that is not.
    #[must_use]
    pub fn form(self, ability: &str) -> Option<AnswerForm> {
        let set = self.set(ability);
        let mut items = (0..set.pages()).flat_map(|number| set.page(number).items);
        let item = items.find(|item| is_for(item, ability))?;
        Some(form(&item.ability, &item.content))
    }

    fn set(self, ability: &str) -> Box<dyn Benchmark> {
        let made = Samples::default();
        let other = made.seed + 1;
        match self {
            Self::Exam => Box::new(Exam::new(made.exam, made.seed).only(ability, Split::Train)),
            Self::TopDown => Box::new(TopDown::new(made.topdown * LEARNT, other)),
            Self::Gepbench => Box::new(Gepbench::new(made.gepbench * LEARNT, other, Noise::None)),
        }
    }
}

/// Whether an item of a set is learnt from: scenes are learnt upright.
fn is_for(item: &Item, ability: &str) -> bool {
    let turned = item.condition.get("rotation");
    item.ability == ability && turned.is_none_or(|degrees| *degrees == Value::Number(0.0))
}

/// The form of answer that a question asks for.
#[must_use]
pub fn form(ability: &str, content: &Content) -> AnswerForm {
    let choices = !content.choices.is_empty();
    AnswerForm::of(
        metric_of(ability, content.target.as_ref(), choices),
        choices,
    )
}

/// An encoder that has learnt one ability, and what it has learnt from.
#[derive(Clone, Debug)]
pub struct Learnt {
    heads: Heads,
    ability: String,
    seen: HashSet<blake3::Hash>,
    /// Texts of the options that were right somewhere.
    right: BTreeSet<String>,
}

impl Learnt {
    /// Learns an ability; the same every time. Draws the questions first and takes a second or a few.
    #[must_use]
    pub fn new(encoder: Encoder, lessons: Lessons, ability: &str) -> Self {
        Self::of(encoder, ability, &lessons.questions(ability))
    }

    /// Learns an ability from questions whose answers are known.
    #[must_use]
    pub fn of(encoder: Encoder, ability: &str, known: &[Asked]) -> Self {
        let right = known.iter().filter_map(|asked| right(&asked.item.content));
        Self {
            heads: learnt(encoder, ability, known),
            ability: ability.to_owned(),
            seen: known.iter().map(|asked| digest(&asked.picture)).collect(),
            right: right.map(str::to_owned).collect(),
        }
    }

    /// Whether a picture, turned or not, is one of those that were learnt from.
    #[must_use]
    pub fn has_seen(&self, picture: &RgbaImage) -> bool {
        let mut turned = picture.clone();
        (0..4).any(|_| {
            let seen = self.seen.contains(&digest(&turned));
            turned = rotate90(&turned);
            seen
        })
    }

    /// Whether one of a question's options at least was learnt; without, an answer would be made up.
    #[must_use]
    fn knows_options(&self, content: &Content) -> bool {
        let mut choices = content.choices.iter();
        content.choices.is_empty() || choices.any(|choice| self.right.contains(&choice.text))
    }

    /// The response to a question about a picture, by options and pixels and never by the target; `None` where it
    /// has learnt nothing that could be said.
    #[must_use]
    pub fn respond(&self, content: &Content, picture: &RgbaImage) -> Option<String> {
        if !self.knows_options(content) {
            return None;
        }
        let untold = Content {
            target: None,
            ..content.clone()
        };
        self.heads.predict(&self.ability, &untold, picture)
    }
}

/// The text of the right option.
fn right(content: &Content) -> Option<&str> {
    let Some(Target::Text(target)) = &content.target else {
        return None;
    };
    let mut choices = content.choices.iter();
    let right = choices.find(|choice| choice.letter == *target || choice.text == *target);
    right.map(|choice| choice.text.as_str())
}

fn digest(picture: &RgbaImage) -> blake3::Hash {
    blake3::hash(picture.as_raw())
}
