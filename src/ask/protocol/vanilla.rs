//! Protocol `vanilla`: repeats the log's question, to see whether the model got worse.

use super::finding;
use crate::step::Step;
use crate::summary::Summary;

/// A single step without any change.
pub fn steps() -> Vec<Step> {
    vec![Step::default()]
}

/// Compares the result with the log.
pub fn finding(found: &Summary) -> Vec<String> {
    let Some(step) = found.steps.first() else {
        return Vec::new();
    };
    let against = finding::against_log(step, "now");
    against.into_iter().chain([finding::right(step)]).collect()
}
