//! Records from tables with one column per field, tag and condition, as `eyechart convert` writes them.

use std::collections::HashSet;
use std::ops::Range;

use serde::Serialize;
use serde_json::value::RawValue;

use super::own::{Line, parse_line};
use record::{Labels, Value};

/// Prefix of tag columns.
pub const TAG: &str = "tag.";
/// Prefix of condition columns.
pub const CONDITION: &str = "condition.";
/// The column that marks unreadable answers, for formats that cannot distinguish an empty text from none.
pub const INVALID: &str = "invalid";
/// The column that names the part of a data set; a tag without its prefix.
pub const SPLIT: &str = "split";

/// Returns true if there are the columns of a prediction: its names, and a response or a score.
pub fn are_of_prediction(has: impl Fn(&str) -> bool) -> bool {
    ["sample_id", "ability", "model"].into_iter().all(&has) && (has("response") || has("score"))
}

/// Fields whose cells may be JSON texts.
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

/// How the cell of a picture begins that stands in a file of many.
const PLACE_IN_A_FILE: &str = "{\"cell\":";

/// The fields of a line of Eyechart's own format.
pub const FIELDS: [&str; 25] = [
    "sample_id",
    "benchmark",
    "ability",
    "model",
    "image",
    "images",
    "question",
    "choices",
    "target",
    "response",
    "parsed",
    "metric",
    "direction",
    "score",
    "scores",
    "rule",
    "condition",
    "boxes",
    "maps",
    "tags",
    "detections",
    "figure",
    "run_settings",
    "sent",
    "rerun",
];

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// An empty cell.
    Empty,
    /// A value.
    Known(Value),
}

/// What a row holds, cell by cell. `benchmark` is the default.
///
/// # Errors
/// One sentence: what is missing or has the wrong type.
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
    // An answer that could be read did not come from an empty response: the log had none.
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

/// The fields of a line, each once, as JSON.
#[derive(Default)]
struct Fields<'a> {
    bytes: Vec<u8>,
    places: Vec<(&'a str, Range<usize>)>,
    /// The names in `places`: a table may have thousands.
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

    /// Adds a field that is not there yet.
    fn add(&mut self, name: &'a str, value: &impl Serialize) -> Result<(), String> {
        if self.known.insert(name) {
            let start = self.bytes.len();
            write(&mut self.bytes, value)?;
            self.places.push((name, start..self.bytes.len()));
        }
        Ok(())
    }

    /// Adds a cell; choices, target, pictures, boxes, further scores and the like may be JSON texts, which are kept to the
    /// last digit.
    fn add_cell(&mut self, name: &'a str, cell: Cell) -> Result<(), String> {
        match cell {
            // NaN: the harness skipped the sample.
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

    /// The line of Eyechart's own format.
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
