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
use benchmark::AnswerForm;
use encoder::{Encoder, Heads};
use record::{Content, Value};

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
            "gepbench" | "exam-gepbench" => Self::Gepbench,
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
        if !self.abilities().contains(&ability) {
            return None;
        }
        let set = self.set(ability);
        let mut items = (0..set.pages()).flat_map(|number| set.page(number).items);
        let item = items.find(|item| is_for(item, ability))?;
        Some(AnswerForm::asked(&item.ability, &item.content))
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

/// An encoder that has learnt one ability, and what it has learnt from.
#[derive(Clone, Debug)]
pub struct Learnt {
    heads: Heads,
    ability: String,
    seen: HashSet<blake3::Hash>,
    /// Words of the options that were offered.
    words: BTreeSet<String>,
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
        let options = known.iter().flat_map(|asked| &asked.item.content.choices);
        Self {
            heads: learnt(encoder, ability, known),
            ability: ability.to_owned(),
            seen: known.iter().map(|asked| digest(&asked.picture)).collect(),
            words: options.flat_map(|choice| words(&choice.text)).collect(),
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

    /// Whether one of a question's options at least has a word that was learnt; without, an answer would be made up.
    #[must_use]
    fn knows_options(&self, content: &Content) -> bool {
        let mut choices = content.choices.iter();
        content.choices.is_empty()
            || choices.any(|choice| words(&choice.text).any(|word| self.words.contains(&word)))
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

/// The words of an option that tell something; every number is the same word.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter_map(|word| match word.to_lowercase() {
        word if word.starts_with(|c: char| c.is_ascii_digit()) => Some("0".to_owned()),
        word if word.chars().count() < 3 || matches!(word.as_str(), "the" | "and") => None,
        word => Some(word),
    })
}

fn digest(picture: &RgbaImage) -> blake3::Hash {
    blake3::hash(picture.as_raw())
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Choice;

    fn with(options: &[&str]) -> Content {
        let choice = |text: &&str| Choice {
            letter: String::new(),
            text: (*text).to_owned(),
        };
        Content {
            choices: options.iter().map(choice).collect(),
            ..Content::default()
        }
    }

    #[test]
    fn what_was_learnt_from_is_known_again_and_nothing_is_made_up() {
        let known: Vec<Asked> = Lessons::Exam
            .questions("texture")
            .into_iter()
            .take(24)
            .collect();
        let learnt = Learnt::of(Encoder::Pixels, "texture", &known);
        let picture = &known[3].picture;
        assert!(learnt.has_seen(picture) && learnt.has_seen(&rotate90(&**picture)));
        let other = RgbaImage::new(256, 256);
        assert!(!learnt.has_seen(&other));
        assert!(
            learnt
                .respond(&with(&["striped", "slate"]), &other)
                .is_some()
        );
        assert_eq!(learnt.respond(&with(&["labrador", "poodle"]), &other), None);
    }

    #[test]
    fn every_ability_has_lessons_of_one_form() {
        for lessons in Lessons::ALL {
            assert_eq!(Lessons::of(lessons.benchmark()), Some(lessons));
            for ability in lessons.abilities() {
                assert!(lessons.form(ability).is_some(), "{ability}");
            }
            assert_eq!(lessons.form("taste"), None);
        }
        assert_eq!(Lessons::Exam.form("localization"), Some(AnswerForm::Box));
        assert_eq!(Lessons::of("mmmu"), None);
    }
}
