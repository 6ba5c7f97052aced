//! The log's own question, options and words: did the model get worse since?

use super::finding;
use crate::step::Step;
use crate::summary::Summary;

/// One way: the log's.
pub fn steps() -> Vec<Step> {
    vec![Step::default()]
}

/// Better or worse than the log.
pub fn finding(found: &Summary) -> Vec<String> {
    let Some(step) = found.steps.first() else {
        return Vec::new();
    };
    let against = finding::against_log(step, "now");
    against.into_iter().chain([finding::right(step)]).collect()
}
