//! Protocols `boxes` and `no-boxes`: with or without drawing the boxes that the question refers to.

use super::finding;
use crate::step::{Change, Step};
use crate::summary::Summary;
use record::Value;

/// One step, with boxes drawn or not.
pub fn steps(drawn: bool) -> Vec<Step> {
    let change = if drawn { Change::Boxes } else { Change::None };
    vec![Step::labelled("boxes", Value::Flag(drawn), change)]
}

/// Compares the result with the log.
pub fn finding(found: &Summary, drawn: bool) -> Vec<String> {
    let Some(step) = found.steps.first() else {
        return Vec::new();
    };
    let how = if drawn { "with boxes" } else { "without boxes" };
    let against = finding::against_log(step, how);
    against
        .into_iter()
        .chain([format!("{how} {}", finding::right(step))])
        .collect()
}
