//! Lenient access to JSON of unknown shape.

use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use serde_json::value::{RawValue, to_raw_value};

/// A JSON object that keeps the order of its fields, each written when it is set.
#[derive(Debug, Default)]
pub struct Fields(Vec<(String, Box<RawValue>)>);

impl Fields {
    /// Sets a field. An existing field keeps its position.
    ///
    /// # Errors
    /// The value cannot be written as JSON.
    pub fn set(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> serde_json::Result<()> {
        let value = to_raw_value(value)?;
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
        Ok(())
    }

    /// Sets a field if there is a value.
    ///
    /// # Errors
    /// The value cannot be written as JSON.
    pub fn maybe(&mut self, name: &str, value: Option<impl Serialize>) -> serde_json::Result<()> {
        value.map_or(Ok(()), |value| self.set(name, &value))
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Reads JSON that may contain lone surrogates, as Python writes them.
///
/// # Errors
/// The text is not JSON.
pub fn lenient(text: &[u8]) -> serde_json::Result<Json> {
    serde_json::from_slice(text).or_else(|error| {
        let again = base::format::whole_characters(text)
            .and_then(|text| serde_json::from_slice(&text).ok());
        again.ok_or(error)
    })
}

/// Returns the non-empty text at a path of keys.
pub fn text(json: &Json, path: &[&str]) -> Option<String> {
    let found = at(json, path)?.as_str()?;
    Some(found.to_owned()).filter(|text| !text.is_empty())
}

/// Largest count that is believed; sums of them fit into 64 bits.
const MOST: u64 = u32::MAX as u64;

/// Returns the count at a path of keys; it may be a number or a text.
pub fn count(json: &Json, path: &[&str]) -> Option<u64> {
    let count = match at(json, path)? {
        Json::String(text) => text.parse().ok(),
        number => number.as_u64(),
    };
    count.filter(|count| *count <= MOST)
}

/// Returns the value at a path of keys.
pub fn at<'a>(json: &'a Json, path: &[&str]) -> Option<&'a Json> {
    path.iter().try_fold(json, |json, key| json.get(key))
}

/// Returns the text of a message: a string, or the text parts of a list.
pub fn content(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        Json::Array(parts) => parts
            .iter()
            .filter_map(|part| text(part, &["text"]))
            .collect(),
        // Some servers parse the model's text as JSON.
        Json::Number(number) => number.to_string(),
        Json::Bool(flag) => flag.to_string(),
        _ => String::new(),
    }
}
