//! Applies Inspect's `answer` scorer: reads a word or a line after the last `ANSWER:` (`pattern`
//! with its own expressions).

use std::sync::LazyLock;

use regex::Regex;

use super::{Kind, KnownRule, Question, RuleOutcome, captured};
use crate::python;
use base::format::pattern;

pub(super) const RULE: KnownRule = KnownRule {
    name: "inspect_answer",
    words: "the text after the last `ANSWER:`, one word for yes or no, else the last line",
    source: "inspect_ai, answer(\"word\") and answer(\"line\")",
    kinds: &[Kind::YesNo, Kind::Number, Kind::Text],
    mark,
};

static LABEL: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)ANSWER[\s\x1C-\x1F]*:"));

static LINE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)ANSWER[\s\x1C-\x1F]*:[\s\x1C-\x1F]*([^\n]+)[\s\x1C-\x1F]*\z"));

fn mark(question: &Question<'_>) -> Option<RuleOutcome> {
    let response = question.response();
    let answer = if question.kind == Kind::YesNo {
        word(response)
    } else {
        captured(&LINE, response).next()
    };
    let lower = answer.map(str::to_lowercase);
    let right = question.is_right(|right| Some(right.to_lowercase()) == lower);
    Some(RuleOutcome::judged(answer.map(str::to_owned), right))
}

/// Finds the shortest word after a label, if the word ends its line; a punctuation mark may follow
/// the word. No other label may follow.
fn word(text: &str) -> Option<&str> {
    let labels: Vec<regex::Match<'_>> = LABEL.find_iter(text).collect();
    let last = labels.last()?.start();
    labels.iter().find_map(|label| {
        let rest = text.get(label.end()..)?;
        let start = rest.trim_start_matches(python::is_space);
        let begin = text.len() - start.len();
        let ends = start.char_indices().map(|(at, c)| (at + c.len_utf8(), c));
        let mut ends = ends.take_while(|(_, c)| !python::is_space(*c));
        ends.find_map(|(length, _)| {
            let behind = start.get(length..)?;
            (begin + length > last && ends_line(behind)).then(|| start.get(..length))?
        })
    })
}

/// Returns true if only an optional punctuation mark and white space remain in the line.
fn ends_line(text: &str) -> bool {
    let blank = |text: &str| {
        let rest = text.trim_start_matches(python::is_space);
        let spaces = text.strip_suffix(rest).unwrap_or_default();
        rest.is_empty() || spaces.contains('\n')
    };
    let without = text.strip_prefix(['.', ',', ';', ':', '!', '?']);
    without.is_some_and(blank) || blank(text)
}
