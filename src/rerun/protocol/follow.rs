//! Further turns after the answer, in the user's own words: does the last answer differ from the first?

use std::sync::Arc;

use super::finding;
use crate::step::{Change, Step};
use crate::summary::Summary;
use crate::template::Template;

/// As the log asked, then each turn with everything that was said before it.
pub fn steps(turns: &[Arc<Template>]) -> Vec<Step> {
    let turn = |at: u32| Step::labelled("turn", f64::from(at), Change::None);
    let later = (2..).zip(turns).map(|(at, words)| Step {
        follows: Some(Arc::clone(words)),
        ..turn(at)
    });
    std::iter::once(turn(1)).chain(later).collect()
}

/// The last answer beside the first, on the same samples.
pub fn finding(found: &Summary) -> Vec<String> {
    let last = found.steps.len().saturating_sub(1);
    let between = finding::between(found, 0, last);
    between
        .into_iter()
        .chain(finding::flips(found, "at one turn"))
        .collect()
}
