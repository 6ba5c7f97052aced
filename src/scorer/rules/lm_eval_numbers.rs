//! Applies lm-evaluation-harness's regular expressions for numbers in GSM8K; numbers are compared
//! as text.

use std::sync::LazyLock;

use regex::Regex;

use super::{Kind, KnownRule, Question, RuleOutcome, captured};
use crate::python;
use base::format::pattern;

static AFTER_HASHES: LazyLock<Regex> = LazyLock::new(|| pattern(r"#### (-?[0-9.,]+)"));

/// Requires one more character, so that the last digit is lost at the end of an answer.
static AFTER_ANSWER_IS: LazyLock<Regex> = LazyLock::new(|| pattern(r"The answer is (-?[0-9.,]+)."));

static ANYWHERE: LazyLock<Regex> = LazyLock::new(|| pattern(r"-?[$0-9.,]{2,}|-?[0-9]+"));

/// Rule `strict-match` of `gsm8k`.
pub(super) const STRICT: KnownRule = KnownRule {
    name: "lm_eval_strict",
    words: "the first number after ####",
    source: "lm-evaluation-harness, strict-match of gsm8k",
    kinds: &[Kind::Number],
    mark: |question| first(question, &AFTER_HASHES),
};

/// Rule `strict-match` of `gsm8k_cot`.
pub(super) const ANSWER_IS: KnownRule = KnownRule {
    name: "lm_eval_answer_is",
    words: "the first number after `The answer is`, followed by any character",
    source: "lm-evaluation-harness, strict-match of gsm8k_cot",
    kinds: &[Kind::Number],
    mark: |question| first(question, &AFTER_ANSWER_IS),
};

/// Rule `flexible-extract` of `gsm8k` and `gsm8k_cot`.
pub(super) const FLEXIBLE: KnownRule = KnownRule {
    name: "lm_eval_flexible",
    words: "the last number",
    source: "lm-evaluation-harness, flexible-extract of gsm8k",
    kinds: &[Kind::Number],
    mark: |question| {
        let last = ANYWHERE.find_iter(question.response()).last();
        mark(question, last.map(|found| found.as_str()))
    },
};

/// Scores the first number that a pattern captures.
fn first(question: &Question<'_>, pattern: &Regex) -> Option<RuleOutcome> {
    mark(question, captured(pattern, question.response()).next())
}

fn mark(question: &Question<'_>, number: Option<&str>) -> Option<RuleOutcome> {
    let number = number.map(python::strip);
    let right = number.map(stripped) == Some(stripped(question.first()));
    Some(RuleOutcome::judged(number.map(str::to_owned), right))
}

/// Normalises a text for comparison: drops commas, dollar signs, everything before the last
/// `#### `, and a final full stop; lower-cases the rest.
fn stripped(text: &str) -> String {
    let text = text.replace([',', '$'], "");
    let text = text.rsplit("#### ").next().unwrap_or_default();
    let text = match text.strip_suffix(".\n") {
        Some(line) => format!("{line}\n"),
        None => text.strip_suffix('.').unwrap_or(text).to_owned(),
    };
    text.to_lowercase()
}
