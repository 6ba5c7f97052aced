//! A tabular file, read a part at a time.

use std::io::{Read as _, Seek as _};
use std::ops::Range;
use std::path::Path;

use limits::Limit;
use polars_arrow::array::Array;
use serde_json::Value as Json;

use super::contain::contain;
use super::input::{Input, Source};
use super::{Error, Kind, arrow, cell, parquet};

/// The values of one column of one part; none at all where it holds bytes.
pub type Chunks = Vec<Box<dyn Array>>;

/// How a tabular file is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Parquet.
    Parquet,
    /// Arrow IPC, also called feather.
    Arrow,
}

impl Form {
    /// What a file is that begins with these bytes.
    #[must_use]
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

/// What a file says of a column of a part beside its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Rows without a value; `None` if it does not say.
    pub nulls: Option<u64>,
    /// The first and the last of the texts by their bytes; `None` if there are none or it does not say.
    pub texts: Option<(String, String)>,
}

/// An opened tabular file.
pub struct TableFile {
    file: Source,
    footer: Footer,
    columns: Vec<String>,
    most: u64,
}

enum Footer {
    Parquet(parquet::Footer),
    Arrow(arrow::Footer),
}

impl TableFile {
    /// Opens a file, none of whose parts may take more than `most` bytes of memory.
    ///
    /// # Errors
    /// It is no tabular file, or its footer is damaged.
    pub fn open(path: &Path, most: u64) -> Result<Self, Error> {
        Self::of(platform::file::open(path)?, most)
    }

    /// As [`Self::open`], of a file that is open.
    ///
    /// # Errors
    /// It is no tabular file, or its footer is damaged.
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
            most,
        })
    }

    /// The names of its columns.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// What a column holds; everything but 64-bit floating point numbers and flags counts as text.
    #[must_use]
    pub fn kind(&self, column: &str) -> Kind {
        match &self.footer {
            Footer::Parquet(footer) => footer.kind(column),
            Footer::Arrow(footer) => footer.kind(column),
        }
    }

    /// Its row groups or record batches.
    #[must_use]
    pub fn parts(&self) -> usize {
        match &self.footer {
            Footer::Parquet(footer) => footer.parts(),
            Footer::Arrow(footer) => footer.parts(),
        }
    }

    /// Bytes that the wanted columns take in the file; `None` if it does not say.
    ///
    /// # Errors
    /// The footer is damaged.
    pub fn packed(&self, wanted: impl Fn(&str) -> bool) -> Result<Option<u64>, Error> {
        let columns = self.columns.iter().enumerate();
        let wanted = columns.filter(|(_, name)| wanted(name));
        let wanted: Vec<usize> = wanted.map(|(column, _)| column).collect();
        contain(|| match &self.footer {
            Footer::Parquet(footer) => footer.packed(&wanted).map(Some),
            Footer::Arrow(_) => Ok(None),
        })
    }

    /// What is said of a column of one of its parts.
    ///
    /// # Errors
    /// The footer is damaged.
    pub fn known(&self, part: usize, column: &str) -> Result<Known, Error> {
        contain(|| match &self.footer {
            Footer::Parquet(footer) => Ok(footer.known(part, column)),
            Footer::Arrow(_) => Ok(Known::default()),
        })
    }

    /// What its first row has in each column; nothing if there is no row.
    ///
    /// # Errors
    /// The row cannot be read.
    pub fn first_row(mut self) -> Result<Vec<Json>, Error> {
        let all: Vec<usize> = (0..self.columns.len()).collect();
        for part in 0..self.parts() {
            if self.rows(part)? > 0 {
                return self.batch(part, (0, 1), &all, Some(0..1))?.row(0);
            }
        }
        Ok(Vec::new())
    }

    /// The rows of one of its parts, with the wanted columns only, in the order of the file.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn part(&mut self, part: usize, wanted: impl Fn(&str) -> bool) -> Result<Batch, Error> {
        let columns = self.columns.iter().enumerate();
        let wanted = columns.filter(|(_, name)| wanted(name));
        let wanted: Vec<usize> = wanted.map(|(column, _)| column).collect();
        let rows = self.rows(part)?;
        self.batch(part, (0, rows), &wanted, None)
    }

    /// Some neighbouring rows of one of its parts, counted from 0 in it, with the wanted columns only.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn part_of(
        &mut self,
        part: usize,
        wanted: impl Fn(&str) -> bool,
        rows: Range<usize>,
    ) -> Result<Batch, Error> {
        let columns = self.columns.iter().enumerate();
        let wanted = columns.filter(|(_, name)| wanted(name));
        let wanted: Vec<usize> = wanted.map(|(column, _)| column).collect();
        let end = usize::try_from(self.rows(part)?).map_err(|_| Error::Huge)?;
        let rows = rows.start.min(end)..rows.end.min(end);
        let only = (rows.start as u64, rows.len() as u64);
        self.batch(part, only, &wanted, Some(rows))
    }

    /// Its rows, with the wanted columns only.
    #[must_use]
    pub fn batches(self, wanted: impl Fn(&str) -> bool) -> Batches {
        let columns = self.columns.iter().enumerate();
        let wanted = columns.filter(|(_, name)| wanted(name));
        Batches {
            wanted: wanted.map(|(column, _)| column).collect(),
            part: 0,
            first: 0,
            file: self,
        }
    }

    /// How many rows one of its parts has.
    ///
    /// # Errors
    /// The header of the part cannot be read.
    pub fn rows(&mut self, part: usize) -> Result<u64, Error> {
        let (file, most) = (&mut self.file, self.most);
        contain(|| match &self.footer {
            Footer::Parquet(footer) => Ok(footer.rows(part)),
            Footer::Arrow(footer) => footer.rows(file, part, most),
        })
    }

    /// Rows of a part, `None`: all of them; `first` is the number of the one before them.
    fn batch(
        &mut self,
        part: usize,
        (first, rows): (u64, u64),
        wanted: &[usize],
        only: Option<Range<usize>>,
    ) -> Result<Batch, Error> {
        let (file, most) = (&mut self.file, self.most);
        let chunks = contain(|| match &self.footer {
            Footer::Parquet(footer) => footer.chunks(file, part, (wanted, only), most),
            Footer::Arrow(footer) => footer.chunks(file, part, wanted, only.as_ref()),
        })?;
        let names = wanted.iter().map(|&column| self.columns[column].clone());
        let batch = Batch {
            first,
            rows: usize::try_from(rows).map_err(|_| Error::Huge)?,
            names: names.collect(),
            chunks,
        };
        batch.check(rows)
    }
}

