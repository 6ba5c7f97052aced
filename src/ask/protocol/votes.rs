//! Protocol `votes`: takes the majority of several answers, and stops once it is settled.

use super::finding;
use crate::chain::{AGREEMENT, FIRST_VOTE};
use crate::step::{Change, Step};
use crate::summary::Summary;

/// Default temperature; with 0, all votes would be equal.
const TEMPERATURE: f64 = 0.7;

/// One step, whose result is the majority answer.
pub fn steps(count: u32) -> Vec<Step> {
    vec![Step {
        votes: count,
        temperature: Some(TEMPERATURE),
        ..Step::labelled("votes", f64::from(count), Change::None)
    }]
}

/// Reports the share right by vote, by the first vote alone, and the number of votes used.
pub fn finding(found: &Summary, count: u32) -> Vec<String> {
    let Some(step) = found.steps.first().filter(|step| step.all.scored > 0) else {
        return Vec::new();
    };
    let mut words = vec![format!("by majority vote {}", finding::right(step))];
    if let Some(first) = found.figures.mean(FIRST_VOTE) {
        words.push(format!("first vote only: right {first:.3}"));
    }
    let results = found.total().max(1);
    let votes = finding::ratio(found.parts, results);
    let agreement = found
        .figures
        .mean(AGREEMENT)
        .map(|share| format!("; {share:.3} of the readable votes agree"));
    words.push(format!(
        "{votes:.1} votes per sample, at most {count}{}",
        agreement.unwrap_or_default()
    ));
    words.extend(finding::against_log(step, "by majority vote"));
    words
}
