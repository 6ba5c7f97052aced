//! Response to prediction to score of one sample; pure.
//!
//! Two ways lead from a response to a score: the rule of the harness that wrote the log, quirks included
//! ([`score_as_harness`]), and Eyechart's own strict rules ([`score_strictly`]). Where the two differ, a harness
//! has a bug or a model an odd way to answer, and both are worth a look. The [`Reading`] functions say what
//! either way took for the answer and where it stands. Scores that a log carries are the caller's business.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

mod answer;
mod ava;
pub mod boxes;
mod choice_matching;
pub mod color;
mod grounding;
mod outcome;
mod pattern;
mod python;
mod readings;
pub mod similarity;
mod stored;
mod strict;
mod traced;

pub use answer::{Answer, Reading};
pub use outcome::Outcome;
pub use readings::compare_readings;

use benchmark::Metric;
use record::{Record, Rule};

/// The score under the rule of the harness that wrote the log (`record.rule`), quirks included.
#[must_use]
pub fn score_as_harness(record: &Record, metric: Metric) -> Outcome {
    match record.rule {
        Rule::Strict => score_strictly(record, metric),
        Rule::ChoiceMatching => choice_matching::score(record),
        Rule::BoxCentroid => grounding::score_centroid(record),
        Rule::BoxIou => grounding::score_iou(record),
        Rule::AvaBench => ava::score(record, metric),
        Rule::Stored | Rule::Told => stored::score(record),
    }
}

/// The score under Eyechart's own rules, alike for all logs.
#[must_use]
pub fn score_strictly(record: &Record, metric: Metric) -> Outcome {
    strict::score(record, metric)
}

/// What the harness's rule read from the response; `None` when it could not read it.
#[must_use]
pub fn read_as_harness(record: &Record, metric: Metric) -> Option<Reading> {
    match record.rule {
        Rule::Strict => read_strictly(record, metric),
        Rule::ChoiceMatching => choice_matching::read(record),
        Rule::BoxCentroid | Rule::BoxIou => grounding::read(record),
        Rule::AvaBench => ava::read(record, metric),
        Rule::Stored | Rule::Told => stored::read(record),
    }
}

/// What Eyechart's own rules read from the response; `None` when they could not read it.
#[must_use]
pub fn read_strictly(record: &Record, metric: Metric) -> Option<Reading> {
    strict::read(record, metric)
}

/// The predicted box for drawing, corners in order, in the target's own units; `None` when the record's own rule
/// reads no box.
#[must_use]
pub fn predicted_box(record: &Record, metric: Metric) -> Option<[f64; 4]> {
    match read_as_harness(record, metric)?.answer {
        Answer::Box(corners) => Some(boxes::ordered(corners)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
