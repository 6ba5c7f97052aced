//! Builds records from tables with one column per field, tag and condition. `eyechart convert`
//! writes such tables.

use std::collections::HashSet;
use std::ops::Range;

use serde::Serialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::own::{Line, parse_line};
pub use record::SPLIT;
use record::{Labels, Value};

/// Prefix of the names of tag columns.
pub const TAG: &str = "tag.";
/// Prefix of the names of condition columns.
pub const CONDITION: &str = "condition.";
/// Column that marks unreadable answers. Needed for formats that cannot distinguish empty text from
/// null.
pub const INVALID: &str = "invalid";

/// True if the columns are those of predictions: sample, ability, model, and a response or a score.
pub fn are_of_prediction(has: impl Fn(&str) -> bool) -> bool {
    ["sample_id", "ability", "model"].into_iter().all(&has) && (has("response") || has("score"))
}

/// Fields whose cells can contain JSON.
const MAY_BE_JSON: [&str; 11] = [
    "choices",
    "target",
    "images",
    "boxes",
    "maps",
    "scores",
    "detections",
    "figure",
    "run_settings",
    "sent",
    "rerun",
];

/// Start of a picture cell that refers to text in another file.
const PLACE_IN_A_FILE: &str = "{\"cell\":";

/// Text columns of every export. The names are those of the fields in Eyechart's own format.
pub const TEXTS: [&str; 21] = [
    "sample_id",
    "benchmark",
    "ability",
    "model",
    "question",
    "choices",
    "target",
    "image",
    "images",
    "boxes",
    "response",
    "parsed",
    "metric",
    "scores",
    "rule",
    "maps",
    "detections",
    "figure",
    "run_settings",
    "sent",
    "rerun",
];

/// True for the name of a field in Eyechart's own format.
pub fn is_field(name: &str) -> bool {
    TEXTS.contains(&name) || ["direction", "score", "condition", "tags"].contains(&name)
}

/// A table cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No value.
    Empty,
    /// Value of a filled cell.
    Known(Value),
}

/// Formats a tag or condition as text; [`parse_label`] restores its value and type. Texts that look
/// like numbers or booleans are quoted.
pub fn label_text(value: &Value) -> String {
    match value {
        Value::Text(text) if parse_label(text) != *value => Json::from(text.as_str()).to_string(),
        Value::Text(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
    }
}

/// Parses a tag or condition: a number, a boolean, a quoted text, or a text.
pub fn parse_label(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(Json::Bool(flag)) => Value::Flag(flag),
        Ok(Json::String(quoted)) => Value::Text(quoted),
        // Parse again, because serde_json can round the last digit.
        Ok(Json::Number(_)) => text
            .trim()
            .parse()
            .map_or_else(|_| Value::Text(text.to_owned()), Value::Number),
        _ => Value::Text(text.to_owned()),
    }
}

/// Builds a record from the cells of a row. `benchmark` is used if the row does not contain one.
///
/// # Errors
/// If a field is missing or has the wrong type.
pub fn record<'a>(
    cells: impl Iterator<Item = (&'a str, Cell)>,
    benchmark: &str,
) -> Result<Line, String> {
    let mut fields = Fields::default();
    let (mut tags, mut condition) = (Labels::new(), Labels::new());
    let mut readable = false;
    for (name, cell) in cells {
        match (name.strip_prefix(TAG), name.strip_prefix(CONDITION), cell) {
            (Some(tag), _, Cell::Known(value)) => drop(tags.entry(tag.to_owned()).or_insert(value)),
            (_, Some(key), Cell::Known(value)) => {
                condition.entry(key.to_owned()).or_insert(value);
            }
            (_, _, Cell::Known(Value::Flag(true))) if name == INVALID => {
                fields.remove("parsed");
                fields.add("parsed", &())?;
            }
            _ if name == INVALID => readable = true,
            (_, _, Cell::Known(value)) if name == SPLIT => {
                let part = Value::Text(value.to_string());
                tags.entry(SPLIT.to_owned()).or_insert(part);
            }
            _ if name == SPLIT => {}
            (_, _, cell) => fields.add_cell(name, cell)?,
        }
    }
    // The answer is marked as readable, so an empty cell means that the log contains no response.
    if readable && fields.get("response") == Some(b"\"\"") {
        fields.remove("response");
    }
    let mut line = parse_line(&fields.line()?, benchmark)?;
    if let Line::Record(record) = &mut line {
        record.content.tags = tags;
        record.condition = condition;
    }
    Ok(line)
}

