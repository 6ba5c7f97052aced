//! Lenient access to JSON of unknown shape.

use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use serde_json::value::{RawValue, to_raw_value};

/// The fields of a JSON object in their order, written as they are set.
#[derive(Debug, Default)]
pub struct Fields(Vec<(String, Box<RawValue>)>);

impl Fields {
    /// Sets a field; one that is there already keeps its place.
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

    /// The same where there is a value.
    ///
    /// # Errors
    /// As [`Self::set`].
    pub fn maybe(&mut self, name: &str, value: Option<impl Serialize>) -> serde_json::Result<()> {
        value.map_or(Ok(()), |value| self.set(name, &value))
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Reads JSON as Python writes it: with halves of characters, which a model's tokens may leave.
///
/// # Errors
/// It is no JSON.
pub fn lenient(text: &[u8]) -> serde_json::Result<Json> {
    serde_json::from_slice(text).or_else(|error| {
        let again =
            format::whole_characters(text).and_then(|text| serde_json::from_slice(&text).ok());
        again.ok_or(error)
    })
}

/// The non-empty text at a path of keys.
pub fn text(json: &Json, path: &[&str]) -> Option<String> {
    let found = at(json, path)?.as_str()?;
    Some(found.to_owned()).filter(|text| !text.is_empty())
}

/// The count at a path of keys, given as a number or text.
pub fn count(json: &Json, path: &[&str]) -> Option<u64> {
    match at(json, path)? {
        Json::String(text) => text.parse().ok(),
        number => number.as_u64(),
    }
}

/// The value at a path of keys.
pub fn at<'a>(json: &'a Json, path: &[&str]) -> Option<&'a Json> {
    path.iter().try_fold(json, |json, key| json.get(key))
}

/// A message's text: a string, or the text parts of a list.
pub fn content(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        Json::Array(parts) => parts
            .iter()
            .filter_map(|part| text(part, &["text"]))
            .collect(),
        _ => String::new(),
    }
}
