//! A blank picture of the same size: what is right now was guessed.

use super::finding;
use crate::step::{Change, Step};
use crate::summary::Summary;

/// One way: nothing to be seen.
pub fn steps() -> Vec<Step> {
    vec![Step::labelled("picture", "blank", Change::Blank)]
}

/// What is right without looking, beside what guessing among the options gets right.
pub fn finding(found: &Summary) -> Vec<String> {
    let Some(step) = found.steps.first() else {
        return Vec::new();
    };
    let right = &step.all.answers;
    let beside = match (step.chance(), step.interval()) {
        (Some(chance), Some(range)) => {
            let how = match () {
                () if range.low > chance => "more than",
                () if range.high < chance => "less than",
                () => "not to be told from",
            };
            format!("; {how} guessing among the options, {chance:.3}")
        }
        _ => "; chance is unknown: not every question has options".to_owned(),
    };
    let against = finding::against_log(step, "without the picture");
    std::iter::once(format!("right without looking: {right}{beside}"))
        .chain(against)
        .collect()
}
