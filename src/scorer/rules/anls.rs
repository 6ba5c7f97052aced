//! Applies ANLS of `DocVQA` with its threshold of one half.

use rapidfuzz::distance::levenshtein;

use super::{Kind, KnownRule, Question, RuleOutcome};
use crate::similarity::{collapsed, normalised, upper_length};

pub(super) const RULE: KnownRule = KnownRule {
    name: "anls",
    words: "text similarity to the nearest target, 0 below one half",
    source: "lmms-eval, anls of DocVQA",
    kinds: &[Kind::Number, Kind::Text],
    mark,
};

/// Similarities below this score 0.
const THRESHOLD: f64 = 0.5;

fn mark(question: &Question<'_>) -> Option<RuleOutcome> {
    let response = question.response();
    let given = collapsed(response);
    let differing = question.right.iter().map(|right| {
        let distance = levenshtein::distance(collapsed(right).chars(), given.chars());
        // Lengths are those of the raw texts, including white space.
        normalised(distance, upper_length(right).max(upper_length(response)))
    });
    let alike = 1.0 - differing.fold(f64::INFINITY, f64::min);
    Some(RuleOutcome {
        answer: (!given.is_empty()).then_some(given),
        score: if alike < THRESHOLD { 0.0 } else { alike },
    })
}
