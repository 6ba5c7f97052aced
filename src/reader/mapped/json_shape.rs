//! Detects the columns of JSON documents from their first rows.

use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead as _, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;

use base::limits::Limit;
use serde_json::{Map, Value as Json};

use super::guess::guess;
use super::inner::{rows_inside, rows_of_columns, rows_of_groups, texts};
use super::shape::{Shape, TELLING, TableFormat};
use super::stream::{self, DATA, Layout};
use crate::document::{elements, longest_list};
use crate::has_ending;
use crate::json::{parse, plain, read_bounded, rows, without_mark};
use crate::open::open as open_file;
use crate::source::first_bytes;
use base::config::ColumnMap;

/// Maximum nesting of objects whose members become columns.
pub const DEEPEST: usize = 16;
const MOST_MEMBERS: usize = 64;

/// Returns the shape of a JSON document; `None` for other files.
pub fn of_path(path: &Path) -> Option<Shape> {
    let lines = lines(path);
    if lines.as_ref().is_some_and(|lines| lines.rows > 1) {
        return lines;
    }
    // A row on a single line can itself contain a list of messages.
    let is_row = |shape: &Shape, line: &Shape| {
        let is_inner = matches!(
            shape.kind,
            TableFormat::Streamed(Layout::Inner(..)) | TableFormat::Whole
        );
        let has_answer = || {
            let response = guess(&line.columns, &line.first).response;
            response.is_some_and(|path| !path.contains('['))
        };
        is_inner && shape.rows < TELLING && has_answer()
    };
    let is_of_lines = has_ending(path, &["jsonl", "ndjson"]);
    let document = (!is_of_lines).then(|| document(path)).flatten();
    let of_members = |document| rows_of_columns(document).or_else(|| rows_of_groups(document));
    let shape = document.as_ref().and_then(of_members).map(whole);
    let inside = || Some(whole(document.as_ref().and_then(rows_inside)?));
    let shape = shape.or_else(|| streamed(path)).or_else(inside);
    let shape = shape.filter(|shape| lines.as_ref().is_none_or(|line| !is_row(shape, line)));
    shape.or(lines).or_else(|| objects(path))
}

/// Columns and rows of a table. Rows can lack some of the columns.
#[derive(Default)]
struct Columns {
    names: Vec<String>,
    known: HashSet<String>,
    rows: Vec<Json>,
}

