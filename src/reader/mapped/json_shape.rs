//! Detects the columns of JSON documents from their first rows.

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::ops::ControlFlow;
use std::path::Path;

use base::limits::Limit;
use serde_json::Value as Json;

use super::shape::{Shape, TELLING, TableFormat};
use super::stream::{self, Layout, each};
use crate::json::{parse, rows, without_mark};
use crate::open::open as open_file;
use crate::source::first_bytes;
use base::config::ColumnMap;

/// Maximum nesting of objects whose members become columns, and maximum
/// number of such members per object.
pub const DEEPEST: usize = 16;
const MOST_MEMBERS: usize = 64;

/// Returns the shape of a JSON document; `None` for other files.
pub fn of_path(path: &Path) -> Option<Shape> {
    let lines = lines(path);
    if lines.as_ref().is_some_and(|lines| lines.rows > 1) {
        return lines;
    }
    streamed(path).or(lines).or_else(|| objects(path))
}

/// Columns collected from several rows, any of which may lack some.
#[derive(Default)]
struct Columns {
    names: Vec<String>,
    known: HashSet<String>,
    rows: Vec<Json>,
}

impl Columns {
    fn add(&mut self, row: Json) {
        let mut found = Vec::new();
        columns_of(&row, "", DEEPEST, &mut found);
        for name in found {
            if self.known.insert(name.clone()) {
                self.names.push(name);
            }
        }
        self.rows.push(row);
    }

    fn shape(self, kind: TableFormat) -> Shape {
        Shape {
            kind,
            columns: self.names,
            rows: self.rows.len(),
            first: self.rows,
        }
    }
}

/// Detects the layout and columns of a grid or of an object of rows; `None` for other documents.
fn streamed(path: &Path) -> Option<Shape> {
    let head = first_bytes(open_file(path).ok()?).ok()?;
    if !without_mark(&head).trim_ascii_start().starts_with(b"{") {
        return None;
    }
    let (mut cells, mut members, mut others) = (Vec::new(), Vec::new(), 0);
    let file = open_file(path).ok()?.take(Limit::Example.get());
    // Stop after the examined rows.
    let _ = each(file, &mut |element| {
        let text = element.text.unwrap_or_default();
        if element.is_in_list {
            cells.push(text.to_vec());
        } else if let Ok(row) = Layout::Keyed.row(text, 1) {
            members.push(row);
        } else {
            others += 1;
        }
        if cells.len().max(members.len() + others) < TELLING {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    let is_grid = cells.iter().any(|row| row.starts_with(b"["));
    let (layout, rows): (_, Vec<Json>) = if is_grid {
        let layout = Layout::Grid(stream::columns(path)?);
        let rows = cells.iter().filter_map(|row| layout.row(row, 1).ok());
        let rows = rows.collect();
        (layout, rows)
    } else {
        let is_keyed = members.len() > others && are_alike(&members);
        is_keyed.then_some((Layout::Keyed, members))?
    };
    let mut columns = Columns::default();
    for row in rows {
        columns.add(row);
    }
    (!columns.rows.is_empty()).then(|| columns.shape(TableFormat::Streamed(layout)))
}

/// True for several objects that share a key.
fn are_alike(rows: &[Json]) -> bool {
    let Some((Json::Object(first), others)) = rows.split_first() else {
        return false;
    };
    let is_shared = |key: &String| others.iter().all(|other| other.get(key).is_some());
    let mut keys = first.keys().filter(|key| *key != ColumnMap::KEY);
    !others.is_empty() && keys.any(is_shared)
}

/// Detects the columns of JSON lines; `None` if the first line is not a row.
fn lines(path: &Path) -> Option<Shape> {
    let mut file = BufReader::new(open_file(path).ok()?.take(Limit::Example.get()));
    let (mut all, mut bytes, mut columns) = (0, Vec::new(), Columns::default());
    while all < TELLING && file.read_until(b'\n', &mut bytes).ok()? > 0 {
        let line = without_mark(&bytes).trim_ascii();
        if !line.is_empty() {
            all += 1;
            let row = parse(line, 1).ok().filter(Json::is_object);
            if all == 1 && row.is_none() {
                return None;
            }
            if let Some(row) = row {
                columns.add(row);
            }
        }
        bytes.clear();
    }
    (!columns.rows.is_empty()).then(|| columns.shape(TableFormat::Lines))
}

/// Detects the columns from the first objects of a document.
fn objects(path: &Path) -> Option<Shape> {
    let mut bytes = Vec::new();
    let file = open_file(path).ok()?.take(Limit::Example.get());
    BufReader::new(file).read_to_end(&mut bytes).ok()?;
    let mut columns = Columns::default();
    let found = rows(&bytes).filter_map(|(_, row)| parse(row.ok()?, 1).ok());
    for row in found.take(TELLING) {
        columns.add(row);
    }
    let kind = if is_long_list(path) {
        TableFormat::Streamed(Layout::List)
    } else {
        TableFormat::Objects
    };
    (!columns.rows.is_empty()).then(|| columns.shape(kind))
}

/// True for a list that is too long to be read as a whole, which finds rows after damage.
fn is_long_list(path: &Path) -> bool {
    let file = open_file(path).ok();
    let length = file.as_ref().and_then(|file| file.length().ok());
    let head = file
        .and_then(|file| first_bytes(file).ok())
        .unwrap_or_default();
    let is_list = without_mark(&head).trim_ascii_start().starts_with(b"[");
    is_list && length > Some(Limit::Document.get())
}

/// Collects the columns of an object. Members of nested objects become their own columns.
fn columns_of(object: &Json, before: &str, depth: usize, found: &mut Vec<String>) {
    for (name, value) in object.as_object().into_iter().flatten() {
        let name = format!("{before}{name}");
        match value {
            Json::Object(inner) if depth > 1 && !inner.is_empty() && inner.len() < MOST_MEMBERS => {
                columns_of(value, &format!("{name}."), depth - 1, found);
            }
            _ => found.push(name),
        }
    }
}
