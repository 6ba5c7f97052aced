//! Records on their way into one file that opens again.
//!
//! polars writes Parquet and Arrow. CSV and JSON lines stay here: polars would write `1.0` where they have `1`, and a
//! null for every field that a record does not have.

mod columns;
mod csv;
mod records;
mod table;
mod write;

use std::collections::HashSet;
use std::path::Path;

pub use columns::Columns;
pub(crate) use columns::{Cells, LONG_TEXTS, SCORE, numeric, place, short_texts};
pub use csv::CsvWriter;
pub use records::Records;
pub use table::TableWriter;
pub(crate) use table::{GROUP, values};
pub use tabular::Form;
pub use write::{ExportError, check_ending, to_file};

use analysis::Selection;
use reader::own::Told;
use record::{Published, Record, Row, Scoring, Source, Table};
use records::Places;

/// A prediction's record with the score that counts, and pictures as the folder of the new file sees them.
///
/// # Errors
/// The record cannot be fetched from its log any more.
pub fn record(table: &Table, row: Row, scoring: Scoring, folder: &Path) -> Result<Record, String> {
    Records::new(table, scoring, folder).record(row)
}

/// Names the pictures of a record as they are found from another folder.
pub fn relocate(table: &Table, row: Row, record: &mut Record, folder: &Path) {
    Places::of(folder).relocate(table, row, record);
}

/// What the logs of a selection tell beside predictions: how their runs were made, and printed figures.
#[must_use]
pub fn told(selection: Selection<'_>) -> Vec<Told> {
    let table = selection.table;
    let units: HashSet<u32> = (selection.rows())
        .map(|row| table.place(Row(row)).unit)
        .collect();
    let gave = |(unit, source): &(u32, &Source)| {
        !source.superseded && (selection.mask.is_none() || units.contains(unit))
    };
    let runs = (0..).zip(table.sources()).filter(gave);
    let runs = runs
        .flat_map(|(_, source)| source.runs())
        .map(|run| Told::Run(Box::new(run)));
    let figures = selection.published().map(|row| figure(table, row));
    runs.chain(figures).collect()
}

/// A printed figure under the plain name of its model.
#[must_use]
pub fn figure(table: &Table, figure: &Published) -> Told {
    let model = table.names().plain(&figure.model).0.to_owned();
    Told::Figure(Box::new(Published {
        model,
        ..figure.clone()
    }))
}
