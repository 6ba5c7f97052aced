//! Reads prediction and result tables in text files, separated by tabs or commas.

use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

use base::limits::Limit;

use super::delimited_rows::Rows;
use super::splitter::{Field, Line, Stop};
use super::table::{Row, Step, Visit, column};
use record::{Problem, Value};

/// Reads a whole table and passes its rows to `visit`.
pub fn read(path: &Path, visit: &mut Visit<'_>) -> ControlFlow<()> {
    let mut rows = match Rows::open(path, Limit::Cell.length()) {
        Ok(rows) => rows,
        Err(error) => return visit(Step::Problem(Problem::file(path, error.to_string()))),
    };
    let mut table = Table {
        path,
        columns: None,
    };
    let mut done = 0;
    loop {
        match rows.next() {
            Ok(Some(line)) => table.line(line, visit)?,
            Ok(None) => break,
            Err(error) => {
                visit(Step::Problem(Problem::file(path, error.to_string())))?;
                break;
            }
        }
        visit(Step::Bytes(rows.offset().saturating_sub(done)))?;
        done = done.max(rows.offset());
    }
    if table.columns.is_none() {
        visit(Step::Problem(Problem::file(path, "the table is empty")))?;
    }
    ControlFlow::Continue(())
}

/// Returns the column names in a header row, normalised by [`column`].
pub fn columns(line: &Line) -> Vec<Rc<str>> {
    line.fields
        .iter()
        .map(|field| column(&String::from_utf8_lossy(&field.text)))
        .collect()
}

struct Table<'a> {
    path: &'a Path,
    columns: Option<Vec<Rc<str>>>,
}

impl Table<'_> {
    fn line(&mut self, line: Line, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let Some(names) = &self.columns else {
            self.columns = Some(columns(&line));
            return ControlFlow::Continue(());
        };
        if let Some(what) = misfit(&line, names.len()) {
            let pending = !line.open && matches!(line.stop, Stop::File | Stop::OpenQuote);
            let problem = Problem {
                pending,
                ..Problem::line(self.path, line.number, what)
            };
            return visit(Step::Problem(problem));
        }
        let mut row = Row {
            line: line.number,
            cells: Vec::with_capacity(names.len()),
        };
        for (name, field) in names.iter().zip(line.fields) {
            self.cell(name, field, &mut row, visit)?;
        }
        visit(Step::Row(row))
    }

    fn cell(
        &self,
        name: &Rc<str>,
        field: Field,
        row: &mut Row,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let cut = field.length > field.text.len() as u64;
        let (text, damaged) = match String::from_utf8(field.text) {
            Ok(text) => (text, false),
            Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
        };
        if cut {
            let what = format!(
                "`{name}` is {} bytes long and was cut: {}",
                field.length,
                Limit::Cell.message()
            );
            visit(Step::Problem(Problem::line(self.path, row.line, what)))?;
        } else if damaged {
            let what = format!("`{name}` is not valid UTF-8; the damaged bytes were replaced");
            visit(Step::Problem(Problem::line(self.path, row.line, what)))?;
        }
        if !text.is_empty() {
            row.cells.push((Rc::clone(name), Value::Text(text)));
        }
        ControlFlow::Continue(())
    }
}

/// Returns a message if a row does not fit a table with `columns` columns.
fn misfit(line: &Line, columns: usize) -> Option<String> {
    if line.open {
        Some("a quote is not closed on this line".to_owned())
    } else if line.stop == Stop::OpenQuote {
        Some("the file ends before this quoted cell is closed".to_owned())
    } else if line.count != columns {
        Some(format!(
            "{} cells in a table of {columns} columns",
            line.count
        ))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use base::limits::Limit;

    use crate::vlmevalkit::table::tests::steps;

    #[test]
    fn good_rows_load_beside_bad_ones() {
        let text = b"\"index\"\t\"question\"\t\"prediction\"\r\n1\t\"two\nlines\"\tA\r\n2\tB\r\n3\tq\tC\xff\r\n4\tq\t\r\n5\tq";
        let (rows, problems, bytes) = steps("m_d.tsv", text);
        assert_eq!(
            rows.iter().map(|row| row.line).collect::<Vec<_>>(),
            [2, 5, 6]
        );
        assert_eq!(rows[0].text("question").as_deref(), Some("two\nlines"));
        assert_eq!(rows[1].text("prediction").as_deref(), Some("C\u{fffd}"));
        assert_eq!(rows[2].get("prediction"), None);
        assert_eq!(
            problems,
            [
                (Some(4), "2 cells in a table of 3 columns".to_owned()),
                (
                    Some(5),
                    "`prediction` is not valid UTF-8; the damaged bytes were replaced".to_owned()
                ),
                (Some(7), "2 cells in a table of 3 columns".to_owned()),
            ]
        );
        assert_eq!(bytes, text.len() as u64);
    }

    #[test]
    fn huge_cells_are_cut_and_open_ones_left_out() {
        let huge = "x".repeat(Limit::Cell.length() + 5);
        let (rows, problems, _) = steps(
            "m_d.csv",
            format!("index,prediction\n1,{huge}\n2,\"open\n").as_bytes(),
        );
        assert_eq!(rows.len(), 1);
        assert_eq!(
            rows[0].text("prediction").map(|text| text.len()),
            Some(Limit::Cell.length())
        );
        assert_eq!(problems.len(), 2);
        assert_eq!(steps("m_d.csv", b"").1.len(), 1);
    }
}
