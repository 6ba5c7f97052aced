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
    /// Rows that no record holds because of it; 0 for a warning about rows that were read.
    pub left_out: u64,
}

/// Lines that a problem of many rows names.
const NAMED_LINES: usize = 5;

impl Problem {
    /// A problem with a whole file.
    #[must_use]
    pub fn file(file: impl Into<PathBuf>, what: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            line: None,
            what: what.into(),
            pending: false,
            left_out: 0,
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

    /// The same problem, because of which so many rows are left out.
    #[must_use]
    pub fn leaving_out(self, rows: u64) -> Self {
        Self {
            left_out: rows,
            ..self
        }
    }

    /// One problem that many rows of a file share, with the first of their lines.
    #[must_use]
    pub fn of_rows(file: impl Into<PathBuf>, what: &str, rows: u64, lines: &[u64]) -> Self {
        let mut distinct = lines.to_vec();
        distinct.dedup();
        let first = distinct.first().copied();
        let what = match (rows, distinct.len()) {
            (0 | 1, _) => what.to_owned(),
            // A file without line breaks.
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

    /// `file:line`, or the file alone.
    #[must_use]
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
