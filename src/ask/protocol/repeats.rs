//! Protocol `repeat`: asks the same question several times at a temperature, to see
//! how often answers change.

use super::finding;
use crate::step::{Change, Step};
use crate::summary::Summary;

/// Default temperature; with 0, all repeats would be equal.
const TEMPERATURE: f64 = 0.7;

/// One step per repeat. If the run has a seed, each repeat has its own ([`Step::seed`]): with a
/// common seed, all answers could be equal.
pub fn steps(count: u32) -> Vec<Step> {
    let step = |repeat: u32| Step {
        repeat,
        temperature: Some(TEMPERATURE),
        ..Step::labelled("repeat", f64::from(repeat + 1), Change::None)
    };
    (0..count).map(step).collect()
}

/// Reports how often samples flip, and the resulting spread of the score.
pub fn finding(found: &Summary) -> Vec<String> {
    if found.always_right().1 == 0 {
        return vec!["no sample has a score at every repeat yet".to_owned()];
    }
    let mut words = vec![format!("samples that flip: {}", found.mixed_share())];
    if found.answered > 0 {
        words.push(format!(
            "samples whose answers differ: {}",
            found.changed_share()
        ));
    }
    words.extend(finding::spread(found));
    words
}
