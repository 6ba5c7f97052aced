//! Exports CSV for other programs, one prediction per row.

use std::borrow::Cow;
use std::io::Write;

use super::columns::{Cells, Columns, Extra, SCORE, place};
use base::format::{harmless_cell, visible, visible_lines};
use reader::own::Metadata;
use reader::{INVALID, TEXTS};
use record::Record;

/// Writes records as CSV.
pub struct CsvWriter<W: Write> {
    writer: csv::Writer<W>,
    columns: Columns,
}

impl<W: Write> CsvWriter<W> {
    /// Starts a file with the header.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn new(out: W, columns: Columns) -> csv::Result<Self> {
        let mut writer = csv::Writer::from_writer(out);
        let extra = columns.extra.keys().map(|name| visible(name));
        writer.write_record(
            TEXTS
                .into_iter()
                .chain([SCORE, INVALID])
                .map(Cow::Borrowed)
                .chain(extra)
                .map(Cow::into_owned),
        )?;
        Ok(Self { writer, columns })
    }

    /// Appends a record as a row.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn push(&mut self, record: Record) -> csv::Result<()> {
        self.push_cells(&Cells::new(record))
    }

    /// Appends a record other than a prediction.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn push_metadata(&mut self, metadata: &Metadata) -> csv::Result<()> {
        self.push_cells(&Cells::from_metadata(metadata))
    }

    fn push_cells(&mut self, cells: &Cells) -> csv::Result<()> {
        let texts =
            (0..TEXTS.len()).map(|column| cells.text(column).unwrap_or_default().to_owned());
        let score = cells
            .score()
            .map(|score| score.to_string())
            .unwrap_or_default();
        let parsed = place("parsed").and_then(|column| cells.text(column));
        let invalid = parsed.is_some_and(str::is_empty);
        let extra = self.columns.extra.keys().map(|column| {
            let value = Extra::of(column).and_then(|column| cells.extra(column));
            value.map(ToString::to_string).unwrap_or_default()
        });
        let harmless = |text: String| {
            let text = visible_lines(&text);
            harmless_cell(&text).into_owned()
        };
        self.writer.write_record(
            texts
                .chain([score, invalid.to_string()])
                .chain(extra)
                .map(harmless),
        )
    }

    /// Flushes the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> csv::Result<()> {
        Ok(self.writer.flush()?)
    }
}
