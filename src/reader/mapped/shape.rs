//! Detects the columns of a table from its first records.

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::tabular::{Form, TableFile};
use base::limits::Limit;
use serde_json::Value as Json;

use crate::Candidate;
use crate::json::{parse, rows, without_mark};
use crate::open::open as open_file;
use crate::tables::open;
use crate::vlmevalkit::{Step, read_workbook, workbook_columns};
use crate::workbook_rows::MARK;
use base::config::ColumnMap;

/// Maximum length of an example, in characters.
const EXAMPLE: usize = 200;

/// Storage format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// One record per row; holds the delimiter, a comma or tab.
    Delimited(u8),
    /// One JSON object per line.
    Lines,
    /// A JSON list, objects over many lines, or the objects in an object.
    Objects,
    /// First sheet of a workbook.
    Workbook,
    /// A Parquet or Arrow IPC file.
    Tabular,
}

/// Format, columns and first values of a table.
#[derive(Clone, Debug)]
pub struct Shape {
    /// How the table is stored.
    pub kind: TableFormat,
    /// Column names; `a.b` is the member `b` of an object `a`.
    pub columns: Vec<String>,
    /// Value of the first record in each column; empty for tabular files.
    pub examples: Vec<String>,
    /// Number of records examined.
    pub rows: usize,
}

/// A table that neither a format nor a column map covers.
#[derive(Clone, Debug)]
pub struct UnmappedTable {
    /// Path of the table.
    pub path: PathBuf,
    /// Columns, each with its value in the first record.
    pub columns: Vec<(String, String)>,
    /// Column map guessed from the names.
    pub guess: ColumnMap,
    /// Number of records examined.
    pub rows: usize,
}

impl UnmappedTable {
    /// Rates how much the table looks like results, higher for more; 0 if not at all. Very short
    /// tables are summaries, and scores without samples do not count.
    #[must_use]
    pub fn likeness(&self) -> usize {
        let has = |column: &Option<String>| usize::from(column.is_some());
        let guess = &self.guess;
        let asked = has(&guess.sample_id) + has(&guess.question) + has(&guess.target);
        let answered = has(&guess.response) + has(&guess.score);
        if asked == 0 || answered == 0 || self.rows < FEW {
            return 0;
        }
        3 * answered + asked
    }
}

/// Examines a file; `None` if it is not a table.
#[must_use]
pub fn unmapped(path: &Path) -> Option<UnmappedTable> {
    let mut shape = of_path(path)?;
    if shape.kind == TableFormat::Tabular {
        shape.examples = first_row(path)?;
    }
    shape.examples.resize(shape.columns.len(), String::new());
    let guess = super::guess(&shape.columns, &shape.examples);
    Some(UnmappedTable {
        path: path.to_path_buf(),
        columns: shape.columns.into_iter().zip(shape.examples).collect(),
        guess,
        rows: shape.rows,
    })
}

/// Returns the columns of a table; `None` for other files.
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

