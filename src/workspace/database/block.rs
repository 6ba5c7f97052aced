//! Buffers rows until they are inserted into a database table.

use record::Value;
use store::clickhouse::RowBuffer;

use super::Database;
use super::tables::Table;
use crate::export::{Cells, LONG_TEXTS, place, short_texts};
use crate::publish::PublishError;

/// Number of bytes that are buffered before an insert.
const BLOCK: usize = 16 << 20;

/// Buffer of rows for one table.
pub struct Block<'a> {
    database: &'a Database,
    /// The table to insert into.
    pub table: Table,
    /// Encoded rows that are not inserted yet.
    pub line: RowBuffer,
    /// Number of rows so far.
    pub rows: u64,
    /// Number of inserts so far.
    pub inserts: u64,
    /// Number of bytes inserted so far.
    pub bytes: u64,
}

impl<'a> Block<'a> {
    /// Creates an empty buffer.
    pub fn new(database: &'a Database, table: Table) -> Self {
        Self {
            database,
            table,
            line: RowBuffer::default(),
            rows: 0,
            inserts: 0,
            bytes: 0,
        }
    }

    /// Ends a row. If the buffer is full, inserts its rows.
    ///
    /// # Errors
    /// The rows cannot be inserted.
    pub fn end_row(&mut self) -> Result<(), PublishError> {
        self.rows += 1;
        if self.line.bytes().len() >= BLOCK {
            self.flush()?;
        }
        Ok(())
    }

    /// Inserts the buffered rows, if there are any.
    ///
    /// # Errors
    /// The rows cannot be inserted.
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

/// Encodes the columns of a row that are in the table of rows, starting with the first text.
pub fn write_narrow(line: &mut RowBuffer, cells: &Cells) {
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

/// Encodes the long texts of a row, for the table of texts.
pub fn write_words(line: &mut RowBuffer, cells: &Cells) {
    for name in LONG_TEXTS {
        line.option(text(cells, name));
    }
}

fn text<'a>(cells: &'a Cells, column: &str) -> Option<&'a str> {
    cells.text(place(column)?)
}
