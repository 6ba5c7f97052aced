//! Reads tabular files part by part.

use std::io::{Read as _, Seek as _};
use std::ops::Range;
use std::path::Path;

use base::limits::Limit;
use polars_arrow::array::Array;
use serde_json::Value as Json;

use super::cell::Binary;
use super::contain::contain;
use super::input::{Input, Source};
use super::{Error, Kind, arrow, cell, checksum, parquet};

/// Arrays of one column in one part. Empty for a column of binary data that is not wanted.
pub type Chunks = Vec<Box<dyn Array>>;

/// Storage format of a tabular file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Parquet, in row groups.
    Parquet,
    /// Arrow IPC (feather), in record batches.
    Arrow,
}

impl Form {
    /// Detects the format from the first bytes of a file; `None` for other files.
    pub fn of(head: &[u8]) -> Option<Self> {
        if head.starts_with(b"PAR1") {
            Some(Self::Parquet)
        } else if head.starts_with(b"ARROW1") {
            Some(Self::Arrow)
        } else {
            None
        }
    }
}

/// Cells to read from one part.
pub struct PartCells<'a> {
    pub part: usize,
    /// Indices of the columns to read.
    pub columns: &'a [usize],
    /// Rows to read; `None` for all.
    pub rows: Option<Range<usize>>,
}

/// Statistics of a column in one part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnStatistics {
    /// Number of nulls; `None` if the file does not record it.
    pub nulls: Option<u64>,
    /// Smallest and largest text in byte order; `None` if the file does not record them.
    pub texts: Option<(String, String)>,
}

/// An open Parquet or Arrow IPC file.
pub struct TableFile {
    file: Source,
    footer: Footer,
    columns: Vec<String>,
    /// Name of the column whose binary data is read.
    bytes: Option<String>,
    most: u64,
}

enum Footer {
    Parquet(parquet::Footer),
    Arrow(arrow::Footer),
}

impl TableFile {
    /// Opens a file. Reading fails if a part needs more than `most` bytes of memory.
    ///
    /// # Errors
    /// If it is not a tabular file, or its footer is damaged.
    pub fn open(path: &Path, most: u64) -> Result<Self, Error> {
        Self::of(base::platform::file::open(path)?, most)
    }

    /// Like [`Self::open`], but for an input that is already open.
    ///
    /// # Errors
    /// If it is not a tabular file, or its footer is damaged.
    pub fn of(file: impl Input + 'static, most: u64) -> Result<Self, Error> {
        let mut file: Source = Box::new(file);
        file.rewind()?;
        let mut head = Vec::new();
        file.by_ref().take(6).read_to_end(&mut head)?;
        let form = Form::of(&head).ok_or(Error::Form)?;
        let (footer, columns) = contain(|| match form {
            Form::Parquet => {
                let footer = parquet::Footer::read(&mut file)?;
                let columns = footer.columns();
                Ok((Footer::Parquet(footer), columns))
            }
            Form::Arrow => {
                let footer = arrow::Footer::read(&mut file, most)?;
                let columns = footer.columns();
                Ok((Footer::Arrow(footer), columns))
            }
        })?;
        Ok(Self {
            file,
            footer,
            columns,
            bytes: None,
            most,
        })
    }

    /// Makes the binary data of a column readable, as base64. Binary data in other columns becomes
    /// null.
    #[must_use]
    pub fn with_bytes(mut self, column: &str) -> Self {
        if let Footer::Parquet(footer) = &mut self.footer {
            footer.bytes = Some(column.to_owned());
        }
        self.bytes = Some(column.to_owned());
        self
    }

