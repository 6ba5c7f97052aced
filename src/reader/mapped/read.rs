//! Reads the rows of a mapped table, for every storage format.

use std::borrow::Cow;
use std::io;
use std::ops::ControlFlow;

use crate::tabular::TableFile;
use serde_json::Value as Json;

use super::inner::rows_of;
use super::path::{cell, json_of, reach};
use super::published::{add_names, names};
use super::row::{MappedTable, TableRow, line_of};
use super::shape::TableFormat;
use super::stream::Layout;
use crate::csv_rows::{self, CsvTable};
use crate::document::elements;
use crate::json::{parse, read_bounded, rows, without_mark};
use crate::lines::{START, each};
use crate::open::open;
use crate::own::Line;
use crate::tables::{open_rows, read_batches};
use crate::vlmevalkit::{Step, read_workbook};
use crate::{Position, Sink};
use base::config::{ColumnMap, is_within};
use record::Problem;

/// Reads a table from its start, or from the position `from` at which an earlier read stopped.
pub fn read(
    table: MappedTable<'_>,
    kind: TableFormat,
    from: Option<Position>,
    sink: &mut dyn Sink,
) {
    let outcome = match kind {
        TableFormat::Delimited(delimiter) => delimited(table, delimiter, from, sink),
        TableFormat::Lines => lines(table, from, sink).map_err(|error| error.to_string()),
        TableFormat::Objects => objects(table, sink),
        TableFormat::Whole => whole(table, sink),
        TableFormat::Streamed(layout) => {
            streamed(table, &layout, sink).map_err(|error| error.to_string())
        }
        TableFormat::Workbook => {
            workbook(table, sink);
            Ok(())
        }
        TableFormat::Tabular => {
            tabular(table, sink);
            Ok(())
        }
    };
    if let Err(why) = outcome {
        sink.problem(Problem::unreadable(&table.unit.path, why));
    }
    // The rows appended to a followed table are too few to draw conclusions.
    if from.is_none() {
        table.seen.borrow().report(&table.unit.path, sink);
    }
}

fn delimited(
    table: MappedTable<'_>,
    delimiter: u8,
    from: Option<Position>,
    sink: &mut dyn Sink,
) -> Result<(), String> {
    let to_record = &|header: &csv::StringRecord, row: &csv::StringRecord, number| {
        let cell = &|name: &str| {
            let at = header.iter().position(|column| column == name)?;
            let text = row.get(at)?;
            // If cells are separated by semicolons, the decimal separator is a comma.
            let is_score = || {
                let map = table.map;
                let is_one = || map.scores.iter().any(|score| score == name);
                map.score.as_deref() == Some(name) || is_one() || map.score_name(name).is_some()
            };
            let is_decimal = delimiter == b';' && is_score();
            let text = if is_decimal {
                text.replacen(',', ".", 1)
            } else {
                text.to_owned()
            };
            Some(Cow::Owned(Json::String(text)))
        };
        let names = &|| header.iter().map(str::to_owned).collect();
        let get = &|path: &str| reach(cell, path);
        line_of(table, &TableRow { get, names, number })
    };
    let table = CsvTable {
        unit: table.unit,
        delimiter,
        ids: table.map.sample_id.as_deref(),
        map: Some(table.map),
    };
    csv_rows::read_rows(table, from, to_record, sink)
}

fn lines(table: MappedTable<'_>, from: Option<Position>, sink: &mut dyn Sink) -> io::Result<()> {
    let unit = table.unit;
    let read = each(&unit.path, from.unwrap_or(START), &mut |line| {
        let row = |text: &[u8]| row_of_line(table, text, line.number);
        match line.text {
            Ok([]) => {}
            text => match text.and_then(row) {
                Ok(found) => sink.line(found, line.number),
                Err(what) => {
                    sink.left_out(&unit.path, line.number, what);
                }
            },
        }
        if line.unfinished {
            sink.unfinished(&unit.path, line.number);
        }
        sink.progress(line.length)
    })?;
    if let ControlFlow::Continue(end) = read {
        sink.stopped(end);
    }
    Ok(())
}

fn row_of_line(table: MappedTable<'_>, line: &[u8], number: u64) -> Result<Line, String> {
    let object: Json = parse(without_mark(line), number)?;
    line_of_row(table, &object, number)
}

fn line_of_row(table: MappedTable<'_>, row: &Json, number: u64) -> Result<Line, String> {
    let get = &|path: &str| cell(row, path);
    let names = &|| names(row);
    line_of(table, &TableRow { get, names, number })
}