impl Columns {
    fn of(rows: Vec<Json>) -> Self {
        let mut columns = Self::default();
        for row in rows {
            columns.add(row);
        }
        columns
    }

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

/// Opens the start of a file to detect columns; reads at most [`Limit::Example`] bytes.
fn example(path: &Path) -> Option<impl Read + use<>> {
    Some(open_file(path).ok()?.take(Limit::Example.get()))
}

/// Returns the first bytes of a document that is an object; `None` for other documents.
fn object_head(path: &Path) -> Option<Vec<u8>> {
    let head = first_bytes(open_file(path).ok()?).ok()?;
    let head = without_mark(&head).trim_ascii_start();
    head.starts_with(b"{").then(|| head.to_vec())
}

/// Parses a document that is an object. `None` for other documents, or if it exceeds
/// [`Limit::Document`].
fn document(path: &Path) -> Option<Json> {
    object_head(path)?;
    let length = open_file(path).ok()?.length().ok()?;
    let is_small = length <= Limit::Document.get();
    parse(&is_small.then(|| read_bounded(path).ok()).flatten()?, 1).ok()
}

/// Returns the shape of rows that can only be found in the whole document. The first rows are taken
/// from all groups in turn.
fn whole(rows: Vec<Json>) -> Shape {
    let mut groups: BTreeMap<String, Vec<Json>> = BTreeMap::new();
    for row in rows {
        let group = row.get(ColumnMap::GROUP).map(plain).unwrap_or_default();
        groups.entry(group).or_default().push(row);
    }
    let share = TELLING.div_ceil(groups.len().max(1)).max(2);
    let row = |at: usize| {
        groups
            .values()
            .filter_map(move |rows| rows.get(at).cloned())
    };
    let first = (0..share).flat_map(row);
    Columns::of(first.take(TELLING).collect()).shape(TableFormat::Whole)
}

/// Detects the layout and columns of a document that can be streamed: a grid, an object of rows, or
/// an object with a list of rows. `None` for other documents.
fn streamed(path: &Path) -> Option<Shape> {
    object_head(path)?;
    let (mut cells, mut members, mut others) = (Vec::new(), Vec::new(), 0);
    // The closure breaks after the examined rows.
    let _ = elements(example(path)?, DATA, &mut |element| {
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
    if is_grid {
        let layout = Layout::Grid(stream::columns(path)?);
        let rows = cells.iter().filter_map(|row| layout.row(row, 1).ok());
        return shape_of(rows.collect(), layout);
    }
    let is_keyed = members.len() > others && are_alike(&members);
    if is_keyed && members.len() == TELLING {
        return shape_of(members, Layout::Keyed);
    }
    let found = inner(path);
    found.or_else(|| is_keyed.then(|| shape_of(members, Layout::Keyed))?)
}

/// Detects the columns of a list of rows inside an object.
fn inner(path: &Path) -> Option<Shape> {
    let name = longest_list(example(path)?).ok()??;
    let length = open_file(path).ok()?.length().ok()?;
    let is_small = length <= Limit::Document.get();
    let (mut rows, mut beside) = (Vec::new(), Map::new());
    // If the document is too long to search completely, the closure breaks after the examined rows.
    let _ = elements(open_file(path).ok()?, &name, &mut |element| {
        let text = element.text.unwrap_or_default();
        if !element.is_in_list {
            let member = parse(&[b"{", text, b"}"].concat(), 1).ok();
            if let Some(Json::Object(texts)) = member.as_ref().and_then(texts) {
                beside.extend(texts);
            }
        } else if rows.len() < TELLING {
            rows.extend(Layout::List.row(text, 1));
        } else if !is_small {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    let layout = Layout::Inner(name, Json::Object(beside));
    let first: Vec<_> = rows
        .into_iter()
        .map(|row| layout.with_beside(row))
        .collect();
    are_alike(&first).then(|| shape_of(first, layout))?
}

fn shape_of(rows: Vec<Json>, layout: Layout) -> Option<Shape> {
    let columns = Columns::of(rows);
    (!columns.rows.is_empty()).then(|| columns.shape(TableFormat::Streamed(layout)))
}

/// True for at least two objects that share a key.
fn are_alike(rows: &[Json]) -> bool {
    let Some((Json::Object(first), others)) = rows.split_first() else {
        return false;
    };
    let is_shared = |key: &String| others.iter().all(|other| other.get(key).is_some());
    let own = [ColumnMap::KEY, ColumnMap::BESIDE];
    let mut keys = first.keys().filter(|key| !own.contains(&key.as_str()));
    !others.is_empty() && keys.any(is_shared)
}

/// Detects the columns of JSON lines; `None` if the first line is not a row.
fn lines(path: &Path) -> Option<Shape> {
    let mut file = BufReader::new(example(path)?);
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
    BufReader::new(example(path)?)
        .read_to_end(&mut bytes)
        .ok()?;
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

/// True for a list that is too long to read as a whole. Damaged parts can be skipped only if the
/// list is read as a whole.
fn is_long_list(path: &Path) -> bool {
    let file = open_file(path).ok();
    let length = file.as_ref().and_then(|file| file.length().ok());
    let head = file
        .and_then(|file| first_bytes(file).ok())
        .unwrap_or_default();
    let is_list = without_mark(&head).trim_ascii_start().starts_with(b"[");
    is_list && length > Some(Limit::Document.get())
}

/// Collects the column names of an object. Members of nested objects become columns such as `a.b`.
fn columns_of(object: &Json, before: &str, depth: usize, found: &mut Vec<String>) {
    for (name, value) in object.as_object().into_iter().flatten() {
        let name = format!("{before}{name}");
        match value {
            Json::Object(inner) if depth > 1 && !inner.is_empty() && inner.len() < MOST_MEMBERS => {
                columns_of(value, &format!("{name}."), depth - 1, found);
            }
            // A list with a single object, as in the response of a server.
            Json::Array(list) if depth > 1 && list.len() == 1 && list[0].is_object() => {
                columns_of(&list[0], &format!("{name}[0]."), depth - 1, found);
                found.push(name);
            }
            _ => found.push(name),
        }
    }
}
