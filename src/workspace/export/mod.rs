//! Exports records to a file that Eyechart can open again.
//!
//! Parquet and Arrow are written with polars. CSV and JSON lines are written here, because polars
//! would write `1.0` instead of `1`, and nulls for missing fields.

mod columns;
mod csv;
pub mod folder;
mod records;
mod table;
mod write;

use std::collections::HashSet;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

pub use columns::Columns;
pub(crate) use columns::{Cells, LONG_TEXTS, SCORE, add, kinds, place, short_texts};
pub use csv::CsvWriter;
pub use reader::tabular::Form;
pub use records::{OutsidePictures, Records};
pub use table::TableWriter;
pub(crate) use table::{GROUP, values};
pub use write::{Export, ExportError, WrittenFile, check_ending, to_file};

use analysis::Selection;
use reader::own::Metadata;
use record::{PublishedScore, Record, Row, RunName, Scoring, Source, Table};
use records::Places;

/// Returns the record of a prediction, with its effective score. Paths of pictures are relative to
/// `folder`.
///
/// # Errors
/// The record can no longer be read from its log.
pub fn record(table: &Table, row: Row, scoring: Scoring, folder: &Path) -> Result<Record, String> {
    Records::new(table, scoring, folder).record(row)
}

/// Makes a record's picture paths relative to a folder.
pub fn relocate(table: &Table, row: Row, record: &mut Record, folder: &Path) {
    Places::of(folder).relocate(table, row, record);
}

/// Returns the other records in the logs of a selection: run settings and published scores.
pub fn metadata_of(selection: Selection<'_>) -> Vec<Metadata> {
    let given = selection.mask.map(|_| logs_of_selection(selection));
    told_of(selection, given.as_ref())
}

/// Returns path and run of each log that has predictions in a selection.
pub fn logs_of_selection(selection: Selection<'_>) -> HashSet<(PathBuf, RunName)> {
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

/// Returns the other records of some logs, or of all logs for `None`, and the published scores of
/// the table.
pub fn told_of<S: BuildHasher>(
    selection: Selection<'_>,
    given: Option<&HashSet<(PathBuf, RunName), S>>,
) -> Vec<Metadata> {
    let table = selection.table;
    let gave = |source: &&Source| {
        !source.superseded && given.is_none_or(|given| given.contains(&named(source)))
    };
    let runs = table.sources().iter().filter(gave);
    let runs = runs
        .flat_map(Source::runs)
        .map(|run| Metadata::Run(Box::new(run)));
    let figures = selection.published().map(|row| figure(table, row));
    runs.chain(figures).collect()
}

/// Returns a published score, with the model's name without its run.
pub fn figure(table: &Table, figure: &PublishedScore) -> Metadata {
    let model = table.names().plain(&figure.model).0.to_owned();
    Metadata::Figure(Box::new(PublishedScore {
        model,
        ..figure.clone()
    }))
}
