//! Reads tables with arbitrary column names (CSV, TSV, JSON, workbooks, Parquet,
//! Arrow IPC) through the user's column map: predictions, or published scores.
//!
//! It is offered files last, so that known formats keep theirs.

mod guess;
pub(crate) mod published;
pub(crate) mod read;
pub(crate) mod row;
pub(crate) mod shape;

#[cfg(test)]
mod published_tests;
#[cfg(test)]
mod tests;

pub use guess::guess;
pub use shape::{UnmappedTable, unmapped};

use row::MappedTable;
use shape::columns;

use super::{Candidate, Context, Position, Reader, Sink, Unit};
use config::ColumnMap;
use record::Problem;

/// Name of the format, as listed under `sources`.
pub const FORMAT: &str = "columns";

/// Reader of tables with a column map.
#[derive(Clone, Copy, Debug, Default)]
pub struct MappedTables;

impl Reader for MappedTables {
    fn format(&self) -> &'static str {
        FORMAT
    }

    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
        if context.columns.is_empty() {
            return Vec::new();
        }
        let fits = |file: &Candidate| {
            columns(file).is_some_and(|columns| map_of(&columns, context).is_some())
        };
        let (ours, rest): (Vec<_>, Vec<_>) = std::mem::take(files).into_iter().partition(fits);
        *files = rest;
        let unit = |file: Candidate| Unit {
            model: file
                .path
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned()),
            ..Unit::single(file, FORMAT, context)
        };
        ours.into_iter().map(unit).collect()
    }

    fn read(&self, unit: &Unit, context: &Context, sink: &mut dyn Sink) {
        read_from(unit, context, None, sink);
    }

    fn read_on(&self, unit: &Unit, context: &Context, from: Position, sink: &mut dyn Sink) {
        read_from(unit, context, Some(from), sink);
    }
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
    let table = MappedTable {
        unit,
        context,
        map,
        place: place.as_ref().unwrap_or(&unit.path),
        rules: None,
    };
    read::read(table, shape.kind, from, sink);
}
