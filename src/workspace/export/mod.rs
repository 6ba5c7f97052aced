//! Records on their way into one file that opens again.
//!
//! polars writes Parquet and Arrow. CSV and JSON lines stay here: polars would write `1.0` where they have `1`, and a
//! null for every field that a record does not have.

mod columns;
mod csv;
mod table;
mod write;

use std::collections::HashSet;
use std::path::Path;

pub use columns::Columns;
pub(crate) use columns::{Cells, LONG_TEXTS, SCORE, TEXTS};
pub use csv::CsvWriter;
pub use table::TableWriter;
pub(crate) use table::{GROUP, values};
pub use tabular::Form;
pub use write::{ExportError, check_ending, to_file};

use super::page::detail;
use analysis::Selection;
use reader::own::Told;
use record::{ImageRef, Published, Record, Row, Rule, Scoring, Source, Table};

/// A prediction's record with the score that counts, and pictures as the folder of the new file sees them.
///
/// # Errors
/// The record cannot be fetched from its log any more.
pub fn record(table: &Table, row: Row, scoring: Scoring, folder: &Path) -> Result<Record, String> {
    let found = detail(table, row, scoring)?;
    let mut record = found.record;
    record.benchmark = found.list.benchmark;
    record.metric = Some(found.list.metric);
    record.rule = match (scoring, record.rule) {
        // Eyechart's own rules gave the score, and what they give beside it is computed again.
        (Scoring::Harness, Rule::Unstated) if record.stored.is_none() => Rule::Strict,
        (Scoring::Harness, rule) => rule,
        (Scoring::Strict, _) => Rule::Unstated,
    };
    record.stored = match record.rule {
        // Without a score the rules cannot be compared.
        Rule::Stored if record.response.is_some() => record.stored,
        _ => Some(found.list.score.unwrap_or(f64::NAN)),
    };
    // No answer: a reader of the new file must not take the response for one.
    record.parsed = match found.reading {
        _ if found.list.invalid => Some(String::new()),
        Some(reading) => Some(reading.answer.to_string()),
        None => record.parsed.filter(|parsed| !parsed.is_empty()),
    };
    record.detections = table.detections(row).cloned();
    relocate(table, row, &mut record, folder);
    Ok(record)
}

/// Names the pictures of a record as they are found from another folder.
pub fn relocate(table: &Table, row: Row, record: &mut Record, folder: &Path) {
    let unit = table.place(row).unit;
    let roots = &table.sources()[unit as usize].image_roots;
    for image in &mut record.content.images {
        if let ImageRef::Path(path) = image
            && let Some(moved) = relative(path, roots, folder)
        {
            *image = ImageRef::Path(moved);
        }
    }
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

/// A picture's path as seen from `folder`, if the picture is there and lies below it.
fn relative(path: &str, roots: &[std::path::PathBuf], folder: &Path) -> Option<String> {
    let real = roots
        .iter()
        .find_map(|root| root.join(path).canonicalize().ok())?;
    let below = real.strip_prefix(folder.canonicalize().ok()?).ok()?;
    Some(below.to_string_lossy().into_owned())
}
