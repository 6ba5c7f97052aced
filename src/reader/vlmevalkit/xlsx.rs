//! Reads prediction and result tables in workbooks, cell by cell.
//!
//! calamine can also return a whole sheet, but then allocates its bounding box. With two distant
//! cells, the box can be enormous.

use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

use calamine::{DataRef, Reader as _, Xlsx, XlsxError};

use super::archive;
use super::table::{Row, Step, Visit, column};
use crate::decompression_budget::DecompressionBudget;
use crate::open::{self, LogFile};
use record::{Problem, Value};

type Workbook = Xlsx<BufReader<LogFile>>;

/// Reads the first sheet and passes its rows to `visit`.
pub fn read(path: &Path, visit: &mut Visit<'_>) -> ControlFlow<()> {
    let mut workbook = match open(path) {
        Ok(workbook) => workbook,
        Err(what) => return visit(Step::Problem(Problem::file(path, what))),
    };
    let length = open::open(path)
        .and_then(|file| file.length())
        .unwrap_or_default();
    let (mut sheet, mut budget) = (Sheet::default(), DecompressionBudget::for_length(length));
    let mut full = None;
    let streamed = stream(&mut workbook, |row, at, value| {
        let text = match &value {
            Some(Value::Text(text)) => text.len(),
            _ => 0,
        };
        if let Err(what) = budget.charge(text) {
            full = Some(what);
            return ControlFlow::Break(());
        }
        sheet.cell(row, at, value, visit)
    });
    let damage = streamed
        .err()
        .map(|error| format!("the sheet is damaged here: {error}"));
    if let Some(what) = damage.or(full.map(str::to_owned)) {
        let line = u64::from(sheet.row) + 1;
        visit(Step::Problem(Problem::line(path, line, what)))?;
    }
    sheet.flush(visit)?;
    if sheet.columns.is_none() {
        visit(Step::Problem(Problem::file(
            path,
            "the sheet has no row with several cells",
        )))?;
    }
    let others = other_sheets(&mut workbook);
    if !others.is_empty() {
        let what = format!(
            "only the first sheet is read; not read: {}",
            others.join(", ")
        );
        visit(Step::Problem(Problem::file(path, what)))?;
    }
    visit(Step::Bytes(length))
}

/// Returns the names of all sheets that are not empty, except the first.
fn other_sheets(workbook: &mut Workbook) -> Vec<String> {
    let names = workbook.sheet_names().into_iter().skip(1);
    let has_cells = |name: &String| {
        let cells = workbook.worksheet_cells_reader(name);
        cells.is_ok_and(|mut cells| cells.next_cell().is_ok_and(|cell| cell.is_some()))
    };
    names.filter(has_cells).collect()
}

/// Returns the column names of the first sheet: its first row with several cells.
pub fn columns(path: &Path) -> Result<Vec<Rc<str>>, String> {
    let mut workbook = open(path)?;
    let mut names = Vec::new();
    let mut current = None;
    stream(&mut workbook, |row, _, value| {
        if *current.get_or_insert(row) != row {
            if names.len() > 1 {
                return ControlFlow::Break(());
            }
            // A title above the header.
            names.clear();
            current = Some(row);
        }
        names.extend(value.map(|value| column(&value.to_string())));
        ControlFlow::Continue(())
    })
    .map_err(|error| error.to_string())?;
    Ok(names)
}

/// Returns the reason why a workbook cannot be read; `None` if it can be read.
pub fn unreadable(path: &Path) -> Option<String> {
    open(path).err()
}

fn open(path: &Path) -> Result<Workbook, String> {
    archive::check(path)?;
    let file = open::open(path).map_err(|error| error.to_string())?;
    Xlsx::new(BufReader::new(file))
        .map_err(|error: XlsxError| format!("not a readable workbook: {error}"))
}

/// Passes the cells of the first sheet to `visit`: row and column, counted from 0, and value.
fn stream(
    workbook: &mut Workbook,
    mut visit: impl FnMut(u32, u32, Option<Value>) -> ControlFlow<()>,
) -> Result<(), XlsxError> {
    let Some(name) = workbook.sheet_names().into_iter().next() else {
        return Ok(());
    };
    let mut cells = workbook.worksheet_cells_reader(&name)?;
    while let Some(cell) = cells.next_cell()? {
        let (row, at) = cell.get_position();
        if visit(row, at, value(cell.get_value())).is_break() {
            break;
        }
    }
    Ok(())
}

fn value(cell: &DataRef<'_>) -> Option<Value> {
    match cell {
        DataRef::Int(number) => Some(Value::Text(number.to_string())),
        DataRef::Float(number) => Some(Value::Number(*number)),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            Some(Value::Text(text.clone()))
        }
        DataRef::SharedString(text) => Some(Value::from(*text)),
        DataRef::Bool(flag) => Some(Value::Flag(*flag)),
        DataRef::DateTime(time) => Some(Value::Number(time.as_f64())),
        DataRef::Error(_) | DataRef::Empty => None,
    }
}

