//! Applies `OpenAI`'s simple-evals: the first `Answer: X` (`ANSWER_PATTERN_MULTICHOICE`).

use std::sync::LazyLock;

use regex::Regex;

use super::{Kind, KnownRule, Question, RuleOutcome, captured};
use base::format::pattern;

pub(super) const RULE: KnownRule = KnownRule {
    name: "simple_evals",
    words: "the first letter A to D after `Answer:`, in upper case",
    source: "simple-evals, ANSWER_PATTERN_MULTICHOICE of GPQA",
    kinds: &[Kind::Options],
    mark,
};

/// Maximum number of options that the rule supports.
const MOST_OPTIONS: usize = 4;

static ANSWER: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)Answer[ \t]*:[ \t]*\$?([A-D])\$?"));

fn mark(question: &Question<'_>) -> Option<RuleOutcome> {
    if question.options.len() > MOST_OPTIONS {
        return None;
    }
    question.mark(captured(&ANSWER, question.response()).next())
}
