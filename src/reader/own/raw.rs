//! A line as its fields' raw JSON: found, not yet understood.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// The raw JSON of a field that is there; `null` counts as there.
pub type Field<'a> = Option<&'a RawValue>;

/// One line of the log, each known field as raw JSON.
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
    pub parsed: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub metric: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub score: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub condition: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub boxes: Field<'a>,
    #[serde(borrow, deserialize_with = "present")]
    pub tags: Field<'a>,
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Field<'de>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl<'a> RawLine<'a> {
    /// The fields of a line that holds one JSON object.
    ///
    /// # Errors
    /// One sentence: the line is not an object, or not JSON.
    pub fn new(line: &'a [u8]) -> Result<Self, String> {
        if !line.starts_with(b"{") {
            return Err("not a JSON object".to_owned());
        }
        serde_json::from_slice(line).map_err(|error| describe(&error))
    }
}

/// What is wrong with a line's JSON, without the line number that serde counts from the line's start.
pub fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or(&text);
    match error.classify() {
        serde_json::error::Category::Eof => format!("the line is cut short: {what}"),
        _ => format!("not valid JSON: {what} (column {})", error.column()),
    }
}

/// A string, or a number or flag written as one; `None` for null, lists and objects.
pub fn text(field: &RawValue) -> Option<Cow<'_, str>> {
    let raw = field.get();
    match raw.as_bytes().first()? {
        b'"' if !raw.contains('\\') => raw.get(1..raw.len() - 1).map(Cow::Borrowed),
        b'"' => serde_json::from_str::<String>(raw).ok().map(Cow::Owned),
        b'n' | b'[' | b'{' => None,
        _ => Some(Cow::Borrowed(raw)),
    }
}

/// Whether a field is there and null.
pub fn is_null(field: Field<'_>) -> bool {
    field.is_some_and(|raw| raw.get() == "null")
}
