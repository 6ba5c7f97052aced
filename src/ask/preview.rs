//! Shows which words of the questions change, before anything is sent.

use std::collections::BTreeSet;

use super::content::{ANY, Move, MovedContent, TurnWords, moved};
use super::edited::PictureEdit;
use super::plan::Plan;
use super::question::{turn_of, upright_size};
use super::sample::Sample;
use super::step::{Change, Step};
use media::Orientation;
use record::Target;

/// Words that change with their pictures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedWords {
    /// Number of samples with changed words, numbers or letters.
    pub samples: usize,
    /// Examples of the changes, all different.
    pub examples: Vec<ChangedExample>,
}

/// Example of a question whose words change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedExample {
    /// Sample id of the harness.
    pub sample_id: String,
    /// Name of the step, for example `rotation=90`.
    pub step: String,
    /// Question and options with changes marked: `in the ‹upper → right› half`.
    pub marked: String,
    /// Target before and after, if it changes.
    pub target: Option<(String, String)>,
}

impl Plan {
    /// Finds the changed words of a plan, with at most `most` examples. Opens
    /// the examples' pictures.
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

    /// Returns how a step rotates and mirrors a sample's picture. `None` if it does not, or if the
    /// log has a rotated picture.
    fn turn(&self, sample: &Sample, step: &Step) -> Option<Orientation> {
        let by_step = match step.change {
            Change::Mirror(by) => Some(by),
            _ => turn_of(sample, step, &self.asking).map(Orientation::turned),
        };
        let edits = step.edited.iter().flat_map(|edited| &edited.edits);
        let by = edits.fold(by_step.unwrap_or_default(), |by, edit| match edit {
            PictureEdit::Turn(turn) => by.then(Orientation::turned(*turn)),
            PictureEdit::Flip => by.then(Orientation::MIRRORED),
            _ => by,
        });
        (!by.is_upright()).then_some(by)
    }

    fn moved(&self, sample: &Sample, by: Orientation, size: (u32, u32)) -> Option<MovedContent> {
        let words = self.asking.turn_words;
        moved(&sample.record.content, Move::by(by, size), words).ok()
    }

    /// Returns true if words stay unchanged although pictures rotate.
    pub fn keeps_words(&self) -> bool {
        self.asking.turn_words == TurnWords::Off
    }
}

fn is_changed(moved: &MovedContent) -> bool {
    moved.rewritten.changes() > 0
        || moved
            .rewritten
            .target
            .as_ref()
            .is_some_and(|said| said.changes > 0)
}

fn marked(moved: &MovedContent) -> String {
    let choices = moved.content.choices.iter().zip(&moved.rewritten.choices);
    let choices = choices.map(|(choice, said)| format!("{}. {}", choice.letter, said.marked));
    let lines = std::iter::once(moved.rewritten.question.marked.clone()).chain(choices);
    lines.collect::<Vec<_>>().join("\n")
}

fn example(sample: &Sample, step: &Step, moved: &MovedContent) -> ChangedExample {
    let before = sample.record.content.target.as_ref().map(Target::to_string);
    let after = moved.content.target.as_ref().map(Target::to_string);
    ChangedExample {
        sample_id: sample.record.sample_id.clone(),
        step: step.name(),
        marked: marked(moved),
        target: before.zip(after).filter(|(before, after)| before != after),
    }
}
