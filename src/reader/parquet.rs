//! Parquet files that `eyechart convert` wrote: one prediction a row, tags and conditions as columns.
//!
//! Through the `parquet` crate without arrow: polars' own reader would bring an HTTP client and TLS.

use std::fs::File;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use super::catch_panic::catch_panic;
use super::columns::{self, Cell};
use super::decompression_budget::DecompressionBudget;
use super::{Candidate, Context, Reader, Sink, Unit};
use record::{Problem, Value};

/// Format name under `sources`.
pub const FORMAT: &str = "parquet";

/// The reader of converted logs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parquet;

impl Reader for Parquet {
    fn format(&self) -> &'static str {
        FORMAT
    }

    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
        let (ours, rest): (Vec<_>, Vec<_>) =
            std::mem::take(files).into_iter().partition(is_converted);
        *files = rest;
        ours.into_iter()
            .map(|file| Unit::single(file, FORMAT, context))
            .collect()
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

/// Whether its columns are those of a converted log. A file that cannot be read, so that nobody knows its columns,
/// is told as one.
fn is_converted(file: &Candidate) -> bool {
    if !file.head.starts_with(b"PAR1") {
        return false;
    }
    let opened = File::open(&file.real).ok();
    let Some(reader) = opened.and_then(|file| SerializedFileReader::new(file).ok()) else {
        return true;
    };
    let schema = reader.metadata().file_metadata().schema();
    let has = |name: &str| schema.get_fields().iter().any(|field| field.name() == name);
    ["sample_id", "ability", "model"].into_iter().all(has)
}

/// # Errors
/// One sentence: nothing of the file can be read.
fn read_rows(unit: &Unit, sink: &mut dyn Sink) -> Result<(), String> {
    let file = File::open(&unit.path).map_err(|error| error.to_string())?;
    let reader = decoded(|| SerializedFileReader::new(file))?;
    let rows = u64::try_from(reader.metadata().file_metadata().num_rows()).unwrap_or_default();
    let mut found = decoded(|| reader.get_row_iter(None))?;
    let mut budget = DecompressionBudget::of(unit.length);
    for number in 1.. {
        let row = match decoded(|| found.next().transpose()) {
            Ok(Some(row)) => row,
            Ok(None) => break,
            // Past damage the iterator gives the same error without end.
            Err(error) => {
                let what = format!("the file is damaged here: {error}");
                sink.problem(Problem::line(&unit.path, number, what));
                break;
            }
        };
        let texts = row.get_column_iter().map(|(_, field)| match field {
            Field::Str(text) => text.len(),
            _ => 0,
        });
        if let Err(what) = budget.take(texts.sum()) {
            sink.problem(Problem::line(&unit.path, number, what));
            break;
        }
        let cells = row.get_column_iter();
        let record = columns::record(
            cells.filter_map(|(name, field)| Some((name.as_str(), cell(field)?))),
            "",
        );
        match record {
            Ok(record) => sink.record(record, number),
            Err(what) => sink.problem(Problem::line(&unit.path, number, what)),
        }
        if number % 1024 == 0 && sink.progress(unit.length * 1024 / rows.max(1)).is_break() {
            break;
        }
    }
    Ok(())
}

/// What the crate decodes, or why it does not.
fn decoded<T>(decode: impl FnOnce() -> parquet::errors::Result<T>) -> Result<T, String> {
    catch_panic(decode)?.map_err(|error| error.to_string())
}

/// A field as a cell; other types than `convert` writes are left out.
fn cell(field: &Field) -> Option<Cell> {
    match field {
        Field::Double(number) => Some(Cell::Known(Value::Number(*number))),
        Field::Str(text) => Some(Cell::Known(Value::Text(text.clone()))),
        Field::Bool(flag) => Some(Cell::Known(Value::Flag(*flag))),
        Field::Null => Some(Cell::Empty),
        _ => None,
    }
}
