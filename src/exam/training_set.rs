//! Training sets of the embedded encoders.
//!
//! The encoders of the sample runs were trained on the same items. Their seeds are
//! [`TrainingSet::SEEDS`], so a set with any other seed shares no item with them.

use super::abilities::levels::LevelledExam;
use super::abilities::{Exam, Split, TopDown};
use super::dense::{self, DenseScenes, Style};
use super::gepbench::question::Aspect;
use super::gepbench::{Gepbench, Noise};
use super::runs::{PicturedItem, pictured_items};
use super::sample_runs::{SampleRuns, TRAINING_RATIO};
use super::{Benchmark, Item};
use record::benchmark::AnswerForm;
use record::{Content, ROTATION, Value};

/// Number of items of the exam with levels: fifty per ability and level, forty of them for
/// training.
const LESSONS: usize = 14 * 250;
/// Number of close-ups of objects, of eight kinds.
const THINGS: usize = 160;
/// Levels used for training; barely visible items teach nothing.
const LESSON_LEVELS: [u8; 5] = [1, 2, 3, 4, 5];

/// A generated set of training items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TrainingSet {
    /// Training split of the exam with levels: the fourteen abilities of AVA-Bench, at the easy
    /// levels.
    Exam,
    /// The same items as [`Self::Exam`] in the rich style.
    RichExam,
    /// Training split of the exam without levels, from which the sample runs are made.
    PlainExam,
    /// Top-down scenes at rotation 0.
    TopDown,
    /// `GePBench` figures without noise.
    Gepbench,
    /// Close-ups of objects in rooms. Of the dense tasks only classification is learnt.
    Scenes,
}

impl TrainingSet {
    /// One training set per benchmark.
    pub const ALL: [Self; 4] = [Self::Exam, Self::TopDown, Self::Gepbench, Self::Scenes];
    /// Seeds of the training sets. A test set must have another seed.
    pub const SEEDS: [u64; 2] = [SampleRuns::SEED, SampleRuns::SEED + 1];

    /// Training set for an item of a benchmark. AVA-Bench shares the abilities of the exam without
    /// levels.
    pub fn of(benchmark: &str, content: &Content) -> Option<Self> {
        Some(match benchmark {
            "exam" if content.tags.get("style") == Some(&"rich".into()) => Self::RichExam,
            "exam" if content.tags.contains_key("level") => Self::Exam,
            "exam" | "exam-boxes" | "ava-bench" | "ava_bench" => Self::PlainExam,
            "exam-topdown" => Self::TopDown,
            "gepbench" | "exam-gepbench" => Self::Gepbench,
            dense::BENCHMARK => Self::Scenes,
            _ => return None,
        })
    }

    /// Name of the set's benchmark.
    pub const fn benchmark(self) -> &'static str {
        match self {
            Self::Exam | Self::RichExam | Self::PlainExam => "exam",
            Self::TopDown => "exam-topdown",
            Self::Gepbench => "gepbench",
            Self::Scenes => dense::BENCHMARK,
        }
    }

    /// Names of the set's abilities, in the paper's order.
    pub fn abilities(self) -> Vec<&'static str> {
        match self {
            Self::Exam | Self::RichExam => LevelledExam::abilities().collect(),
            Self::PlainExam => Exam::abilities().collect(),
            Self::TopDown => TopDown::abilities().collect(),
            Self::Gepbench => Aspect::ALL.map(Aspect::name).into(),
            Self::Scenes => vec![dense::CLASSIFICATION],
        }
    }

    /// The items of one ability with their pictures.
    pub fn items(self, ability: &str) -> Vec<PicturedItem> {
        pictured_items(&*self.set(ability), |item| is_for(item, ability))
    }

    /// Answer form of an ability; `None` if the set does not have the ability.
    pub fn form(self, ability: &str) -> Option<AnswerForm> {
        if !self.abilities().contains(&ability) {
            return None;
        }
        let set = self.set(ability);
        let mut items = (0..set.pages()).flat_map(|number| set.items(number));
        let item = items.find(|item| is_for(item, ability))?;
        Some(AnswerForm::asked(&item.ability, &item.content))
    }

    /// The benchmark from which an ability's items are taken.
    pub(super) fn set(self, ability: &str) -> Box<dyn Benchmark> {
        let made = SampleRuns::default();
        let other = made.seed + 1;
        match self {
            Self::Exam | Self::RichExam => {
                let style = if self == Self::Exam {
                    Style::Plain
                } else {
                    Style::Rich
                };
                let exam = LevelledExam::at(LESSONS, &LESSON_LEVELS, made.seed);
                Box::new(exam.in_style(style).only(ability, Split::Train))
            }
            Self::PlainExam => {
                Box::new(Exam::new(made.exam, made.seed).only(ability, Split::Train))
            }
            Self::TopDown => Box::new(TopDown::new(made.topdown * TRAINING_RATIO, other)),
            Self::Gepbench => Box::new(Gepbench::new(
                made.gepbench * TRAINING_RATIO,
                other,
                Noise::None,
            )),
            Self::Scenes => {
                Box::new(DenseScenes::new(THINGS * dense::TASKS.len(), other).of(&[ability]))
            }
        }
    }
}

/// Returns true if an item of the ability is used for training; scenes only at rotation 0.
fn is_for(item: &Item, ability: &str) -> bool {
    let turned = item.condition.get(ROTATION);
    item.ability == ability && turned.is_none_or(|degrees| *degrees == Value::Number(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ability_has_lessons_of_one_form() {
        for training_set in TrainingSet::ALL {
            let items = training_set.items(training_set.abilities()[0]);
            let content = &items[0].item.content;
            let found = TrainingSet::of(training_set.benchmark(), content);
            assert_eq!(found, Some(training_set));
            for ability in training_set.abilities() {
                assert!(training_set.form(ability).is_some(), "{ability}");
            }
            assert_eq!(training_set.form("taste"), None);
        }
        assert_eq!(
            TrainingSet::Exam.form("localization"),
            Some(AnswerForm::Box)
        );
        let page = TrainingSet::RichExam.set("color").page(0);
        let rich = &page.items[0].content;
        assert_eq!(TrainingSet::of("exam", rich), Some(TrainingSet::RichExam));
        let plain = Content::default();
        assert_eq!(TrainingSet::of("mmmu", &plain), None);
        assert_eq!(
            TrainingSet::of("exam", &plain),
            Some(TrainingSet::PlainExam)
        );
    }
}
