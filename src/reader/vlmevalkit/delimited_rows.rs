//! Reads the rows of a table. An unclosed quote affects only its own line.
//!
//! A row with an unclosed quote spans several lines, and either does not fit the header or has text
//! after a closing quote. Only the first of these lines is used as the row.

use std::io::{self, BufReader, Seek as _, SeekFrom};
use std::path::Path;

use super::splitter::{Line, Splitter, Stop};
use crate::open::{LogFile, open};

/// Number of rows to examine after an unclosed quote at the end of a file.
const LOOKED_AT: usize = 100;
/// Maximum number of bytes to reread because of unclosed quotes, as a multiple of the file's size.
const AGAIN: u64 = 4;

/// Iterator over the rows of a text table.
pub struct Rows {
    splitter: Splitter<BufReader<LogFile>>,
    file: LogFile,
    keep: usize,
    /// Number of cells in the header.
    columns: Option<usize>,
    /// Number of bytes that may still be reread.
    again: u64,
}

impl Rows {
    /// Opens a file. At most `keep` bytes of each cell are stored.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn open(path: &Path, keep: usize) -> io::Result<Self> {
        let file = open(path)?;
        Ok(Self {
            splitter: Splitter::new(BufReader::new(file.again()), keep)?,
            again: file.length()?.saturating_mul(AGAIN),
            file,
            keep,
            columns: None,
        })
    }

    /// Returns the number of bytes processed.
    pub fn offset(&self) -> u64 {
        self.splitter.offset()
    }

    /// Returns the next row. The first row is the header.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next(&mut self) -> io::Result<Option<Line>> {
        let Some(mut line) = self.splitter.next()? else {
            return Ok(None);
        };
        let Some(columns) = self.columns else {
            self.columns = Some(line.count);
            return Ok(Some(line));
        };
        let breaks = self.splitter.line() - line.number;
        let is_long = breaks > u64::from(line.stop == Stop::Row);
        let is_odd = line.broken || line.stop == Stop::OpenQuote || line.count != columns;
        let length = self.splitter.offset() - line.start;
        if is_long && is_odd && length <= self.again {
            self.again -= length;
            // A program may still be writing the last row, unless other rows follow.
            if line.stop != Stop::OpenQuote || self.has_rows_behind(&line, columns)? {
                let input = self.input_at(line.start)?;
                self.splitter.go_on(input, &line)?;
                line.open = true;
            }
        }
        Ok(Some(line))
    }

    fn has_rows_behind(&self, line: &Line, columns: usize) -> io::Result<bool> {
        let mut rows = Splitter::like(&self.splitter, self.input_at(line.start)?, self.keep);
        rows.go_on(self.input_at(line.start)?, line)?;
        for _ in 0..LOOKED_AT {
            match rows.next()? {
                Some(row) if row.count == columns && columns > 1 => return Ok(true),
                Some(_) => {}
                None => break,
            }
        }
        Ok(false)
    }

    fn input_at(&self, offset: u64) -> io::Result<BufReader<LogFile>> {
        let mut file = self.file.again();
        file.seek(SeekFrom::Start(offset))?;
        Ok(BufReader::new(file))
    }
}
