//! Reads workbooks (`.xlsx`) with one prediction per row. The columns are those of Eyechart's own
//! format.

use std::ops::ControlFlow;

use super::columns::{self, Cell};
use super::csv_rows::cell;
use super::field_presence::FieldPresence;
use super::tables::is_of_record;
use super::vlmevalkit::{Step, read_workbook, workbook_columns};
use super::{Candidate, Sink, Unit};
use record::Value;

/// Name of the format in the list of sources.
pub const FORMAT: &str = "xlsx";
/// First bytes of a workbook: it is a ZIP archive.
pub const MARK: &[u8] = b"PK\x03\x04";

reader! {
    /// Reader of predictions in workbooks.
    WorkbookRows,
    FORMAT,
    |files, context| Unit::singles(files, FORMAT, context, is_rows),
    |unit, _, _, sink| read(unit, sink)
}

fn read(unit: &Unit, sink: &mut dyn Sink) {
    let benchmark = unit.dataset.as_deref().unwrap_or_default();
    let mut lacking = FieldPresence::default();
    // `Break` means that the sink asked to stop.
    let _ = read_workbook(&unit.path, &mut |step| {
        match step {
            Step::Row(row) => {
                let cells = row.cells.iter();
                let known = cells.filter(|(name, _)| is_of_record(name));
                let cells = known.map(|(name, value)| match value {
                    // A number can be stored as text.
                    Value::Text(text) => (&**name, cell(name, text)),
                    value => (&**name, Cell::Known(value.clone())),
                });
                let found = columns::record(cells, benchmark);
                lacking.pass(found, &unit.path, row.line, sink);
            }
            Step::Problem(problem) => sink.problem(problem),
            Step::Bytes(bytes) => return sink.progress(bytes),
        }
        ControlFlow::Continue(())
    });
    lacking.report(&unit.path, sink);
}

fn is_rows(file: &Candidate) -> bool {
    if !file.head().starts_with(MARK) || !file.name().to_lowercase().ends_with(".xlsx") {
        return false;
    }
    let names = workbook_columns(&file.real).unwrap_or_default();
    columns::are_of_prediction(|name| names.iter().any(|known| &**known == name))
}
