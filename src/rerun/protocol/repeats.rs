//! The same question several times at a temperature: how often does the model change its mind?

use super::finding;
use crate::step::{Change, Step};
use crate::summary::Summary;

/// The temperature where the user names none.
const TEMPERATURE: f64 = 0.7;

/// So many times. Where the run has a seed, each repeat has its own ([`Step::seed`]): with one for all, servers that
/// obey it would answer alike every time.
pub fn steps(count: u32) -> Vec<Step> {
    let step = |repeat: u32| Step {
        repeat,
        temperature: Some(TEMPERATURE),
        ..Step::labelled("repeat", f64::from(repeat + 1), Change::None)
    };
    (0..count).map(step).collect()
}

/// How often the model changes its mind, and the spread of the score that comes of it.
pub fn finding(found: &Summary) -> Vec<String> {
    if found.always_right().1 == 0 {
        return vec!["no sample has a score at every repeat yet".to_owned()];
    }
    let mut words = vec![format!("samples that flip: {}", found.mixed_share())];
    if found.answered > 0 {
        words.push(format!(
            "answers that were not all read alike: {}",
            found.changed_share()
        ));
    }
    words.extend(finding::spread(found));
    words
}
