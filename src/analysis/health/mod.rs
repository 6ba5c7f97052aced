//! Tests whether a benchmark is sound: whether its samples need the picture, occur only once, have
//! the right label, and separate models.
//!
//! Every check flags samples with a bounded share of false findings, or returns the reason why it
//! cannot be run.

mod blind;
mod checks;
mod cues;
mod labels;
mod parts;
mod power;
mod result;
#[cfg(test)]
mod simulation;
mod twins;
mod words;

use std::collections::{BTreeMap, HashMap};

use super::audit::{RankChange, changed_ranks};
use super::{Depth, Selection, Subset, SubsetOptions, scores, subsets};
use parts::Parts;
use record::{ItemId, Labels, Row};

pub use checks::FlaggedSample;
pub use power::Power;
pub use result::{Check, CheckResult, Outcome, Refusal};

/// Accepted share of false findings among the samples that a check flags.
pub const FALSE_FINDINGS: f64 = 0.05;
/// Probability that a check flags anything in a sound benchmark, over all abilities.
const FALSE_ALARM: f64 = 0.02;
/// Minimum number of models for a check that compares models.
const MIN_MODELS: usize = 5;
/// Condition of a run with blank pictures, and its value.
const BLANK: (&str, &str) = ("picture", "blank");

/// Side of a [`SmallPicture`] in pixels.
pub const SIDE: usize = 16;

/// Grey values of a picture scaled to [`SIDE`] by [`SIDE`] pixels, row by row.
pub type SmallPicture = [u8; SIDE * SIDE];

/// Content of a sample, as in its log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SampleContent {
    /// Text of the question.
    pub question: String,
    /// Texts of the options in their order; empty without options.
    pub options: Vec<String>,
    /// Index of the right option; `None` if it is unknown.
    pub right: Option<usize>,
    /// Text of the target; with options, the text of the right option.
    pub target: String,
    /// Pictures of the sample, as indices into [`Contents::pictures`].
    pub pictures: Vec<usize>,
}

/// Contents of a table's samples, which are not stored in the table.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Content of each sample that could be read, by sample code.
    pub samples: BTreeMap<u32, SampleContent>,
    /// A small copy of each picture that the samples refer to; `None` if it could not be read.
    pub pictures: Vec<Option<SmallPicture>>,
    /// Text of each readable wrong answer without case and punctuation, by row.
    answers: HashMap<u32, String>,
}

impl Contents {
    /// Adds the text of a wrong answer.
    pub fn add_answer(&mut self, row: u32, text: &str) {
        self.answers.insert(row, words::plain(text));
    }
}

/// Soundness of the benchmarks of a selection.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// Results of all checks, by benchmark, ability and check.
    pub checks: Vec<CheckResult>,
    /// Samples that any check flags, in log order.
    pub flagged: Vec<FlaggedSample>,
    /// One item of each sample without a fault, in log order.
    pub sound: Vec<ItemId>,
    /// Smallest detectable differences of the abilities.
    pub powers: Vec<Power>,
    /// Changes of the ranking when the faulty samples are left out.
    pub changes: Vec<RankChange>,
    /// Agreement of the ranking on small subsets of the sound samples with the full ranking.
    pub subsets: Vec<Subset>,
}

impl Health {
    /// Returns the number of samples with a fault, which [`Self::sound`] leaves out.
    pub fn faulty(&self) -> usize {
        let faulty = self.flagged.iter().filter(|sample| sample.is_faulty());
        faulty.count()
    }
}

/// Tests the benchmarks of a selection. Answers to blank pictures are used only to check whether
/// samples need their picture.
pub fn health(selection: Selection<'_>, contents: &Contents) -> Health {
    let blank = blank_rows(selection);
    let seen: Vec<bool> = (0..selection.table.len())
        .map(|row| !blank[row] && selection.mask.is_none_or(|mask| mask[row]))
        .collect();
    let seen = Selection {
        mask: Some(&seen),
        ..selection
    };
    let parts = Parts::new(seen, &blank, contents);
    let checks = checks::results(seen, &parts);
    let flagged = checks::flagged(seen.table, &parts, &checks);
    let faulty = flagged.iter().filter(|sample| sample.is_faulty());
    let faulty: Vec<u32> = faulty.map(|sample| sample.sample).collect();
    let kept = without(seen, &faulty);
    let rest = Selection {
        mask: Some(&kept),
        ..seen
    };
    let changes = if faulty.is_empty() {
        Vec::new()
    } else {
        let groups = &selection.table.names().groups;
        let [before, after] = [seen, rest].map(|part| scores(part, Depth::Scores));
        changed_ranks(&before, &after, groups)
    };
    Health {
        sound: parts.items_without(&faulty),
        powers: power::powers(seen),
        subsets: subsets(rest, SubsetOptions::default()),
        changes,
        flagged,
        checks,
    }
}

/// Returns true if a condition marks a blank picture.
pub fn is_blank(condition: &Labels) -> bool {
    let picture = condition.get(BLANK.0);
    picture.is_some_and(|picture| picture.to_string() == BLANK.1)
}

/// Returns for each row whether it is selected and answers a blank picture.
fn blank_rows(selection: Selection<'_>) -> Vec<bool> {
    let table = selection.table;
    let conditions = table.names().conditions.iter();
    let is_blank: Vec<bool> = conditions.map(is_blank).collect();
    let of_row = |(row, item): (u32, &u32)| {
        let condition = table.condition_of().get(*item as usize);
        let is_blank = condition.is_some_and(|code| is_blank[usize::from(*code)]);
        is_blank && selection.has(row)
    };
    (0..).zip(table.item_of()).map(of_row).collect()
}

/// Marks the rows of a selection whose sample is not in a sorted list.
fn without(selection: Selection<'_>, samples: &[u32]) -> Vec<bool> {
    let table = selection.table;
    let rows = 0..u32::try_from(table.len()).unwrap_or(u32::MAX);
    rows.map(|row| {
        let ItemId(item) = table.item(Row(row));
        let sample = table.sample_of()[item as usize];
        selection.has(row) && samples.binary_search(&sample).is_err()
    })
    .collect()
}

/// Converts a count to a float; counts here are far below 2^53.
#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
const fn real(count: usize) -> f64 {
    count as f64
}
