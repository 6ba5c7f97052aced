//! Twins of a sample: its mirrored and its flipped picture, where other answers are right.

use std::collections::BTreeMap;

use super::content::{ANY, Move, TurnWords, moved};
use super::direction::TransformRefusal;
use super::item::JournalEntry;
use super::kind::Kind;
use analysis::metric::{MemoryTest, TwinAnswers};
use analysis::{BenchmarkMemory, KEY_KEPT, KEY_TAGS, twin_of};
use media::{Orientation, Turn};
use record::{Content, Record, Target, Value};

/// Maximum `IoU` of a box with its mirror image, so that an answer fits only one of them.
const MOST_OVERLAP: f64 = 0.1;

/// The original sample, and the same sample rotated by 180 degrees. Their keys (right answers) may
/// be wrong on a mirrored or flipped picture; see [`analysis::metric::TwinAnswers`].
#[derive(Clone, Debug)]
pub struct Keys {
    original: Content,
    opposite: Content,
    /// Texts of both keys, as they are before the picture is scaled.
    texts: [Option<String>; 2],
}

impl Keys {
    /// Finds the keys of a sample with an upright picture of this size.
    ///
    /// # Errors
    /// Mirroring does not change the right answer, options change with the picture, or words do
    /// not fit a changed picture.
    pub fn new(
        content: &Content,
        size: (u32, u32),
        words: TurnWords,
    ) -> Result<Self, TransformRefusal> {
        let after = |by| Ok(moved(content, Move::by(by, size), words)?.content);
        let mirrored = after(Orientation::MIRRORED)?;
        let flipped = after(Orientation::FLIPPED)?;
        let opposite = after(Orientation::turned(Turn::EACH[2]))?;
        let keeps = |moved: &Content| moved.choices == content.choices;
        if ![&mirrored, &flipped, &opposite].into_iter().all(keeps) {
            return Err(TransformRefusal("options that change with the picture"));
        }
        if !differ(content, &mirrored) || !differ(content, &opposite) {
            return Err(TransformRefusal("the same right answer when mirrored"));
        }
        let text = |content: &Content| content.target.as_ref().map(ToString::to_string);
        Ok(Self {
            texts: [text(content), text(&opposite)],
            original: content.clone(),
            opposite,
        })
    }

    /// Moves the keys with a picture that is scaled. Their texts stay.
    ///
    /// # Errors
    /// A number may be a position that cannot be moved.
    pub fn scaled(mut self, by: Move) -> Result<Self, TransformRefusal> {
        for content in [&mut self.original, &mut self.opposite] {
            *content = moved(content, by, TurnWords::Off)?.content;
        }
        Ok(self)
    }

    /// Adds the keys to a record as tags.
    fn tag(&self, record: &mut Record) {
        for (name, key) in KEY_TAGS.into_iter().zip(&self.texts) {
            let key = key.clone().map(Value::Text);
            record
                .content
                .tags
                .extend(key.map(|key| (name.to_owned(), key)));
        }
    }

    /// Adds the keys to an answer's record, and whether the answer matches the original key or the
    /// opposite key.
    ///
    /// `asked` is the record without the answer. A cut answer is not scored.
    pub fn score(&self, record: &mut Record, asked: &Record, done: &JournalEntry) {
        let judged = |content: &Content| {
            let asked = Record {
                content: content.clone(),
                ..asked.clone()
            };
            done.judged(asked).0
        };
        if judged(&asked.content).kind == Kind::Cut {
            return;
        }
        let is_right = |content: &Content| f64::from(u8::from(judged(content).right == Some(true)));
        let kept = is_right(&self.original) - is_right(&self.opposite);
        record.beside.push((KEY_KEPT.to_owned(), kept));
        self.tag(record);
    }
}

/// Answers to mirrored and flipped pictures, by benchmark and position of the sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TwinSamples(BTreeMap<(String, String), BTreeMap<usize, TwinAnswers>>);

impl TwinSamples {
    /// Adds an answer to a changed picture; other records are ignored.
    pub fn add(&mut self, record: &Record, sample: usize, cluster: usize) {
        let score = record.beside.iter().find(|(name, _)| name == KEY_KEPT);
        let view = twin_of(&record.condition);
        let keys = KEY_TAGS.map(|tag| record.content.tags.get(tag).map(ToString::to_string));
        let (Some((_, score)), Some(view), [Some(key), Some(opposite)]) = (score, view, keys)
        else {
            return;
        };
        let group = (record.benchmark.clone(), record.model.clone());
        let samples = self.0.entry(group).or_default();
        let answers = samples.entry(sample).or_insert(TwinAnswers {
            key,
            opposite,
            kept: [f64::NAN; 2],
            cluster,
        });
        if let Some(kept) = answers.kept.get_mut(view) {
            *kept = *score;
        }
    }

    /// Tests the memory of the model in each benchmark.
    pub fn memory(&self) -> Vec<BenchmarkMemory> {
        let test =
            |((benchmark, model), samples): (&(String, String), &BTreeMap<_, TwinAnswers>)| {
                let answers: Vec<TwinAnswers> = samples.values().cloned().collect();
                BenchmarkMemory {
                    benchmark: benchmark.clone(),
                    model: model.clone(),
                    test: MemoryTest::new(&answers),
                }
            };
        self.0.iter().map(test).collect()
    }
}