    /// Returns false if the data does not match the checksum in the footer. Reads the whole file. A
    /// file without a checksum counts as intact.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn is_intact(&mut self) -> Result<bool, Error> {
        match &self.footer {
            Footer::Parquet(footer) => match footer.value(checksum::KEY) {
                Some(wanted) => checksum::agrees(&mut self.file, wanted),
                None => Ok(true),
            },
            Footer::Arrow(_) => Ok(true),
        }
    }

    /// Returns the column names.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the paths of all values: the names of columns, and `column.field` for fields of
    /// structs.
    pub fn paths(&self) -> Vec<String> {
        match &self.footer {
            Footer::Parquet(footer) => footer.paths(),
            Footer::Arrow(footer) => footer.paths(),
        }
    }

    /// Returns the kind of a column: number for 64-bit floats, flag for booleans, else text.
    pub fn kind(&self, column: &str) -> Kind {
        match &self.footer {
            Footer::Parquet(footer) => footer.kind(column),
            Footer::Arrow(footer) => footer.kind(column),
        }
    }

    /// Returns the indices of the columns that `wanted` accepts.
    fn places(&self, wanted: impl Fn(&str) -> bool) -> Vec<usize> {
        let columns = self.columns.iter().enumerate();
        let wanted = columns.filter(|(_, name)| wanted(name));
        wanted.map(|(column, _)| column).collect()
    }

    /// Returns the number of parts: row groups or record batches.
    pub fn parts(&self) -> usize {
        match &self.footer {
            Footer::Parquet(footer) => footer.parts(),
            Footer::Arrow(footer) => footer.parts(),
        }
    }

    /// Returns the compressed size of the wanted columns in bytes; `None` if the format does not
    /// store it.
    ///
    /// # Errors
    /// If the footer is damaged.
    pub fn packed(&self, wanted: impl Fn(&str) -> bool) -> Result<Option<u64>, Error> {
        let wanted = self.places(wanted);
        contain(|| match &self.footer {
            Footer::Parquet(footer) => footer.packed(&wanted).map(Some),
            Footer::Arrow(_) => Ok(None),
        })
    }

    /// Returns the statistics of a column in one part, as far as the file contains them.
    ///
    /// # Errors
    /// If the footer is damaged.
    pub fn known(&self, part: usize, column: &str) -> Result<ColumnStatistics, Error> {
        contain(|| match &self.footer {
            Footer::Parquet(footer) => Ok(footer.known(part, column)),
            Footer::Arrow(_) => Ok(ColumnStatistics::default()),
        })
    }

    /// Returns at most `most` rows from the first part that is not empty, as one cell per column.
    ///
    /// # Errors
    /// If a row cannot be read.
    pub fn first_rows(mut self, most: usize) -> Result<Vec<Vec<Json>>, Error> {
        let all: Vec<usize> = (0..self.columns.len()).collect();
        for part in 0..self.parts() {
            let rows = self.rows(part)?.min(most as u64);
            if rows > 0 {
                let count = usize::try_from(rows).map_err(|_| Error::Huge)?;
                let cells = PartCells {
                    part,
                    columns: &all,
                    rows: Some(0..count),
                };
                let batch = self.batch(&cells, 0, rows)?;
                return (0..count).map(|row| batch.row(row)).collect();
            }
        }
        Ok(Vec::new())
    }

    /// Reads the wanted columns of a part; the columns are in file order.
    ///
    /// # Errors
    /// If the part cannot be read.
    pub fn part(&mut self, part: usize, wanted: impl Fn(&str) -> bool) -> Result<Batch, Error> {
        let wanted = self.places(wanted);
        let rows = self.rows(part)?;
        let cells = PartCells {
            part,
            columns: &wanted,
            rows: None,
        };
        self.batch(&cells, 0, rows)
    }

    /// Reads the wanted columns for a range of rows in a part. Rows are numbered from 0 in each
    /// part.
    ///
    /// # Errors
    /// If the rows cannot be read.
    pub fn part_of(
        &mut self,
        part: usize,
        wanted: impl Fn(&str) -> bool,
        rows: Range<usize>,
    ) -> Result<Batch, Error> {
        let wanted = self.places(wanted);
        let end = usize::try_from(self.rows(part)?).map_err(|_| Error::Huge)?;
        let rows = rows.start.min(end)..rows.end.min(end);
        let (first, count) = (rows.start as u64, rows.len() as u64);
        let cells = PartCells {
            part,
            columns: &wanted,
            rows: Some(rows),
        };
        self.batch(&cells, first, count)
    }

    /// Returns an iterator over all parts with the wanted columns.
    pub fn batches(self, wanted: impl Fn(&str) -> bool) -> Batches {
        Batches {
            wanted: self.places(wanted),
            part: 0,
            first: 0,
            file: self,
        }
    }

    /// Returns the number of rows in one part.
    ///
    /// # Errors
    /// If the part's header cannot be read.
    pub fn rows(&mut self, part: usize) -> Result<u64, Error> {
        let (file, most) = (&mut self.file, self.most);
        contain(|| match &self.footer {
            Footer::Parquet(footer) => Ok(footer.rows(part)),
            Footer::Arrow(footer) => footer.rows(file, part, most),
        })
    }

    /// Reads cells of a part. `first` is the number of rows before it, `rows` is the number of rows
    /// to read.
    fn batch(&mut self, cells: &PartCells<'_>, first: u64, rows: u64) -> Result<Batch, Error> {
        let (file, most) = (&mut self.file, self.most);
        let chunks = contain(|| match &self.footer {
            Footer::Parquet(footer) => footer.chunks(file, cells, most),
            Footer::Arrow(footer) => {
                footer.chunks(file, cells.part, cells.columns, cells.rows.as_ref())
            }
        })?;
        let names = cells
            .columns
            .iter()
            .map(|&column| self.columns[column].clone());
        let batch = Batch {
            first,
            rows: usize::try_from(rows).map_err(|_| Error::Huge)?,
            names: names.collect(),
            bytes: self.bytes.clone(),
            chunks,
        };
        batch.check(rows)
    }
}

