//! Applies `VLMEvalKit`'s choice matching without a judge model.

use super::{Kind, KnownRule, Question, RuleOutcome};
use crate::choice_matching;

/// Letters among the last words, then `answer is X`, then option texts.
pub(super) const RULE: KnownRule = KnownRule {
    name: "vlmevalkit_choice",
    words: "the only letter among the last words, else the only option text in a short answer",
    source: "VLMEvalKit, can_infer",
    kinds: &[Kind::Options],
    mark,
};

fn mark(question: &Question<'_>) -> Option<RuleOutcome> {
    let reading = choice_matching::read_among(question.response(), &question.options);
    question.mark(reading.map(|reading| reading.answer))
}
