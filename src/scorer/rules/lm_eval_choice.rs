//! Applies lm-evaluation-harness's generated multiple choice (`multi_choice_regex`,
//! `flexible-extract` of its MMLU and GPQA tasks).
//!
//! The harness's other multiple choice compares likelihoods of the options, which are not part of
//! an answer.

use std::sync::LazyLock;

use regex::Regex;

use super::{Kind, KnownRule, Question, RuleOutcome, captured};
use crate::python;
use base::format::pattern;

pub(super) const RULE: KnownRule = KnownRule {
    name: "lm_eval_choice",
    words: "the last (X), else the last option text, else the last letter after a colon",
    source: "lm-evaluation-harness, multi_choice_regex of mmlu_flan_cot_zeroshot",
    kinds: &[Kind::Options],
    mark,
};

static IN_BRACKETS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\([A-Z]\)"));

static PUNCTUATION: LazyLock<Regex> = LazyLock::new(|| pattern(r"\p{P}"));

static BEHIND_COLON: LazyLock<Regex> = LazyLock::new(|| pattern(r":[\s\x1C-\x1F]*([A-Z])"));

fn mark(question: &Question<'_>) -> Option<RuleOutcome> {
    let response = question.response();
    let bracketed = IN_BRACKETS.find_iter(response).last();
    let found = bracketed.map(|found| found.as_str().to_owned());
    let found = found
        .or_else(|| last_option_text(question))
        .or_else(|| behind_colon(question));
    let right = found.as_deref().map(compared) == Some(compared(question.first()));
    let letter = found.map(|found| found.trim_matches(['(', ')']).to_owned());
    Some(RuleOutcome::judged(letter, right))
}

/// Prepares a text for exact matching, which ignores case and ASCII punctuation.
fn compared(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_ascii_punctuation());
    kept.collect::<String>().to_lowercase()
}

/// Removes case and punctuation before option texts are searched.
fn plain(text: &str) -> String {
    PUNCTUATION
        .replace_all(&text.to_lowercase(), "")
        .into_owned()
}

/// Returns the letter of the last option text in the response; longer texts are tried first. If
/// white space prevents finding the option of a text, returns the text itself.
fn last_option_text(question: &Question<'_>) -> Option<String> {
    let texts: Vec<(String, &str)> = (question.options.iter())
        .map(|option| (plain(python::strip(&option.text)), option.letter.as_str()))
        .collect();
    // An empty option text would match everywhere, so then no option text is searched.
    if texts.iter().any(|(text, _)| text.is_empty()) {
        return None;
    }
    let mut ordered: Vec<&str> = texts.iter().map(|(text, _)| text.as_str()).collect();
    ordered.sort_by_key(|text| std::cmp::Reverse(escaped_length(text)));
    let response = plain(question.response());
    let (mut at, mut last) = (0, None);
    while let Some(rest) = response.get(at..).filter(|rest| !rest.is_empty()) {
        let here = ordered.iter().find(|text| rest.starts_with(**text));
        match here {
            Some(text) => {
                last = Some(*text);
                at += text.len();
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    let text = python::strip(last?);
    if text.is_empty() {
        return None;
    }
    // Of options with the same text, the last option counts.
    let named = texts.iter().rev().find(|(known, _)| known == text);
    Some(named.map_or_else(|| text.to_owned(), |(_, letter)| format!("({letter})")))
}

/// Returns the length of a text after escaping special characters, by which the original sorts
/// options.
fn escaped_length(text: &str) -> usize {
    let special = |c: &char| "()[]{}?*+-|^$\\.&~# \t\n\r\u{b}\u{c}".contains(*c);
    text.chars().count() + text.chars().filter(special).count()
}

fn behind_colon(question: &Question<'_>) -> Option<String> {
    let letters = captured(&BEHIND_COLON, question.response());
    let is_option = |letter: &&str| question.letters().any(|known| known == *letter);
    Some(format!("({})", letters.filter(is_option).last()?))
}
