//! Applies `OpenAI`'s simple-evals: the first `Answer: X` (`ANSWER_PATTERN_MULTICHOICE`).

use std::sync::LazyLock;

use regex::Regex;

use super::{Kind, KnownRule, Question, RuleOutcome};
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
    let captures = ANSWER.captures(question.response());
    let letter = captures.and_then(|captures| captures.get(1));
    let answer = letter.map(|letter| letter.as_str().to_owned());
    let right = answer.as_deref() == Some(question.first());
    Some(RuleOutcome::judged(answer, right))
}
