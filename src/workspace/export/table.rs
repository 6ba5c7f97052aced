//! Exports Parquet and Arrow IPC files, which other programs and Eyechart can read.

use std::borrow::Cow;
use std::io::Write;

use super::columns::{Cells, Columns, Extra, SCORE, flag, place};
use reader::TEXTS;
use reader::own::Metadata;
use reader::tabular::{Column, Error, Form, Kind, Writer};
use record::{Record, Value};

/// Rows per row group or record batch. That many rows are in memory.
pub(crate) const GROUP: usize = 16_384;

/// Writes records to a Parquet or Arrow file.
pub struct TableWriter<W: Write> {
    file: Writer<W>,
    /// Names of the columns, each with the kind of its values.
    columns: Vec<(String, Kind)>,
    waiting: Vec<Cells>,
}

impl<W: Write> TableWriter<W> {
    /// Starts a file with these columns.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn new(form: Form, out: W, columns: Columns) -> Result<Self, Error> {
        let texts = TEXTS.map(|name| (name.to_owned(), Kind::Text));
        let score = (SCORE.to_owned(), Kind::Number);
        let columns: Vec<(String, Kind)> = texts
            .into_iter()
            .chain([score])
            .chain(columns.extra)
            .collect();
        Ok(Self {
            file: Writer::new(form, out, &columns)?,
            columns,
            waiting: Vec::new(),
        })
    }

    /// Appends a record. If a row group is complete, writes it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn push(&mut self, record: Record) -> Result<(), Error> {
        self.push_cells(Cells::new(record))
    }

    /// Appends a record other than a prediction.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn push_metadata(&mut self, metadata: &Metadata) -> Result<(), Error> {
        self.push_cells(Cells::from_metadata(metadata))
    }

    fn push_cells(&mut self, cells: Cells) -> Result<(), Error> {
        self.waiting.push(cells);
        if self.waiting.len() >= GROUP {
            self.write_group()
        } else {
            Ok(())
        }
    }

    /// Writes the last row group and completes the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<(), Error> {
        self.write_group()?;
        self.file.finish()
    }

    fn write_group(&mut self) -> Result<(), Error> {
        let mut cells = std::mem::take(&mut self.waiting);
        self.file.write(values(&mut cells, &self.columns))
    }
}

/// Converts rows to columns. Moves the texts out of the rows.
pub(crate) fn values(cells: &mut [Cells], columns: &[(String, Kind)]) -> Vec<Column<'static>> {
    let columns = columns.iter();
    let column = |(name, kind): &(String, Kind)| match kind {
        Kind::Text => texts(cells, name),
        Kind::Number => numbers(cells, name),
        Kind::Flag => flags(cells, name),
    };
    columns.map(column).collect()
}

fn numbers(cells: &[Cells], name: &str) -> Column<'static> {
    let extra = Extra::of(name);
    let number = |cells: &Cells| match extra {
        Some(extra) => cells.extra(extra).and_then(Value::number),
        None => cells.score(),
    };
    Column::Number(cells.iter().map(number).collect())
}

fn flags(cells: &[Cells], name: &str) -> Column<'static> {
    let extra = Extra::of(name);
    let own = |cells: &Cells| match cells.extra(extra?)? {
        Value::Flag(flag) => Some(*flag),
        Value::Text(word) => flag(word),
        Value::Number(_) => None,
    };
    Column::Flag(cells.iter().map(own).collect())
}

fn texts(cells: &mut [Cells], name: &str) -> Column<'static> {
    let (extra, place) = (Extra::of(name), place(name));
    let text = |cells: &mut Cells| match extra {
        Some(extra) => cells.extra(extra).map(ToString::to_string),
        None => cells.take_text(place?),
    };
    let texts = cells.iter_mut().map(text);
    Column::Text(texts.map(|text| text.map(Cow::Owned)).collect())
}
