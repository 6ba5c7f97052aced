//! Applies the yes/no rules of `VLMEvalKit`, of POPE, of lmms-eval for POPE, and of MME.

use super::{Kind, KnownRule, Question, RuleOutcome};
use crate::ava::without_marks;
use crate::python;

/// Rule of `VLMEvalKit` for POPE, MME and `HallusionBench`: exactly one of the words yes and no,
/// anywhere.
pub(super) const VLMEVALKIT: KnownRule = KnownRule {
    name: "vlmevalkit_yes_no",
    words: "the word yes or the word no anywhere, not both",
    source: "VLMEvalKit, YOrN_Extraction",
    kinds: &[Kind::YesNo],
    mark: |question| mark(question, anywhere(question.response())),
};

/// Rule of POPE: a first sentence without a negation counts as yes.
pub(super) const POPE: KnownRule = KnownRule {
    name: "pope",
    words: "no, No or not in the first sentence means no, anything else yes",
    source: "POPE, evaluate.py",
    kinds: &[Kind::YesNo],
    mark: |question| mark(question, Some(in_first_sentence(question.response()))),
};

/// Rule of lmms-eval for POPE: the whole answer must be yes or no.
pub(super) const LMMS_EVAL_POPE: KnownRule = KnownRule {
    name: "lmms_eval_pope",
    words: "the whole answer is yes or no, ignoring case and white space",
    source: "lmms-eval, pope_process_results",
    kinds: &[Kind::YesNo],
    mark: |question| {
        let lower = question.response().to_lowercase();
        mark(
            question,
            WORDS
                .into_iter()
                .find(|word| python::strip(&lower) == *word),
        )
    },
};

/// Rule of lmms-eval for MME: yes or no among the first four characters.
pub(super) const MME: KnownRule = KnownRule {
    name: "mme",
    words: "yes or no among the first four characters",
    source: "lmms-eval, parse_pred_ans of MME",
    kinds: &[Kind::YesNo],
    mark: |question| {
        let text = python::strip(&question.response().to_lowercase()).replace('.', "");
        let answer = match text.as_str() {
            "y" => Some("yes"),
            "n" => Some("no"),
            _ => at_start(&text),
        };
        mark(question, answer)
    },
};

const WORDS: [&str; 2] = ["yes", "no"];

fn mark(question: &Question<'_>, answer: Option<&str>) -> Option<RuleOutcome> {
    let target = question.first().trim().trim_end_matches('.').to_lowercase();
    let right = answer == Some(target.as_str());
    Some(RuleOutcome::judged(answer.map(str::to_owned), right))
}

fn anywhere(response: &str) -> Option<&'static str> {
    let lower = without_marks(&response.to_lowercase());
    let is_there = |wanted: &&str| python::split(&lower).any(|word| word == *wanted);
    let mut found = WORDS.into_iter().filter(is_there);
    found.next().filter(|_| found.next().is_none())
}

/// Returns `no` if the first sentence of a response has a negation, else `yes`.
pub(super) fn in_first_sentence(response: &str) -> &'static str {
    let sentence = response.split('.').next().unwrap_or_default();
    let sentence = sentence.replace(',', "");
    let mut words = sentence.split(' ');
    let no = words.any(|word| matches!(word, "No" | "not" | "no"));
    if no { "no" } else { "yes" }
}

/// Returns the answer among the first four characters of a text, which must be in lower case.
pub(super) fn at_start(text: &str) -> Option<&'static str> {
    let start: String = text.chars().take(4).collect();
    WORDS.into_iter().find(|word| start.contains(word))
}
