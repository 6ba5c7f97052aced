//! Writes selected records to a file that Eyechart can open again.

use std::io::{self, Write};
use std::path::Path;

use thiserror::Error;

use super::{Columns, CsvWriter, Form, OutsidePictures, Records, TableWriter};
use analysis::Selection;
use base::file::{FileError, Inputs, WholeFile};
use reader::own::{Metadata, write_metadata, write_record};
use record::{Record, Row};

/// Why records were not written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The file's extension is unknown.
    #[error("{0}: the file must end in .parquet, .arrow, .jsonl or .csv")]
    Ending(String),
    /// The file is one of the inputs, or cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The encoder failed.
    #[error("{0}")]
    Write(String),
    /// The system failed to write the file.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The export was cancelled.
    #[error("cancelled")]
    Stopped,
}

/// Output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Table(Form),
    Lines,
    Csv,
}

impl Kind {
    /// Returns the format of a file's extension.
    fn of(path: &Path) -> Result<Self, ExportError> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending.unwrap_or_default().to_lowercase().as_str() {
            "parquet" => Ok(Self::Table(Form::Parquet)),
            "arrow" => Ok(Self::Table(Form::Arrow)),
            "jsonl" => Ok(Self::Lines),
            "csv" => Ok(Self::Csv),
            _ => Err(ExportError::Ending(path.display().to_string())),
        }
    }
}

/// Checks that a file's extension is a known format.
///
/// # Errors
/// The extension is unknown.
pub fn check_ending(path: &Path) -> Result<(), ExportError> {
    Kind::of(path).map(|_| ())
}

/// An export that is being written.
pub struct Export<'a> {
    writer: Writer<'a>,
    folder: &'a Path,
    written: WrittenFile,
}

/// Content that is missing from a written file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenFile {
    /// Number of records that can no longer be read from their logs.
    pub lost: u64,
    /// Pictures outside the folder of the file. Readers of the file do not find them.
    pub outside: OutsidePictures,
}

/// Writes a complete file with these columns, unless it is an input file.
///
/// # Errors
/// The file cannot be written, or `fill` failed.
pub fn to_file(
    path: &Path,
    inputs: &Inputs,
    columns: Columns,
    fill: &mut dyn FnMut(&mut Export<'_>) -> Result<(), ExportError>,
) -> Result<WrittenFile, ExportError> {
    let kind = Kind::of(path)?;
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    // Write to a temporary file, so that an incomplete file is not mistaken for a complete one.
    let mut out = WholeFile::create(path, inputs)?;
    let written = filled(Writer::new(kind, &mut out, columns), folder, fill);
    // Encoders may hide the cause of an I/O error.
    let written = written.map_err(|error| match (error, out.trouble()) {
        (ExportError::Stopped, _) => ExportError::Stopped,
        (_, Some(trouble)) => ExportError::Write(trouble.to_owned()),
        (error, None) => error,
    })?;
    out.commit()?;
    Ok(written)
}

/// Writes all records.
fn filled<'a>(
    writer: Result<Writer<'a>, ExportError>,
    folder: &'a Path,
    fill: &mut dyn FnMut(&mut Export<'_>) -> Result<(), ExportError>,
) -> Result<WrittenFile, ExportError> {
    let mut export = Export {
        writer: writer?,
        folder,
        written: WrittenFile::default(),
    };
    fill(&mut export)?;
    export.writer.finish()?;
    Ok(export.written)
}

impl Export<'_> {
    /// Adds the records of a selection.
    ///
    /// # Errors
    /// The file cannot be written, or the selection's ticket is stale.
    pub fn add(&mut self, selection: Selection<'_>) -> Result<(), ExportError> {
        let mut records = Records::new(selection.table, selection.scoring, self.folder);
        for row in selection.rows() {
            if !selection.ticket.is_wanted() {
                return Err(ExportError::Stopped);
            }
            match records.record(Row(row)) {
                Ok(record) => self.writer.push(record)?,
                Err(_) => self.written.lost += 1,
            }
        }
        let OutsidePictures { count, folders } = records.outside();
        self.written.outside.count += count;
        self.written.outside.folders.extend(folders);
        Ok(())
    }

    /// Adds records other than predictions.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn tell(&mut self, metadata: &[Metadata]) -> Result<(), ExportError> {
        metadata.iter().try_for_each(|one| self.writer.tell(one))
    }
}

enum Writer<'a> {
    Table(Box<TableWriter<&'a mut WholeFile>>),
    Lines(&'a mut WholeFile),
    Csv(Box<CsvWriter<&'a mut WholeFile>>),
}

/// Wraps an encoder's error.
fn failed(error: impl std::fmt::Display) -> ExportError {
    ExportError::Write(error.to_string())
}

impl<'a> Writer<'a> {
    fn new(kind: Kind, file: &'a mut WholeFile, columns: Columns) -> Result<Self, ExportError> {
        Ok(match kind {
            Kind::Table(form) => {
                let writer = TableWriter::new(form, file, columns);
                Self::Table(Box::new(writer.map_err(failed)?))
            }
            Kind::Csv => Self::Csv(Box::new(CsvWriter::new(file, columns).map_err(failed)?)),
            Kind::Lines => Self::Lines(file),
        })
    }

    fn push(&mut self, record: Record) -> Result<(), ExportError> {
        match self {
            Self::Table(writer) => writer.push(record).map_err(failed),
            Self::Csv(writer) => writer.push(record).map_err(failed),
            Self::Lines(out) => Ok(writeln!(out, "{}", write_record(&record))?),
        }
    }

    fn tell(&mut self, metadata: &Metadata) -> Result<(), ExportError> {
        match self {
            Self::Table(writer) => writer.push_metadata(metadata).map_err(failed),
            Self::Csv(writer) => writer.push_metadata(metadata).map_err(failed),
            Self::Lines(out) => Ok(writeln!(out, "{}", write_metadata(metadata))?),
        }
    }

    fn finish(self) -> Result<(), ExportError> {
        match self {
            Self::Table(writer) => writer.finish().map_err(failed),
            Self::Csv(writer) => writer.finish().map_err(failed),
            Self::Lines(out) => Ok(out.flush()?),
        }
    }
}
