//! Applies `OCRBench`: the answer contains an annotated text.
//!
//! The original compares handwritten formulas (`HME100k`) without spaces; this rule makes no such
//! distinction.

use super::{Kind, KnownRule, Question, RuleOutcome};
use crate::python;

pub(super) const RULE: KnownRule = KnownRule {
    name: "ocrbench",
    words: "the target anywhere in the answer, ignoring case",
    source: "OCRBench, example.py",
    kinds: &[Kind::Number, Kind::Text],
    mark,
};

fn mark(question: &Question<'_>) -> Option<RuleOutcome> {
    let line = |text: &str| python::strip(&text.to_lowercase()).replace('\n', " ");
    let response = line(question.response());
    let found = question.is_right(|right| response.contains(&line(right)));
    Some(RuleOutcome::judged(
        (!response.is_empty()).then_some(response),
        found,
    ))
}
