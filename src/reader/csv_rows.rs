//! Reads CSV files with one prediction per row, written by `eyechart convert`, spreadsheets or
//! scripts.

use std::collections::{BTreeSet, HashSet};
use std::io::Read as _;
use std::ops::Range;
use std::path::Path;

use base::limits::Limit;
use csv::StringRecord;

use super::columns::{self, CONDITION, Cell, INVALID, SPLIT, TAG};
use super::csv_file::{CsvFile, NextRow, comment};
use super::field_presence::FieldPresence;
use super::mapped::numbered;
use super::open::open;
use super::own::{Line, whole};
use super::source::csv_columns;
use super::{Candidate, Position, Sink, Unit};
use base::config::ColumnMap;
use base::format::plain_cell;
use record::{Problem, Value};

/// Name of the format, in the list of sources.
pub const FORMAT: &str = "csv";
/// Name of the id column.
const ID: &str = "sample_id";
/// Columns that contain names. White space around a name is removed.
const NAMES: [&str; 7] = [
    ID,
    "benchmark",
    "ability",
    "model",
    "metric",
    "direction",
    SPLIT,
];
/// Number of rows examined to detect ids written as floats.
const LOOKED_AT: usize = 1000;

reader! {
    /// Reader of predictions in CSV.
    CsvRows,
    FORMAT,
    |files, context| Unit::singles(files, FORMAT, context, is_rows),
    |unit, _, from, sink| read(unit, from.filter(|from| from.offset > 0), sink)
}

fn read(unit: &Unit, from: Option<Position>, sink: &mut dyn Sink) {
    let to_record = &|header: &StringRecord, row: &StringRecord, _| record(header, row, unit);
    let table = CsvTable {
        unit,
        delimiter: b',',
        ids: Some(ID),
        map: None,
    };
    if let Err(why) = read_rows(table, from, to_record, sink) {
        sink.problem(Problem::unreadable(&unit.path, why));
    }
}

/// Converts a header, a row and its line number to a record.
pub type ToRecord<'a> = dyn Fn(&StringRecord, &StringRecord, u64) -> Result<Line, String> + 'a;

/// Table to read, with the meaning of its columns.
#[derive(Clone, Copy, Debug)]
pub struct CsvTable<'a> {
    /// The table's file.
    pub unit: &'a Unit,
    /// Delimiter between cells.
    pub delimiter: u8,
    /// Name of the id column, if the table has one.
    pub ids: Option<&'a str>,
    /// Column map, if one is used.
    pub map: Option<&'a ColumnMap>,
}

/// Reads a table row by row, from its start or from a position. Ids that are whole numbers written
/// as floats become integers.
///
/// # Errors
/// If the file cannot be read.
pub fn read_rows(
    CsvTable {
        unit,
        delimiter,
        ids,
        map,
    }: CsvTable<'_>,
    from: Option<Position>,
    to_record: &ToRecord<'_>,
    sink: &mut dyn Sink,
) -> Result<(), String> {
    let mut file = CsvFile::open(&unit.path, delimiter)?;
    let mut header = file.header().clone();
    if from.is_none() {
        for name in repeated(&header) {
            let which = if map.is_some() {
                format!("`{name}` is the first one, `{name}#2` the second")
            } else {
                "the first one counts".to_owned()
            };
            if map.is_none_or(|map| map.named().any(|column| column == name)) {
                let what = format!("several columns are called `{name}`: {which}");
                sink.problem(Problem::line(&unit.path, 1, what));
            }
        }
    }
    if map.is_some() {
        header = numbered(header.iter().map(str::to_owned))
            .into_iter()
            .collect();
    }
    let ids = header.iter().position(|name| Some(name) == ids);
    let floats = ids.filter(|&at| has_float_ids(&unit.path, delimiter, at));
    if let Some(from) = from {
        let mut place = csv::Position::new();
        place.set_byte(from.offset).set_line(from.line);
        file.seek(place)?;
    }
    // A header without line break may be incomplete, and is not a row.
    let mut last = from.map_or_else(csv::Position::new, |_| file.position().clone());
    let (mut done, mut row) = (last.byte(), StringRecord::new());
    // In tables written by Eyechart, an empty score means that the harness skipped the sample.
    let (mut lacking, is_ours) = (FieldPresence::default(), is_ours(&header));
    loop {
        let taken = match file.next(&mut row)? {
            NextRow::End => break,
            NextRow::Row(at) => {
                last = at;
                // Spreadsheets can end with rows of empty cells.
                if row.iter().all(str::is_empty) {
                    continue;
                }
                // Several files were concatenated.
                if row == *file.header() {
                    let what = "the header again".to_owned();
                    sink.problem(Problem::line(&unit.path, last.line(), what));
                    continue;
                }
                if let Some(ids) = floats {
                    let cells = row.iter().enumerate();
                    row = cells
                        .map(|(at, cell)| if at == ids { whole(cell) } else { cell })
                        .collect();
                }
                to_record(&header, &row, last.line())
            }
            NextRow::Bad(at, what) => {
                last = at;
                Err(what)
            }
        };
        let line = last.line();
        match taken {
            Ok(found) => {
                if let Line::Record(record) = &found {
                    let stored = record.stored.filter(|score| !score.is_nan());
                    let score = stored.or(is_ours.then_some(f64::NAN));
                    lacking.row(record, score, line);
                }
                sink.line(found, line);
            }
            Err(what) => sink.left_out(&unit.path, line, what),
        }
        let passed = last.byte().saturating_sub(done);
        if passed > 1 << 20 {
            if sink.progress(passed).is_break() {
                return Ok(());
            }
            done = last.byte();
        }
    }
    lacking.report(&unit.path, sink);
    let end = file.position();
    if is_whole(&unit.path, last.byte()..end.byte()) {
        sink.stopped(position(end));
    } else if last.byte() < end.byte() {
        sink.unfinished(&unit.path, last.line());
        sink.stopped(position(&last));
    }
    let _ = sink.progress(unit.length.saturating_sub(done));
    Ok(())
}

