//! Normalises texts like the VQA evaluation, as copied by AVA-Bench's evaluators.

use std::sync::LazyLock;

use regex::Regex;

use super::contractions;
use crate::python;
use base::format::pattern;

/// Matches a comma between two digits.
static DIGIT_COMMA: LazyLock<Regex> = LazyLock::new(|| pattern(r"(\d),(\d)"));

/// Punctuation marks that the evaluation removes, in its order.
const MARKS: [char; 21] = [
    ';', '/', '[', ']', '"', '{', '}', '(', ')', '=', '+', '\\', '_', '-', '>', '<', '@', '`', ',',
    '?', '!',
];

/// Articles that the evaluation drops.
const ARTICLES: [&str; 3] = ["a", "an", "the"];

/// Maximum number of removed full stops: the evaluation passes `re.UNICODE`, which is 32, as the
/// number of replacements.
const MOST_PERIODS: usize = 32;

/// Applies `processPunctuation`, then `processDigitArticle`; used for counting, absolute and
/// relative depth.
///
/// `5-10` becomes `5 10`, `1,005` becomes `1005`, `-3` becomes `3`, `7.` becomes `7`, and `3.5`
/// stays.
pub(crate) fn vqa(text: &str) -> String {
    normalised(text, &DIGIT_COMMA)
}

/// Normalises like [`vqa`], with a different expression for commas between digits.
pub(crate) fn normalised(text: &str, digit_comma: &Regex) -> String {
    let text = one_line(text);
    let words = unmarked(&text, digit_comma).to_lowercase();
    let words: Vec<_> = python::split(&words)
        .map(in_digits)
        .filter(|word| !ARTICLES.contains(word))
        .map(|word| contractions::expanded(word).unwrap_or(word))
        .collect();
    words.join(" ")
}

/// Applies `normalize_answer` of `action/eval.py`: joins digits over commas, replaces marks by
/// spaces, and drops articles.
pub(super) fn action(text: &str) -> String {
    let text = one_line(text).to_lowercase();
    let joined = DIGIT_COMMA.replace_all(&text, "$1$2");
    let spaced = without_periods(&joined, usize::MAX).replace(MARKS, " ");
    let words: Vec<_> = python::split(&spaced)
        .filter(|word| !ARTICLES.contains(word))
        .collect();
    words.join(" ")
}

/// Replaces line breaks and tabs by spaces, and trims white space.
pub(super) fn one_line(text: &str) -> String {
    python::strip(&text.replace(['\n', '\t'], " ")).to_owned()
}

/// Applies `processPunctuation`. A mark that is next to a space anywhere in the text is removed
/// everywhere; other marks become spaces. If two digits have a comma between them, all marks are
/// removed.
pub(crate) fn without_marks(text: &str) -> String {
    unmarked(text, &DIGIT_COMMA)
}

fn unmarked(text: &str, digit_comma: &Regex) -> String {
    let grouped = digit_comma.is_match(text);
    let marked = MARKS.iter().fold(text.to_owned(), |changed, mark| {
        let beside_space = text.contains(&format!("{mark} ")) || text.contains(&format!(" {mark}"));
        changed.replace(*mark, if grouped || beside_space { "" } else { " " })
    });
    without_periods(&marked, MOST_PERIODS)
}

/// Removes at most `most` full stops that are not followed by a digit.
///
/// The harness writes `(?!<=\d)(\.)(?!\d)`. Its first group looks ahead for the characters `<=`
/// instead of behind, and never protects a full stop.
fn without_periods(text: &str, most: usize) -> String {
    let mut left = most;
    let mut characters = text.chars().peekable();
    let mut kept = String::with_capacity(text.len());
    while let Some(character) = characters.next() {
        if character == '.'
            && left > 0
            && !characters
                .peek()
                .is_some_and(|next| python::is_digit(*next))
        {
            left -= 1;
        } else {
            kept.push(character);
        }
    }
    kept
}

/// Returns the digits for a number word that the evaluation replaces; returns other words
/// unchanged.
fn in_digits(word: &str) -> &str {
    match word {
        "none" | "zero" => "0",
        "one" => "1",
        "two" => "2",
        "three" => "3",
        "four" => "4",
        "five" => "5",
        "six" => "6",
        "seven" => "7",
        "eight" => "8",
        "nine" => "9",
        "ten" => "10",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::{action, vqa};

    #[test]
    fn vqa_examples() {
        for (text, normal) in [
            ("5-10", "5 10"),
            ("1,005", "1005"),
            ("-3", "3"),
            ("3.5", "3.5"),
            ("7.", "7"),
            ("The red box.", "red box"),
            ("\"blue\"", "blue"),
            ("Ten\n", "10"),
            ("none", "0"),
            ("I dont know", "i don't know"),
            // A mark next to a space at one place is removed everywhere.
            ("5 -7-9", "5 79"),
            // If two digits have a comma between them, all marks are removed.
            ("1,0020 (or-so)", "10020 orso"),
            ("", ""),
        ] {
            assert_eq!(vqa(text), normal, "{text}");
        }
    }

    #[test]
    fn only_32_full_stops_vanish() {
        assert_eq!(vqa(&"x.".repeat(34)), format!("{}x.x.", "x".repeat(32)));
        assert_eq!(action(&"x.".repeat(34)), "x".repeat(34));
    }

    #[test]
    fn action_examples() {
        assert_eq!(action("45) Juggling a ball."), "45 juggling ball");
        assert_eq!(action("1,2,3"), "12 3");
        assert_eq!(action("6. crawling"), "6 crawling");
    }
}
