//! Reads the rows of a mapped table, for every storage format.

use std::io;
use std::ops::ControlFlow;

use serde_json::Value as Json;

use super::published::names;
use super::row::{MappedTable, TableRow, line_of};
use super::shape::{TableFormat, cell};
use crate::csv_rows::{self, CsvTable};
use crate::json::{parse, read_bounded, rows, without_mark};
use crate::lines::{START, each};
use crate::own::Line;
use crate::tables::read_rows;
use crate::vlmevalkit::{Step, read_workbook};
use crate::{Position, Sink};
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
}

fn delimited(
    table: MappedTable<'_>,
    delimiter: u8,
    from: Option<Position>,
    sink: &mut dyn Sink,
) -> Result<(), String> {
    let to_record = &|header: &csv::StringRecord, row: &csv::StringRecord, number| {
        let get = &|name: &str| {
            let at = header.iter().position(|column| column == name)?;
            row.get(at).map(|text| Json::String(text.to_owned()))
        };
        let names = &|| header.iter().map(str::to_owned).collect();
        line_of(table, &TableRow { get, names, number })
    };
    let table = CsvTable {
        unit: table.unit,
        delimiter,
        ids: table.map.sample_id.as_deref(),
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
    let get = &|name: &str| cell(&object, name).cloned();
    let names = &|| names(&object);
    line_of(table, &TableRow { get, names, number })
}

/// Reads the rows of a document as a whole. Without an id column, rows are numbered.
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
                let get = &|name: &str| row.get(name).map(json_of);
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

fn json_of(value: &Value) -> Json {
    match value {
        Value::Text(text) => Json::String(text.clone()),
        Value::Number(number) => (*number).into(),
        Value::Flag(flag) => (*flag).into(),
    }
}

fn tabular(table: MappedTable<'_>, sink: &mut dyn Sink) {
    let wanted = |name: &str| table.map.reads(name);
    let to_record = |columns: &[String], cells: Vec<Json>, number| {
        let get = &|name: &str| {
            let at = columns.iter().position(|column| column == name)?;
            cells.get(at).cloned()
        };
        let names = &|| columns.to_vec();
        line_of(table, &TableRow { get, names, number })
    };
    read_rows(table.unit, &wanted, &to_record, sink);
}
