//! Text normalisation of the VQA evaluation, as AVA-Bench's evaluators carry it along.

use std::sync::LazyLock;

use regex::Regex;

use super::contractions;
use crate::pattern::pattern;
use crate::python;

/// A comma between two digits.
static DIGIT_COMMA: LazyLock<Regex> = LazyLock::new(|| pattern(r"(\d),(\d)"));

/// The marks that the evaluation removes, in its order.
const MARKS: [char; 21] = [
    ';', '/', '[', ']', '"', '{', '}', '(', ')', '=', '+', '\\', '_', '-', '>', '<', '@', '`', ',',
    '?', '!',
];

/// Words that the evaluation drops.
const ARTICLES: [&str; 3] = ["a", "an", "the"];

/// The evaluation passes `re.UNICODE`, which is 32, where Python expects the greatest number of replacements.
const MOST_PERIODS: usize = 32;

/// `processPunctuation`, then `processDigitArticle`: counting, absolute and relative depth.
///
/// `5-10` becomes `5 10`, `1,005` becomes `1005`, `-3` becomes `3`, `7.` becomes `7`, and `3.5` stays.
pub(crate) fn vqa(text: &str) -> String {
    normalised(text, &DIGIT_COMMA)
}

/// The same with another expression for commas between digits.
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

/// `normalize_answer` of `action/eval.py`: digits joined over commas, marks to spaces, articles dropped.
pub(super) fn action(text: &str) -> String {
    let text = one_line(text).to_lowercase();
    let joined = DIGIT_COMMA.replace_all(&text, "$1$2");
    let spaced = without_periods(&joined, usize::MAX).replace(MARKS, " ");
    let words: Vec<_> = python::split(&spaced)
        .filter(|word| !ARTICLES.contains(word))
        .collect();
    words.join(" ")
}

/// Line breaks and tabulators to spaces, white space around the text removed.
pub(super) fn one_line(text: &str) -> String {
    python::strip(&text.replace(['\n', '\t'], " ")).to_owned()
}

/// `processPunctuation`: a mark beside a space anywhere in the text vanishes, another one becomes a space; where
/// two digits have a comma between them, all marks vanish.
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

/// Removes at most `most` full stops that no digit follows.
///
/// The harness writes `(?!<=\d)(\.)(?!\d)`; its first group looks ahead for the characters `<=`, not behind, and
/// so never keeps a full stop.
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

/// The digits of the number words that the evaluation knows.
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
            // Beside a space once, gone everywhere.
            ("5 -7-9", "5 79"),
            // Two digits with a comma between them: all marks vanish.
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
