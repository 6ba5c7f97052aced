//! What was wrong with a log, and where.

use std::path::PathBuf;

/// One bad row or file. The good rows beside it still load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// Line, counted from 1; `None` when the whole file is meant.
    pub line: Option<u64>,
    /// What is wrong, in one sentence without a final stop.
    pub what: String,
    /// A last line without its line break: an error for a finished log, only `pending` while a log is followed.
    pub pending: bool,
    /// Rows of the file that are left out for it; 0 if the row counts all the same.
    pub rows: u64,
}

impl Problem {
    /// A problem with a whole file.
    #[must_use]
    pub fn file(file: impl Into<PathBuf>, what: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            line: None,
            what: what.into(),
            pending: false,
            rows: 0,
        }
    }

    /// A problem with one line, counted from 1.
    #[must_use]
    pub fn line(file: impl Into<PathBuf>, line: u64, what: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            ..Self::file(file, what)
        }
    }

    /// The same problem, for which rows of the file are left out.
    #[must_use]
    pub fn leaving_out(self, rows: u64) -> Self {
        Self { rows, ..self }
    }

    /// `file:line`, or the file alone.
    #[must_use]
    pub fn place(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}", format::path(&self.file)),
            None => format::path(&self.file),
        }
    }
}
