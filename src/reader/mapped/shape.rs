//! Detects the columns of a table from its first records.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

use crate::tabular::{Form, TableFile};
use base::limits::Limit;
use serde_json::Value as Json;

use super::json_shape;
use super::path::{json_of, numbered};
use super::stream::Layout;
use crate::Candidate;
use crate::csv_file::{after_titles, header_line};
use crate::open::open as open_file;
use crate::tables::open;
use crate::vlmevalkit::{Step, read_workbook, workbook_columns};
use crate::workbook_rows::MARK;

/// Maximum number of rows examined to detect columns.
pub const TELLING: usize = 8;

/// Storage format of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// One record per row; the delimiter is comma, tab or semicolon.
    Delimited(u8),
    /// One JSON object per line.
    Lines,
    /// A JSON list, concatenated objects over many lines, or an object of objects.
    Objects,
    /// A JSON document that must be read as a whole. Its members are columns or groups of rows, or
    /// its rows are deeply nested.
    Whole,
    /// A JSON document whose rows are read one at a time.
    Streamed(Layout),
    /// The first sheet of a workbook.
    Workbook,
    /// A Parquet or Arrow IPC file.
    Tabular,
}

/// Format, columns and first rows of a table.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Storage format of the table.
    pub kind: TableFormat,
    /// Column names; `a.b` is the member `b` of an object `a`.
    pub columns: Vec<String>,
    /// First rows as objects; empty for tabular files.
    pub first: Vec<Json>,
    /// Number of rows examined. For tabular files, the number of rows in the first part.
    pub rows: usize,
}

/// Returns the columns of a table; `None` if the file is not a table.
pub fn columns(file: &Candidate) -> Option<Vec<String>> {
    let head = file.head();
    let starts = head.trim_ascii_start();
    let can_be = starts.starts_with(b"{")
        || starts.starts_with(b"[")
        || starts.starts_with(MARK)
        || Form::of(&head).is_some()
        || matches!(ending(&file.path).as_str(), "csv" | "tsv");
    can_be
        .then(|| of_path(&file.real))
        .flatten()
        .map(|shape| shape.columns)
}

/// Returns the shape of a table; `None` if the file is not a table.
pub fn of_path(path: &Path) -> Option<Shape> {
    let shape = || match ending(path).as_str() {
        "csv" | "tsv" => delimited(path),
        "jsonl" | "ndjson" | "json" | "txt" => json_shape::of_path(path),
        "xlsx" => workbook(path),
        _ => None,
    };
    let shape = table(path).or_else(shape);
    shape.filter(|shape| shape.columns.len() > 1)
}

fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default();
    ending.to_string_lossy().to_lowercase()
}

fn delimited(path: &Path) -> Option<Shape> {
    let (line, comment) = header_line(path)?;
    let count = |byte| memchr::memchr_iter(byte, &line).count();
    // Of several equally frequent delimiters, `max_by_key` returns the last.
    let usual = [b';', b'\t', b','];
    let most = usual.into_iter().max_by_key(|byte| count(*byte));
    let most = most.filter(|byte| count(*byte) > 0);
    let below = |delimiter| Some((delimiter, after_titles(path, delimiter)?));
    let (delimiter, header) = match most {
        Some(delimiter) => (delimiter, after_titles(path, delimiter)),
        // The first line can be a title.
        None => usual
            .into_iter()
            .find_map(below)
            .map_or((b',', None), |(delimiter, header)| {
                (delimiter, Some(header))
            }),
    };
    let mut file = open_file(path).ok()?;
    if let Some(header) = header {
        file.seek(SeekFrom::Start(header.byte())).ok()?;
    }
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .delimiter(delimiter)
        .comment(comment)
        .from_reader(file.take(Limit::Example.get()));
    let header = reader.headers().ok()?.clone();
    let columns = header
        .iter()
        .map(|name| name.trim_start_matches('\u{feff}').to_owned());
    let columns = numbered(columns);
    let row = |record: csv::StringRecord| {
        let cells = record.iter().map(Json::from);
        Json::Object(columns.iter().cloned().zip(cells).collect())
    };
    let records = reader.records().filter_map(Result::ok).take(TELLING);
    let first: Vec<Json> = records.map(row).collect();
    Some(Shape {
        kind: TableFormat::Delimited(delimiter),
        rows: first.len(),
        columns,
        first,
    })
}

/// Detects the columns of a workbook's first sheet.
fn workbook(path: &Path) -> Option<Shape> {
    let names = workbook_columns(path).ok()?;
    let mut first = Vec::new();
    // The closure breaks after the examined rows.
    let _ = read_workbook(path, &mut |step| {
        if let Step::Row(row) = step {
            let cell =
                |name: &Rc<str>| (name.to_string(), row.get(name).map_or(Json::Null, json_of));
            first.push(Json::Object(names.iter().map(cell).collect()));
        }
        if first.len() < TELLING {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    Some(Shape {
        kind: TableFormat::Workbook,
        columns: names.iter().map(ToString::to_string).collect(),
        rows: first.len(),
        first,
    })
}

/// Detects the columns of a tabular file, without its rows.
fn table(path: &Path) -> Option<Shape> {
    let mut table = opened(path)?;
    let rows = table.rows(0).unwrap_or_default();
    Some(Shape {
        kind: TableFormat::Tabular,
        columns: table.paths(),
        first: Vec::new(),
        rows: usize::try_from(rows).unwrap_or(usize::MAX),
    })
}

/// Opens a tabular file; `None` if it is damaged or has another format.
pub fn opened(path: &Path) -> Option<TableFile> {
    let length = open_file(path).and_then(|file| file.length());
    open(path, length.ok()?).ok()
}
