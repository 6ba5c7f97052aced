//! Problems found while reading a log, with their location.

use std::fmt::Display;
use std::path::PathBuf;

use base::format;

/// A bad row or file. Valid rows around it are still loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// File with the problem.
    pub file: PathBuf,
    /// Line, counted from 1; `None` if the problem concerns the whole file.
    pub line: Option<u64>,
    /// Description as a sentence without a full stop.
    pub what: String,
    /// True for a final line without a line break. While the log is followed, the line is
    /// incomplete; in a finished log, it is an error.
    pub pending: bool,
    /// Number of skipped rows; 0 for a warning about rows that were read.
    pub left_out: u64,
}

/// Maximum number of lines listed in a problem that concerns many rows.
const NAMED_LINES: usize = 5;

impl Problem {
    /// Creates a problem that concerns a whole file.
    pub fn file(file: impl Into<PathBuf>, what: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            line: None,
            what: what.into(),
            pending: false,
            left_out: 0,
        }
    }

    /// Creates the problem of an unreadable file.
    pub fn unreadable(file: impl Into<PathBuf>, why: impl Display) -> Self {
        Self::file(file, format!("cannot be read: {why}"))
    }

    /// Creates a problem at a line, counted from 1.
    pub fn line(file: impl Into<PathBuf>, line: u64, what: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            ..Self::file(file, what)
        }
    }

    /// Sets the number of rows skipped because of the problem.
    #[must_use]
    pub fn leaving_out(self, rows: u64) -> Self {
        Self {
            left_out: rows,
            ..self
        }
    }

    /// Creates one problem for many rows of a file and lists their first lines.
    pub fn of_rows(file: impl Into<PathBuf>, what: &str, rows: u64, lines: &[u64]) -> Self {
        let mut distinct = lines.to_vec();
        distinct.dedup();
        let first = distinct.first().copied();
        let what = match (rows, distinct.len()) {
            (0 | 1, _) => what.to_owned(),
            // In a file without line breaks, all rows are on one line.
            (_, 0 | 1) => format!("{what} ({})", format::counted(rows, "row")),
            (_, count) => {
                let shown = distinct.iter().take(NAMED_LINES).map(u64::to_string);
                let shown = shown.collect::<Vec<_>>().join(", ");
                let is_all = count <= NAMED_LINES && rows == lines.len() as u64;
                let more = if is_all { "" } else { ", …" };
                let rows = format::counted(rows, "row");
                format!("{what} ({rows}: lines {shown}{more})")
            }
        };
        Self {
            line: first,
            ..Self::file(file, what)
        }
    }

    /// Returns `file:line`, or only the file.
    pub fn place(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}", format::path(&self.file)),
            None => format::path(&self.file),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Problem;

    #[test]
    fn many_rows_share_one_problem_with_the_first_lines() {
        let what = |rows, lines: &[u64]| Problem::of_rows("a.json", "no number", rows, lines).what;
        assert_eq!(what(1, &[7]), "no number");
        assert_eq!(what(3, &[2, 3, 9]), "no number (3 rows: lines 2, 3, 9)");
        assert_eq!(
            what(9, &[2, 3, 4, 5, 6, 7]),
            "no number (9 rows: lines 2, 3, 4, 5, 6, …)"
        );
        assert_eq!(what(9, &[1, 1, 1]), "no number (9 rows)");
        let place = Problem::of_rows("a.json", "no number", 3, &[2, 3, 9]).place();
        assert_eq!(place, "a.json:2");
    }
}
