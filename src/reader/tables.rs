//! Reads Parquet and Arrow IPC files: converted logs (`eyechart convert`), and the rows of other
//! tables.

use crate::tabular::{Batch, Batches, Damage, Form, TableFile};
use serde_json::Value as Json;

use super::columns::{self, CONDITION, Cell, INVALID, SPLIT, TAG};
use super::decompression_budget::DecompressionBudget;
use super::open::{in_parts, open as open_file};
use super::own::Line;
use super::{Candidate, Context, Reader, Sink, Unit};
use record::{Problem, Value};

/// Readers of converted logs. A row is a prediction; tags and conditions are columns.
#[derive(Clone, Copy, Debug)]
pub enum Tables {
    /// Reads Parquet files.
    Parquet,
    /// Reads Arrow IPC files.
    Arrow,
}

impl Tables {
    const fn form(self) -> Form {
        match self {
            Self::Parquet => Form::Parquet,
            Self::Arrow => Form::Arrow,
        }
    }
}

impl Reader for Tables {
    fn format(&self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
        }
    }

    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
        let is_ours =
            |file: &Candidate| Form::of(&file.head()) == Some(self.form()) && is_converted(file);
        Unit::singles(files, self.format(), context, is_ours)
    }

    fn read(&self, unit: &Unit, _context: &Context, sink: &mut dyn Sink) {
        let benchmark = unit.dataset.as_deref().unwrap_or_default();
        let row = |names: &[String], cells, _| to_record(names, cells, benchmark);
        read_rows(unit, &is_of_record, &row, sink);
    }
}

/// True for a column that is a part of a record.
pub(super) fn is_of_record(name: &str) -> bool {
    let of_line = columns::is_field(name) || matches!(name, INVALID | SPLIT);
    of_line || name.starts_with(TAG) || name.starts_with(CONDITION)
}

/// True if the columns are those of a converted log. Also true for an unreadable file, so that its
/// damage is reported.
fn is_converted(file: &Candidate) -> bool {
    let Ok(table) = open(&file.real, file.length) else {
        return true;
    };
    let has = |name| table.columns().iter().any(|column| column == name);
    ["sample_id", "ability", "model"].into_iter().all(has)
}

/// Opens a tabular file of `length` bytes.
///
/// # Errors
/// If the file is not a tabular file, or is damaged.
pub fn open(path: &std::path::Path, length: u64) -> Result<TableFile, crate::tabular::Error> {
    TableFile::of(open_file(path)?, DecompressionBudget::bytes(length))
}

/// Converts column names, the cells of a row and its number to a record.
pub type ToRecord<'a> = dyn Fn(&[String], Vec<Json>, u64) -> Result<Line, String> + 'a;

/// Reads the wanted columns of a tabular file row by row.
pub fn read_rows(
    unit: &Unit,
    wanted: &dyn Fn(&str) -> bool,
    to_record: &ToRecord<'_>,
    sink: &mut dyn Sink,
) {
    if let Some(table) = open_rows(unit, sink) {
        read_batches(unit, table.batches(wanted), to_record, sink);
    }
}

/// Opens a tabular file. If this fails, reports the problem and returns `None`.
pub(super) fn open_rows(unit: &Unit, sink: &mut dyn Sink) -> Option<TableFile> {
    let opened = open(&unit.path, unit.length).inspect_err(|error| {
        let what = format!("not a readable {}: {error}", name(unit));
        sink.problem(Problem::file(&unit.path, what));
    });
    opened.ok()
}

/// Reads the parts of a tabular file row by row.
pub(super) fn read_batches(
    unit: &Unit,
    batches: Batches,
    to_record: &ToRecord<'_>,
    sink: &mut dyn Sink,
) {
    let share = unit.length / (batches.parts() as u64).max(1);
    let mut reader = BatchReader {
        unit,
        share,
        budget: DecompressionBudget::for_length(unit.length),
        is_wanted: &|_, _| true,
        to_record,
    };
    for batch in batches {
        match batch {
            Ok(batch) => {
                if !reader.read(&batch, sink) {
                    return;
                }
            }
            Err(damage) => report(&damage, unit, sink),
        }
    }
    // The check reads the whole file. It is skipped for files in a store, which are downloaded only
    // in parts.
    let is_intact = || open(&unit.path, unit.length)?.is_intact();
    if in_parts(&unit.path).is_none() && matches!(is_intact(), Ok(false)) {
        let what = "its data do not match its checksum: scores may be wrong; write the file again with `eyechart convert`";
        sink.problem(Problem::file(&unit.path, what));
    }
}

