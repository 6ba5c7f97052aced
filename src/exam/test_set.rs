//! A test set: fresh items from a seed that is not used for training.

use rayon::prelude::*;
use thiserror::Error;

use super::abilities::TopDown;
use super::abilities::levels::{ItemAddress, LEVELS, LevelledExam, Seed};
use super::dense::{self, DenseScenes, Style};
use super::gepbench::{Gepbench, Noise};
use super::runs::{PicturedItem, pictured_items};
use super::set::Shades;
use super::training_set::TrainingSet;
use super::{Benchmark, Item, Page};

/// Usual seed of an exam.
pub const SEED: u64 = 20_261_121;

/// Test items of some abilities, drawn from a seed.
pub struct TestSet {
    training_set: TrainingSet,
    abilities: Vec<&'static str>,
    /// Number of items over all abilities of the benchmark, before others are removed.
    count: usize,
    /// Levels of the exam's items.
    levels: Vec<u8>,
    /// Exact list of items, for adaptive exams.
    places: Option<Vec<ItemAddress>>,
    /// Size of the exam's pictures relative to the usual size.
    times: u32,
    seed: Seed,
    set: Box<dyn Benchmark>,
}

/// Why a test set cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TestSetError {
    /// The seed is that of the training data, so encoders would know the answers.
    #[error("seed {0} overlaps the training data of the encoders")]
    TrainingSeed(u64),
    /// The benchmark does not have this ability.
    #[error("{benchmark} has no ability `{named}`; it has {known}", known = known.join(", "))]
    Unknown {
        /// Name of the benchmark.
        benchmark: &'static str,
        /// The unknown ability.
        named: String,
        /// Abilities of the benchmark.
        known: Vec<&'static str>,
    },
}

impl TestSet {
    /// Creates a set of `count` items, spread evenly over `abilities` (all if empty). The default
    /// count is four per ability and level for the exam, and about ten minutes at three seconds
    /// each for other sets. Each top-down scene is asked at four rotations.
    ///
    /// # Errors
    /// The seed is a training seed, or the benchmark does not have an ability.
    pub fn new(
        training_set: TrainingSet,
        abilities: &[String],
        count: Option<usize>,
        seed: impl Into<Seed>,
    ) -> Result<Self, TestSetError> {
        let seed = seed.into();
        if TrainingSet::SEEDS.contains(&seed.number()) {
            return Err(TestSetError::TrainingSeed(seed.number()));
        }
        let known = asked_abilities(training_set);
        let unknown = |name: &&String| !known.contains(&name.as_str());
        if let Some(named) = abilities.iter().find(unknown) {
            return Err(TestSetError::Unknown {
                benchmark: training_set.benchmark(),
                named: named.clone(),
                known,
            });
        }
        let all = known.len();
        let is_wanted = |name: &&str| abilities.is_empty() || abilities.iter().any(|a| a == name);
        let wanted: Vec<&str> = known.into_iter().filter(is_wanted).collect();
        let count = match count {
            Some(count) if wanted.len() == all => count,
            Some(count) => count.div_ceil(wanted.len()) * all,
            None => usual_count(training_set),
        };
        let mut made = Self {
            set: Box::new(TopDown::new(0, 0)),
            training_set,
            abilities: wanted,
            count,
            levels: (1..=LEVELS).collect(),
            places: None,
            times: 1,
            seed,
        };
        made.set = made.items_of(&made.abilities);
        Ok(made)
    }

    /// Restricts the exam to some levels; other sets have no levels.
    #[must_use]
    pub fn at_levels(mut self, levels: &[u8]) -> Self {
        levels.clone_into(&mut self.levels);
        self.set = self.items_of(&self.abilities);
        self
    }

    /// Draws the exam's pictures in the rich style; no effect on other sets.
    #[must_use]
    pub fn rich(mut self) -> Self {
        if self.training_set == TrainingSet::Exam {
            self.training_set = TrainingSet::RichExam;
        }
        self.set = self.items_of(&self.abilities);
        self
    }

    /// Draws the exam's pictures `times` larger.
    #[must_use]
    pub fn enlarged(mut self, times: u32) -> Self {
        self.times = times;
        self.set = self.items_of(&self.abilities);
        self
    }

    /// Restricts the exam to exactly these items.
    #[must_use]
    pub fn of_places(mut self, places: Vec<ItemAddress>) -> Self {
        self.places = Some(places);
        self.set = self.items_of(&self.abilities);
        self
    }

    /// Benchmark from which the items of some abilities are taken; it may contain others too.
    fn items_of(&self, abilities: &[&str]) -> Box<dyn Benchmark> {
        let seed = self.seed.number();
        match self.training_set {
            TrainingSet::Exam | TrainingSet::PlainExam | TrainingSet::RichExam => {
                Box::new(self.exam().of(abilities))
            }
            TrainingSet::TopDown => Box::new(TopDown::new(self.count, seed)),
            TrainingSet::Gepbench => Box::new(Gepbench::new(self.count, seed, Noise::Some)),
            TrainingSet::Scenes => Box::new(DenseScenes::new(self.count, seed).of(abilities)),
        }
    }

    /// The exam, restricted to the set's items or levels.
    fn exam(&self) -> LevelledExam {
        let exam = match &self.places {
            Some(places) => LevelledExam::of_places(places.clone(), self.seed),
            None => LevelledExam::at(self.count, &self.levels, self.seed).whole(),
        };
        let style = match self.training_set {
            TrainingSet::RichExam => Style::Rich,
            _ => Style::Plain,
        };
        exam.in_style(style).enlarged(self.times)
    }

