//! Rows of a prediction or result table, in any file format of the harness.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

use super::names::stem;
use super::{cells, delimited, json, xlsx};
use crate::json::without_mark;
use crate::open::open;
use crate::{Candidate, has_ending};
use record::{Problem, Value};

/// Cells of a row by column name; empty cells are omitted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Line in a text file or row in a sheet, counted from 1.
    pub line: u64,
    /// Pairs of column name and value, in table order.
    pub cells: Vec<(Rc<str>, Value)>,
}

impl Row {
    /// Returns the raw cell of a column.
    pub fn get(&self, column: &str) -> Option<&Value> {
        self.cells
            .iter()
            .find(|(name, _)| &**name == column)
            .map(|(_, value)| value)
    }

    /// Returns the text of a cell; `None` if the harness reads it as a missing value.
    pub fn text(&self, column: &str) -> Option<String> {
        cells::present(self.get(column))
    }

    /// Returns the row's index as text.
    pub fn index(&self) -> Option<String> {
        cells::index(self.get("index"))
    }
}

/// Result of a step in reading a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A row with its cells.
    Row(Row),
    /// A problem with the table or a row.
    Problem(Problem),
    /// Number of bytes processed since the last step.
    Bytes(u64),
}

/// Function that receives the steps. Returning `Break` stops the reading.
pub type Visit<'a> = dyn FnMut(Step) -> ControlFlow<()> + 'a;

/// Reads a whole table, in any format.
pub fn read(path: &Path, visit: &mut Visit<'_>) -> ControlFlow<()> {
    let head = match head(path) {
        Ok(head) => head,
        Err(error) => return visit(Step::Problem(Problem::file(path, error.to_string()))),
    };
    match Format::of(&head) {
        Format::Workbook => xlsx::read(path, visit),
        Format::Json => json::read(path, visit),
        Format::Delimited if is_damaged_workbook(path, &head) => {
            let what = "neither a workbook nor a table with the column `index`";
            visit(Step::Problem(Problem::file(path, what.to_owned())))
        }
        Format::Delimited => delimited::read(path, visit),
    }
}

/// True for a small table of aggregates. Its name shows this, and it contains no predictions.
pub fn is_small(path: &Path) -> bool {
    let name = stem(path);
    let is_text = has_ending(path, &["csv", "json"]);
    name.ends_with("_acc")
        || name.ends_with("_score")
            && is_text
            && head(path).is_ok_and(|head| memchr::memmem::find(&head, b"prediction").is_none())
}

/// True for a file with the extension of a workbook that is neither a workbook nor another table.
/// The harness also writes text tables with this extension.
fn is_damaged_workbook(path: &Path, head: &[u8]) -> bool {
    let is_named = has_ending(path, &["xlsx"]);
    let first = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    is_named && memchr::memmem::find(first, b"index").is_none()
}

fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    open(path)?
        .take(Candidate::HEAD as u64)
        .read_to_end(&mut head)?;
    Ok(head)
}

/// File format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A workbook: a zip archive of XML.
    Workbook,
    /// A JSON array of objects.
    Json,
    /// Values separated by tabs or commas.
    Delimited,
}

impl Format {
    /// Detects the format of a table from its first bytes.
    pub fn of(head: &[u8]) -> Self {
        if head.starts_with(b"PK\x03\x04") {
            Self::Workbook
        } else if without_mark(head).trim_ascii_start().starts_with(b"[") {
            Self::Json
        } else {
            Self::Delimited
        }
    }
}

/// Converts a column name to lower case. Single capital letters are unchanged, because they are
/// names of options.
pub fn column(name: &str) -> Rc<str> {
    let name = name.trim();
    match name.as_bytes() {
        [letter] if letter.is_ascii_uppercase() => Rc::from(name),
        _ => Rc::from(name.to_lowercase()),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Returns the rows and problems of a file with this content, and the total number of bytes.
    pub fn steps(name: &str, content: &[u8]) -> (Vec<Row>, Vec<(Option<u64>, String)>, u64) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        let (mut rows, mut problems, mut bytes) = (Vec::new(), Vec::new(), 0);
        let _ = read(&path, &mut |step| {
            match step {
                Step::Row(row) => rows.push(row),
                Step::Problem(problem) => problems.push((problem.line, problem.what)),
                Step::Bytes(more) => bytes += more,
            }
            ControlFlow::Continue(())
        });
        (rows, problems, bytes)
    }

    #[test]
    fn formats_are_told_by_content() {
        assert_eq!(Format::of(b"PK\x03\x04..."), Format::Workbook);
        assert_eq!(Format::of(b"\xef\xbb\xbf \n[{"), Format::Json);
        assert_eq!(Format::of(b"index\tprediction\n"), Format::Delimited);
        assert_eq!(Format::of(b""), Format::Delimited);
    }

    #[test]
    fn a_missing_file_is_a_problem() {
        let mut problems = 0;
        let _ = read(Path::new("/nowhere/at/all.tsv"), &mut |step| {
            problems += usize::from(matches!(step, Step::Problem(_)));
            ControlFlow::Continue(())
        });
        assert_eq!(problems, 1);
    }

    #[test]
    fn option_columns_keep_their_capital() {
        assert_eq!(&*column("A"), "A");
        assert_eq!(&*column(" Index "), "index");
        assert_eq!(&*column("L2-Category"), "l2-category");
    }
}