/// Iterator over the parts of a file.
pub struct Batches {
    file: TableFile,
    wanted: Vec<usize>,
    part: usize,
    first: u64,
}

impl Batches {
    /// Returns the number of parts, including those already read.
    pub fn parts(&self) -> usize {
        self.file.parts()
    }
}

/// A part that could not be read.
#[derive(Debug)]
pub struct Damage {
    /// Number of its first row, counted from 1.
    pub row: u64,
    /// Number of rows in the part; `None` if unknown.
    pub rows: Option<u64>,
    /// Cause of the failure.
    pub error: Error,
}

impl Iterator for Batches {
    type Item = Result<Batch, Damage>;

    fn next(&mut self) -> Option<Self::Item> {
        let part = self.part;
        if part >= self.file.parts() {
            return None;
        }
        self.part += 1;
        let first = self.first;
        let row = first.saturating_add(1);
        let rows = match self.file.rows(part) {
            Ok(rows) => rows,
            Err(error) => {
                // Stop, because the numbers of later rows depend on the unknown length of this
                // part.
                self.part = usize::MAX;
                let rows = None;
                return Some(Err(Damage { row, rows, error }));
            }
        };
        self.first = first.saturating_add(rows);
        let cells = PartCells {
            part,
            columns: &self.wanted,
            rows: None,
        };
        let batch = self.file.batch(&cells, first, rows);
        let rows = Some(rows);
        Some(batch.map_err(|error| Damage { row, rows, error }))
    }
}

/// Rows of one part.
pub struct Batch {
    first: u64,
    rows: usize,
    pub(super) names: Vec<String>,
    bytes: Option<String>,
    pub(super) chunks: Vec<Chunks>,
}

impl Batch {
    /// Returns the number of rows in this part.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of a row in the file, counted from 1.
    pub fn number(&self, row: usize) -> u64 {
        self.first.saturating_add(1).saturating_add(row as u64)
    }

    /// Returns the column names, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Appends the columns of another batch with the same rows.
    ///
    /// # Errors
    /// If the batches differ in length.
    pub fn join_columns(mut self, other: Self) -> Result<Self, Error> {
        if other.rows != self.rows {
            return Err(Error::Uneven {
                column: other.names.into_iter().next().unwrap_or_default(),
                found: other.rows,
                rows: self.rows as u64,
            });
        }
        self.names.extend(other.names);
        self.chunks.extend(other.chunks);
        Ok(self)
    }

    /// Returns the cells of a row, in column order.
    ///
    /// # Errors
    /// If a cell cannot be read.
    pub fn row(&self, row: usize) -> Result<Vec<Json>, Error> {
        let columns = self.names.iter().zip(&self.chunks);
        let cell = |(name, chunks): (&String, &Chunks)| {
            let binary = if self.bytes.as_ref() == Some(name) {
                Binary::Base64
            } else {
                Binary::Null
            };
            at(chunks, row, binary)
        };
        contain(|| columns.map(cell).collect())
    }

    /// Returns the numbers in a column, with `NaN` for nulls; `None` if the column does not exist.
    ///
    /// # Errors
    /// If the column has another type.
    pub fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, Error> {
        self.column(name, cell::numbers)
    }

    /// Returns the texts in a column; `None` if the column does not exist.
    ///
    /// # Errors
    /// If the column has another type.
    pub fn texts(&self, name: &str) -> Result<Option<Vec<Option<&str>>>, Error> {
        self.column(name, cell::texts)
    }

    fn column<'a, T>(
        &'a self,
        name: &str,
        values: fn(&'a dyn Array, &mut Vec<T>) -> Result<(), Error>,
    ) -> Result<Option<Vec<T>>, Error> {
        let Some(at) = self.names.iter().position(|known| known == name) else {
            return Ok(None);
        };
        let mut found = Vec::with_capacity(self.rows);
        for chunk in &self.chunks[at] {
            contain(|| values(&**chunk, &mut found))?;
        }
        if found.len() != self.rows {
            return Err(Error::Header("a column holds no values of its type"));
        }
        Ok(Some(found))
    }

    fn check(self, rows: u64) -> Result<Self, Error> {
        for (name, chunks) in self.names.iter().zip(&self.chunks) {
            let found = chunks.iter().map(|chunk| chunk.len()).sum();
            if !chunks.is_empty() && found != self.rows {
                let column = name.clone();
                return Err(Error::Uneven {
                    column,
                    found,
                    rows,
                });
            }
        }
        Ok(self)
    }
}

fn at(chunks: &Chunks, mut row: usize, binary: Binary) -> Result<Json, Error> {
    for chunk in chunks {
        if row < chunk.len() {
            return cell::cell(&**chunk, row, binary, &mut Limit::Values.length());
        }
        row -= chunk.len();
    }
    Ok(Json::Null)
}
