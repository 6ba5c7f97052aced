//! Defines an answer as read by a rule, and its place in the response.

use std::fmt;
use std::ops::Range;

use super::boxes;
use super::strict::Step;

/// Answer that a rule read from a response.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Letter or number of an option.
    Choice(String),
    /// Free text of the answer.
    Text(String),
    /// Number in the target's unit; for a range, its middle.
    Number(f64),
    /// Box `[x0, y0, x1, y1]` in the target's unit: pixels, or fractions of the image.
    Box([f64; 4]),
    /// Colour `[r, g, b]`, each 0 to 255.
    Color([f64; 3]),
}

/// Answer with its place in the response.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Answer that was read.
    pub answer: Answer,
    /// Byte range of the response that was read as the answer, on character boundaries. `None` if
    /// the rule rewrites the response before reading, or if the response does not contain the
    /// answer.
    pub span: Option<Range<usize>>,
    /// Steps by which the rule found the answer; empty if the rule's name is explanation enough.
    pub steps: Vec<Step>,
}

impl Reading {
    /// Returns the box with ordered corners in the target's unit, for drawing; `None` for other
    /// answers.
    pub fn drawn_box(&self) -> Option<[f64; 4]> {
        match self.answer {
            Answer::Box(corners) => Some(boxes::ordered(corners)),
            _ => None,
        }
    }

    /// Creates a reading without steps; `span` is its place in the response.
    pub(super) fn new(answer: Answer, span: Option<Range<usize>>) -> Self {
        Self {
            answer,
            span,
            steps: Vec::new(),
        }
    }

    /// Creates a reading of an answer at `span`.
    pub(super) fn at(answer: Answer, span: Range<usize>) -> Self {
        Self::new(answer, Some(span))
    }

    /// Joins the steps on one line, for example `thinking removed, a leading label`.
    pub fn trace(&self) -> String {
        let words: Vec<&str> = self.steps.iter().map(|step| step.name()).collect();
        words.join(", ")
    }
}

impl fmt::Display for Answer {
    /// Writes the short form for tables: an option's letter, the text, or numbers with at most
    /// four decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Choice(text) | Self::Text(text) => f.write_str(text),
            Self::Number(number) => write!(f, "{}", rounded(*number)),
            Self::Box(numbers) => write_list(f, numbers),
            Self::Color(numbers) => write_list(f, numbers),
        }
    }
}

/// Writes a list of numbers: `[1, 2.5, 3]`.
fn write_list(f: &mut fmt::Formatter<'_>, numbers: &[f64]) -> fmt::Result {
    f.write_str("[")?;
    for (place, number) in numbers.iter().enumerate() {
        let separator = if place == 0 { "" } else { ", " };
        write!(f, "{separator}{}", rounded(*number))?;
    }
    f.write_str("]")
}

/// Rounds to four decimals; numbers of 1e9 and more stay unchanged.
fn rounded(number: f64) -> f64 {
    if number.abs() < 1e9 {
        (number * 1e4).round() / 1e4
    } else {
        number
    }
}

#[cfg(test)]
mod tests {
    use super::Answer;

    #[test]
    fn shows_short_forms() {
        assert_eq!(Answer::Choice("B".into()).to_string(), "B");
        assert_eq!(Answer::Number(5.5).to_string(), "5.5");
        assert_eq!(Answer::Number(20.0 / 3.0).to_string(), "6.6667");
        assert_eq!(
            Answer::Box([0.0, 0.25, 1.0, 0.5]).to_string(),
            "[0, 0.25, 1, 0.5]"
        );
        assert_eq!(
            Answer::Color([199.0, 49.0, 40.0]).to_string(),
            "[199, 49, 40]"
        );
    }
}
