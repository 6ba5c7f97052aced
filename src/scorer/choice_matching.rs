//! Scores multiple choice as `VLMEvalKit` does without a judge model (`exact_matching`).
//!
//! `can_infer` of `vlmeval/utils/matching_util.py` first looks for a letter, then for an option's
//! text. If it finds neither, the answer is the letter Z, which is wrong.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::traced_text::TracedText;
use super::{Answer, Outcome, Reading};
use base::format::pattern;
use record::{Choice, Record, Target};

/// Matches words between the marks that the harness turns into spaces; white space as defined by
/// Python.
static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"[^\s\x1C-\x1F.()\[\],:;!*#{}]+"));

/// Matches `the answer is **B**`, without a word boundary after the letter.
static ANSWER_IS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)(?:correct[\s\x1C-\x1F]+)?answer[\s\x1C-\x1F]+is[\s\x1C-\x1F]+\**([ABCD])\**")
});

/// Text that an API client stores for a failed request.
const API_FAILURE: &str = "Failed to obtain answer via API";

/// Replies that the harness reads as the letter Z.
const REFUSALS: [&str; 4] = [
    "Sorry, I can't help with images of people yet.",
    "I can't process this file.",
    "I'm sorry, but without the image provided",
    "Cannot determine the answer",
];

/// Cells that pandas reads as missing (`pandas.read_excel`, default `na_values`).
const MISSING: [&str; 19] = [
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
];

/// Maximum number of words from a letter to the end of the response, including the letter itself.
const LAST_WORDS: usize = 4;

/// Result of looking for a letter.
enum Letter<'a> {
    /// Letter of one option, and its place.
    Found(&'a str, Range<usize>),
    /// The response is a refusal, which the harness reads as the letter Z.
    Refused,
    /// No letter was found; the option texts decide.
    Unknown,
}

/// Scores 1 if the inferred letter is the target's, else 0.
pub(super) fn judge(record: &Record) -> (Outcome, Option<Reading>) {
    let reading = read(record);
    let outcome = match (&record.content.target, &reading) {
        (Some(Target::Text(target)), Some(reading)) => Outcome::judged(
            matches!(&reading.answer, Answer::Choice(letter) if letter == target.trim()),
        ),
        (Some(Target::Text(_)), None) => Outcome::unreadable(Some(0.0), None),
        _ => Outcome::left_out(),
    };
    (outcome, reading)
}

/// Returns a response as the evaluator sees it: pandas reads some cells as missing, which become
/// `nan`.
pub(super) fn seen(response: &str) -> &str {
    if MISSING.contains(&response) {
        "nan"
    } else {
        response
    }
}

/// Infers the option of a record; `None` if the harness infers its letter Z.
fn read(record: &Record) -> Option<Reading> {
    let response = record.response.as_deref().unwrap_or_default();
    read_among(response, &record.content.choices)
}

/// Infers the option from a response; `None` if the harness infers its letter Z.
pub(super) fn read_among(response: &str, options: &[Choice]) -> Option<Reading> {
    let options: Vec<&Choice> = options
        .iter()
        .filter(|option| !MISSING.contains(&option.text.as_str()))
        .collect();
    if MISSING.contains(&response) {
        // The evaluator sees the text `nan`, which has no place in the response.
        return infer("nan", &options).map(|reading| Reading {
            span: None,
            ..reading
        });
    }
    infer(response, &options)
}

/// Looks for a letter, then for an option's text, as the harness does.
pub(super) fn infer(response: &str, options: &[&Choice]) -> Option<Reading> {
    match infer_letter(response, options) {
        Letter::Found(letter, span) => Some(Reading::at(Answer::Choice(letter.to_owned()), span)),
        Letter::Refused => None,
        Letter::Unknown => infer_text(response, options),
    }
}

/// Applies `can_infer_option`.
fn infer_letter<'a>(response: &str, options: &[&'a Choice]) -> Letter<'a> {
    if response.contains(API_FAILURE) {
        return Letter::Unknown;
    }
    if REFUSALS.iter().any(|refusal| response.contains(refusal)) {
        return Letter::Refused;
    }
    let words: Vec<_> = WORD.find_iter(response).collect();
    let first = |letter: &str| words.iter().position(|word| word.as_str() == letter);
    let mut present = options
        .iter()
        .filter_map(|option| Some((option.letter.as_str(), first(&option.letter)?)));
    match (present.next(), present.next()) {
        (Some((letter, place)), None) if place + LAST_WORDS >= words.len() => {
            let span = words
                .get(place)
                .map(regex::Match::range)
                .unwrap_or_default();
            Letter::Found(letter, span)
        }
        (None, _) if first("Z").is_some() => Letter::Refused,
        _ => infer_announced(response, options),
    }
}

/// Reads the letter after `answer is`, if an option has it.
fn infer_announced<'a>(response: &str, options: &[&'a Choice]) -> Letter<'a> {
    let announced = ANSWER_IS
        .captures(response)
        .and_then(|captures| captures.get(1));
    let option = announced.and_then(|letter| {
        let option = options
            .iter()
            .find(|option| option.letter.eq_ignore_ascii_case(letter.as_str()))?;
        Some((option.letter.as_str(), letter.range()))
    });
    option.map_or(Letter::Unknown, |(letter, span)| {
        Letter::Found(letter, span)
    })
}

/// Applies `can_infer_text`: the only option whose text the response contains, unless the
/// response is long.
fn infer_text(response: &str, options: &[&Choice]) -> Option<Reading> {
    let lower = response.to_lowercase();
    let length: usize = options
        .iter()
        .map(|option| option.text.chars().count())
        .sum();
    if lower.chars().count() > 2 * length {
        return None;
    }
    let mut named = options
        .iter()
        .filter(|option| lower.contains(&option.text.to_lowercase()));
    let (option, None) = (named.next()?, named.next()) else {
        return None;
    };
    Some(Reading::new(
        Answer::Choice(option.letter.clone()),
        place_of(&option.text, response),
    ))
}

/// Returns the place of `text` in the response, ignoring case.
fn place_of(text: &str, response: &str) -> Option<Range<usize>> {
    let (text, response) = (
        TracedText::lowercase(text).text,
        TracedText::lowercase(response),
    );
    let start = response.text.find(&text)?;
    response.origin(start..start + text.len())
}

#[cfg(test)]
#[path = "choice_matching_tests.rs"]
mod tests;