/// Reports that rows of a part cannot be read.
pub(super) fn report(damage: &Damage, unit: &Unit, sink: &mut dyn Sink) {
    let rows = damage.rows.map_or_else(
        || "the rows from here on".to_owned(),
        |rows| format!("{rows} rows from here on"),
    );
    let what = format!("{rows} cannot be read: {}", damage.error);
    let lost = damage.rows.unwrap_or(1);
    sink.problem(Problem::line(&unit.path, damage.row, what).leaving_out(lost));
}

/// Decides whether a row is read, given the column names and the cells.
pub type IsWanted<'a> = dyn Fn(&[String], &[Json]) -> bool + 'a;

/// Reads the wanted rows of a file, part by part.
pub(super) struct BatchReader<'a> {
    pub unit: &'a Unit,
    /// Number of bytes reported as progress for each part.
    pub share: u64,
    pub budget: DecompressionBudget,
    pub is_wanted: &'a IsWanted<'a>,
    pub to_record: &'a ToRecord<'a>,
}

impl BatchReader<'_> {
    /// Reads a part. Returns false if reading should stop.
    pub fn read(&mut self, batch: &Batch, sink: &mut dyn Sink) -> bool {
        for row in 0..batch.rows() {
            let number = batch.number(row);
            let cells = batch.row(row).map_err(|error| error.to_string());
            let texts = cells
                .as_ref()
                .map_or(0, |cells| cells.iter().map(size).sum());
            if let Err(what) = self.budget.charge(texts) {
                let lost = (batch.rows() - row) as u64;
                sink.problem(Problem::line(&self.unit.path, number, what).leaving_out(lost));
                return false;
            }
            let line = cells.and_then(|cells| {
                let is_wanted = (self.is_wanted)(batch.names(), &cells);
                let line = is_wanted.then(|| (self.to_record)(batch.names(), cells, number));
                line.transpose()
            });
            match line {
                Ok(Some(line)) => sink.line(line, number),
                Ok(None) => {}
                Err(what) => sink.left_out(&self.unit.path, number, what),
            }
            let done = self.share * 1024 / (batch.rows() as u64);
            if (row + 1).is_multiple_of(1024) && sink.progress(done).is_break() {
                return false;
            }
        }
        true
    }
}

fn name(unit: &Unit) -> &'static str {
    let arrow = unit.format == Tables::Arrow.format();
    if arrow {
        "Arrow IPC file"
    } else {
        "Parquet file"
    }
}

/// Returns the approximate memory of a cell in bytes. Counts texts, and the elements of lists and
/// objects.
fn size(cell: &Json) -> usize {
    match cell {
        Json::String(text) => text.len(),
        Json::Array(list) => list.iter().map(|cell| size_of::<Json>() + size(cell)).sum(),
        Json::Object(fields) => fields
            .values()
            .map(|cell| size_of::<Json>() + size(cell))
            .sum(),
        _ => 0,
    }
}

/// Builds a record from a row of a converted log. `benchmark` is used if the row does not contain
/// one.
///
/// # Errors
/// If a field is missing or has the wrong type.
pub(super) fn to_record(
    names: &[String],
    cells: Vec<Json>,
    benchmark: &str,
) -> Result<Line, String> {
    let cells = names.iter().zip(cells);
    let known = cells.filter_map(|(name, json)| Some((name.as_str(), cell(name, json)?)));
    columns::record(known, benchmark)
}

/// Converts a cell. Lists and objects are skipped, because `convert` writes them as texts. Booleans
/// can be texts in older files.
fn cell(name: &str, json: Json) -> Option<Cell> {
    let is_label = name.starts_with(TAG) || name.starts_with(CONDITION);
    Some(match json {
        Json::Null => Cell::Empty,
        Json::Bool(flag) => Cell::Known(Value::Flag(flag)),
        // A large integer id would lose digits if it were converted to a float.
        Json::Number(id) if name == "sample_id" && !id.is_f64() => {
            Cell::Known(Value::Text(id.to_string()))
        }
        Json::Number(number) => Cell::Known(Value::Number(number.as_f64()?)),
        Json::String(text) => Cell::Known(match text.as_str() {
            "true" if is_label => Value::Flag(true),
            "false" if is_label => Value::Flag(false),
            _ => Value::Text(text),
        }),
        // Harnesses can store the texts of one request as a list.
        Json::Array(mut texts) if name == "response" && texts.len() == 1 => {
            let text = texts.pop().filter(Json::is_string)?;
            return cell(name, text);
        }
        Json::Array(_) | Json::Object(_) => return None,
    })
}