    /// Returns true if the item has one of the abilities.
    fn has(&self, item: &Item) -> bool {
        self.abilities.contains(&item.ability.as_str())
    }

    /// Names of the abilities in this set.
    pub fn abilities(&self) -> &[&'static str] {
        &self.abilities
    }

    /// Training set of the same benchmark.
    pub const fn training_set(&self) -> TrainingSet {
        self.training_set
    }

    /// All items, without drawing pictures if possible.
    pub fn items(&self) -> Vec<Item> {
        let pages = (0..self.pages()).into_par_iter();
        pages
            .flat_map_iter(|number| Benchmark::items(self, number))
            .collect()
    }

    /// Items of one ability with their pictures.
    pub fn pictured_items(&self, ability: &str) -> Vec<PicturedItem> {
        let wanted = |item: &Item| item.ability == ability;
        pictured_items(&*self.items_of(&[ability]), wanted)
    }
}

impl Benchmark for TestSet {
    fn pages(&self) -> usize {
        self.set.pages()
    }

    fn shades(&self) -> Shades {
        self.set.shades()
    }

    fn page(&self, number: usize) -> Page {
        let mut page = self.set.page(number);
        page.items.retain(|item| self.has(item));
        let items = &page.items;
        page.pictures.retain(|picture| {
            let path = Some(picture.path.as_str());
            items.iter().any(|item| item.picture() == path)
        });
        page
    }

    fn items(&self, number: usize) -> Vec<Item> {
        let mut items = self.set.items(number);
        items.retain(|item| self.has(item));
        items
    }
}

/// Abilities that can be asked; for scenes, encoders learn only one of them.
pub fn asked_abilities(training_set: TrainingSet) -> Vec<&'static str> {
    match training_set {
        TrainingSet::Scenes => dense::TASKS.into(),
        _ => training_set.abilities(),
    }
}

/// Default number of items of a test set.
pub const fn usual_count(training_set: TrainingSet) -> usize {
    match training_set {
        TrainingSet::Exam | TrainingSet::RichExam | TrainingSet::PlainExam => 560,
        TrainingSet::Gepbench => 210,
        // Each question is asked at four rotations.
        TrainingSet::TopDown => 48,
        // Two of the tasks take two hundred requests per item.
        TrainingSet::Scenes => 30,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_paper_has_as_many_questions_as_it_says_and_every_ability() {
        for (training_set, rotations) in [
            (TrainingSet::Exam, 1),
            (TrainingSet::TopDown, 4),
            (TrainingSet::Gepbench, 1),
            (TrainingSet::Scenes, 1),
        ] {
            let test_set = TestSet::new(training_set, &[], Some(28), 5).ok().unwrap();
            let items = test_set.items();
            assert_eq!(items.len(), 28 * rotations);
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for item in &items {
                *counts.entry(&item.ability).or_default() += 1;
                assert_eq!(
                    TrainingSet::of(item.benchmark, &item.content),
                    Some(training_set)
                );
                assert_ne!(item.content.tags.get("split"), Some(&"train".into()));
            }
            assert_eq!(
                counts.len(),
                asked_abilities(training_set).len(),
                "{counts:?}"
            );
            let ability = training_set.abilities()[0];
            let drawn = (0..test_set.pages()).flat_map(|number| test_set.page(number).items);
            assert_eq!(drawn.collect::<Vec<_>>(), items, "drawn or not");
            let asked = test_set.pictured_items(ability);
            assert_eq!(asked.len(), counts[ability]);
            assert!(asked.iter().all(|asked| items.contains(&asked.item)));
        }
    }

    #[test]
    fn nobody_is_asked_what_it_has_learnt() {
        for seed in TrainingSet::SEEDS {
            let test_set = TestSet::new(TrainingSet::Exam, &[], None, seed);
            assert_eq!(test_set.err(), Some(TestSetError::TrainingSeed(seed)));
        }
    }

    #[test]
    fn an_exam_is_drawn_richly_and_larger_with_the_same_questions() {
        let names = ["emotion", "color"].map(str::to_owned);
        let set = |seed: u64| {
            TestSet::new(TrainingSet::Exam, &names, Some(4), seed)
                .ok()
                .unwrap()
        };
        let (plain, rich) = (set(5), set(5).rich().enlarged(2));
        assert_eq!(rich.training_set(), TrainingSet::RichExam);
        let questions = |set: &TestSet| -> Vec<String> {
            let items = set.items().into_iter();
            items.map(|item| item.content.question).collect()
        };
        assert_eq!(questions(&plain), questions(&rich));
        assert_eq!(rich.page(0).pictures[0].pixels.width(), 1024);
        let asked = rich.pictured_items("color");
        assert_eq!(asked[0].picture.width(), 1024);
        let places = vec![ItemAddress {
            ability: 13,
            level: 2,
            number: 0,
        }];
        let chosen = rich.of_places(places);
        assert_eq!(chosen.page(0).pictures[0].pixels.width(), 1024);
    }

    #[test]
    fn some_abilities_alone_have_the_questions_between_them() {
        for (training_set, names) in [
            (TrainingSet::Exam, ["texture", "color"]),
            (TrainingSet::Gepbench, ["size", "location"]),
        ] {
            let names = names.map(str::to_owned);
            let test_set = TestSet::new(training_set, &names, Some(8), 5).ok().unwrap();
            let items = test_set.items();
            assert_eq!(items.len(), 8);
            assert!(items.iter().all(|item| names.contains(&item.ability)));
            let unknown = TestSet::new(training_set, &["taste".to_owned()], None, 5);
            let why = unknown.err().unwrap().to_string();
            assert!(why.contains("`taste`") && why.contains(&names[0]), "{why}");
        }
    }
}
