//! Short forms of answers and targets, for list cells.

use super::load::{Frames, sized};
use super::text;
use base::format::first_words;
use record::{Choice, Content, Record, Row, Scoring, Table, Target};
use scorer::{Answer, read};

/// Maximum number of displayed characters of an unreadable response.
const LONGEST: usize = 80;

/// Short form of a prediction's answer and target. The texts come from logs, and their control
/// characters are not replaced yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brief {
    /// The answer. An option is shown with its text, for example `A beach`. `None` if unreadable.
    pub answer: Option<String>,
    /// First words of the response if the answer is unreadable; otherwise empty.
    pub said: String,
    /// The target. An option is shown with its text.
    pub target: String,
    /// The answer as a colour: red, green, blue.
    pub color: Option<[u8; 3]>,
    /// The target as a colour: red, green, blue.
    pub target_color: Option<[u8; 3]>,
}

/// Returns the short form of a prediction.
///
/// # Errors
/// If the log is missing, has changed, or is still being read.
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

/// Rounds a colour to 8 bits per channel.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 0 and 255"
)]
fn shown(color: [f64; 3]) -> [u8; 3] {
    color.map(|part| part.round().clamp(0.0, 255.0) as u8)
}

/// Reads the answer from a record. If that fails, returns the parsed answer in the log.
pub fn parsed(record: &Record, scoring: Scoring) -> Option<String> {
    let read = read(record, scoring).map(|reading| reading.answer.to_string());
    let told = || record.parsed.clone().filter(|parsed| !parsed.is_empty());
    read.or_else(told)
}

/// Formats an option as letter and text. Any other answer is unchanged.
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
