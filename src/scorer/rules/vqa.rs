//! VQA accuracy: the share of ten people who gave the answer, three of whom suffice.

use std::sync::LazyLock;

use regex::Regex;

use super::{Kind, KnownRule, Mark, Question};
use crate::ava::normalised;
use crate::pattern::pattern;

pub(super) const RULE: KnownRule = KnownRule {
    name: "vqa",
    words: "how many of ten annotated answers it equals without articles, marks and case",
    source: "lmms-eval, vqav2_process_results with EvalAIAnswerProcessor",
    kinds: &[Kind::YesNo, Kind::Number, Kind::Text],
    mark,
};

/// Annotated answers of a question.
const ANSWERS: usize = 10;

/// So many others must give the answer for a full score.
const ENOUGH: f64 = 3.0;

/// Commas between digits: the original takes several in a row.
static COMMAS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d,+\d"));

fn mark(question: &Question<'_>) -> Option<Mark> {
    if question.right.len() != ANSWERS {
        return None;
    }
    let normal = |text: &str| normalised(text, &COMMAS);
    let given = normal(question.response());
    let right: Vec<bool> = (question.right.iter())
        .map(|right| normal(right) == given)
        .collect();
    let matching = right.iter().filter(|same| **same).count();
    // Each answer in turn is left out.
    let scores = right.iter().map(|same| {
        let others = matching - usize::from(*same);
        (f64::from(u32::try_from(others).unwrap_or(u32::MAX)) / ENOUGH).min(1.0)
    });
    let score = scores.sum::<f64>() / f64::from(u8::try_from(ANSWERS).unwrap_or(u8::MAX));
    Some(Mark {
        answer: (!given.is_empty()).then_some(given),
        score,
    })
}
