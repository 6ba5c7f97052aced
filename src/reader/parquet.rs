//! Parquet files that `eyechart convert` wrote: one prediction a row, tags and conditions as columns.
//!
//! Through the `parquet` crate without arrow: polars' own reader would bring an HTTP client and TLS.

use std::fs::File;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};

use super::own::parse_record;
use super::{Candidate, Context, Reader, Sink, Unit};
use crate::record::{Problem, Record, Value};

/// Format name under `sources`.
pub const FORMAT: &str = "parquet";

/// Prefix of the columns that hold tags.
pub const TAG: &str = "tag.";
/// Prefix of the columns that hold conditions.
pub const CONDITION: &str = "condition.";

/// The reader of converted logs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parquet;

impl Reader for Parquet {
    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
        let (ours, rest): (Vec<_>, Vec<_>) = std::mem::take(files)
            .into_iter()
            .partition(|file| file.head.starts_with(b"PAR1"));
        *files = rest;
        let unit = |file: Candidate| Unit {
            image_roots: super::roots(file.folder(), context),
            length: file.length,
            path: file.path,
            format: FORMAT,
            ..Unit::default()
        };
        ours.into_iter().map(unit).collect()
    }

    fn read(&self, unit: &Unit, _context: &Context, sink: &mut dyn Sink) {
        if let Err(error) = read_rows(unit, sink) {
            sink.problem(Problem::file(
                &unit.path,
                format!("not a readable Parquet file: {error}"),
            ));
        }
    }
}

fn read_rows(unit: &Unit, sink: &mut dyn Sink) -> parquet::errors::Result<()> {
    let reader = SerializedFileReader::new(File::open(&unit.path)?)?;
    let rows = u64::try_from(reader.metadata().file_metadata().num_rows()).unwrap_or_default();
    for (number, row) in (1..).zip(reader.get_row_iter(None)?) {
        match row
            .map_err(|error| error.to_string())
            .and_then(|row| record(&row))
        {
            Ok(record) => sink.record(record, number),
            Err(what) => sink.problem(Problem::line(&unit.path, number, what)),
        }
        if number % 1024 == 0 && sink.progress(unit.length * 1024 / rows.max(1)).is_break() {
            break;
        }
    }
    Ok(())
}

/// A row is a line of Eyechart's own format, of which the content is kept as JSON, with the rest beside it.
fn record(row: &Row) -> Result<Record, String> {
    let mut line = serde_json::Map::new();
    let mut tags = crate::record::Labels::new();
    let mut condition = crate::record::Labels::new();
    for (name, field) in row.get_column_iter() {
        if let Some(tag) = name.strip_prefix(TAG) {
            tags.extend(value(field).map(|value| (tag.to_owned(), value)));
        } else if let Some(key) = name.strip_prefix(CONDITION) {
            condition.extend(value(field).map(|value| (key.to_owned(), value)));
        } else if let Some(json) = json(name, field) {
            line.insert(name.clone(), json);
        }
    }
    let text = serde_json::Value::Object(line).to_string();
    let mut record = parse_record(text.as_bytes(), "")?;
    record.content.tags = tags;
    record.condition = condition;
    Ok(record)
}

fn value(field: &Field) -> Option<Value> {
    match field {
        Field::Double(number) => Some(Value::Number(*number)),
        Field::Str(text) => Some(Value::Text(text.clone())),
        Field::Bool(flag) => Some(Value::Flag(*flag)),
        _ => None,
    }
}

/// A field as the JSON of a line; choices, target, images and boxes are JSON texts already.
fn json(name: &str, field: &Field) -> Option<serde_json::Value> {
    match (name, field) {
        ("choices" | "target" | "images" | "boxes", Field::Str(text)) => {
            serde_json::from_str(text).ok()
        }
        (_, Field::Str(text)) => Some(text.as_str().into()),
        (_, Field::Double(number)) => Some((*number).into()),
        ("score", Field::Null) => Some(serde_json::Value::Null),
        _ => None,
    }
}
