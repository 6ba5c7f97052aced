//! Applies VQA accuracy: the share of ten annotators who gave the answer, three being enough.

use std::sync::LazyLock;

use regex::Regex;

use super::{Kind, KnownRule, Question, RuleOutcome};
use crate::ava::normalised;
use base::format::pattern;

pub(super) const RULE: KnownRule = KnownRule {
    name: "vqa",
    words: "number of ten annotated answers it equals, ignoring articles, marks and case",
    source: "lmms-eval, vqav2_process_results with EvalAIAnswerProcessor",
    kinds: &[Kind::YesNo, Kind::Number, Kind::Text],
    mark,
};

/// Number of annotated answers of a question.
const ANSWERS: usize = 10;

/// Number of other annotators who must agree for a full score.
const ENOUGH: f64 = 3.0;

/// Matches commas between digits; the original accepts several in a row.
static COMMAS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d,+\d"));

fn mark(question: &Question<'_>) -> Option<RuleOutcome> {
    if question.right.len() != ANSWERS {
        return None;
    }
    let normal = |text: &str| normalised(text, &COMMAS);
    let given = normal(question.response());
    let right: Vec<bool> = (question.right.iter())
        .map(|right| normal(right) == given)
        .collect();
    let matching = right.iter().filter(|same| **same).count();
    // Each annotated answer is left out in turn.
    let scores = right.iter().map(|same| {
        let others = matching - usize::from(*same);
        (f64::from(u32::try_from(others).unwrap_or(u32::MAX)) / ENOUGH).min(1.0)
    });
    let score = scores.sum::<f64>() / f64::from(u8::try_from(ANSWERS).unwrap_or(u8::MAX));
    Some(RuleOutcome {
        answer: (!given.is_empty()).then_some(given),
        score,
    })
}
