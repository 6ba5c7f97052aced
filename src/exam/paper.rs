//! An exam paper: a fresh set of questions that nobody has learnt from, to be put to a model.

use thiserror::Error;

use super::abilities::{Exam, TopDown};
use super::gepbench::{Gepbench, Noise};
use super::lessons::Lessons;
use super::runs::{Asked, asked};
use super::{Benchmark, Item};

/// A set of questions from a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    lessons: Lessons,
    count: usize,
    seed: u64,
}

/// The encoders have learnt from what this seed draws: they would know the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("seed {0} draws what the encoders have learnt from")]
pub struct Learnt(pub u64);

impl Paper {
    /// `count` questions for the abilities of `lessons`; of scenes seen from above each is asked at four rotations.
    ///
    /// # Errors
    /// The encoders have learnt from this seed.
    pub fn new(lessons: Lessons, count: usize, seed: u64) -> Result<Self, Learnt> {
        if Lessons::SEEDS.contains(&seed) {
            return Err(Learnt(seed));
        }
        Ok(Self {
            lessons,
            count,
            seed,
        })
    }

    /// The questions of ten minutes, if one takes three seconds.
    #[must_use]
    pub const fn usual_count(lessons: Lessons) -> usize {
        match lessons {
            // 14 abilities or 6 aspects.
            Lessons::Exam | Lessons::Gepbench => 210,
            // At four rotations.
            Lessons::TopDown => 48,
        }
    }

    /// What the set is for.
    #[must_use]
    pub const fn lessons(self) -> Lessons {
        self.lessons
    }

    /// The whole set.
    #[must_use]
    pub fn benchmark(self) -> Box<dyn Benchmark> {
        match self.lessons {
            Lessons::Exam => Box::new(self.exam()),
            Lessons::TopDown => Box::new(TopDown::new(self.count, self.seed)),
            Lessons::Gepbench => Box::new(Gepbench::new(self.count, self.seed, Noise::Some)),
        }
    }

    fn exam(self) -> Exam {
        Exam::new(self.count, self.seed).whole()
    }

    /// Every question, without the pictures.
    #[must_use]
    pub fn items(self) -> Vec<Item> {
        let benchmark = self.benchmark();
        let pages = 0..benchmark.pages();
        pages
            .flat_map(|number| benchmark.page(number).items)
            .collect()
    }

    /// The questions of one ability, with the pictures.
    #[must_use]
    pub fn asked(self, ability: &str) -> Vec<Asked> {
        let wanted = |item: &Item| item.ability == ability;
        match self.lessons {
            Lessons::Exam => asked(&self.exam().of(ability), wanted),
            _ => asked(&*self.benchmark(), wanted),
        }
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
            let paper = Paper::new(lessons, 28, 5).unwrap();
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
            assert_eq!(Paper::new(Lessons::Exam, 1, seed), Err(Learnt(seed)));
        }
    }
}
