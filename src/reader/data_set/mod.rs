//! Published data sets, written by `eyechart publish` to a folder or a store.
//!
//! A data set is a folder with numbered manifests and Parquet files. Only files listed in the
//! newest manifest are read, so an interrupted upload has no effect. Files are compared with the
//! manifest before reading; files that are not needed are compared by length only. Missing or
//! damaged files become problems, so that scores are never silently based on fewer answers.

mod compare;
mod manifest;
mod read;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use base::limits::Limit;

use super::{Candidate, Context, Reader, Sink, Unit};
use record::Problem;

pub use manifest::{
    Answers, CELLS, DIGITS_OF_HASH, LAYOUT, Manifest, Part, ROWS, Run, StoredFile, TEXTS,
};

pub use compare::{compare, compare_length};
pub(crate) use manifest::is_part;
pub use read::{is_read, open_rows};

/// Name of the format in the list of sources.
pub const FORMAT: &str = "data set";

/// Reader of published data sets.
#[derive(Clone, Copy, Debug, Default)]
pub struct DataSet;

impl Reader for DataSet {
    fn format(&self) -> &'static str {
        FORMAT
    }

    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
        let mut newest: BTreeMap<PathBuf, (u64, Candidate)> = BTreeMap::new();
        files.retain(|file| {
            let Some(number) = Manifest::number(file.name()) else {
                return true;
            };
            let known = newest
                .entry(file.folder().to_path_buf())
                .or_insert_with(|| (number, file.clone()));
            if number > known.0 {
                *known = (number, file.clone());
            }
            false
        });
        files.retain(|file| !newest.keys().any(|folder| is_part(&file.path, folder)));
        let newest = newest.into_values();
        newest.flat_map(|(_, file)| units(&file, context)).collect()
    }

    /// All files belong to the data set, even if the manifest lists no runs.
    fn keeps_all(&self) -> bool {
        true
    }

    fn read(&self, unit: &Unit, _context: &Context, sink: &mut dyn Sink) {
        if let Some(run) = &unit.published {
            read::read(unit, run, sink);
        }
    }
}

/// Returns one unit per run. If the manifest is unusable, returns one unit with the problem.
fn units(file: &Candidate, context: &Context) -> Vec<Unit> {
    let found = match load(file) {
        Ok(found) => found,
        Err(what) => {
            return vec![Unit {
                path: file.path.clone(),
                format: FORMAT,
                problem: Some(what),
                ..Unit::default()
            }];
        }
    };
    let folder = file.folder().to_path_buf();
    let data = context.data.iter().cloned();
    let image_roots: Vec<PathBuf> = std::iter::once(folder.clone()).chain(data).collect();
    let runs = found.runs.into_iter().enumerate();
    let unit = |(place, run): (usize, Run)| {
        let first = run.parts.first()?.rows.below(&folder);
        Some(Unit {
            path: first,
            format: FORMAT,
            image_roots: image_roots.clone(),
            model: run.data_set.is_some().then(|| run.model.clone()),
            dataset: run.data_set.clone(),
            length: run
                .parts
                .iter()
                .map(|part| part.rows.bytes + part.texts.bytes)
                .sum(),
            settings: run.settings.clone(),
            published: Some(Arc::new(run)),
            place,
            ..Unit::default()
        })
    };
    runs.filter_map(unit).collect()
}

/// Reads the manifest in a file.
fn load(file: &Candidate) -> Result<Manifest, String> {
    let bytes = Limit::Line.read(&file.path);
    let bytes = bytes.map_err(|error| format!("cannot be read: {error}"))?;
    Manifest::parse(&bytes)
}

/// Creates a problem of a file in a data set. `n` is the number of answers that are missing because
/// of it.
pub fn left_out(path: PathBuf, why: &str, n: u64) -> Problem {
    let what = match n {
        0 => format!("{why}; nothing in it is shown"),
        n => format!(
            "{why}; its {} are not shown",
            base::format::counted(n, "answer")
        ),
    };
    Problem::file(path, what)
}
