//! Verdicts and their file format, with one JSON object per line.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use thiserror::Error;

base::named_enum! {
    /// A person's verdict on an annotation.
    #[derive(
        Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum Verdict {
        /// The annotation is correct.
        Ok = "ok",
        /// The annotation is wrong.
        WrongLabel = "wrong_label",
        /// Several answers are acceptable, or the question is unclear.
        Ambiguous = "ambiguous",
        /// The picture cannot answer the question: it is broken, empty, or the wrong picture.
        BadImage = "bad_image",
        /// No verdict, or a withdrawn verdict.
        #[default]
        None = "none",
    }
}

impl Verdict {
    /// All verdicts except [`Self::None`], in display order.
    pub const SPOKEN: [Self; 4] = [Self::Ok, Self::WrongLabel, Self::Ambiguous, Self::BadImage];

    /// Returns the display name.
    pub const fn words(self) -> &'static str {
        match self {
            Self::WrongLabel => "wrong label",
            Self::BadImage => "bad image",
            Self::Ok | Self::Ambiguous | Self::None => self.name(),
        }
    }

    /// Returns the bit of this verdict in a set; 0 for [`Self::None`].
    pub const fn bit(self) -> u8 {
        match self {
            Self::Ok => 1,
            Self::WrongLabel => 2,
            Self::Ambiguous => 4,
            Self::BadImage => 8,
            Self::None => 0,
        }
    }
}

/// Error for a text that does not name a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no verdict is called `{0}`")]
pub struct UnknownVerdict(String);

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Verdict {
    type Err = UnknownVerdict;

    fn from_str(text: &str) -> Result<Self, UnknownVerdict> {
        Self::from_name(text).ok_or_else(|| UnknownVerdict(text.to_owned()))
    }
}

/// Key of a judged sample, without its conditions: a verdict applies under all conditions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SampleKey {
    /// The harness's sample id.
    pub sample_id: String,
    /// Name of the benchmark.
    pub benchmark: String,
    /// Name of the ability.
    pub ability: String,
    /// Split of the data set; empty if there is none. Different splits can use the same ids.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub split: String,
}

/// Error for a line that does not contain a valid entry.
#[derive(Debug, Error)]
pub enum EntryError {
    /// The line is longer than [`base::limits::Limit::VerdictLine`] bytes.
    #[error("{}", base::limits::Limit::VerdictLine.message())]
    TooLong,
    /// The line is not a valid JSON entry.
    #[error("{}", without_position(.0))]
    Json(serde_json::Error),
}

/// Formats the error without its position. The position refers to the line, not to the file.
fn without_position(error: &serde_json::Error) -> String {
    let mut what = error.to_string();
    what.truncate(what.find(" at line ").unwrap_or(what.len()));
    what
}

/// Verdict of one author on one sample. Unknown fields of later versions are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The judged sample.
    #[serde(flatten)]
    pub sample: SampleKey,
    /// The author's verdict; [`Verdict::None`] withdraws an earlier verdict.
    pub verdict: Verdict,
    /// The author's reason; can be empty.
    #[serde(default, deserialize_with = "text_or_null")]
    pub note: String,
    /// The correct annotation, if the author entered it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Value>,
    /// True if the sample was drawn at random for this author. Only randomly drawn samples allow
    /// conclusions about unjudged samples.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub drawn: bool,
    /// Name of the author.
    pub author: String,
    /// Time of the verdict, in UTC.
    #[serde(serialize_with = "write_time", deserialize_with = "read_time")]
    pub at: DateTime<Utc>,
}

impl Entry {
    /// Creates an entry with the current time and without a target.
    pub fn now(sample: SampleKey, verdict: Verdict, note: &str, author: &str) -> Self {
        Self {
            sample,
            verdict,
            note: note.to_owned(),
            target: None,
            drawn: false,
            author: author.to_owned(),
            at: Utc::now(),
        }
    }