/// Reads the rows of a document one by one. Without an id column, the row numbers are the ids.
fn streamed(table: MappedTable<'_>, layout: &Layout, sink: &mut dyn Sink) -> io::Result<()> {
    let unit = table.unit;
    let (mut number, mut left) = (0, unit.length);
    let list = layout.list();
    let is_read = elements(open(&unit.path)?, list, &mut |element| {
        let is_member = !list.is_empty() && !element.is_in_list;
        if is_member && element.text.is_ok() {
            return ControlFlow::Continue(());
        }
        number += 1;
        let length = element.text.as_ref().map_or(0, |text| text.len() as u64);
        left = left.saturating_sub(length);
        let row = element.text.and_then(|text| layout.row(text, element.line));
        match row.and_then(|row| line_of_row(table, &row, number)) {
            Ok(found) => sink.line(found, element.line),
            Err(what) => sink.left_out(&unit.path, element.line, what),
        }
        sink.progress(length)
    })?;
    if is_read {
        let _ = sink.progress(left);
    }
    Ok(())
}

/// Reads rows that can be found only in the whole document. Rows are numbered from 1.
fn whole(table: MappedTable<'_>, sink: &mut dyn Sink) -> Result<(), String> {
    let unit = table.unit;
    let document = read_bounded(&unit.path).map_err(|error| error.to_string())?;
    let rows = rows_of(&parse(&document, 1)?).unwrap_or_default();
    for (number, row) in (1..).zip(rows) {
        match line_of_row(table, &row, number) {
            Ok(found) => sink.line(found, number),
            Err(what) => sink.left_out(&unit.path, number, what),
        }
    }
    let _ = sink.progress(unit.length);
    Ok(())
}

/// Reads the rows of a document that is held in memory. Without an id column, the row numbers are
/// the ids.
fn objects(table: MappedTable<'_>, sink: &mut dyn Sink) -> Result<(), String> {
    let unit = table.unit;
    let document = read_bounded(&unit.path).map_err(|error| error.to_string())?;
    for (number, (line, row)) in (1..).zip(rows(&document)) {
        match row.and_then(|row| row_of_line(table, row, number)) {
            Ok(found) => sink.line(found, line),
            Err(what) => sink.left_out(&unit.path, line, what),
        }
        if sink.progress(0).is_break() {
            return Ok(());
        }
    }
    let _ = sink.progress(unit.length);
    Ok(())
}

fn workbook(table: MappedTable<'_>, sink: &mut dyn Sink) {
    let unit = table.unit;
    // `Break` means that the sink asked to stop.
    let _ = read_workbook(&unit.path, &mut |step| {
        match step {
            Step::Row(row) => {
                let cell = &|name: &str| row.get(name).map(json_of).map(Cow::Owned);
                let get = &|path: &str| reach(cell, path);
                let names = &|| row.cells.iter().map(|(name, _)| name.to_string()).collect();
                let number = row.line;
                match line_of(table, &TableRow { get, names, number }) {
                    Ok(found) => sink.line(found, row.line),
                    Err(what) => {
                        sink.left_out(&unit.path, row.line, what);
                    }
                }
            }
            Step::Problem(problem) => sink.problem(problem),
            Step::Bytes(bytes) => return sink.progress(bytes),
        }
        ControlFlow::Continue(())
    });
}

fn tabular(table: MappedTable<'_>, sink: &mut dyn Sink) {
    let to_record = |columns: &[String], cells: Vec<Json>, number| {
        let cell = &|name: &str| {
            let at = columns.iter().position(|column| column == name)?;
            cells.get(at).map(Cow::Borrowed)
        };
        let get = &|path: &str| reach(cell, path);
        let names = &|| {
            let mut found = Vec::new();
            for (name, cell) in columns.iter().zip(&cells) {
                add_names(name.clone(), cell, &mut found);
            }
            found
        };
        line_of(table, &TableRow { get, names, number })
    };
    if let Some(file) = open_rows(table.unit, sink) {
        let file = with_pictures(file, table.map);
        let wanted = wanted(&file, table.map);
        let batches = file.batches(wanted);
        read_batches(table.unit, batches, &to_record, sink);
    }
}

/// Returns a predicate that accepts the columns of a tabular file, and fields inside columns, that
/// the map needs.
pub fn wanted(table: &TableFile, map: &ColumnMap) -> impl Fn(&str) -> bool + use<> {
    let paths = table.paths();
    let has_score = |column: &String| {
        let mut inside = paths.iter().filter(|path| is_within(path, column));
        inside.any(|path| map.score_name(path).is_some())
    };
    let columns = table.columns().iter();
    let columns = columns.filter(|column| map.reads(column) || has_score(column));
    let columns: Vec<String> = columns.cloned().collect();
    move |name| columns.iter().any(|column| column == name)
}

/// Configures the table to also read the binary data of the picture column.
pub fn with_pictures(table: TableFile, map: &ColumnMap) -> TableFile {
    let has_pictures = |column: &&String| {
        let image = map.image.as_deref();
        image.is_some_and(|path| is_within(path, column))
    };
    match table.columns().iter().find(has_pictures).cloned() {
        Some(column) => table.with_bytes(&column),
        None => table,
    }
}
