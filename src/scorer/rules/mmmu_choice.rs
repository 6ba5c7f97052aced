//! Applies MMMU's multiple choice (`parse_multi_choice_response`), as in lmms-eval.
//!
//! If no option is found, the original draws a random option.

use super::{Kind, KnownRule, Question, RuleOutcome};
use crate::python;
use record::Choice;

pub(super) const RULE: KnownRule = KnownRule {
    name: "mmmu_choice",
    words: "the last (X), else the last letter before a space or full stop, else an option text",
    source: "lmms-eval, parse_multi_choice_response of MMMU",
    kinds: &[Kind::Options],
    mark,
};

/// Number of words that an answer must exceed to name an option by its text.
const FEW_WORDS: usize = 5;

fn mark(question: &Question<'_>) -> Option<RuleOutcome> {
    question.mark(read(question.response(), &question.options))
}

/// Returns the letter of the option that a response names.
pub(super) fn read<'a>(response: &str, options: &'a [Choice]) -> Option<&'a str> {
    let mut text = response;
    for mark in [',', '.', '!', '?', ';', ':', '\''] {
        text = text.trim_matches(mark);
    }
    let text = format!(" {text} ");
    let written = |form: &dyn Fn(&str) -> String| -> Vec<&'a Choice> {
        let options = options.iter();
        options
            .filter(|option| text.contains(&form(&option.letter)))
            .collect()
    };
    let bracketed = |letter: &str| format!("({letter})");
    let alone = |letter: &str| format!(" {letter} ");
    let found = written(&bracketed);
    if !found.is_empty() {
        return last(&found, |option| text.rfind(&bracketed(&option.letter)));
    }
    let mut found = written(&|letter| format!("{letter} "));
    if found.is_empty() {
        found = written(&|letter| format!("{letter}."));
    }
    if !found.is_empty() {
        return last(&found, |option| text.rfind(&alone(&option.letter)));
    }
    if python::split(&text).count() <= FEW_WORDS {
        return None;
    }
    let lower = text.to_lowercase();
    let place = |option: &Choice| lower.rfind(&option.text.to_lowercase());
    let named = options.iter();
    let named: Vec<&Choice> = named.filter(|option| place(option).is_some()).collect();
    last(&named, place)
}

/// Returns the option with the last place; if none has a place, the first option.
fn last<'a>(found: &[&'a Choice], place: impl Fn(&Choice) -> Option<usize>) -> Option<&'a str> {
    let mut best: Option<(&Choice, Option<usize>)> = None;
    for option in found {
        let at = place(option);
        if best.is_none_or(|(_, most)| at > most) {
            best = Some((option, at));
        }
    }
    best.map(|(option, _)| option.letter.as_str())
}
