//! Applies POPE by the first sentence, and lmms-eval's version of it.

use super::vlmevalkit::of_yes_no;
use super::{Kind, KnownRule, Question, RuleOutcome};
use crate::python;

/// Rule of POPE: a first sentence without a no counts as yes.
pub(super) const FIRST_SENTENCE: KnownRule = KnownRule {
    name: "pope",
    words: "no, No or not in the first sentence means no, anything else yes",
    source: "POPE, evaluate.py",
    kinds: &[Kind::YesNo],
    mark: first_sentence,
};

/// Rule of lmms-eval: the whole answer must be the word.
pub(super) const WHOLE: KnownRule = KnownRule {
    name: "lmms_eval_pope",
    words: "the whole answer is yes or no, ignoring case and white space",
    source: "lmms-eval, pope_process_results",
    kinds: &[Kind::YesNo],
    mark: whole,
};

fn first_sentence(question: &Question<'_>) -> Option<RuleOutcome> {
    Some(of_yes_no(question, Some(answer(question.response()))))
}

/// Returns the answer in the first sentence of a response.
pub(super) fn answer(response: &str) -> &'static str {
    let sentence = response.split('.').next().unwrap_or_default();
    let sentence = sentence.replace(',', "");
    let mut words = sentence.split(' ');
    let no = words.any(|word| matches!(word, "No" | "not" | "no"));
    if no { "no" } else { "yes" }
}

fn whole(question: &Question<'_>) -> Option<RuleOutcome> {
    let lower = question.response().to_lowercase();
    let word = python::strip(&lower);
    let answer = matches!(word, "yes" | "no").then_some(word);
    Some(of_yes_no(question, answer))
}
