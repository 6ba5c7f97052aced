//! Protocol `blind`: shows a blank picture of the same size, to measure guessing.

use super::finding;
use crate::step::{Change, Step};
use crate::summary::Summary;

/// One step with a blank picture.
pub fn steps() -> Vec<Step> {
    vec![Step::labelled("picture", "blank", Change::Blank)]
}

/// Reports the share right without the picture, compared with guessing among the options.
pub fn finding(found: &Summary) -> Vec<String> {
    let Some(step) = found.steps.first() else {
        return Vec::new();
    };
    if step.unscored > 0 {
        return vec![finding::right(step)];
    }
    let right = &step.all.answers;
    let beside = match (step.chance(), step.interval()) {
        (Some(chance), Some(range)) => {
            let how = match () {
                () if range.low > chance => "more than",
                () if range.high < chance => "less than",
                () => "not clearly different from",
            };
            format!("; {how} guessing among the options, {chance:.3}")
        }
        _ => "; chance is unknown: not every question has options".to_owned(),
    };
    let against = finding::against_log(step, "without the picture");
    std::iter::once(format!("right without the picture: {right}{beside}"))
        .chain(against)
        .collect()
}
