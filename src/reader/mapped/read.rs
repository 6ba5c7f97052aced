//! Reads the rows of a mapped table, for every storage format.

use std::io;
use std::ops::ControlFlow;

use serde_json::Value as Json;

use super::row::record;
use super::shape::{TableFormat, cell};
use crate::json::{parse, read_bounded, rows, without_mark};
use crate::lines::{START, each};
use crate::own::Line;
use crate::tables::read_rows;
use crate::vlmevalkit::{Step, read_workbook};
use crate::{Context, Position, Sink, Unit, csv_rows};
use config::ColumnMap;
use record::{Problem, Value};

/// Reads a table, from its start or from where reading stopped before.
pub fn read(
    unit: &Unit,
    context: &Context,
    (kind, map): (TableFormat, &ColumnMap),
    from: Option<Position>,
    sink: &mut dyn Sink,
) {
    let outcome = match kind {
        TableFormat::Delimited(delimiter) => delimited(unit, context, (delimiter, map), from, sink),
        TableFormat::Lines => {
            lines(unit, context, map, from, sink).map_err(|error| error.to_string())
        }
        TableFormat::Objects => objects(unit, context, map, sink),
        TableFormat::Workbook => {
            workbook(unit, context, map, sink);
            Ok(())
        }
        TableFormat::Tabular => {
            table(unit, context, map, sink);
            Ok(())
        }
    };
    if let Err(why) = outcome {
        sink.problem(Problem::file(&unit.path, format!("cannot be read: {why}")));
    }
}

fn delimited(
    unit: &Unit,
    context: &Context,
    (delimiter, map): (u8, &ColumnMap),
    from: Option<Position>,
    sink: &mut dyn Sink,
) -> Result<(), String> {
    let to_record = &|header: &csv::StringRecord, row: &csv::StringRecord, line| {
        let cell = |name: &str| {
            let at = header.iter().position(|column| column == name)?;
            row.get(at).map(|text| Json::String(text.to_owned()))
        };
        let record = record(map, &cell, (unit, context), line)?;
        Ok(Line::Record(Box::new(record)))
    };
    csv_rows::read_rows(
        (unit, delimiter, map.sample_id.as_deref()),
        from,
        to_record,
        sink,
    )
}

fn lines(
    unit: &Unit,
    context: &Context,
    map: &ColumnMap,
    from: Option<Position>,
    sink: &mut dyn Sink,
) -> io::Result<()> {
    let read = each(&unit.path, from.unwrap_or(START), &mut |line| {
        let row = |text: &[u8]| row_of_line(text, map, (unit, context), line.number);
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

fn row_of_line(
    line: &[u8],
    map: &ColumnMap,
    of: (&Unit, &Context),
    number: u64,
) -> Result<record::Record, String> {
    let object: Json = parse(without_mark(line), number)?;
    let cell = |name: &str| cell(&object, name).cloned();
    record(map, &cell, of, number)
}

/// Reads the rows of a document as a whole. Without an id column, rows are numbered.
fn objects(
    unit: &Unit,
    context: &Context,
    map: &ColumnMap,
    sink: &mut dyn Sink,
) -> Result<(), String> {
    let document = read_bounded(&unit.path).map_err(|error| error.to_string())?;
    for (number, (line, row)) in (1..).zip(rows(&document)) {
        match row.and_then(|row| row_of_line(row, map, (unit, context), number)) {
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

fn workbook(unit: &Unit, context: &Context, map: &ColumnMap, sink: &mut dyn Sink) {
    // `Break` means that the sink asked to stop.
    let _ = read_workbook(&unit.path, &mut |step| {
        match step {
            Step::Row(row) => {
                let cell = |name: &str| row.get(name).map(json_of);
                match record(map, &cell, (unit, context), row.line) {
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

fn json_of(value: &Value) -> Json {
    match value {
        Value::Text(text) => Json::String(text.clone()),
        Value::Number(number) => (*number).into(),
        Value::Flag(flag) => (*flag).into(),
    }
}

fn table(unit: &Unit, context: &Context, map: &ColumnMap, sink: &mut dyn Sink) {
    let wanted = |name: &str| map.named().any(|column| column == name);
    let to_record = |names: &[String], cells: Vec<Json>, number| {
        let cell = |name: &str| {
            let at = names.iter().position(|column| column == name)?;
            cells.get(at).cloned()
        };
        let record = record(map, &cell, (unit, context), number)?;
        Ok(Line::Record(Box::new(record)))
    };
    read_rows(unit, &wanted, &to_record, sink);
}
