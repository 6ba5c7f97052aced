//! Numbers: the last one in a text, and of a range its middle.

use std::sync::LazyLock;

use regex::{Captures, Match, Regex};

use super::number_words;
use crate::pattern::pattern;
use crate::{Answer, Reading, python};

/// Digits with sign, decimals and thousands.
const DIGITS: &str = r"[-+−]?(?:\d{1,3}(?:,\d{3})+\d*(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)";

/// A unit of length behind the lower end of a range.
const UNIT: &str = r"(?:\s?(?:[ckm]?m|ft|feet|foot|met(?:er|re)s?)\b)?";

/// `between 5 and 7`, else `5-7`, else `five to seven`, else one number and what may multiply it. Words make no
/// range with a hyphen: `twenty-one` is one number.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    let one = format!("({DIGITS}|{})", number_words::pattern());
    let between = format!(r"\bbetween\s+{one}{UNIT}\s+and\s+{one}");
    let dash = format!(r"({DIGITS}){UNIT}\s*[-–—~]\s*({DIGITS})");
    let to = format!(r"{one}{UNIT}\s*to\s*{one}");
    let single = format!(r"{one}(\s+(?:hundred|thousand|million|billion)\b)?");
    pattern(&format!("(?i){between}|{dash}|{to}|{single}"))
});

/// The group of the pattern that holds what multiplies a single number.
const MULTIPLIER: usize = 8;

/// The last number, or the middle of a range. Numbers such as `two hundred` cannot be read and are passed over.
pub(super) fn read(text: &str) -> Option<Reading> {
    NUMBER
        .captures_iter(text)
        .filter_map(|found| number(&found, text))
        .last()
}

/// Whether two numbers are equal within 1e-9 of the larger one.
pub(super) fn equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// One match as a number.
fn number(found: &Captures, text: &str) -> Option<Reading> {
    let mut ends = (1..MULTIPLIER).filter_map(|group| found.get(group));
    let lower = ends.next()?;
    let Some(upper) = ends.next() else {
        let multiplied = found.get(MULTIPLIER).is_some();
        let number = value(lower, text).filter(|_| !multiplied)?;
        return Some(Reading::at(Answer::Number(number), lower.range()));
    };
    let middle = f64::midpoint(value(lower, text)?, value(upper, text)?);
    Some(Reading::at(
        Answer::Number(middle),
        lower.start()..upper.end(),
    ))
}

/// The value of digits or of a number word. A hyphen directly behind a letter or digit is no sign.
fn value(found: Match, text: &str) -> Option<f64> {
    let written = found.as_str();
    if written.starts_with(char::is_alphabetic) {
        return number_words::value(written);
    }
    let digits = written.trim_start_matches(['-', '+', '−']);
    let before = text.get(..found.start()).unwrap_or_default();
    let negative = written.starts_with(['-', '−']) && !before.ends_with(char::is_alphanumeric);
    let size = python::float(&ungrouped(digits))?;
    Some(if negative { -size } else { size })
}

/// `1,234` without its comma; a last group of another length than three stands for itself (`1,0020` is 20).
fn ungrouped(digits: &str) -> String {
    let whole = digits.split_once('.').map_or(digits, |(whole, _)| whole);
    let grouped = whole
        .split(',')
        .skip(1)
        .all(|group| group.chars().count() == 3);
    match digits.rsplit_once(',') {
        Some((_, last)) if !grouped => last.to_owned(),
        _ => digits.replace(',', ""),
    }
}

#[cfg(test)]
mod tests {
    use super::{equal, read};

    fn number(text: &str) -> Option<String> {
        read(text).map(|reading| reading.answer.to_string())
    }

    #[test]
    fn the_last_number_counts() {
        for (text, expected) in [
            ("There are 3 red and 5 blue ones: 8.", "8"),
            ("-3.5 m", "-3.5"),
            ("−2", "-2"),
            ("about .5", "0.5"),
            ("1,234 people", "1234"),
            ("1,234.5m", "1234.5"),
            ("1,0020", "20"),
            ("2, 3", "3"),
            ("twenty-one cars", "21"),
            ("I see Seven.", "7"),
            ("the 3 of someone", "3"),
            ("9m", "9"),
            ("MD-80", "80"),
            ("４２", "42"),
        ] {
            assert_eq!(number(text).as_deref(), Some(expected), "{text}");
        }
        for unreadable in ["", "many", "two hundred", "someone"] {
            assert_eq!(number(unreadable), None, "{unreadable}");
        }
    }

    #[test]
    fn ranges_are_their_middle() {
        for (text, expected) in [
            ("5-7", "6"),
            ("5 – 8m", "6.5"),
            ("5 to 7", "6"),
            ("5m to 7m", "6"),
            ("around 3.5 to 4.5 meters", "4"),
            ("between 5 and 7", "6"),
            ("between five meters and twenty", "12.5"),
            ("5-10m", "7.5"),
            ("twenty-one to thirty", "25.5"),
            ("5 and 7", "7"),
            ("between us, 5", "5"),
        ] {
            assert_eq!(number(text).as_deref(), Some(expected), "{text}");
        }
        let text = "some 5 m to 7 m";
        assert_eq!(
            read(text)
                .and_then(|reading| reading.span)
                .map(|span| &text[span]),
            Some("5 m to 7")
        );
    }

    #[test]
    fn equality_is_relative() {
        assert!(equal(0.1 + 0.2, 0.3) && equal(0.0, 0.0) && !equal(0.0, 1e-12));
    }
}
