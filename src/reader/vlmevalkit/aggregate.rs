//! Reads small tables of aggregates written by the harness. A table is a CSV file, or a JSON array
//! of objects.

use std::io::Read;
use std::path::Path;

use base::limits::Limit;
use serde_json::{Map, Value as Json};

use super::cells;
use super::table::Format;
use crate::Sink;
use crate::json::{describe, plain, without_mark, without_nan};
use crate::open::open;
use crate::source::describe_csv;
use record::Problem;

/// Maximum number of columns that are read; real tables have far fewer.
const COLUMNS: usize = 1024;
/// Text in the cell of a rotation that was not evaluated.
const NO_DATA: &str = "No Data";

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Number of the row's line in the file, counted from 1.
    pub number: u64,
    /// Pairs of column name and text, in table order.
    cells: Vec<(String, String)>,
}

impl Line {
    /// Returns the column names in table order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.cells.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the texts of the row that are not numbers, joined by commas.
    pub fn label(&self) -> String {
        let texts = self.cells.iter().map(|(_, text)| text.trim());
        let is_label = |text: &&str| !cells::is_missing(text) && text.parse::<f64>().is_err();
        texts.filter(is_label).collect::<Vec<_>>().join(", ")
    }

    /// True if the cell in a column is a number.
    pub fn is_number(&self, column: &str) -> bool {
        matches!(self.value(column), Ok(Some(_)))
    }

    /// True if the cell in a column is a number greater than 1.
    pub fn is_above_one(&self, column: &str) -> bool {
        matches!(self.value(column), Ok(Some(number)) if number > 1.0)
    }

    /// Returns the text in a column; `None` if the column does not exist.
    pub fn get(&self, column: &str) -> Option<&str> {
        let cell = self.cells.iter().find(|(name, _)| name == column);
        cell.map(|(_, text)| text.as_str())
    }

    /// Returns the number in a column; `None` if the cell is empty or the column does not exist.
    ///
    /// # Errors
    /// If the cell contains another text.
    pub fn value(&self, column: &str) -> Result<Option<f64>, String> {
        let text = self.get(column).unwrap_or_default();
        if cells::is_missing(text) || text == NO_DATA {
            return Ok(None);
        }
        let number = text
            .trim()
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite());
        let what = || format!("`{column:.40}` is not a number: {text:.40}");
        number.map(Some).ok_or_else(what)
    }
}

/// Reads the rows of a table; errors become problems.
pub fn lines(path: &Path, sink: &mut dyn Sink) -> Vec<Line> {
    let (mut bytes, most) = (Vec::new(), Limit::Aggregate.get());
    let read = open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
    let found = match read {
        Err(error) => Err(error.to_string()),
        Ok(length) if length as u64 > most => Err(Limit::Aggregate.message()),
        Ok(_) if Format::of(&bytes) == Format::Json => objects(&bytes),
        Ok(_) if without_mark(&bytes).trim_ascii_start().starts_with(b"{") => object(&bytes),
        Ok(_) => Ok(rows(path, without_mark(&bytes), sink)),
    };
    found.unwrap_or_else(|what| {
        sink.problem(Problem::file(path, what));
        Vec::new()
    })
}

fn rows(path: &Path, bytes: &[u8], sink: &mut dyn Sink) -> Vec<Line> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
    let header = reader.headers().cloned().unwrap_or_default();
    let mut found = Vec::new();
    for row in reader.into_records() {
        let (number, what) = match row {
            Ok(row) => {
                let number = row.position().map_or(0, csv::Position::line);
                if row.len() == header.len() {
                    let cells = header.iter().zip(&row).take(COLUMNS);
                    let cells = cells.map(|(name, text)| (name.to_owned(), text.to_owned()));
                    let cells = cells.collect();
                    found.push(Line { number, cells });
                    continue;
                }
                let what = format!("{} cells in a table of {} columns", row.len(), header.len());
                (number, what)
            }
            Err(error) => {
                let number = error.position().map_or(0, csv::Position::line);
                (number, describe_csv(&error))
            }
        };
        sink.problem(Problem::line(path, number, what));
    }
    found
}

fn objects(bytes: &[u8]) -> Result<Vec<Line>, String> {
    let objects: Vec<Map<String, Json>> =
        serde_json::from_slice(&without_nan(bytes)).map_err(|error| describe(&error, 1))?;
    let line = |(number, object): (u64, &Map<String, Json>)| line(number, object);
    Ok((1..).zip(&objects).map(line).collect())
}

/// Reads a file with a single object of aggregates, as for `OCRBench`.
fn object(bytes: &[u8]) -> Result<Vec<Line>, String> {
    let object: Map<String, Json> =
        serde_json::from_slice(&without_nan(bytes)).map_err(|error| describe(&error, 1))?;
    Ok(vec![line(1, &object)])
}

/// Converts an object to a row. Nested members are not aggregates, so they become empty.
fn line(number: u64, object: &Map<String, Json>) -> Line {
    let text = |value: &Json| match value {
        Json::Null | Json::Object(_) | Json::Array(_) => String::new(),
        value => plain(value),
    };
    let cells = object.iter().flat_map(|(name, value)| match value {
        // BLEU, with n-grams of up to 1, 2, 3 and 4 words.
        Json::Array(numbers) if !numbers.is_empty() && numbers.iter().all(Json::is_number) => {
            let numbers = (1..).zip(numbers);
            let cells = numbers.map(|(at, number)| (format!("{name}_{at}"), plain(number)));
            cells.collect()
        }
        value => vec![(name.clone(), text(value))],
    });
    Line {
        number,
        cells: cells.take(COLUMNS).collect(),
    }
}
