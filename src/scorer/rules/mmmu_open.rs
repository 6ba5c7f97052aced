//! Applies MMMU's open questions (`parse_open_response`, `eval_open`), as in lmms-eval.

use std::sync::LazyLock;

use regex::Regex;

use super::{Kind, KnownRule, Question, RuleOutcome};
use crate::python;
use base::format::pattern;

pub(super) const RULE: KnownRule = KnownRule {
    name: "mmmu_open",
    words: "the target in the text after is, so, answer or =, or the same number to two decimals",
    source: "lmms-eval, parse_open_response and eval_open of MMMU",
    kinds: &[Kind::Number, Kind::Text],
    mark,
};

/// Words that precede an answer; the equals sign counts only in the last line.
const SIGNS: [&str; 9] = [
    "could be ",
    "so ",
    "is ",
    "thus ",
    "therefore ",
    "final ",
    "answer ",
    "result ",
    "=",
];

/// Texts that are not an answer.
const TRIVIAL: [&str; 7] = [":", ",", ".", "!", "?", ";", "'"];

static WITH_COMMAS: LazyLock<Regex> = LazyLock::new(|| pattern(r"-?\b\d{1,3}(?:,\d{3})+\b"));

static SCIENTIFIC: LazyLock<Regex> = LazyLock::new(|| pattern(r"-?\d+(?:\.\d+)?[eE][+-]?\d+"));

static EXPONENT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[eE][+-]?\d+"));

/// Normalised answer, as text or number.
#[derive(Clone, Debug, PartialEq)]
enum Form {
    Text(String),
    Number(f64),
}

fn mark(question: &Question<'_>) -> Option<RuleOutcome> {
    Some(compare(question.response(), &question.right))
}

/// Compares the answers found in a response with the right answers.
pub(super) fn compare(response: &str, right: &[String]) -> RuleOutcome {
    let keys = keys(response);
    let numbers = keys.iter().flat_map(|key| numbers(key));
    let given: Vec<Form> = (keys.iter().cloned().chain(numbers))
        .flat_map(|text| forms(&text))
        .collect();
    let right: Vec<Form> = right.iter().flat_map(|text| forms(text)).collect();
    let is_right = given.iter().any(|given| match given {
        Form::Text(given) => right
            .iter()
            .any(|right| matches!(right, Form::Text(right) if given.contains(right.as_str()))),
        Form::Number(_) => right.contains(given),
    });
    let read = keys.join(" | ");
    RuleOutcome::judged((!read.is_empty()).then_some(read), is_right)
}

/// Returns the part of each line after its last answer word; the whole response if no line has an
/// answer word.
fn keys(response: &str) -> Vec<String> {
    let response = python::strip(response).trim_matches('.').to_lowercase();
    let lines: Vec<&str> = response.split('\n').collect();
    let mut keys = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let is_last = place + 1 == lines.len();
        let signs = SIGNS.iter().filter(|sign| is_last || **sign != "=");
        let mut shortest: Option<&str> = None;
        for sign in signs.filter(|sign| line.contains(**sign)) {
            let end = python::strip(line.rsplit(*sign).next().unwrap_or_default());
            let is_shorter = shortest
                .filter(|known| !known.is_empty())
                .is_none_or(|known| end.chars().count() < known.chars().count());
            if is_shorter {
                shortest = Some(end);
            }
        }
        let key = shortest.filter(|key| !key.is_empty() && !TRIVIAL.contains(key));
        keys.extend(key.map(str::to_owned));
    }
    if keys.is_empty() {
        keys.push(response);
    }
    keys
}

/// Normalises an answer: numbers to two decimals, texts to lower case. A single letter gets a
/// space before or after it.
fn forms(text: &str) -> Vec<Form> {
    let text = python::strip(text);
    if let Some(number) = number_of(&text.replace(',', "")) {
        return vec![Form::Number(number)];
    }
    let lower = text.to_lowercase();
    if lower.chars().count() == 1 {
        return vec![
            Form::Text(format!(" {lower}")),
            Form::Text(format!("{lower} ")),
        ];
    }
    vec![Form::Text(lower)]
}

/// Applies `round(float(text), 2)`, which also accepts `inf`, `nan`, and single underscores between
/// digits.
fn number_of(text: &str) -> Option<f64> {
    let ascii: String = python::strip(text)
        .chars()
        .map(python::ascii_digit)
        .collect();
    let bytes = ascii.as_bytes();
    let digit = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    let parted = |(at, byte): (usize, &u8)| {
        *byte != b'_' || (digit(at.checked_sub(1)) && digit(Some(at + 1)))
    };
    if !bytes.iter().enumerate().all(parted) {
        return None;
    }
    let number: f64 = ascii.replace('_', "").parse().ok()?;
    format!("{number:.2}").parse().ok()
}

/// Returns the numbers in a text, in three notations: with commas, with an exponent, plain.
fn numbers(text: &str) -> Vec<String> {
    let owned = |found: regex::Match<'_>| found.as_str().to_owned();
    let commas = WITH_COMMAS.find_iter(text).map(owned);
    let exponents = SCIENTIFIC.find_iter(text).map(owned);
    commas.chain(exponents).chain(plain_numbers(text)).collect()
}

/// Finds the matches of `-?(?:\d+\.\d+|\.\d+|\d+\b)(?![eE][+-]?\d+)(?![,\d])`. Implemented by hand,
/// because the `regex` crate has no look-ahead.
fn plain_numbers(text: &str) -> Vec<String> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let unsigned = rest.strip_prefix('-').unwrap_or(rest);
        let sign = rest.len() - unsigned.len();
        if let Some(length) = plain_number(unsigned) {
            found.extend(rest.get(..sign + length).map(str::to_owned));
            at += sign + length;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// Returns the length of a plain number at the start of a text.
fn plain_number(text: &str) -> Option<usize> {
    let digits = |text: &str| {
        let end = text.find(|c| !python::is_digit(c));
        end.unwrap_or(text.len())
    };
    let rest = |length: usize| text.get(length..).unwrap_or_default();
    let whole = digits(text);
    let behind = rest(whole);
    let decimals = behind.strip_prefix('.').map_or(0, digits);
    let ends = |length: usize| {
        let next = rest(length);
        !EXPONENT.is_match(next) && !next.starts_with(',')
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if decimals > 0 && ends(whole + 1 + decimals) {
        return Some(whole + 1 + decimals);
    }
    (whole > 0 && !behind.starts_with(is_word) && ends(whole)).then_some(whole)
}
