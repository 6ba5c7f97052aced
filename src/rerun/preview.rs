//! The words that will be sent otherwise than the log has them, before anything is sent.

use std::collections::BTreeSet;

use super::content::{ANY, Move, Moved, TurnWords, moved};
use super::edited::PictureEdit;
use super::plan::Plan;
use super::question::{turn_of, upright_size};
use super::sample::Sample;
use super::step::Step;
use media::{Orientation, Turn};
use record::Target;

/// Words that change with their pictures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedWords {
    /// Samples of which some words, numbers or letters change.
    pub samples: usize,
    /// Some of the changes, of which no two are alike.
    pub examples: Vec<ChangedExample>,
}

/// A question that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedExample {
    /// The harness's id of the sample.
    pub sample_id: String,
    /// The step.
    pub step: String,
    /// The question with its options, changes marked: `in the ‹upper → right› half`.
    pub marked: String,
    /// The target before and after, where it changes.
    pub target: Option<(String, String)>,
}

impl Plan {
    /// What changes in the words of this plan, with at most so many examples. Opens the pictures of the examples.
    #[must_use]
    pub fn changed_words(&self, most: usize) -> ChangedWords {
        let mut found = ChangedWords::default();
        let mut seen = BTreeSet::new();
        for sample in &self.samples {
            let mut changes = false;
            for step in self.steps.iter() {
                let Some(by) = self.turn(sample, step) else {
                    continue;
                };
                let Some(moved) = self.moved(sample, by, ANY).filter(is_changed) else {
                    continue;
                };
                changes = true;
                if found.examples.len() < most && seen.insert(marked(&moved)) {
                    let size = upright_size(&sample.pictures).ok();
                    let exact = size.and_then(|size| self.moved(sample, by, size));
                    found
                        .examples
                        .push(example(sample, step, &exact.unwrap_or(moved)));
                }
            }
            found.samples += usize::from(changes);
        }
        found
    }

    /// How a step turns and mirrors a sample's picture; nothing where it does not, or where the log has a turned picture
    /// of its own.
    fn turn(&self, sample: &Sample, step: &Step) -> Option<Orientation> {
        let turned = |turn| Orientation::new(turn, false);
        let by_step = turn_of(sample, step, &self.asking).map(turned);
        let edits = step.edited.iter().flat_map(|edited| &edited.edits);
        let by = edits.fold(by_step.unwrap_or_default(), |by, edit| match edit {
            PictureEdit::Turn(turn) => by.then(turned(*turn)),
            PictureEdit::Flip => by.then(Orientation::new(Turn::NONE, true)),
            _ => by,
        });
        (!by.is_upright()).then_some(by)
    }

    fn moved(&self, sample: &Sample, by: Orientation, size: (u32, u32)) -> Option<Moved> {
        let words = self.asking.turn_words;
        moved(&sample.record.content, Move::by(by, size), words).ok()
    }

    /// Samples whose words stay as they are although their pictures turn.
    #[must_use]
    pub fn keeps_words(&self) -> bool {
        self.asking.turn_words == TurnWords::Off
    }
}

fn is_changed(moved: &Moved) -> bool {
    moved.said.changes() > 0
        || moved
            .said
            .target
            .as_ref()
            .is_some_and(|said| said.changes > 0)
}

fn marked(moved: &Moved) -> String {
    let choices = moved.content.choices.iter().zip(&moved.said.choices);
    let choices = choices.map(|(choice, said)| format!("{}. {}", choice.letter, said.marked));
    let lines = std::iter::once(moved.said.question.marked.clone()).chain(choices);
    lines.collect::<Vec<_>>().join("\n")
}

fn example(sample: &Sample, step: &Step, moved: &Moved) -> ChangedExample {
    let before = sample.record.content.target.as_ref().map(Target::to_string);
    let after = moved.content.target.as_ref().map(Target::to_string);
    ChangedExample {
        sample_id: sample.record.sample_id.clone(),
        step: step.name(),
        marked: marked(moved),
        target: before.zip(after).filter(|(before, after)| before != after),
    }
}
