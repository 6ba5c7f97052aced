//! Applies MME: yes or no among the first four characters.

use super::vlmevalkit::of_yes_no;
use super::{Kind, KnownRule, Question, RuleOutcome};
use crate::python;

pub(super) const RULE: KnownRule = KnownRule {
    name: "mme",
    words: "yes or no among the first four characters",
    source: "lmms-eval, parse_pred_ans of MME",
    kinds: &[Kind::YesNo],
    mark,
};

fn mark(question: &Question<'_>) -> Option<RuleOutcome> {
    let lower = question.response().to_lowercase();
    let text = python::strip(&lower).replace('.', "");
    let start: String = text.chars().take(4).collect();
    let answer = match text.as_str() {
        "y" => Some("yes"),
        "n" => Some("no"),
        _ if start.contains("yes") => Some("yes"),
        _ if start.contains("no") => Some("no"),
        _ => None,
    };
    Some(of_yes_no(question, answer))
}