/// Fields of a line as JSON; each name occurs once.
#[derive(Default)]
struct Fields<'a> {
    bytes: Vec<u8>,
    places: Vec<(&'a str, Range<usize>)>,
    /// Set of the names in `places`, for fast lookup in tables with thousands of columns.
    known: HashSet<&'a str>,
}

impl<'a> Fields<'a> {
    fn get(&self, name: &str) -> Option<&[u8]> {
        let place = self.places.iter().find(|(known, _)| *known == name);
        place.map(|(_, place)| &self.bytes[place.clone()])
    }

    fn remove(&mut self, name: &str) {
        if self.known.remove(name) {
            self.places.retain(|(known, _)| *known != name);
        }
    }

    /// Adds a field, unless a field with this name exists.
    fn add(&mut self, name: &'a str, value: &impl Serialize) -> Result<(), String> {
        if self.known.insert(name) {
            let start = self.bytes.len();
            write(&mut self.bytes, value)?;
            self.places.push((name, start..self.bytes.len()));
        }
        Ok(())
    }

    /// Adds a cell. A field that can contain JSON is copied unchanged, so that numbers keep all
    /// digits.
    fn add_cell(&mut self, name: &'a str, cell: Cell) -> Result<(), String> {
        match cell {
            // An empty score means that the harness skipped the sample.
            Cell::Empty if name == "score" => self.add(name, &()),
            Cell::Empty => Ok(()),
            Cell::Known(Value::Text(text))
                if MAY_BE_JSON.contains(&name)
                    || name == "image" && text.starts_with(PLACE_IN_A_FILE) =>
            {
                match serde_json::from_str::<&RawValue>(&text) {
                    Ok(raw) => self.add(name, &raw),
                    Err(_) => self.add(name, &text),
                }
            }
            Cell::Known(Value::Text(text)) => self.add(name, &text),
            Cell::Known(Value::Number(number)) => self.add(name, &number),
            Cell::Known(Value::Flag(flag)) => self.add(name, &flag),
        }
    }

    /// Returns the fields as a line of Eyechart's own format.
    fn line(&self) -> Result<Vec<u8>, String> {
        let mut line = Vec::with_capacity(self.bytes.len() + 16 * self.places.len() + 2);
        line.push(b'{');
        for (at, (name, place)) in self.places.iter().enumerate() {
            if at > 0 {
                line.push(b',');
            }
            write(&mut line, name)?;
            line.push(b':');
            line.extend_from_slice(&self.bytes[place.clone()]);
        }
        line.push(b'}');
        Ok(line)
    }
}

fn write(bytes: &mut Vec<u8>, value: &impl Serialize) -> Result<(), String> {
    serde_json::to_writer(bytes, value).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_value_and_type_as_text() {
        let texts = [
            "LVIS",
            "12",
            "true",
            "\"quoted\"",
            "",
            "null",
            " 1",
            "[1]",
            "1e400",
        ];
        let texts = texts.map(|text| Value::Text(text.to_owned()));
        let others = [Value::Number(0.1), Value::Number(90.0), Value::Flag(false)];
        for value in texts.into_iter().chain(others) {
            assert_eq!(parse_label(&label_text(&value)), value);
        }
        assert_eq!(label_text(&Value::Number(90.0)), "90");
        assert_eq!(label_text(&"12".into()), "\"12\"");
    }
}