    /// Parses a line of a verdict file.
    ///
    /// # Errors
    /// If the line is not a valid entry.
    pub fn parse(line: &[u8]) -> Result<Self, EntryError> {
        serde_json::from_slice(line).map_err(EntryError::Json)
    }

    /// Formats the entry as JSON on one line, without line break and control characters.
    ///
    /// # Errors
    /// If the entry cannot be written as JSON.
    pub fn line(&self) -> serde_json::Result<Vec<u8>> {
        base::file::json_object(self)
    }
}

fn text_or_null<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(Option::<String>::deserialize(from)?.unwrap_or_default())
}

fn write_time<S: Serializer>(at: &DateTime<Utc>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&at.to_rfc3339_opts(SecondsFormat::Millis, true))
}

fn read_time<'de, D: Deserializer<'de>>(from: D) -> Result<DateTime<Utc>, D::Error> {
    let text = String::deserialize(from)?;
    let time = DateTime::parse_from_rfc3339(&text).map_err(|_| {
        serde::de::Error::custom(format!(
            "`{text}` is not a time such as 2026-01-31T09:30:00Z"
        ))
    })?;
    Ok(time.to_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"sample_id":"7","benchmark":"ava-bench","ability":"ocr","verdict":"wrong_label","note":"reads 12","author":"ada","at":"2026-11-21T06:26:14.250Z"}"#;

    #[test]
    fn a_line_is_read_and_written_alike() {
        let entry = Entry::parse(LINE.as_bytes()).unwrap();
        assert_eq!(
            (entry.verdict, entry.note.as_str(), entry.target.clone()),
            (Verdict::WrongLabel, "reads 12", None)
        );
        assert_eq!(entry.line().unwrap(), LINE.as_bytes());
    }

    #[test]
    fn other_zones_become_utc_and_later_fields_are_passed_over() {
        let line = LINE
            .replace("06:26:14.250Z", "08:26:14.250+02:00")
            .replace("\"note\"", "\"confidence\":0.5,\"note\"");
        assert_eq!(
            Entry::parse(line.as_bytes()).unwrap().line().unwrap(),
            LINE.as_bytes()
        );
        let bare = LINE.replace("\"note\":\"reads 12\",", "\"target\":[1,2],");
        let entry = Entry::parse(bare.as_bytes()).unwrap();
        assert_eq!(
            (entry.note.as_str(), entry.target),
            ("", Some(serde_json::json!([1, 2])))
        );
    }

    #[test]
    fn what_is_wrong_with_a_line_is_told_without_a_place() {
        let wrong = |from: &str, to: &str| {
            Entry::parse(LINE.replace(from, to).as_bytes())
                .unwrap_err()
                .to_string()
        };
        assert!(wrong("wrong_label", "wrong").starts_with("unknown variant `wrong`"));
        assert_eq!(wrong("\"author\":\"ada\",", ""), "missing field `author`");
        assert!(wrong("2026-11-21T06:26:14.250Z", "today").contains("`today` is not a time"));
        assert!(
            wrong("\"ada\"", "\"ada").contains("EOF")
                || !wrong("\"ada\"", "\"ada").contains("line 1")
        );
    }

    #[test]
    fn controls_leave_as_escapes() {
        let mut entry = Entry::parse(LINE.as_bytes()).unwrap();
        entry.note = "a\u{1b}[31m\u{202e}b\nc".to_owned();
        let line = entry.line().unwrap();
        assert!(
            !String::from_utf8_lossy(&line)
                .chars()
                .any(base::format::is_control)
        );
        assert_eq!(Entry::parse(&line).unwrap(), entry);
    }

    #[test]
    fn names_lead_back_and_bits_are_distinct() {
        let mut bits = 0;
        for verdict in Verdict::SPOKEN {
            assert_eq!(verdict.name().parse(), Ok(verdict));
            assert_eq!(bits & verdict.bit(), 0);
            bits |= verdict.bit();
        }
        assert_eq!((bits, "none".parse()), (15, Ok(Verdict::None)));
    }
}
