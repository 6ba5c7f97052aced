//! Reads the data set of a run: questions, answers, and the location of the pictures in the file.
//!
//! The harness uses the answers in this file, not those in the prediction table. Pictures are not
//! copied from the file; only their offsets are stored.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::cells;
use super::delimited;
use super::delimited_rows::Rows;
use super::splitter::{Field, Line, REFERENCE, Stop};
use super::table::{Step, Visit};
use record::{ImageRef, Problem, Value};

/// Maximum number of bytes stored per cell. Answers and file names are short.
const KEEP: usize = 64 << 10;

/// Rows of a data set, by index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataSet {
    file: PathBuf,
    rows: HashMap<String, Entry>,
}

/// Fields of a row that are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Annotated answer. It takes precedence over the answer in the prediction table.
    pub answer: Option<String>,
    pictures: Pictures,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Pictures {
    #[default]
    None,
    /// Pictures in base64, as offsets and lengths in the file.
    Cells(Vec<(u64, u64)>),
    /// The same pictures as in the row with this index.
    SameAs(String),
}

/// Positions of the columns that are read.
#[derive(Clone, Copy)]
struct Columns {
    index: usize,
    answer: Option<usize>,
    image: Option<usize>,
    count: usize,
}

impl DataSet {
    /// Reads a data set; problems are passed to `visit`. Returns `None` if the file is not a data
    /// set.
    pub fn read(path: &Path, visit: &mut Visit<'_>) -> ControlFlow<(), Option<Self>> {
        let mut rows = match Rows::open(path, KEEP) {
            Ok(rows) => rows,
            Err(error) => {
                visit(Step::Problem(Problem::file(path, error.to_string())))?;
                return ControlFlow::Continue(None);
            }
        };
        let mut found = Self {
            file: path.to_owned(),
            rows: HashMap::new(),
        };
        let mut columns = None;
        let mut done = 0;
        loop {
            match (rows.next(), columns) {
                (Ok(None), _) => break,
                (Ok(Some(line)), None) => columns = Columns::of(&line),
                (Ok(Some(line)), Some(columns)) => {
                    if let Some(what) = found.add(&line, columns) {
                        visit(Step::Problem(Problem::line(path, line.number, what)))?;
                    }
                }
                (Err(error), _) => {
                    visit(Step::Problem(Problem::file(path, error.to_string())))?;
                    break;
                }
            }
            visit(Step::Bytes(rows.offset().saturating_sub(done)))?;
            done = done.max(rows.offset());
            if columns.is_none() {
                visit(Step::Problem(Problem::file(
                    path,
                    "a data set without an `index` column",
                )))?;
                return ControlFlow::Continue(None);
            }
        }
        ControlFlow::Continue(Some(found))
    }

    /// Returns the row with this index.
    pub fn get(&self, index: &str) -> Option<&Entry> {
        self.rows.get(index)
    }

    /// Returns the pictures of the row with this index, in the order in which the model received
    /// them.
    pub fn images(&self, index: &str) -> Vec<ImageRef> {
        let own = self.rows.get(index).map(|entry| &entry.pictures);
        let pictures = match own {
            Some(Pictures::SameAs(other)) => self.rows.get(other).map(|entry| &entry.pictures),
            own => own,
        };
        let Some(Pictures::Cells(cells)) = pictures else {
            return Vec::new();
        };
        let image = |&(offset, length): &(u64, u64)| ImageRef::Cell {
            file: self.file.clone(),
            offset,
            length,
        };
        cells.iter().map(image).collect()
    }

    /// Adds a row. Returns a message if the row is invalid.
    fn add(&mut self, line: &Line, columns: Columns) -> Option<String> {
        if line.open || line.stop == Stop::OpenQuote || line.count != columns.count {
            let open = if line.open || line.stop == Stop::OpenQuote {
                ", the last one not closed,"
            } else {
                ""
            };
            return Some(format!(
                "{} cells{open} in a data set of {} columns",
                line.count, columns.count
            ));
        }
        let Some(index) =
            text(line, Some(columns.index)).and_then(|text| cells::index(Some(&Value::Text(text))))
        else {
            return Some("a row of the data set without an index".to_owned());
        };
        let pictures = pictures(columns.image.and_then(|at| line.fields.get(at)));
        if columns.image.is_some() && pictures == Pictures::None {
            // The harness skips rows without a picture.
            return Some(format!("index {index} of the data set has no picture"));
        }
        let answer = text(line, columns.answer);
        let twice = self
            .rows
            .insert(index.clone(), Entry { answer, pictures })
            .is_some();
        twice.then(|| format!("index {index} occurs twice in the data set; the last one counts"))
    }
}

impl Columns {
    fn of(line: &Line) -> Option<Self> {
        let names = delimited::columns(line);
        let place = |column: &str| names.iter().position(|name| &**name == column);
        Some(Self {
            index: place("index")?,
            answer: place("answer"),
            image: place("image"),
            count: line.count,
        })
    }
}

fn text(line: &Line, at: Option<usize>) -> Option<String> {
    let text = String::from_utf8_lossy(&line.fields.get(at?)?.text).into_owned();
    (!cells::is_missing(&text)).then_some(text)
}

fn pictures(field: Option<&Field>) -> Pictures {
    match field {
        Some(field) if !field.pieces.is_empty() => Pictures::Cells(field.pieces.clone()),
        Some(field) if field.length <= REFERENCE => {
            let text = Value::Text(String::from_utf8_lossy(&field.text).into_owned());
            cells::index(Some(&text)).map_or(Pictures::None, Pictures::SameAs)
        }
        _ => Pictures::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<DataSet>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("d.tsv");
        std::fs::write(&path, text).unwrap();
        let mut problems = Vec::new();
        let found = DataSet::read(&path, &mut |step| {
            if let Step::Problem(problem) = step {
                problems.push(format!(
                    "{}: {}",
                    problem.line.unwrap_or_default(),
                    problem.what
                ));
            }
            ControlFlow::Continue(())
        });
        let ControlFlow::Continue(found) = found else {
            unreachable!()
        };
        (found, problems)
    }

    #[test]
    fn answers_and_shared_pictures() {
        let picture = "iVBOR".repeat(20);
        let text = format!(
            "index\timage\tanswer\n1\t{picture}\tA\n2.0\t1\t\n3\t['{picture}', '{picture}']\tB\n"
        );
        let (found, problems) = read(&text);
        let found = found.unwrap();
        assert!(problems.is_empty());
        assert_eq!(found.get("1").unwrap().answer.as_deref(), Some("A"));
        assert_eq!(found.get("2").unwrap().answer, None);
        assert_eq!(found.images("1"), found.images("2"));
        assert_eq!(found.images("3").len(), 2);
        let ImageRef::Cell { offset, length, .. } = &found.images("1")[0] else {
            unreachable!()
        };
        assert_eq!((*offset, *length), (21, 100));
        assert_eq!(found.images("4"), []);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let (found, problems) =
            read("index\timage\tanswer\n1\t9\tA\n1\t9\tB\n\t9\tC\n4\t\tD\n5\tE\n6\t\"x\n");
        assert_eq!(
            found.unwrap().get("1").unwrap().answer.as_deref(),
            Some("B")
        );
        let lines: Vec<_> = problems
            .iter()
            .filter_map(|problem| problem.split_once(':'))
            .map(|(line, _)| line)
            .collect();
        assert_eq!(lines, ["3", "4", "5", "6", "7"]);
        assert_eq!(read("question\tanswer\n").0, None);
    }
}
