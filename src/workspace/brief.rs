//! What a model answered and what would have been right, short enough for a cell of a list.

use super::load::{Frames, sized};
use super::text;
use format::first_words;
use record::{Choice, Content, Record, Row, Scoring, Table, Target};
use scorer::{Answer, read};

/// Characters of a response in which nothing could be read.
const LONGEST: usize = 80;

/// What a model answered and what would have been right. Both are text of logs that is not neutralised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brief {
    /// What was read as the answer, an option with its text: `A beach`. `None` where nothing could be read.
    pub answer: Option<String>,
    /// The first words of the response where nothing could be read.
    pub said: String,
    /// The target, an option with its text.
    pub target: String,
    /// The answer as a colour, red, green and blue.
    pub color: Option<[u8; 3]>,
    /// The target as a colour.
    pub target_color: Option<[u8; 3]>,
}

/// The short form of a prediction.
///
/// # Errors
/// One sentence: its log is gone, has changed, or is still being read.
pub fn brief(table: &Table, row: Row, scoring: Scoring) -> Result<Brief, String> {
    let record = text::record(table, row).map_err(|error| error.to_string())?;
    let sized = sized(&record, Frames::of(table, row));
    let target = table.target(table.item(row));
    Ok(Brief {
        target: with_option(&record.content, target),
        target_color: match record.content.target {
            Some(Target::Color(color)) => Some(shown(color)),
            _ => None,
        },
        ..shortened(&sized, scoring, table.invalid(row, scoring))
    })
}

fn shortened(record: &Record, scoring: Scoring, invalid: bool) -> Brief {
    let answer = parsed(record, scoring).filter(|_| !invalid);
    let color = match read(record, scoring).map(|reading| reading.answer) {
        Some(Answer::Color(color)) if !invalid => Some(shown(color)),
        _ => None,
    };
    let said = match &answer {
        Some(_) => String::new(),
        None => first_words(record.response.as_deref().unwrap_or_default(), LONGEST),
    };
    Brief {
        answer: answer.map(|answer| with_option(&record.content, &answer)),
        said,
        target: String::new(),
        color,
        target_color: None,
    }
}

/// A colour as a screen shows it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 0 and 255"
)]
fn shown(color: [f64; 3]) -> [u8; 3] {
    color.map(|part| part.round().clamp(0.0, 255.0) as u8)
}

/// What was read as the answer in a record, else what its log says was read.
#[must_use]
pub fn parsed(record: &Record, scoring: Scoring) -> Option<String> {
    let read = read(record, scoring).map(|reading| reading.answer.to_string());
    let told = || record.parsed.clone().filter(|parsed| !parsed.is_empty());
    read.or_else(told)
}

/// An option's letter with its text, and its text with its letter; anything else as it is.
#[must_use]
pub fn with_option(content: &Content, answer: &str) -> String {
    let is_it = |choice: &&Choice| choice.letter == answer || choice.text == answer;
    match content.choices.iter().find(is_it) {
        Some(Choice { letter, text }) if letter != text && !text.is_empty() => {
            format!("{letter} {text}")
        }
        _ => answer.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_has_its_text() {
        let choice = |letter: &str, text: &str| Choice {
            letter: letter.to_owned(),
            text: text.to_owned(),
        };
        let content = Content {
            choices: vec![choice("A", "beach"), choice("B", "B"), choice("C", "")],
            ..Content::default()
        };
        let shown = ["A", "beach", "B", "C", "7"].map(|answer| with_option(&content, answer));
        assert_eq!(shown, ["A beach", "A beach", "B", "C", "7"]);
    }
}
