//! Records from tables with one column per field, tag and condition, as `eyechart convert` writes them.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::own::{Line, parse_line};
use record::{Labels, Value};

/// Prefix of tag columns.
pub const TAG: &str = "tag.";
/// Prefix of condition columns.
pub const CONDITION: &str = "condition.";
/// The column that marks unreadable answers, for formats that cannot distinguish an empty text from none.
pub const INVALID: &str = "invalid";

/// Fields whose cells may be JSON texts.
const MAY_BE_JSON: [&str; 9] = [
    "choices",
    "target",
    "images",
    "boxes",
    "maps",
    "scores",
    "detections",
    "figure",
    "run_settings",
];

/// The fields of a line of Eyechart's own format.
pub const FIELDS: [&str; 22] = [
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
    let mut line: BTreeMap<&str, Box<RawValue>> = BTreeMap::new();
    let (mut tags, mut condition) = (Labels::new(), Labels::new());
    let mut readable = false;
    for (name, cell) in cells {
        if let (Some(tag), Cell::Known(value)) = (name.strip_prefix(TAG), &cell) {
            tags.insert(tag.to_owned(), value.clone());
        } else if let (Some(key), Cell::Known(value)) = (name.strip_prefix(CONDITION), &cell) {
            condition.insert(key.to_owned(), value.clone());
        } else if (name, &cell) == (INVALID, &Cell::Known(Value::Flag(true))) {
            line.insert("parsed", to_raw_value(&())?);
        } else if name == INVALID {
            readable = true;
        } else if let Some(json) = json(name, cell)? {
            line.entry(name).or_insert(json);
        }
    }
    // An answer that could be read did not come from an empty response: the log had none.
    if readable && line.get("response").is_some_and(|raw| raw.get() == "\"\"") {
        line.remove("response");
    }
    let line = serde_json::to_vec(&line).map_err(|error| error.to_string())?;
    let mut line = parse_line(&line, benchmark)?;
    if let Line::Record(record) = &mut line {
        record.content.tags = tags;
        record.condition = condition;
    }
    Ok(line)
}

/// A cell as JSON of Eyechart's own format; choices, target, pictures, boxes, further scores and the like may be JSON
/// texts, which are kept to the last digit.
fn json(name: &str, cell: Cell) -> Result<Option<Box<RawValue>>, String> {
    let raw = match (name, cell) {
        // NaN: the harness skipped the sample.
        ("score", Cell::Empty) => to_raw_value(&()),
        (_, Cell::Empty) => return Ok(None),
        (name, Cell::Known(Value::Text(text))) if MAY_BE_JSON.contains(&name) => {
            return match RawValue::from_string(text.clone()) {
                Ok(raw) => Ok(Some(raw)),
                Err(_) => to_raw_value(&text).map(Some),
            };
        }
        (_, Cell::Known(Value::Text(text))) => to_raw_value(&text),
        (_, Cell::Known(Value::Number(number))) => to_raw_value(&number),
        (_, Cell::Known(Value::Flag(flag))) => to_raw_value(&flag),
    };
    raw.map(Some)
}

fn to_raw_value(value: &impl serde::Serialize) -> Result<Box<RawValue>, String> {
    serde_json::value::to_raw_value(value).map_err(|error| error.to_string())
}
