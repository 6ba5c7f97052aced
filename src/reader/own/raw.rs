//! Splits a line into the raw JSON of its fields.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::scan::scan;
use crate::json;
use base::limits::Limit;

/// Maximum number of values in maps, as a multiple of the limit for all other fields. Maps contain
/// up to three numbers per pixel.
const MAPS: usize = 4;

/// Raw JSON of a field without surrounding spaces. `None` if the field is missing; a null is
/// present.
pub type Field<'a> = Option<&'a str>;

/// One line of a log, with each known field as raw JSON.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawLine<'a> {
    #[serde(borrow, deserialize_with = "present")]
    pub sample_id: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub benchmark: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub ability: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub model: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub image: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub images: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub question: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub choices: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub target: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub response: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub finish_reason: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub parsed: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub metric: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub direction: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub score: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub scores: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub rule: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub condition: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub boxes: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub maps: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub tags: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub detections: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub figure: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub run_settings: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub rerun: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub sent: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub not_answered: Field<'a>,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Field<'de>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(|raw| Some(raw.get()))
}

impl<'a> RawLine<'a> {
    /// Splits a line that contains one JSON object.
    ///
    /// # Errors
    /// If the line is not a JSON object, has more values than [`Limit::Values`], or holds the reason
    /// why a run has no answer (`not_answered`).
    pub fn new(line: &'a [u8]) -> Result<Self, String> {
        if !line.starts_with(b"{") {
            return Err("not a JSON object".to_owned());
        }
        let plain = simdutf8::basic::from_utf8(line).ok().and_then(scan);
        let raw = match plain {
            Some(plain) => plain,
            None => serde_json::from_slice(line).map_err(|error| describe(&error))?,
        };
        raw.check_values(line.len())?;
        match raw
            .not_answered
            .filter(|raw| raw.starts_with('"'))
            .and_then(text)
        {
            Some(why) => Err(format!("not answered: {why}")),
            None => Ok(raw),
        }
    }

    /// Checks the number of values in a line of `bytes` bytes, like [`json::check_values`]. Maps
    /// are counted separately.
    ///
    /// # Errors
    /// If there are more values than [`Limit::Values`].
    fn check_values(&self, bytes: usize) -> Result<(), String> {
        let most = Limit::Values.length();
        if bytes / 2 <= most {
            return Ok(());
        }
        let count = |field: Field<'_>| field.map_or(0, |raw| json::values(raw.as_bytes()));
        let all: usize = self.nested().into_iter().map(count).sum();
        if all > most || count(self.maps) > MAPS.saturating_mul(most) {
            return Err(Limit::Values.message());
        }
        Ok(())
    }

    /// Returns the fields that can contain lists or objects, except the maps.
    fn nested(&self) -> [Field<'a>; 19] {
        [
            self.image,
            self.images,
            self.question,
            self.choices,
            self.target,
            self.response,
            self.finish_reason,
            self.parsed,
            self.score,
            self.scores,
            self.rule,
            self.condition,
            self.boxes,
            self.tags,
            self.detections,
            self.figure,
            self.run_settings,
            self.rerun,
            self.sent,
        ]
    }

    /// Returns the field with this key; `None` for an unknown key.
    pub(super) fn field(&mut self, key: &str) -> Option<&mut Field<'a>> {
        Some(match key {
            "sample_id" => &mut self.sample_id,
            "benchmark" => &mut self.benchmark,
            "ability" => &mut self.ability,
            "model" => &mut self.model,
            "image" => &mut self.image,
            "images" => &mut self.images,
            "question" => &mut self.question,
            "choices" => &mut self.choices,
            "target" => &mut self.target,
            "response" => &mut self.response,
            "finish_reason" => &mut self.finish_reason,
            "parsed" => &mut self.parsed,
            "metric" => &mut self.metric,
            "direction" => &mut self.direction,
            "score" => &mut self.score,
            "scores" => &mut self.scores,
            "rule" => &mut self.rule,
            "condition" => &mut self.condition,
            "boxes" => &mut self.boxes,
            "maps" => &mut self.maps,
            "tags" => &mut self.tags,
            "detections" => &mut self.detections,
            "figure" => &mut self.figure,
            "run_settings" => &mut self.run_settings,
            "rerun" => &mut self.rerun,
            "sent" => &mut self.sent,
            "not_answered" => &mut self.not_answered,
            _ => return None,
        })
    }
}

