//! Rows on their way into a table.

use clickhouse::Line;
use record::Value;

use super::Database;
use super::tables::Table;
use crate::export::{Cells, LONG_TEXTS, place, short_texts};
use crate::publish::PublishError;

/// Bytes that are written at a time.
const BLOCK: usize = 16 << 20;

/// Rows that wait until there are enough of them.
pub struct Block<'a> {
    database: &'a Database,
    /// Where they go.
    pub table: Table,
    /// The rows that wait.
    pub line: Line,
    /// Rows so far.
    pub rows: u64,
    /// How often some were written.
    pub inserts: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl<'a> Block<'a> {
    /// None yet.
    #[must_use]
    pub fn new(database: &'a Database, table: Table) -> Self {
        Self {
            database,
            table,
            line: Line::default(),
            rows: 0,
            inserts: 0,
            bytes: 0,
        }
    }

    /// Ends a row.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn end_row(&mut self) -> Result<(), PublishError> {
        self.rows += 1;
        if self.line.bytes().len() >= BLOCK {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes what waits.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn flush(&mut self) -> Result<(), PublishError> {
        let bytes = self.line.take();
        if bytes.is_empty() {
            return Ok(());
        }
        self.inserts += 1;
        self.bytes += bytes.len() as u64;
        self.database.insert(&self.table, bytes)
    }
}

/// The narrow columns of a row, from the first text on.
pub fn write_narrow(line: &mut Line, cells: &Cells) {
    for name in short_texts() {
        line.option(text(cells, name));
    }
    line.f64(cells.score().unwrap_or(f64::NAN));
    let (numbers, texts): (Vec<_>, Vec<_>) = cells
        .extras()
        .partition(|(_, value)| matches!(value, Value::Number(_)));
    line.count(texts.len());
    for (name, _) in &texts {
        line.text(name);
    }
    line.count(texts.len());
    for (_, value) in &texts {
        line.text(&value.to_string());
    }
    line.count(numbers.len());
    for (name, _) in &numbers {
        line.text(name);
    }
    line.count(numbers.len());
    for (_, value) in &numbers {
        line.f64(value.number().unwrap_or(f64::NAN));
    }
}

/// The texts of a row.
pub fn write_words(line: &mut Line, cells: &Cells) {
    for name in LONG_TEXTS {
        line.option(text(cells, name));
    }
}

fn text<'a>(cells: &'a Cells, column: &str) -> Option<&'a str> {
    cells.text(place(column)?)
}
