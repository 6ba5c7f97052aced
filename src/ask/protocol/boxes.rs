//! Protocols `boxes` and `no-boxes`: with or without drawing the boxes that the question refers to.

use super::finding;
use crate::step::{Change, Step};
use crate::summary::Summary;
use record::Value;

/// One step, with boxes drawn or not.
pub fn steps(change: Change) -> Vec<Step> {
    let is_drawn = change == Change::Boxes;
    vec![Step::labelled("boxes", Value::Flag(is_drawn), change)]
}

/// Compares the result with the log; `how` is `with boxes` or `without boxes`.
pub fn finding(found: &Summary, how: &str) -> Vec<String> {
    let Some(step) = found.steps.first() else {
        return Vec::new();
    };
    let against = finding::against_log(step, how);
    against
        .into_iter()
        .chain([format!("{how} {}", finding::right(step))])
        .collect()
}
