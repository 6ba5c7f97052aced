//! Scores the response to one sample, without side effects.
//!
//! [`judge`] determines metric, score, and right or wrong: once by the rule of the harness that
//! wrote the log, including its quirks, and once by Eyechart's own strict rules. If the two differ,
//! either the harness has a bug or the model answers in an unusual way; both are worth checking.
//! [`read`] returns the answer that a rule read, and its place.

// Tests compare exact numbers and cast small numbers.
#![cfg_attr(test, allow(clippy::pedantic, clippy::complexity, clippy::perf))]

mod answer;
mod answer_lists;
mod ava;
pub mod boxes;
mod choice_matching;
pub mod color;
mod grounding;
mod judge;
mod math_vista;
mod outcome;
mod python;
mod readings;
pub mod rules;
pub mod similarity;
mod stored;
mod strict;
mod traced_text;

pub use answer::{Answer, Reading};
pub use judge::{
    Judgement, JudgementPair, explain_strictly, hedges, is_cut, judge, judge_anew, read, refuses,
};
pub use outcome::Outcome;
pub use strict::{
    BOX_SCALE, BoxScale, IN_DOUBT, ReadFailure, WrittenBox, box_of, boxes_in, stated_scale,
};

#[cfg(test)]
mod tests;
