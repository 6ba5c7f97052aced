//! Applies exact match: the answer equals the target, character by character.

use super::{Kind, KnownRule, Question, RuleOutcome};

pub(super) const RULE: KnownRule = KnownRule {
    name: "exact_match",
    words: "the answer equals the target (for options the letter), character by character",
    source: "lm-evaluation-harness, exact_match",
    kinds: &Kind::ALL,
    mark,
};

fn mark(question: &Question<'_>) -> Option<RuleOutcome> {
    let response = question.response();
    // An answer in another form than the target's counts as unread.
    let is_answer = match question.kind {
        Kind::Options => question.letters().any(|letter| letter == response),
        Kind::YesNo => matches!(response.to_lowercase().as_str(), "yes" | "no"),
        Kind::Number => response.parse::<f64>().is_ok(),
        Kind::Labelled | Kind::Text => !response.is_empty(),
    };
    let answer = is_answer.then(|| response.to_owned());
    let right = question.is_right(|right| right == response);
    Some(RuleOutcome::judged(answer, right))
}
