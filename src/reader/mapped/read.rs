//! Reads the rows of a mapped table, for every storage format.

use std::borrow::Cow;
use std::io;
use std::ops::ControlFlow;

use crate::tabular::TableFile;
use serde_json::Value as Json;

use super::path::{cell, reach};
use super::row::{MappedTable, record};
use super::shape::TableFormat;
use super::stream::{self, Layout};
use crate::csv_rows::{self, CsvTable};
use crate::json::{parse, read_bounded, rows, without_mark};
use crate::lines::{START, each};
use crate::open::open;
use crate::own::Line;
use crate::tables::{open_rows, read_batches};
use crate::vlmevalkit::{Step, read_workbook};
use crate::{Position, Sink};
use base::config::{ColumnMap, is_within};
use record::{Problem, Value};

/// Reads a table, from its start or from where reading stopped before.
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
        sink.problem(Problem::file(
            &table.unit.path,
            format!("cannot be read: {why}"),
        ));
    }
    // Of an appended part, too little is known.
    if from.is_none() {
        table.seen.borrow().tell(&table.unit.path, sink);
    }
}

fn delimited(
    table: MappedTable<'_>,
    delimiter: u8,
    from: Option<Position>,
    sink: &mut dyn Sink,
) -> Result<(), String> {
    let to_record = &|header: &csv::StringRecord, row: &csv::StringRecord, line| {
        let cell = |name: &str| {
            let at = header.iter().position(|column| column == name)?;
            let text = row.get(at)?;
            // Where semicolons separate cells, commas are decimal.
            let is_decimal = delimiter == b';' && table.map.score.as_deref() == Some(name);
            let text = if is_decimal {
                text.replacen(',', ".", 1)
            } else {
                text.to_owned()
            };
            Some(Cow::Owned(Json::String(text)))
        };
        let record = record(table, &|path| reach(&cell, path), line)?;
        Ok(Line::Record(Box::new(record)))
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
                Ok(record) => sink.record(record, line.number),
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

fn row_of_line(table: MappedTable<'_>, line: &[u8], number: u64) -> Result<record::Record, String> {
    let object: Json = parse(without_mark(line), number)?;
    record(table, &|path| cell(&object, path), number)
}

/// Reads the rows of a document one by one. Without an id column, rows are numbered.
fn streamed(table: MappedTable<'_>, layout: &Layout, sink: &mut dyn Sink) -> io::Result<()> {
    let unit = table.unit;
    let (mut number, mut left) = (0, unit.length);
    let is_read = stream::each(open(&unit.path)?, &mut |element| {
        let is_member = matches!(layout, Layout::Grid(_)) && !element.is_in_data;
        if is_member && element.text.is_ok() {
            return ControlFlow::Continue(());
        }
        number += 1;
        let length = element.text.as_ref().map_or(0, |text| text.len() as u64);
        left = left.saturating_sub(length);
        let row = element.text.and_then(|text| layout.row(text, element.line));
        match row.and_then(|row| record(table, &|path| cell(&row, path), number)) {
            Ok(record) => sink.record(record, element.line),
            Err(what) => sink.left_out(&unit.path, element.line, what),
        }
        sink.progress(length)
    })?;
    if is_read {
        let _ = sink.progress(left);
    }
    Ok(())
}

/// Reads the rows of a document as a whole. Without an id column, rows are numbered.
fn objects(table: MappedTable<'_>, sink: &mut dyn Sink) -> Result<(), String> {
    let unit = table.unit;
    let document = read_bounded(&unit.path).map_err(|error| error.to_string())?;
    for (number, (line, row)) in (1..).zip(rows(&document)) {
        match row.and_then(|row| row_of_line(table, row, number)) {
            Ok(record) => sink.record(record, line),
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
                let cell = |name: &str| row.get(name).map(json_of).map(Cow::Owned);
                match record(table, &|path| reach(&cell, path), row.line) {
                    Ok(record) => sink.record(record, row.line),
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

/// Converts the cell of a workbook.
pub fn json_of(value: &Value) -> Json {
    match value {
        Value::Text(text) => Json::String(text.clone()),
        Value::Number(number) => (*number).into(),
        Value::Flag(flag) => (*flag).into(),
    }
}

fn tabular(table: MappedTable<'_>, sink: &mut dyn Sink) {
    let wanted = |name: &str| table.map.named().any(|path| is_within(path, name));
    let to_record = |names: &[String], cells: Vec<Json>, number| {
        let cell = |name: &str| {
            let at = names.iter().position(|column| column == name)?;
            cells.get(at).map(Cow::Borrowed)
        };
        let record = record(table, &|path| reach(&cell, path), number)?;
        Ok(Line::Record(Box::new(record)))
    };
    if let Some(file) = open_rows(table.unit, sink) {
        let batches = with_pictures(file, table.map).batches(wanted);
        read_batches(table.unit, batches, &to_record, sink);
    }
}

/// Reads the bytes of the column with pictures too.
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
