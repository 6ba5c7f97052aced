//! The rows of a run, each with its texts, after they have been compared with the manifest.

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::path::Path;

use tabular::{Batch, Batches, Damage};

use super::left_out;
use super::manifest::{Part, Stored};
use crate::decompression_budget::DecompressionBudget;
use crate::own::Line;
use crate::tables::{is_of_record, open, read_batch, to_record};
use crate::{Sink, Unit};
use record::Problem;

/// Reads a run.
pub fn read(unit: &Unit, sink: &mut dyn Sink) {
    let Some(folder) = unit.path.parent().and_then(Path::parent) else {
        return;
    };
    for part in &unit.parts {
        let own = Unit {
            path: part.rows.below(folder),
            length: part.rows.bytes + part.texts.bytes,
            parts: Vec::new(),
            ..unit.clone()
        };
        if !read_part(&own, part, folder, sink) {
            return;
        }
    }
}

/// Reads some rows of a run; returns false if reading stops there.
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
    let mut budget = DecompressionBudget::of(unit.length);
    let (answers, mut wanted) = (Cell::new(0), true);
    let counted = |names: &[String], cells, number| {
        let line = to_record(names, cells, number)?;
        if matches!(line, Line::Record(_)) {
            answers.set(answers.get() + 1);
        }
        Ok(line)
    };
    for batch in joined(rows.batches(is_of_record), texts.batches(is_of_record)) {
        match batch {
            Ok(batch) => {
                wanted = read_batch(unit, (&batch, share), &mut budget, &counted, sink);
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
            "{} could be read and not {}, as the manifest says",
            format::counted(answers.get(), "answer"),
            part.n
        );
        sink.problem(Problem::file(&unit.path, what));
    }
    wanted
}

/// The parts of two files of the same rows, side by side.
fn joined(mut rows: Batches, mut texts: Batches) -> impl Iterator<Item = Result<Batch, String>> {
    let said = |damage: Damage| damage.error.to_string();
    std::iter::from_fn(move || match (rows.next(), texts.next()) {
        (None, None) => None,
        (Some(rows), Some(texts)) => {
            let both = rows.map_err(said).and_then(|rows| {
                let texts = texts.map_err(said)?;
                rows.beside(texts).map_err(|error| error.to_string())
            });
            Some(both)
        }
        _ => Some(Err("rows and texts are not equally many".to_owned())),
    })
}

/// Compares a file with what the manifest says of it.
fn compare(file: &Stored, folder: &Path) -> Result<(), String> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => "the manifest names it, and it is not there".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    let opened = File::open(file.below(folder)).map_err(failed)?;
    let length = opened.metadata().map_err(failed)?.len();
    if length != file.bytes {
        return Err(format!(
            "it has {length} bytes and not {}, as the manifest says",
            file.bytes
        ));
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(opened).map_err(failed)?;
    if hasher.finalize().to_hex().as_str() != file.blake3 {
        return Err("it is damaged: its bytes are not those of the manifest".to_owned());
    }
    Ok(())
}