/// Returns the shape of a table; `None` for other files.
pub fn of_path(path: &Path) -> Option<Shape> {
    let shape = || match ending(path).as_str() {
        "csv" | "tsv" => delimited(path),
        "jsonl" | "ndjson" | "json" | "txt" => lines(path).or_else(|| objects(path)),
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
    let mut records = reader.records().filter_map(Result::ok);
    let first = records.next();
    let rows = usize::from(first.is_some()) + records.take(TELLING - 1).count();
    let first = first.unwrap_or_default();
    let examples = (0..header.len()).map(|at| cut(first.get(at).unwrap_or_default()));
    Some(Shape {
        kind: TableFormat::Delimited(delimiter),
        columns: columns.collect(),
        examples: examples.collect(),
        rows,
    })
}

/// Maximum number of rows examined for columns.
const TELLING: usize = 8;
/// Minimum number of rows for a list of answers.
const FEW: usize = 4;
/// Maximum nesting of objects whose members become columns, and maximum
/// number of such members per object.
const DEEPEST: usize = 4;
const MOST_MEMBERS: usize = 64;

/// Columns collected from several rows, any of which may lack some.
#[derive(Default)]
struct Columns {
    names: Vec<String>,
    examples: Vec<String>,
    known: HashSet<String>,
    rows: usize,
}

impl Columns {
    fn add(&mut self, row: &Json) {
        self.rows += 1;
        let mut found = Vec::new();
        columns_of(row, "", DEEPEST, &mut found);
        for (name, example) in found {
            if self.known.insert(name.clone()) {
                self.names.push(name);
                self.examples.push(example);
            }
        }
    }

    fn shape(self, kind: TableFormat) -> Shape {
        Shape {
            kind,
            columns: self.names,
            examples: self.examples,
            rows: self.rows,
        }
    }
}

/// Detects the columns of JSON lines; `None` if the first line is not a row.
fn lines(path: &Path) -> Option<Shape> {
    let mut file = BufReader::new(open_file(path).ok()?.take(Limit::Example.get()));
    let (mut all, mut bytes, mut columns) = (0, Vec::new(), Columns::default());
    let mut only = None;
    while all < TELLING && file.read_until(b'\n', &mut bytes).ok()? > 0 {
        let line = without_mark(&bytes).trim_ascii();
        if !line.is_empty() {
            all += 1;
            let row = parse(line, 1).ok().filter(Json::is_object);
            if all == 1 && row.is_none() {
                return None;
            }
            if let Some(row) = &row {
                columns.add(row);
            }
            only = row.filter(|_| all == 1);
        }
        bytes.clear();
    }
    let holds_rows = only.as_ref().is_some_and(holds_rows);
    (!holds_rows && columns.rows > 0).then(|| columns.shape(TableFormat::Lines))
}

/// True for an object whose members are rows: several objects that share a key.
fn holds_rows(object: &Json) -> bool {
    let members = object.as_object().into_iter().flatten();
    let members: Option<Vec<_>> = members.map(|(_, value)| value.as_object()).collect();
    let Some([first, others @ ..]) = members.as_deref() else {
        return false;
    };
    let is_alike = |key: &String| others.iter().all(|other| other.contains_key(key));
    !others.is_empty() && first.keys().any(is_alike)
}

/// Detects the columns from the first objects of a document.
fn objects(path: &Path) -> Option<Shape> {
    let mut bytes = Vec::new();
    let file = open_file(path).ok()?.take(Limit::Example.get());
    BufReader::new(file).read_to_end(&mut bytes).ok()?;
    let mut columns = Columns::default();
    let found = rows(&bytes).filter_map(|(_, row)| parse(row.ok()?, 1).ok());
    for row in found.take(TELLING) {
        columns.add(&row);
    }
    (columns.rows > 0).then(|| columns.shape(TableFormat::Objects))
}

/// Detects the columns of a workbook's first sheet.
fn workbook(path: &Path) -> Option<Shape> {
    let names = workbook_columns(path).ok()?;
    let (mut rows, mut first) = (0, None);
    // Stop after the examined rows.
    let _ = read_workbook(path, &mut |step| {
        if let Step::Row(row) = step {
            rows += 1;
            first.get_or_insert(row);
        }
        if rows < TELLING {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    let example = |name: &Rc<str>| {
        let cell = first.as_ref().and_then(|row| row.get(name));
        cell.map_or_else(String::new, |cell| cut(&cell.to_string()))
    };
    Some(Shape {
        kind: TableFormat::Workbook,
        examples: names.iter().map(example).collect(),
        columns: names.iter().map(ToString::to_string).collect(),
        rows,
    })
}

/// Collects the columns of an object with their values. Members of nested
/// objects become their own columns.
fn columns_of(object: &Json, before: &str, depth: usize, found: &mut Vec<(String, String)>) {
    for (name, value) in object.as_object().into_iter().flatten() {
        let name = format!("{before}{name}");
        match value {
            Json::Object(inner) if depth > 1 && !inner.is_empty() && inner.len() < MOST_MEMBERS => {
                columns_of(value, &format!("{name}."), depth - 1, found);
            }
            value => found.push((name, cut(&plain(value)))),
        }
    }
}

/// Returns the cell of a column: a member of the row, or of an object in it.
pub fn cell<'a>(row: &'a Json, name: &str) -> Option<&'a Json> {
    row.get(name).or_else(|| {
        let mut dots = name.match_indices('.');
        dots.find_map(|(at, _)| cell(row.get(&name[..at])?, &name[at + 1..]))
    })
}

/// Detects the columns of a tabular file; [`first_row`] reads the examples.
fn table(path: &Path) -> Option<Shape> {
    let mut table = opened(path)?;
    let rows = table.rows(0).unwrap_or_default();
    Some(Shape {
        kind: TableFormat::Tabular,
        columns: table.columns().to_vec(),
        examples: Vec::new(),
        rows: usize::try_from(rows).unwrap_or(usize::MAX),
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

/// Returns a text unchanged, anything else as JSON.
pub fn plain(value: &Json) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn cut(text: &str) -> String {
    text.chars().take(EXAMPLE).collect()
}
