//! Applies `MMBench` as lmms-eval does before it asks a judge model (`can_infer`).

use super::{Kind, KnownRule, Question, RuleOutcome};
use crate::python;

pub(super) const RULE: KnownRule = KnownRule {
    name: "mmbench",
    words: "the only letter that is a word, with or without marks, else the only option text",
    source: "lmms-eval, MMBench_Evaluator.can_infer",
    kinds: &[Kind::Options],
    mark,
};

/// Letters that are searched; the last one is not an option.
const LETTERS: [&str; 5] = ["A", "B", "C", "D", "E"];

/// Maximum number of options that the rule supports.
const MOST_OPTIONS: usize = 4;

/// Maximum number of words for an A to be read as a letter; in longer answers it may be an
/// article.
const SHORT: usize = 3;

/// Marks before and after a letter, in the order in which they are tested.
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

fn mark(question: &Question<'_>) -> Option<RuleOutcome> {
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