/// True if all ids in the first rows are whole numbers written as floats. pandas writes them so if
/// a value is missing. An id such as `1.1` shows that ids are names.
fn has_float_ids(path: &Path, delimiter: u8, column: usize) -> bool {
    let Ok(file) = open(path) else { return false };
    let mut rows = csv::ReaderBuilder::new()
        .flexible(true)
        .delimiter(delimiter)
        .comment(comment(path))
        .from_reader(file.take(Limit::Example.get()));
    let rows = rows.records().take(LOOKED_AT).filter_map(Result::ok);
    let mut ids = rows
        .filter_map(|row| row.get(column).map(str::to_owned))
        .filter(|id| !id.is_empty())
        .peekable();
    ids.peek().is_some() && ids.all(|id| whole(&id) != id)
}

/// Returns the column names that occur more than once.
fn repeated(header: &StringRecord) -> BTreeSet<&str> {
    let mut seen = HashSet::new();
    let named = header.iter().filter(|name| !name.is_empty());
    named.filter(|name| !seen.insert(*name)).collect()
}

fn position(place: &csv::Position) -> Position {
    Position {
        offset: place.byte(),
        line: place.line(),
    }
}

/// True if a record ends with a line break outside quotes.
fn is_whole(path: &Path, record: Range<u64>) -> bool {
    let length = usize::try_from(record.end - record.start).unwrap_or_default();
    let mut bytes = vec![0; length];
    let read = open(path).and_then(|file| file.read_exact_at(&mut bytes, record.start));
    let quotes = memchr::memchr_iter(b'"', &bytes).count();
    read.is_ok() && bytes.last() == Some(&b'\n') && quotes.is_multiple_of(2)
}

fn is_rows(file: &Candidate) -> bool {
    let names = csv_columns(file);
    columns::are_of_prediction(|name| names.iter().any(|known| known == name))
}

/// True for tables written by `eyechart convert`, the only tables with the column [`INVALID`].
fn is_ours(header: &StringRecord) -> bool {
    header.iter().any(|name| name == INVALID)
}

fn record(header: &StringRecord, row: &StringRecord, unit: &Unit) -> Result<Line, String> {
    // `eyechart convert` escapes cells that start like formulas.
    let is_ours = is_ours(header);
    let plain = |text| if is_ours { plain_cell(text) } else { text };
    let cells = header
        .iter()
        .zip(row)
        .map(|(name, text)| (name, cell(name, plain(text))));
    columns::record(cells, unit.dataset.as_deref().unwrap_or_default())
}

/// Parses a cell. Tags, conditions, scores and flags become numbers or booleans where possible.
pub fn cell(name: &str, text: &str) -> Cell {
    let typed =
        name.starts_with(TAG) || name.starts_with(CONDITION) || matches!(name, "score" | INVALID);
    let text = if typed || NAMES.contains(&name) {
        text.trim()
    } else {
        text
    };
    match text {
        // An empty cell is an answer: the model returned nothing.
        "" if name == "response" => Cell::Known(Value::Text(String::new())),
        "" => Cell::Empty,
        // The first letter is a capital in files of pandas.
        "true" | "True" | "TRUE" if typed => Cell::Known(Value::Flag(true)),
        "false" | "False" | "FALSE" if typed => Cell::Known(Value::Flag(false)),
        _ => match text.parse::<f64>() {
            Ok(number) if typed && number.is_finite() => Cell::Known(Value::Number(number)),
            _ => Cell::Known(Value::Text(text.to_owned())),
        },
    }
}
