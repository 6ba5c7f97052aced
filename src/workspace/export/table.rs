//! Parquet and Arrow IPC for other programs and for opening again.

use std::io::Write;

use super::columns::{Cells, Columns, SCORE, TEXTS};
use reader::own::Told;
use record::{Record, Value};
use tabular::{Column, Error, Form, Writer};

/// Rows of one row group or record batch: what is held in memory at once.
pub(crate) const GROUP: usize = 16_384;

/// Writes records as a tabular file.
pub struct TableWriter<W: Write> {
    file: Writer<W>,
    /// The names of the columns, each with whether it holds numbers.
    columns: Vec<(String, bool)>,
    waiting: Vec<Cells>,
}

impl<W: Write> TableWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn new(form: Form, out: W, columns: Columns) -> Result<Self, Error> {
        let texts = TEXTS.map(|name| (name.to_owned(), false));
        let score = (SCORE.to_owned(), true);
        let columns: Vec<(String, bool)> = texts
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

    /// Adds a record.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn push(&mut self, record: &Record) -> Result<(), Error> {
        self.push_cells(Cells::new(record))
    }

    /// Adds what is no prediction.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn push_told(&mut self, told: &Told) -> Result<(), Error> {
        self.push_cells(Cells::told(told))
    }

    fn push_cells(&mut self, cells: Cells) -> Result<(), Error> {
        self.waiting.push(cells);
        if self.waiting.len() >= GROUP {
            self.write_group()
        } else {
            Ok(())
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<(), Error> {
        self.write_group()?;
        self.file.finish()
    }

    fn write_group(&mut self) -> Result<(), Error> {
        let cells = std::mem::take(&mut self.waiting);
        self.file.write(values(&cells, &self.columns))
    }
}

/// What rows have in columns, each with whether it holds numbers.
pub(crate) fn values(cells: &[Cells], columns: &[(String, bool)]) -> Vec<Column> {
    let columns = columns.iter().map(|(name, numeric)| {
        if *numeric {
            Column::Number(cells.iter().map(|cells| number(cells, name)).collect())
        } else {
            Column::Text(cells.iter().map(|cells| text(cells, name)).collect())
        }
    });
    columns.collect()
}

fn number(cells: &Cells, name: &str) -> Option<f64> {
    if name == SCORE {
        cells.score()
    } else {
        cells.extra(name).and_then(Value::number)
    }
}

fn text(cells: &Cells, name: &str) -> Option<String> {
    cells
        .extra(name)
        .map(ToString::to_string)
        .or_else(|| cells.text(name))
}
