//! Answers in one file, joined with questions and labels from other files.
//!
//! - `LLaVA`: one answer per line (`question_id`, `prompt`, `text`, `model_id`), with its
//!   question file and the labels of POPE, `TextVQA`, `ScienceQA`, `GQA` or MM-Vet.
//! - `VQA` v2: results as a list of `question_id` and `answer`, with questions and annotations.
//! - `GQA`: predictions as a list of `questionId` and `prediction`.
//! - MM-Vet: results as an object with an answer for each `v1_N`; grades of the judge model.
//!
//! Files are recognised by their keys. Labels are used if their questions match the prompts; of
//! several files, the nearest to the answers is used.

mod answer;
mod benchmark;
#[cfg(test)]
mod damage_tests;
mod join;
mod plan;
mod pope;
mod role;
#[cfg(test)]
mod tests;
mod truths;

pub(super) use join::{score, unanswered};
pub(super) use plan::{ABOVE, picture_roots};
pub(super) use pope::number;

/// Name of the format, in the list of sources.
pub const FORMAT: &str = "answers";

reader! {
    /// Reader of answers with questions and labels.
    Answers, FORMAT, plan::plan, |unit, context, _, sink| join::read(unit, context, sink)
}
