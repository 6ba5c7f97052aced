//! Protocol `file`: applies a question that was edited by hand to all samples.

use std::sync::Arc;

use super::finding;
use crate::edited::QuestionEdit;
use crate::step::{Change, Step};
use crate::summary::Summary;

/// One step with all edits of the file.
pub fn steps(edited: &Arc<QuestionEdit>) -> Vec<Step> {
    vec![Step {
        wording: edited.words.clone(),
        temperature: edited.temperature,
        edited: Some(Arc::clone(edited)),
        ..Step::labelled("variant", edited.name.as_str(), Change::None)
    }]
}

/// Compares the result with the log.
pub fn finding(found: &Summary) -> Vec<String> {
    let Some(step) = found.steps.first() else {
        return Vec::new();
    };
    let against = finding::against_log(step, "as edited");
    against.into_iter().chain([finding::right(step)]).collect()
}
