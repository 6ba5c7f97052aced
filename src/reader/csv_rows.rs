//! CSV with one prediction a row: what `eyechart convert` writes, and what spreadsheets and scripts make.

use csv::StringRecord;

use super::columns::{self, CONDITION, Cell, INVALID, TAG};
use super::source::{csv_columns, describe_csv};
use super::{Candidate, Context, Reader, Sink, Unit};
use crate::record::{Problem, Value};

/// Format name under `sources`.
pub const FORMAT: &str = "csv";
/// Columns without which a file is none of ours; a response or a score comes beside them.
const REQUIRED: [&str; 3] = ["sample_id", "ability", "model"];

/// The reader of predictions in CSV.
#[derive(Clone, Copy, Debug, Default)]
pub struct CsvRows;

impl Reader for CsvRows {
    fn format(&self) -> &'static str {
        FORMAT
    }

    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
        let (ours, rest): (Vec<_>, Vec<_>) = std::mem::take(files).into_iter().partition(is_rows);
        *files = rest;
        ours.into_iter()
            .map(|file| Unit::single(file, FORMAT, context))
            .collect()
    }

    fn read(&self, unit: &Unit, _context: &Context, sink: &mut dyn Sink) {
        let mut reader = match csv::ReaderBuilder::new()
            .flexible(true)
            .from_path(&unit.path)
        {
            Ok(reader) => reader,
            Err(error) => {
                return sink.problem(Problem::file(
                    &unit.path,
                    format!("cannot be opened: {error}"),
                ));
            }
        };
        let header = match reader.headers() {
            Ok(header) => header.clone(),
            Err(error) => return sink.problem(Problem::line(&unit.path, 1, error.to_string())),
        };
        let mut done = 0;
        for row in reader.into_records() {
            let position = match &row {
                Ok(row) => row.position(),
                Err(error) => error.position(),
            };
            let (line, byte) = position.map_or((0, done), |at| (at.line(), at.byte()));
            match row
                .map_err(|error| describe_csv(&error))
                .and_then(|row| record(&header, &row, unit))
            {
                Ok(record) => sink.record(record, line),
                Err(what) => sink.problem(Problem::line(&unit.path, line, what)),
            }
            if byte - done > 1 << 20 {
                if sink.progress(byte - done).is_break() {
                    return;
                }
                done = byte;
            }
        }
        let _ = sink.progress(unit.length.saturating_sub(done));
    }
}

fn is_rows(file: &Candidate) -> bool {
    let names = csv_columns(file);
    let has = |name: &str| names.iter().any(|known| known == name);
    REQUIRED.into_iter().all(has) && (has("response") || has("score"))
}

fn record(
    header: &StringRecord,
    row: &StringRecord,
    unit: &Unit,
) -> Result<crate::record::Record, String> {
    if row.len() != header.len() {
        return Err(format!(
            "{} fields where the header has {}",
            row.len(),
            header.len()
        ));
    }
    let named = header
        .iter()
        .map(|name| name.trim_start_matches('\u{feff}'));
    let cells = named.zip(row).map(|(name, text)| (name, cell(name, text)));
    columns::record(cells, unit.dataset.as_deref().unwrap_or_default())
}

/// CSV knows texts only: tags, conditions, the score and the flag are read as what they look like.
fn cell(name: &str, text: &str) -> Cell {
    let typed =
        name.starts_with(TAG) || name.starts_with(CONDITION) || matches!(name, "score" | INVALID);
    match text {
        // An empty response is an answer: the model said nothing.
        "" if name == "response" => Cell::Known(Value::Text(String::new())),
        "" => Cell::Empty,
        "true" if typed => Cell::Known(Value::Flag(true)),
        "false" if typed => Cell::Known(Value::Flag(false)),
        _ => match text.parse::<f64>() {
            Ok(number) if typed && number.is_finite() => Cell::Known(Value::Number(number)),
            _ => Cell::Known(Value::Text(text.to_owned())),
        },
    }
}
