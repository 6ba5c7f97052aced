//! Reads tables with arbitrary column names (CSV, TSV, JSON, workbooks, Parquet, Arrow IPC) through
//! the user's column map. The rows are predictions or published scores.
//!
//! This reader is the last in the order of readers, so files of known formats stay with their
//! readers.

mod by_model;
mod cell_text;
mod guess;
mod inner;
mod json_shape;
mod names;
mod path;
pub(crate) mod published;
pub(crate) mod read;
mod repeats;
pub(crate) mod row;
pub(crate) mod seen;
pub(crate) mod shape;
mod stream;
mod unmapped;

#[cfg(test)]
mod published_tests;
#[cfg(test)]
mod tests;

pub(crate) use path::numbered;
pub(crate) use read::{wanted, with_pictures};
pub use unmapped::{UnmappedTable, unmapped};

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use row::MappedTable;
use seen::SeenColumns;
use shape::columns;

use super::run_folder::{folders_above, stem};
use super::{Candidate, Context, Position, Sink, Unit, read as read_unit};
use base::config::ColumnMap;
use record::{Problem, PublishedScore, Record};

/// Number of folders above a table that are searched for its pictures.
const ABOVE: usize = 2;

/// Name of the format in the list of sources.
pub const FORMAT: &str = "columns";

reader! {
    /// Reader of tables with a column map.
    MappedTables, FORMAT, plan, read_from
}

fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    if context.columns.is_empty() {
        return Vec::new();
    }
    let ours = files.extract_if(.., |file| fits(file, context));
    ours.map(|file| unit(file, context)).collect()
}

/// Assigns a table to the user's column map if the reader that accepted the table finds no record
/// with a target or score in it.
pub(crate) fn replace_empty(
    units: &mut [Unit],
    files: &HashMap<PathBuf, Candidate>,
    context: &Context,
) {
    if context.columns.is_empty() {
        return;
    }
    let others = units.iter_mut().filter(|unit| unit.format != FORMAT);
    for taken in others.filter(|unit| !unit.superseded && unit.published.is_none()) {
        if let Some(file) = files.get(&taken.path)
            && fits(file, context)
            && !has_scores(taken, context)
        {
            *taken = unit(file.clone(), context);
        }
    }
}

fn fits(file: &Candidate, context: &Context) -> bool {
    columns(file).is_some_and(|columns| map_of(&columns, context).is_some())
}

/// True if a log contains a record that can be scored, or a published score.
fn has_scores(unit: &Unit, context: &Context) -> bool {
    let mut found = FirstScore(false);
    read_unit(unit, context, None, &mut found);
    found.0
}

/// Sink that stops reading at the first record with a target or score.
struct FirstScore(bool);

impl Sink for FirstScore {
    fn record(&mut self, record: Record, _: u64) {
        self.0 |= record.content.target.is_some() || record.stored.is_some();
    }

    fn published(&mut self, _: PublishedScore, _: u64) {
        self.0 = true;
    }

    fn problem(&mut self, _: Problem) {}

    fn progress(&mut self, _: u64) -> ControlFlow<()> {
        if self.0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

fn unit(file: Candidate, context: &Context) -> Unit {
    let model = Some(stem(&file.path));
    // W&B stores tables two folders below the folder that its picture paths are relative to.
    let above = folders_above(&file.path, 1..1 + ABOVE);
    let mut unit = Unit::single(file, FORMAT, context);
    unit.image_roots.splice(1..1, above);
    Unit { model, ..unit }
}

/// Returns the first map that fits the columns.
pub(crate) fn map_of<'a>(columns: &[String], context: &'a Context) -> Option<&'a ColumnMap> {
    context.columns.iter().find(|map| map.fits(columns))
}

fn read_from(unit: &Unit, context: &Context, from: Option<Position>, sink: &mut dyn Sink) {
    let shape = shape::of_path(&unit.path);
    let map = shape
        .as_ref()
        .and_then(|shape| map_of(&shape.columns, context));
    let (Some(shape), Some(map)) = (&shape, map) else {
        let what = "its columns have changed";
        return sink.problem(Problem::file(&unit.path, what));
    };
    let place = unit.path.canonicalize();
    let seen = RefCell::new(SeenColumns::new(map));
    let table = MappedTable {
        unit,
        context,
        map,
        maps: &by_model::by_model(map),
        place: place.as_ref().unwrap_or(&unit.path),
        rules: None,
        seen: &seen,
    };
    read::read(table, shape.kind.clone(), from, sink);
}
