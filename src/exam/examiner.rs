//! Draws exams for [`ask::worker`], and turns their items into samples to ask.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use ask::{EachTask, ExamOrder, ExamSet, Protocol, Sample};
use media::Source;

use super::baselines::{self, WrittenSet};
use super::precision::precision;
use super::test_set::{SEED, TestSet, asked_abilities, usual_count};
use super::training_set::TrainingSet;
use super::{Item, set};

/// Name of the format in which items are written.
const FORMAT: &str = "eyechart";

/// Sets of an exam: name, training set of the same benchmark, and content.
const SETS: [(&str, TrainingSet, &str); 4] = [
    (
        "exam",
        TrainingSet::Exam,
        "generated; ten levels of difficulty",
    ),
    (
        "gepbench",
        TrainingSet::Gepbench,
        "generated geometric figures",
    ),
    (
        "topdown",
        TrainingSet::TopDown,
        "generated views from above, at four rotations",
    ),
    (
        "scenes",
        TrainingSet::Scenes,
        "generated rooms for chains of questions",
    ),
];

/// The generators of this crate, to be registered with [`ask::register_exams`].
#[derive(Debug)]
pub struct Examiner;

/// The questions of an exam.
#[derive(Debug)]
struct Exam {
    training_set: TrainingSet,
    /// Number of items over all abilities.
    count: usize,
    items: Vec<Item>,
}

impl ask::Examiner for Examiner {
    fn sets(&self) -> Vec<ExamSet> {
        let set = |(name, training_set, about): (_, TrainingSet, _)| {
            let abilities = asked_abilities(training_set).len();
            ExamSet {
                name,
                about,
                abilities,
                each: (usual_count(training_set) / abilities.max(1)).max(1),
            }
        };
        SETS.into_iter().map(set).collect()
    }

    fn draw(&self, order: &ExamOrder) -> Option<Box<dyn ask::Exam>> {
        let (_, training_set, _) = SETS.into_iter().find(|(name, ..)| *name == order.set)?;
        let count = order.each.max(1) * asked_abilities(training_set).len();
        let exam = Exam {
            training_set,
            count,
            items: drawn(training_set, count).ok()?.items(),
        };
        Some(Box::new(exam))
    }
}

/// Draws a set with the usual seed.
fn drawn(training_set: TrainingSet, count: usize) -> io::Result<TestSet> {
    let drawn = TestSet::new(training_set, &[], Some(count), SEED);
    drawn.map_err(io::Error::other)
}

impl ask::Exam for Exam {
    fn protocol(&self) -> Protocol {
        protocol(self.training_set)
    }

    fn samples(&self, folder: &Path) -> Vec<Sample> {
        let items = self.items.iter().cloned();
        items.map(|item| sample(item, folder)).collect()
    }

    fn precision(&self) -> Vec<String> {
        precision(&self.items)
    }

    fn write(&self, folder: &Path) -> io::Result<()> {
        let test_set = drawn(self.training_set, self.count)?;
        set::write(&test_set, folder, &mut |_| {})?;
        let written = WrittenSet {
            test_set: &test_set,
            items: &self.items,
            folder,
        };
        baselines::write(written, &[], &mut |_| {})
    }
}

/// Returns the protocol under which the items of a set are asked.
pub fn protocol(training_set: TrainingSet) -> Protocol {
    match training_set {
        TrainingSet::Scenes => Protocol::EachTask(EachTask::default()),
        _ => Protocol::Vanilla,
    }
}

/// Returns the sample of an item whose picture lies in a folder.
pub fn sample(item: Item, folder: &Path) -> Sample {
    let picture = item.picture().map(|path| Source::Path {
        reference: path.to_owned(),
        roots: vec![folder.to_path_buf()],
    });
    Sample {
        pictures: picture.into_iter().collect(),
        record: item.record(),
        format: FORMAT.to_owned(),
        before: None,
        turned: BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ask::Examiner as _;

    #[test]
    fn every_set_has_as_many_questions_of_each_ability_as_ordered() {
        let sets = Examiner.sets();
        assert_eq!(sets.len(), SETS.len());
        // 560 questions of fourteen abilities.
        assert_eq!(
            (sets[0].name, sets[0].abilities, sets[0].each),
            ("exam", 14, 40)
        );
        for set in sets {
            let order = ExamOrder {
                set: set.name.to_owned(),
                each: 2,
            };
            let exam = Examiner.draw(&order).unwrap();
            let samples = exam.samples(Path::new("exam"));
            let rotations = if set.name == "topdown" { 4 } else { 1 };
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for sample in &samples {
                *counts.entry(&sample.record.ability).or_default() += 1;
            }
            assert_eq!(counts.len(), set.abilities, "{}", set.name);
            assert_eq!(samples.len(), 2 * set.abilities * rotations, "{}", set.name);
            assert!(!exam.precision().is_empty(), "{}", set.name);
        }
        let unknown = ExamOrder {
            set: "taste".to_owned(),
            each: 2,
        };
        assert!(Examiner.draw(&unknown).is_none());
    }

    #[test]
    fn an_exam_is_written_with_its_pictures_and_chance() {
        let folder = tempfile::tempdir().unwrap();
        let order = ExamOrder {
            set: "gepbench".to_owned(),
            each: 1,
        };
        let exam = Examiner.draw(&order).unwrap();
        exam.write(folder.path()).unwrap();
        for sample in exam.samples(folder.path()) {
            assert!(media::OpenedPicture::new(&sample.pictures[0]).is_ok());
        }
        for name in [set::ITEMS, "chance.scores.csv"] {
            assert!(folder.path().join(name).is_file(), "{name}");
        }
        let again = exam.write(folder.path());
        assert!(again.is_err(), "nothing is written over");
    }
}