/// Returns why a sample has no twin, judged by its words. The picture is not opened.
pub fn unfit(content: &Content, words: TurnWords) -> Option<&'static str> {
    let refusal = Keys::new(content, ANY, words).err();
    refusal.map(|refusal| refusal.0)
}

/// Returns true if the targets of two contents differ: no answer fits both.
fn differ(one: &Content, other: &Content) -> bool {
    match (corners(one), corners(other)) {
        (Some(one), Some(other)) => scorer::boxes::iou(one, other) < MOST_OVERLAP,
        _ => one.target != other.target,
    }
}

/// Returns the box of a target.
fn corners(content: &Content) -> Option<[f64; 4]> {
    match content.target.as_ref()? {
        Target::Box(corners) => Some(*corners),
        Target::Text(text) => scorer::box_of(text).map(|found| found.corners),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Choice;

    fn content(options: &[&str], target: Target) -> Content {
        let choices = options.iter().zip(["A", "B", "C", "D"]);
        Content {
            question: "Where is the cup?".to_owned(),
            choices: choices
                .map(|(text, letter)| Choice {
                    letter: letter.to_owned(),
                    text: (*text).to_owned(),
                })
                .collect(),
            target: Some(target),
            ..Content::default()
        }
    }

    fn keys(content: &Content) -> Result<Keys, TransformRefusal> {
        Keys::new(content, (100, 50), TurnWords::On)
    }

    fn letter(letter: &str) -> Target {
        Target::Text(letter.to_owned())
    }

    #[test]
    fn keys_are_those_of_the_original_and_of_half_a_turn() {
        let sides = content(&["left", "right"], letter("A"));
        assert_eq!(keys(&sides).unwrap().opposite.target, Some(letter("B")));
        let corners = ["top left", "top right", "bottom right", "bottom left"];
        let corners = content(&corners, letter("B"));
        assert_eq!(keys(&corners).unwrap().opposite.target, Some(letter("D")));
        let boxed = content(&[], Target::Box([0.0, 10.0, 20.0, 30.0]));
        assert_eq!(
            keys(&boxed).unwrap().opposite.target,
            Some(Target::Box([80.0, 20.0, 100.0, 40.0]))
        );
        let mut record = Record::default();
        keys(&sides).unwrap().tag(&mut record);
        let tag = |name: &str| record.content.tags.get(name).cloned();
        assert_eq!(tag("twin_key"), Some(Value::Text("A".to_owned())));
        assert_eq!(tag("twin_opposite"), Some(Value::Text("B".to_owned())));
    }

    #[test]
    fn keys_lie_on_the_picture_in_the_size_in_which_it_is_sent() {
        let boxed = content(&[], Target::Box([0.0, 10.0, 20.0, 30.0]));
        let by = Move::by(Orientation::UPRIGHT, (100, 50)).scaled((50, 25));
        let sent = keys(&boxed).unwrap().scaled(by).unwrap();
        let corners = |content: &Content| corners(content).unwrap().map(f64::round);
        assert_eq!(corners(&sent.original), [0.0, 5.0, 10.0, 15.0]);
        assert_eq!(corners(&sent.opposite), [40.0, 10.0, 50.0, 20.0]);
        // Reports compare the keys of both changed pictures, which may be sent in other sizes.
        let mut record = Record::default();
        sent.tag(&mut record);
        let key = boxed.target.map(|key| Value::Text(key.to_string()));
        assert_eq!(record.content.tags.get("twin_key").cloned(), key);
    }

    #[test]
    fn an_answer_is_compared_with_both_keys() {
        let sides = content(&["left", "right"], letter("A"));
        let asked = Record {
            content: sides.clone(),
            ..Record::default()
        };
        let scored = |text: &str, finish_reason: &str| {
            let done = JournalEntry {
                text: text.to_owned(),
                outcome: "ok".to_owned(),
                finish_reason: Some(finish_reason.to_owned()),
                ..JournalEntry::default()
            };
            let mut record = Record::default();
            keys(&sides).unwrap().score(&mut record, &asked, &done);
            record.beside
        };
        for (text, kept) in [("A", 1.0), ("B", -1.0), ("I see nothing.", 0.0)] {
            assert_eq!(
                scored(text, "stop"),
                [("key_kept".to_owned(), kept)],
                "{text}"
            );
        }
        assert_eq!(scored("I see nothing yet, but", "length"), []);
    }

    #[test]
    fn a_sample_whose_key_stays_has_no_twin() {
        let why = |content: &Content| unfit(content, TurnWords::On);
        let same = Some("the same right answer when mirrored");
        assert_eq!(why(&content(&["red", "blue"], letter("A"))), same);
        assert_eq!(why(&content(&["top", "bottom"], letter("A"))), same);
        assert_eq!(why(&content(&["left", "right"], letter("B"))), None);
        // A box in the middle overlaps its mirror image.
        let middle = content(&[], Target::Box([45.0, 10.0, 60.0, 30.0]));
        assert_eq!(
            keys(&middle).unwrap_err().0,
            "the same right answer when mirrored"
        );
        let off = content(&["left", "right"], letter("A"));
        assert_eq!(unfit(&off, TurnWords::Off), same);
    }
}
