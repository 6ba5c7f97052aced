//! Applies `VLMEvalKit`'s rules without a judge model: choice matching, and the yes-or-no
//! extraction of POPE, MME and `HallusionBench`.

use super::{Kind, KnownRule, Question, RuleOutcome};
use crate::ava::without_marks;
use crate::{choice_matching, python};

/// Choice rule: letters among the last words, `answer is X`, then option texts.
pub(super) const CHOICE: KnownRule = KnownRule {
    name: "vlmevalkit_choice",
    words: "the only letter among the last words, else the only option text in a short answer",
    source: "VLMEvalKit, can_infer",
    kinds: &[Kind::Options],
    mark: choice,
};

/// Yes-or-no rule: the words yes and no, in any place.
pub(super) const YES_NO: KnownRule = KnownRule {
    name: "vlmevalkit_yes_no",
    words: "the word yes or the word no anywhere, not both",
    source: "VLMEvalKit, YOrN_Extraction",
    kinds: &[Kind::YesNo],
    mark: yes_no,
};

fn choice(question: &Question<'_>) -> Option<RuleOutcome> {
    let reading = choice_matching::read_among(question.response(), &question.options);
    let answer = reading.map(|reading| reading.answer.to_string());
    let right = answer.as_deref() == Some(question.first());
    Some(RuleOutcome::judged(answer, right))
}

fn yes_no(question: &Question<'_>) -> Option<RuleOutcome> {
    let lower = without_marks(&question.response().to_lowercase());
    let has = |wanted: &str| python::split(&lower).any(|word| word == wanted);
    let answer = match (has("yes"), has("no")) {
        (true, false) => Some("yes"),
        (false, true) => Some("no"),
        _ => None,
    };
    Some(of_yes_no(question, answer))
}

/// Creates the mark of a yes-or-no answer.
pub(super) fn of_yes_no(question: &Question<'_>, answer: Option<&str>) -> RuleOutcome {
    let target = question.first().trim().trim_end_matches('.').to_lowercase();
    RuleOutcome::judged(answer.map(str::to_owned), answer == Some(target.as_str()))
}