/// The parts of a file in their order.
pub struct Batches {
    file: TableFile,
    wanted: Vec<usize>,
    part: usize,
    first: u64,
}

/// Rows that cannot be read.
#[derive(Debug)]
pub struct Damage {
    /// The number of the first of them, counted from 1.
    pub row: u64,
    /// How many they are, where the file still says so.
    pub rows: Option<u64>,
    /// Why.
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
                // Nobody knows the numbers of the rows behind it.
                self.part = usize::MAX;
                let rows = None;
                return Some(Err(Damage { row, rows, error }));
            }
        };
        self.first = first.saturating_add(rows);
        let batch = self.file.batch(part, (first, rows), &self.wanted, None);
        let rows = Some(rows);
        Some(batch.map_err(|error| Damage { row, rows, error }))
    }
}

/// The rows of a part.
pub struct Batch {
    first: u64,
    rows: usize,
    names: Vec<String>,
    chunks: Vec<Chunks>,
}

impl Batch {
    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number that a row has in the file, counted from 1.
    #[must_use]
    pub fn number(&self, row: usize) -> u64 {
        self.first.saturating_add(1).saturating_add(row as u64)
    }

    /// The names of the columns, in their order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The same rows, with the columns of another batch behind their own.
    ///
    /// # Errors
    /// The other batch has another number of rows.
    pub fn beside(mut self, other: Self) -> Result<Self, Error> {
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

    /// The cells of a row in the order of the columns.
    ///
    /// # Errors
    /// A cell cannot be read.
    pub fn row(&self, row: usize) -> Result<Vec<Json>, Error> {
        contain(|| self.chunks.iter().map(|chunks| at(chunks, row)).collect())
    }

    /// The numbers of a column, `NaN` where a row has none; `None` without such a column.
    ///
    /// # Errors
    /// It holds something else.
    pub fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, Error> {
        self.column(name, cell::numbers)
    }

    /// The texts of a column; `None` without such a column.
    ///
    /// # Errors
    /// It holds something else.
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

fn at(chunks: &Chunks, mut row: usize) -> Result<Json, Error> {
    for chunk in chunks {
        if row < chunk.len() {
            return cell::cell(&**chunk, row, &mut Limit::Values.length());
        }
        row -= chunk.len();
    }
    Ok(Json::Null)
}
