//! Applies rules that read the letter of an option from an answer.

use std::sync::LazyLock;

use regex::Regex;

use super::{Kind, KnownRule, Question, RuleOutcome, captured};
use crate::{choice_matching, python};
use base::format::pattern;

/// Maximum number of options that simple-evals and `MMBench` support.
const MOST_OPTIONS: usize = 4;

/// Applies `VLMEvalKit`'s choice matching without a judge model: letters among the last words, then
/// `answer is X`, then option texts.
pub(super) const VLMEVALKIT: KnownRule = KnownRule {
    name: "vlmevalkit_choice",
    words: "the only letter among the last words, else the only option text in a short answer",
    source: "VLMEvalKit, can_infer",
    kinds: &[Kind::Options],
    mark: vlmevalkit,
};

fn vlmevalkit(question: &Question<'_>) -> Option<RuleOutcome> {
    let reading = choice_matching::read_among(question.response(), &question.options);
    question.mark(reading.map(|reading| reading.answer))
}

/// Applies `OpenAI`'s simple-evals: the first `Answer: X` (`ANSWER_PATTERN_MULTICHOICE`).
pub(super) const SIMPLE_EVALS: KnownRule = KnownRule {
    name: "simple_evals",
    words: "the first letter A to D after `Answer:`, in upper case",
    source: "simple-evals, ANSWER_PATTERN_MULTICHOICE of GPQA",
    kinds: &[Kind::Options],
    mark: simple_evals,
};

static ANSWER: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)Answer[ \t]*:[ \t]*\$?([A-D])\$?"));

fn simple_evals(question: &Question<'_>) -> Option<RuleOutcome> {
    if question.options.len() > MOST_OPTIONS {
        return None;
    }
    question.mark(captured(&ANSWER, question.response()).next())
}

/// Applies `MMBench` as in lmms-eval before it asks a judge model (`can_infer`).
pub(super) const MMBENCH: KnownRule = KnownRule {
    name: "mmbench",
    words: "the only option letter that stands alone, with or without punctuation, else the only option text",
    source: "lmms-eval, MMBench_Evaluator.can_infer",
    kinds: &[Kind::Options],
    mark: mmbench,
};

/// Letters to search for; the last letter is not an option.
const LETTERS: [&str; 5] = ["A", "B", "C", "D", "E"];

/// Maximum number of words for reading an A as a letter; in longer answers it can be an article.
const SHORT: usize = 3;

/// Marks before and after a letter, in the order of the tests.
const MARKS: [(&str, &str); 12] = [
    ("", "."),
    ("", ","),
    ("", ":"),
    ("", ")"),
    ("", ")."),
    ("(", ")"),
    ("(", ")."),
    (":", ""),
    (":", ","),
    (":", "."),
    (":", ")"),
    (":", ")."),
];

fn mmbench(question: &Question<'_>) -> Option<RuleOutcome> {
    if question.options.len() > MOST_OPTIONS {
        return None;
    }
    let response = question.response();
    question.mark(letter(response).or_else(|| named(question)))
}

fn letter(response: &str) -> Option<&'static str> {
    if response.contains("Failed to obtain answer via API") {
        return None;
    }
    let words: Vec<&str> = python::split(response).collect();
    let one = |before: &str, behind: &str| {
        let stands = |letter: &&&str| {
            let form = format!("{before}{letter}{behind}");
            words.contains(&form.as_str())
        };
        let mut found = LETTERS.iter().filter(stands);
        match (found.next(), found.next()) {
            (Some(letter), None) => Some(*letter),
            _ => None,
        }
    };
    let is_article = words.len() > SHORT && words.contains(&"A");
    let alone = one("", "").filter(|_| !is_article);
    alone.or_else(|| {
        MARKS
            .iter()
            .find_map(|(before, behind)| one(before, behind))
    })
}

fn named<'a>(question: &'a Question<'_>) -> Option<&'a str> {
    let lower = question.response().to_lowercase();
    let options = question.options.iter();
    let mut named = options.filter(|option| lower.contains(&option.text.to_lowercase()));
    match (named.next(), named.next()) {
        (Some(option), None) => Some(&option.letter),
        _ => None,
    }
}
