//! Reads the rows of a run with their texts. The files are first compared with the manifest.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::tabular::{Batch, Batches, Damage, TableFile};
use serde_json::Value as Json;

use super::compare::{compare, with_length};
use super::left_out;
use super::manifest::{Part, Run, StoredFile};
use crate::decompression_budget::DecompressionBudget;
use crate::own::Line;
use crate::tables::{BatchReader, is_of_record, open, to_record};
use crate::{Sink, Unit};
use record::Problem;

/// Reads those parts of a run that contain wanted abilities.
pub fn read(unit: &Unit, run: &Run, sink: &mut dyn Sink) {
    let Some(folder) = unit.path.parent().and_then(Path::parent) else {
        return;
    };
    for part in &run.parts {
        let own = Unit {
            path: part.rows.below(folder),
            length: part.rows.bytes + part.texts.bytes,
            published: None,
            ..unit.clone()
        };
        let goes_on = if is_read(unit, part) {
            read_part(&own, part, folder, sink)
        } else {
            pass_over(&own, part, folder, sink)
        };
        if !goes_on {
            return;
        }
    }
}

/// Opens a file of rows or texts, without comparing it with the manifest.
///
/// # Errors
/// If it is not a readable Parquet file.
pub fn open_rows(file: &StoredFile, folder: &Path) -> Result<TableFile, crate::tabular::Error> {
    open(&file.below(folder), file.bytes)
}

/// True if a part must be read: it can contain a wanted ability, or settings of the run.
pub fn is_read(unit: &Unit, part: &Part) -> bool {
    let is_wanted = |wanted: &Arc<BTreeSet<String>>| {
        part.abilities.is_empty() || part.abilities.iter().any(|name| wanted.contains(name))
    };
    unit.abilities.as_ref().is_none_or(is_wanted)
}

/// Checks the files of an unwanted part without reading it. Returns false if reading should stop.
fn pass_over(unit: &Unit, part: &Part, folder: &Path, sink: &mut dyn Sink) -> bool {
    let own = [&part.rows, &part.texts];
    for file in own.into_iter().filter(|_| !unit.is_remote) {
        if let Err(why) = with_length(file, folder) {
            sink.problem(left_out(file.below(folder), &why, part.n));
        }
    }
    sink.progress(unit.length).is_continue()
}

/// Reads a part of a run. Returns false if reading should stop.
fn read_part(unit: &Unit, part: &Part, folder: &Path, sink: &mut dyn Sink) -> bool {
    for file in [&part.rows, &part.texts] {
        if let Err(why) = compare(file, folder) {
            sink.problem(left_out(file.below(folder), &why, part.n));
            return sink.progress(unit.length).is_continue();
        }
    }
    let [rows, texts] = [&part.rows, &part.texts].map(|file| {
        let table = open(&file.below(folder), file.bytes);
        table.map_err(|error| (file, error.to_string()))
    });
    let (rows, texts) = match (rows, texts) {
        (Ok(rows), Ok(texts)) => (rows, texts),
        (Err((file, why)), _) | (_, Err((file, why))) => {
            let why = format!("not a readable Parquet file: {why}");
            sink.problem(left_out(file.below(folder), &why, part.n));
            return true;
        }
    };
    let share = unit.length / (rows.parts() as u64).max(1);
    let (answers, mut wanted) = (Cell::new(0), true);
    let is_wanted = |names: &[String], cells: &[Json]| {
        let is_wanted = !is_passed_over(unit, names, cells);
        answers.set(answers.get() + u64::from(!is_wanted));
        is_wanted
    };
    let counted = |names: &[String], cells, _| {
        let line = to_record(names, cells, "")?;
        if matches!(line, Line::Record(_)) {
            answers.set(answers.get() + 1);
        }
        Ok(line)
    };
    let mut reader = BatchReader {
        unit,
        share,
        budget: DecompressionBudget::for_length(unit.length),
        is_wanted: &is_wanted,
        to_record: &counted,
    };
    for batch in joined(rows.batches(is_of_record), texts.batches(is_of_record)) {
        match batch {
            Ok(batch) => {
                wanted = reader.read(&batch, sink);
                if !wanted {
                    break;
                }
            }
            Err(why) => {
                let what = format!("the rows from here on cannot be read: {why}");
                sink.problem(Problem::file(&unit.path, what));
                break;
            }
        }
    }
    if wanted && answers.get() != part.n {
        let what = format!(
            "{} could be read, but the manifest lists {}",
            base::format::counted(answers.get(), "answer"),
            part.n
        );
        sink.problem(Problem::file(&unit.path, what));
    }
    wanted
}

/// True for a prediction whose ability is not wanted.
fn is_passed_over(unit: &Unit, names: &[String], cells: &[Json]) -> bool {
    let Some(wanted) = &unit.abilities else {
        return false;
    };
    let cell = |name: &str| {
        let at = names.iter().position(|known| known == name)?;
        cells.get(at)?.as_str().filter(|text| !text.is_empty())
    };
    let is_told = ["figure", "run_settings"]
        .iter()
        .any(|name| cell(name).is_some());
    !is_told && cell("ability").is_some_and(|name| !wanted.contains(name))
}

/// Joins the batches of a row file with those of its text file; both have the same rows.
fn joined(mut rows: Batches, mut texts: Batches) -> impl Iterator<Item = Result<Batch, String>> {
    let said = |damage: Damage| damage.error.to_string();
    std::iter::from_fn(move || match (rows.next(), texts.next()) {
        (None, None) => None,
        (Some(rows), Some(texts)) => {
            let both = rows.map_err(said).and_then(|rows| {
                let texts = texts.map_err(said)?;
                rows.join_columns(texts).map_err(|error| error.to_string())
            });
            Some(both)
        }
        _ => Some(Err("the row and text files differ in length".to_owned())),
    })
}