/// Describes a parse error without a line number. The number would refer to the parsed text, not to
/// the file.
pub fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or(&text);
    match error.classify() {
        serde_json::error::Category::Eof => format!("the line is cut short: {what}"),
        _ => format!("not valid JSON: {what} (column {})", error.column()),
    }
}

/// Returns the text of a string, number or boolean; `None` for null, lists and objects.
pub fn text(raw: &str) -> Option<Cow<'_, str>> {
    match raw.as_bytes().first()? {
        b'"' if memchr::memchr(b'\\', raw.as_bytes()).is_none() => {
            raw.get(1..raw.len() - 1).map(Cow::Borrowed)
        }
        b'"' => serde_json::from_str::<String>(raw).ok().map(Cow::Owned),
        b'n' | b'[' | b'{' => None,
        _ => Some(Cow::Borrowed(raw)),
    }
}

/// Returns a sample id as text. The ids `7` and `7.0` are equal, because pandas writes integers as
/// floats in columns with missing values.
pub fn id(raw: &str) -> Option<Cow<'_, str>> {
    if raw.starts_with('"') {
        return text(raw);
    }
    text(whole(raw))
}

/// Removes a fraction that consists of zeros from a number: `7.0` becomes `7`. Other texts are
/// unchanged.
pub fn whole(number: &str) -> &str {
    let Some((whole, fraction)) = number.split_once('.') else {
        return number;
    };
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_whole && !fraction.is_empty() && fraction.bytes().all(|byte| byte == b'0') {
        whole
    } else {
        number
    }
}

/// True if a field is present and its value is null.
pub fn is_null(field: Field<'_>) -> bool {
    field == Some("null")
}

#[cfg(test)]
mod tests {
    use super::{RawLine, id, whole};
    use base::limits::Limit;

    #[test]
    fn a_number_is_the_same_id_with_and_without_a_fraction_of_zeros() {
        for (raw, expected) in [("7", "7"), ("7.0", "7"), ("\"7.0\"", "7.0"), ("7.5", "7.5")] {
            assert_eq!(id(raw).as_deref(), Some(expected), "{raw}");
        }
        for text in ["v1.0", ".0", "1.", "1.0.0", "1e3", "-"] {
            assert_eq!(whole(text), text);
        }
        assert_eq!(whole("-12.00"), "-12");
    }

    fn line(field: &str, values: usize) -> String {
        let many = vec!["0"; values].join(",");
        format!("{{\"sample_id\":\"s\",\"{field}\":[{many}]}}")
    }

    #[test]
    fn a_line_of_too_many_values_is_refused_before_they_are_parsed() {
        let most = Limit::Values.length();
        for field in ["boxes", "choices", "images", "tags", "sent"] {
            let line = line(field, most + 1);
            let outcome = RawLine::new(line.as_bytes()).map(drop);
            assert_eq!(outcome, Err(Limit::Values.message()), "{field}");
        }
    }

    #[test]
    fn a_long_text_is_one_value_and_maps_may_have_more() {
        let most = Limit::Values.length();
        let text = "[1,2],".repeat(most / 2);
        let long = format!("{{\"sample_id\":\"s\",\"response\":\"{text}\"}}");
        assert!(RawLine::new(long.as_bytes()).is_ok());
        assert!(RawLine::new(line("maps", 3 * most).as_bytes()).is_ok());
        assert!(RawLine::new(line("maps", 5 * most).as_bytes()).is_err());
    }
}
