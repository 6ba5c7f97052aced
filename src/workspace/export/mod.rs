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
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

pub use columns::Columns;
pub(crate) use columns::{Cells, LONG_TEXTS, SCORE, add, kinds, place, short_texts};
pub use csv::CsvWriter;
pub use records::Records;
pub use table::TableWriter;
pub(crate) use table::{GROUP, values};
pub use tabular::Form;
pub use write::{Export, ExportError, check_ending, to_file};

use analysis::Selection;
use reader::own::Told;
use record::{Published, Record, Row, RunName, Scoring, Source, Table};
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
    let given = selection.mask.map(|_| given(selection));
    told_of(selection, given.as_ref())
}

/// The logs that gave a selection's predictions: where each lies and what it is a run of.
#[must_use]
pub fn given(selection: Selection<'_>) -> HashSet<(PathBuf, RunName)> {
    let table = selection.table;
    let units: HashSet<u32> = (selection.rows())
        .map(|row| table.place(Row(row)).unit)
        .collect();
    let sources = units
        .iter()
        .filter_map(|unit| table.sources().get(*unit as usize));
    sources.map(named).collect()
}

fn named(source: &Source) -> (PathBuf, RunName) {
    (source.path.clone(), source.run.clone())
}

/// What some logs of a selection's table tell beside predictions, `None`: all of them, and its printed figures.
#[must_use]
pub fn told_of<S: BuildHasher>(
    selection: Selection<'_>,
    given: Option<&HashSet<(PathBuf, RunName), S>>,
) -> Vec<Told> {
    let table = selection.table;
    let gave = |source: &&Source| {
        !source.superseded && given.is_none_or(|given| given.contains(&named(source)))
    };
    let runs = table.sources().iter().filter(gave);
    let runs = runs
        .flat_map(Source::runs)
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