/// Combines cells to rows.
#[derive(Default)]
struct Sheet {
    columns: Option<Vec<(u32, Rc<str>)>>,
    row: u32,
    cells: Vec<(u32, Value)>,
}

impl Sheet {
    fn cell(
        &mut self,
        row: u32,
        at: u32,
        value: Option<Value>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        if row != self.row {
            self.flush(visit)?;
            self.row = row;
        }
        self.cells.extend(value.map(|value| (at, value)));
        ControlFlow::Continue(())
    }

    /// Passes a completed row to `visit`. The first row with several cells contains the column
    /// names.
    fn flush(&mut self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let cells = std::mem::take(&mut self.cells);
        if cells.is_empty() || self.columns.is_none() && cells.len() == 1 {
            return ControlFlow::Continue(());
        }
        let Some(columns) = &self.columns else {
            self.columns = Some(
                cells
                    .iter()
                    .map(|(at, name)| (*at, column(&name.to_string())))
                    .collect(),
            );
            return ControlFlow::Continue(());
        };
        let named = |(at, value): (u32, Value)| {
            let place = columns
                .binary_search_by_key(&at, |(column, _)| *column)
                .ok()?;
            columns.get(place).map(|(_, name)| (Rc::clone(name), value))
        };
        visit(Step::Row(Row {
            line: u64::from(self.row) + 1,
            cells: cells.into_iter().filter_map(named).collect(),
        }))?;
        visit(Step::Bytes(0))
    }
}

#[cfg(test)]
pub mod tests {
    use crate::vlmevalkit::archive::tests::archive;
    use crate::vlmevalkit::table::tests::steps;
    use record::Value;

    const TYPES: &str =
        r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#;
    const ROOT: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
    const RELATIONS: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#;
    const BOOK: &str = r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>"#;

    /// Builds a workbook of one sheet with these rows of XML cells.
    pub fn workbook(rows: &str) -> Vec<u8> {
        let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
        archive(
            &[
                ("[Content_Types].xml", TYPES),
                ("_rels/.rels", ROOT),
                ("xl/_rels/workbook.xml.rels", RELATIONS),
                ("xl/workbook.xml", BOOK),
                ("xl/worksheets/sheet1.xml", &sheet),
            ],
            None,
        )
    }

    /// Builds a cell of text.
    pub fn text(at: &str, text: &str) -> String {
        format!(r#"<c r="{at}" t="inlineStr"><is><t>{text}</t></is></c>"#)
    }

    #[test]
    fn cells_keep_their_type_and_row() {
        let header = format!(
            "<row r=\"1\">{}{}{}</row>",
            text("A1", "Index"),
            text("B1", "A"),
            text("D1", "prediction")
        );
        let row = format!(
            "<row r=\"3\"><c r=\"A3\"><v>7</v></c><c r=\"C3\"><v>1</v></c>{}</row>",
            text("D3", "=A &amp; B")
        );
        let far = text("XFD1048576", "far away");
        let (rows, problems, bytes) = steps(
            "m_d.xlsx",
            &workbook(&format!("{header}{row}<row r=\"1048576\">{far}</row>")),
        );
        assert_eq!(problems, []);
        assert!(bytes > 0);
        assert_eq!(rows[0].line, 3);
        assert_eq!(rows[0].index().as_deref(), Some("7"));
        assert_eq!(rows[0].get("prediction"), Some(&Value::from("=A & B")));
        assert_eq!(rows[0].cells.len(), 2);
        assert_eq!(rows[1].cells, []);
    }

    #[test]
    fn damage_leaves_the_rows_before_it() {
        let cells = [text("A1", "index"), text("B1", "prediction")].concat();
        let header = format!("<row r=\"1\">{cells}</row>");
        let (rows, problems, _) = steps(
            "m.xlsx",
            &workbook(&format!(
                "{header}<row r=\"2\"><c r=\"A2\"><v>1</v></c></row><row r=\"3\"><c r=\"!\"/>"
            )),
        );
        assert_eq!(rows.len(), 1);
        assert_eq!(problems.len(), 1);
        // A title is no header.
        let title = format!("<row r=\"1\">{}</row>", text("A1", "Results"));
        let header = format!("<row r=\"3\">{}</row>", cells.replace('1', "3"));
        let row = "<row r=\"4\"><c r=\"A4\"><v>1</v></c></row>";
        let (rows, problems, _) = steps("m.xlsx", &workbook(&format!("{title}{header}{row}")));
        assert_eq!((rows.len(), problems), (1, vec![]));
        for broken in [&b"PK\x03\x04"[..], &workbook("")[..100], &workbook("")] {
            assert_eq!(steps("m.xlsx", broken).1.len(), 1);
        }
    }
}
