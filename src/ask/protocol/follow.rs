//! Protocol `follow`: adds the user's turns after the answer and compares the
//! last answer with the first.

use std::sync::Arc;

use super::finding;
use crate::step::{Change, Step};
use crate::summary::Summary;
use crate::template::Template;

/// The log's question, then one step per turn with the whole conversation before it.
pub fn steps(turns: &[Arc<Template>]) -> Vec<Step> {
    let turn = |at: u32| Step::labelled("turn", f64::from(at), Change::None);
    let later = (2..).zip(turns).map(|(at, words)| Step {
        follows: Some(Arc::clone(words)),
        ..turn(at)
    });
    std::iter::once(turn(1)).chain(later).collect()
}

/// Compares the last answer with the first on the same samples.
pub fn finding(found: &Summary) -> Vec<String> {
    let last = found.steps.len().saturating_sub(1);
    let between = finding::between(found, 0, last);
    between
        .into_iter()
        .chain(finding::flips(found, "turn"))
        .collect()
}
