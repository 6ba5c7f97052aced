//! Applies Eyechart's own strict rules, as right or wrong; for free text in OCR, as similarity.

use super::{Kind, KnownRule, Question, RuleOutcome};
use crate::judge::judge_anew;
use record::benchmark::Metric;
use record::{Rule, Scoring};

pub(super) const RULE: KnownRule = KnownRule {
    name: "strict",
    words: "Eyechart's own: the one answer that a careful person would read",
    source: "Eyechart, --scoring strict",
    kinds: &Kind::ALL,
    mark,
};

fn mark(question: &Question<'_>) -> Option<RuleOutcome> {
    // These rules need a single right answer, and cannot read precomputed scores.
    if question.right.len() > 1 || question.record.rule == Rule::Precomputed {
        return None;
    }
    let (judgement, reading) = judge_anew(&question.record, Scoring::Strict);
    let read = reading.filter(|_| !judgement.outcome.invalid);
    let answer = read.map(|reading| reading.answer.to_string());
    let score = match Metric::from_name(&judgement.metric) {
        Some(Metric::Anls | Metric::Accuracy) => judgement.outcome.score,
        _ => judgement.right.map(|right| f64::from(u8::from(right))),
    };
    Some(RuleOutcome {
        answer,
        score: score.unwrap_or_default(),
    })
}
