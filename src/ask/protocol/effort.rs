//! Protocol `effort`: compares levels of reasoning effort.

use super::finding;
use crate::step::{Change, Step};
use crate::summary::Summary;

/// One step per level, in the given order.
pub fn steps(levels: &[String]) -> Vec<Step> {
    let step = |level: &String| Step {
        effort: Some(level.clone()),
        ..Step::labelled("effort", level.as_str(), Change::None)
    };
    levels.iter().map(step).collect()
}

/// Compares the last level with the first, and reports whether the server seems to support levels.
pub fn finding(found: &Summary) -> Vec<String> {
    let last = found.steps.len().saturating_sub(1);
    let mut words = Vec::new();
    if found.reasoned == 0 {
        let alike = if last > 0 && found.answered > 0 && found.changed == 0 {
            " and all parsed answers are equal"
        } else {
            ""
        };
        words.push(format!(
            "no answer contains reasoning{alike}: this server may not support effort levels"
        ));
    }
    words.extend(
        (last > 0)
            .then(|| finding::between(found, 0, last))
            .flatten(),
    );
    words.extend(finding::spread(found));
    words
}
