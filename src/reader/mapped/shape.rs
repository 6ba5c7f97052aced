//! What columns a table has, told by its first record.

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use limits::Limit;
use serde_json::Value as Json;
use tabular::{Form, TableFile};

use crate::Candidate;
use crate::json::{parse, without_mark};
use crate::open::open as open_file;
use crate::tables::open;
use config::ColumnMap;

/// Letters of an example.
const EXAMPLE: usize = 200;

/// How a table is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// One record a row, cells between commas or tabs.
    Delimited(u8),
    /// One JSON object a line.
    Lines,
    /// Parquet or Arrow IPC.
    Tabular,
}

/// A table's kind, columns and first values.
#[derive(Clone, Debug)]
pub struct Shape {
    /// How it is stored.
    pub kind: TableFormat,
    /// The names of its columns; `a.b` is `b` of an object `a`.
    pub columns: Vec<String>,
    /// What the first record has in each; nothing for a tabular file.
    pub examples: Vec<String>,
}

/// A table that no format and no map knows.
#[derive(Clone, Debug)]
pub struct Unmapped {
    /// The file.
    pub path: PathBuf,
    /// Its columns and what the first record has in each.
    pub columns: Vec<(String, String)>,
    /// What the columns' names say.
    pub guess: ColumnMap,
}

/// What a file's columns could be, if it is a table.
#[must_use]
pub fn unmapped(path: &Path) -> Option<Unmapped> {
    let mut shape = of_path(path)?;
    if shape.kind == TableFormat::Tabular {
        shape.examples = first_row(path)?;
    }
    shape.examples.resize(shape.columns.len(), String::new());
    let guess = super::guess(&shape.columns, &shape.examples);
    Some(Unmapped {
        path: path.to_path_buf(),
        columns: shape.columns.into_iter().zip(shape.examples).collect(),
        guess,
    })
}

/// The columns of a table; `None` for a file that is none.
pub fn columns(file: &Candidate) -> Option<Vec<String>> {
    let head = file.head();
    let starts = head.trim_ascii_start();
    let can_be = starts.starts_with(b"{")
        || Form::of(&head).is_some()
        || matches!(ending(&file.path).as_str(), "csv" | "tsv");
    can_be
        .then(|| of_path(&file.real))
        .flatten()
        .map(|shape| shape.columns)
}

/// A table's shape; `None` for a file that is none.
pub fn of_path(path: &Path) -> Option<Shape> {
    let shape = || match ending(path).as_str() {
        "csv" | "tsv" => delimited(path),
        "jsonl" | "ndjson" | "json" | "txt" => lines(path),
        _ => None,
    };
    let shape = table(path).or_else(shape);
    shape.filter(|shape| shape.columns.len() > 1)
}

fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default();
    ending.to_string_lossy().to_lowercase()
}

fn first_line(path: &Path) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    let file = open_file(path).ok()?.take(Limit::Example.get());
    BufReader::new(file).read_until(b'\n', &mut line).ok()?;
    Some(without_mark(&line).to_vec())
}

fn delimited(path: &Path) -> Option<Shape> {
    let line = first_line(path)?;
    let count = |byte| memchr::memchr_iter(byte, &line).count();
    let delimiter = if count(b'\t') > count(b',') {
        b'\t'
    } else {
        b','
    };
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(open_file(path).ok()?.take(Limit::Example.get()));
    let header = reader.headers().ok()?.clone();
    let columns = header
        .iter()
        .map(|name| name.trim_start_matches('\u{feff}').to_owned());
    let first = reader
        .records()
        .next()
        .and_then(Result::ok)
        .unwrap_or_default();
    let examples = (0..header.len()).map(|at| cut(first.get(at).unwrap_or_default()));
    Some(Shape {
        kind: TableFormat::Delimited(delimiter),
        columns: columns.collect(),
        examples: examples.collect(),
    })
}

/// Lines that tell the columns.
const TELLING: usize = 8;

/// The columns that the first lines have, one of which may lack some.
fn lines(path: &Path) -> Option<Shape> {
    let mut file = BufReader::new(open_file(path).ok()?.take(Limit::Example.get()));
    let (mut all, mut bytes) = (0, Vec::new());
    let (mut columns, mut examples, mut known) = (Vec::new(), Vec::new(), HashSet::new());
    while all < TELLING && file.read_until(b'\n', &mut bytes).ok()? > 0 {
        let line = without_mark(&bytes).trim_ascii();
        if !line.is_empty() {
            all += 1;
            let object = parse(line, 1).ok();
            for (name, example) in object.iter().flat_map(columns_of) {
                if known.insert(name.clone()) {
                    columns.push(name);
                    examples.push(example);
                }
            }
        }
        bytes.clear();
    }
    Some(Shape {
        kind: TableFormat::Lines,
        columns,
        examples,
    })
}

/// The columns of an object, and what it has in each.
fn columns_of(object: &Json) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, value) in object.as_object().into_iter().flatten() {
        match value {
            Json::Object(inner) if inner.len() < 64 => {
                for (key, value) in inner {
                    found.push((format!("{name}.{key}"), cut(&plain(value))));
                }
            }
            value => found.push((name.clone(), cut(&plain(value)))),
        }
    }
    found
}

/// A tabular file's columns; what the first record has in them is read by [`first_row`].
fn table(path: &Path) -> Option<Shape> {
    Some(Shape {
        kind: TableFormat::Tabular,
        columns: opened(path)?.columns().to_vec(),
        examples: Vec::new(),
    })
}

fn first_row(path: &Path) -> Option<Vec<String>> {
    let cells = opened(path)?.first_row().ok()?;
    Some(cells.iter().map(|cell| cut(&plain(cell))).collect())
}

fn opened(path: &Path) -> Option<TableFile> {
    let length = open_file(path).and_then(|file| file.length());
    open(path, length.ok()?).ok()
}

/// A text as it is, anything else as its JSON.
pub fn plain(value: &Json) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn cut(text: &str) -> String {
    text.chars().take(EXAMPLE).collect()
}
