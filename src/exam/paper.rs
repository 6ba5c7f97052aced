//! An exam paper: a fresh set of questions that nobody has learnt from, to be put to a model.

use thiserror::Error;

use super::abilities::{Exam, TopDown};
use super::gepbench::{Gepbench, Noise};
use super::lessons::Lessons;
use super::runs::{Asked, asked};
use super::{Benchmark, Item, Page};

/// A set of questions from a seed.
pub struct Paper {
    lessons: Lessons,
    abilities: Vec<&'static str>,
    /// Questions of the set from which those of the abilities are taken.
    count: usize,
    seed: u64,
    set: Box<dyn Benchmark>,
}

/// Why there is no such paper.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PaperError {
    /// The encoders have learnt from what the seed draws: they would know the answers.
    #[error("seed {0} draws what the encoders have learnt from")]
    Learnt(u64),
    /// An ability that is not asked.
    #[error("{benchmark} does not ask for `{named}`; it asks for {known}", known = known.join(", "))]
    Unknown {
        /// The benchmark.
        benchmark: &'static str,
        /// What was named.
        named: String,
        /// What there is.
        known: Vec<&'static str>,
    },
}

impl Paper {
    /// Questions for `abilities`, without any for all that `lessons` have; `count` of them, spread evenly, or as many
    /// as take ten minutes, if one takes three seconds. Of scenes seen from above each is asked at four rotations.
    ///
    /// # Errors
    /// The encoders have learnt from this seed, or there is no such ability.
    pub fn new(
        lessons: Lessons,
        abilities: &[String],
        count: Option<usize>,
        seed: u64,
    ) -> Result<Self, PaperError> {
        if Lessons::SEEDS.contains(&seed) {
            return Err(PaperError::Learnt(seed));
        }
        let known = lessons.abilities();
        let unknown = |name: &&String| !known.contains(&name.as_str());
        if let Some(named) = abilities.iter().find(unknown) {
            return Err(PaperError::Unknown {
                benchmark: lessons.benchmark(),
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
            None => usual_count(lessons),
        };
        Ok(Self {
            set: set(lessons, &wanted, count, seed),
            lessons,
            abilities: wanted,
            count,
            seed,
        })
    }

    /// The abilities that are asked for.
    #[must_use]
    pub fn abilities(&self) -> &[&'static str] {
        &self.abilities
    }

    /// What the set is for.
    #[must_use]
    pub const fn lessons(&self) -> Lessons {
        self.lessons
    }

    /// Every question, without the pictures.
    #[must_use]
    pub fn items(&self) -> Vec<Item> {
        let pages = 0..self.pages();
        pages.flat_map(|number| self.page(number).items).collect()
    }

    /// The questions of one ability, with the pictures.
    #[must_use]
    pub fn asked(&self, ability: &str) -> Vec<Asked> {
        let wanted = |item: &Item| item.ability == ability;
        asked(
            &*set(self.lessons, &[ability], self.count, self.seed),
            wanted,
        )
    }
}

/// The set from which questions of some abilities are taken; it may hold others too.
fn set(lessons: Lessons, abilities: &[&str], count: usize, seed: u64) -> Box<dyn Benchmark> {
    match lessons {
        Lessons::Exam => Box::new(Exam::new(count, seed).whole().of(abilities)),
        Lessons::TopDown => Box::new(TopDown::new(count, seed)),
        Lessons::Gepbench => Box::new(Gepbench::new(count, seed, Noise::Some)),
    }
}

impl Benchmark for Paper {
    fn pages(&self) -> usize {
        self.set.pages()
    }

    fn has_shades(&self) -> bool {
        self.set.has_shades()
    }

    fn page(&self, number: usize) -> Page {
        let mut page = self.set.page(number);
        page.items
            .retain(|item| self.abilities.contains(&item.ability.as_str()));
        let items = &page.items;
        page.pictures.retain(|picture| {
            let path = Some(picture.path.as_str());
            items.iter().any(|item| item.picture() == path)
        });
        page
    }
}

/// The questions of ten minutes.
const fn usual_count(lessons: Lessons) -> usize {
    match lessons {
        Lessons::Exam | Lessons::Gepbench => 210,
        // At four rotations.
        Lessons::TopDown => 48,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_paper_has_as_many_questions_as_it_says_and_every_ability() {
        for (lessons, rotations) in [
            (Lessons::Exam, 1),
            (Lessons::TopDown, 4),
            (Lessons::Gepbench, 1),
        ] {
            let paper = Paper::new(lessons, &[], Some(28), 5).ok().unwrap();
            let items = paper.items();
            assert_eq!(items.len(), 28 * rotations);
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for item in &items {
                *counts.entry(&item.ability).or_default() += 1;
                assert_eq!(Lessons::of(item.benchmark), Some(lessons));
                assert_ne!(item.content.tags.get("split"), Some(&"train".into()));
            }
            assert_eq!(counts.len(), lessons.abilities().len(), "{counts:?}");
            let ability = lessons.abilities()[0];
            let asked = paper.asked(ability);
            assert_eq!(asked.len(), counts[ability]);
            assert!(asked.iter().all(|asked| items.contains(&asked.item)));
        }
    }

    #[test]
    fn nobody_is_asked_what_it_has_learnt() {
        for seed in Lessons::SEEDS {
            let paper = Paper::new(Lessons::Exam, &[], None, seed);
            assert_eq!(paper.err(), Some(PaperError::Learnt(seed)));
        }
    }

    #[test]
    fn some_abilities_alone_have_the_questions_between_them() {
        for (lessons, names) in [
            (Lessons::Exam, ["texture", "color"]),
            (Lessons::Gepbench, ["size", "location"]),
        ] {
            let names = names.map(str::to_owned);
            let paper = Paper::new(lessons, &names, Some(8), 5).ok().unwrap();
            let items = paper.items();
            assert_eq!(items.len(), 8);
            assert!(items.iter().all(|item| names.contains(&item.ability)));
            let unknown = Paper::new(lessons, &["taste".to_owned()], None, 5);
            let why = unknown.err().unwrap().to_string();
            assert!(why.contains("`taste`") && why.contains(&names[0]), "{why}");
        }
    }
}
