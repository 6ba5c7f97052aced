//! Applies AVA-Bench's evaluators of abilities whose answers are words or numbers.

use super::{Kind, KnownRule, Question, RuleOutcome};
use crate::ava;
use record::Rule;
use record::benchmark::Metric;

pub(super) const RULE: KnownRule = KnownRule {
    name: "ava_bench",
    words: "the ability's evaluator: first words, shared tokens, numbers, similarity",
    source: "AVA-Bench, tinyllava/eval",
    kinds: &Kind::ALL,
    mark,
};

/// Abilities that have such an evaluator.
const ABILITIES: [&str; 7] = [
    "absolute_depth",
    "action_recognition",
    "counting",
    "fine_grained",
    "ocr",
    "relative_depth",
    "spatial",
];

fn mark(question: &Question<'_>) -> Option<RuleOutcome> {
    let record = &*question.record;
    // Options of other benchmarks have targets in another format.
    let is_own = record.rule == Rule::AvaBench;
    let has_options = matches!(question.kind, Kind::Options | Kind::Labelled);
    if !ABILITIES.contains(&record.ability.as_str()) || has_options && !is_own {
        return None;
    }
    let (outcome, reading) = ava::judge(record, Metric::Accuracy);
    let answer = reading.filter(|_| !outcome.invalid);
    Some(RuleOutcome {
        answer: answer.map(|reading| reading.answer.to_string()),
        score: outcome.score?,
    })
}
