//! An answer as a rule read it, and where in the response it stands.

use std::fmt;
use std::ops::Range;

use super::boxes;

/// The answer that a rule read out of a response.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The letter (or number) of an option.
    Choice(String),
    /// Free text.
    Text(String),
    /// A number in the target's unit; of a range its middle.
    Number(f64),
    /// `[x0, y0, x1, y1]` in the target's own units: pixels, or fractions of the image.
    Box([f64; 4]),
    /// `[r, g, b]`, 0 to 255.
    Color([f64; 3]),
}

/// An answer with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// What was read.
    pub answer: Answer,
    /// The bytes of the response that were read as the answer, on character boundaries. `None`: the rule
    /// rewrites the response before it reads it, or the answer stands nowhere in it.
    pub span: Option<Range<usize>>,
    /// What the rule did to find it, step by step in words; empty where the rule's name says it all.
    pub steps: Vec<&'static str>,
}

impl Reading {
    /// The box for drawing, corners in order, in the target's own units; `None` when no box was read.
    #[must_use]
    pub fn drawn_box(&self) -> Option<[f64; 4]> {
        match self.answer {
            Answer::Box(corners) => Some(boxes::ordered(corners)),
            _ => None,
        }
    }

    /// An answer read at `span`.
    pub(super) fn at(answer: Answer, span: Range<usize>) -> Self {
        Self {
            answer,
            span: Some(span),
            steps: Vec::new(),
        }
    }

    /// The steps in one line, such as `thinking cut off, a leading label`.
    #[must_use]
    pub fn trace(&self) -> String {
        self.steps.join(", ")
    }
}

impl fmt::Display for Answer {
    /// The short form for tables: an option's letter, the text itself, numbers with at most four decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Choice(text) | Self::Text(text) => f.write_str(text),
            Self::Number(number) => write!(f, "{}", rounded(*number)),
            Self::Box(numbers) => write_list(f, numbers),
            Self::Color(numbers) => write_list(f, numbers),
        }
    }
}

/// `[1, 2.5, 3]`.
fn write_list(f: &mut fmt::Formatter<'_>, numbers: &[f64]) -> fmt::Result {
    f.write_str("[")?;
    for (place, number) in numbers.iter().enumerate() {
        let separator = if place == 0 { "" } else { ", " };
        write!(f, "{separator}{}", rounded(*number))?;
    }
    f.write_str("]")
}

/// Four decimals; numbers too large to have any stay as they are.
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
