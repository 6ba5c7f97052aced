//! Published data sets in stores: their files are fetched when they are read, and no others.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use store::{Remote, StoreError};

use super::stores::troubled;
use super::{Event, Progress, failed};
use reader::Unit;
use reader::data_set::{compare_length, is_read, left_out};
use record::{Problem, Source};

/// The folder of the data set of a run.
pub fn folder(unit: &Unit) -> Option<&Path> {
    unit.path.parent().and_then(Path::parent)
}

/// Marks the runs of data sets that lie in stores.
pub fn mark(units: &mut [Unit]) {
    let mut known: BTreeMap<PathBuf, bool> = BTreeMap::new();
    for unit in units.iter_mut().filter(|unit| unit.published.is_some()) {
        let Some(folder) = folder(unit).map(Path::to_path_buf) else {
            continue;
        };
        let is_remote = known
            .entry(folder)
            .or_insert_with_key(|folder| Remote::of(folder).is_some());
        unit.is_remote = *is_remote;
    }
}

/// Which files of runs are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files {
    /// Those with the rows and texts that are wanted.
    Rows,
    /// Those and the sums over all rows.
    RowsAndSums,
}

/// Fetches what is read of runs that lie in stores and is not here yet. Gives what could not be had; `None` if it was stopped.
pub fn fetch(
    units: &[Unit],
    which: Files,
    on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
) -> Option<Vec<Source>> {
    let mut wanted: BTreeMap<(&Path, usize), Vec<PathBuf>> = BTreeMap::new();
    for unit in units.iter().filter(|unit| is_fetched(unit)) {
        if let Some(folder) = folder(unit) {
            let files = wanted.entry((folder, unit.root)).or_default();
            files.extend(files_of(unit, folder, which));
        }
    }
    let mut troubles = Vec::new();
    for ((folder, root), files) in wanted {
        let Some(remote) = Remote::of(folder) else {
            continue;
        };
        let mut told = |progress| on_event(Event::Progress(Progress::of_fetch(root, progress)));
        match remote.fetch(&files, &mut told) {
            Ok(found) => troubles.extend(troubled(found, root)),
            Err(StoreError::Stopped) => return None,
            Err(why) => troubles.push(Source {
                root,
                ..failed(Problem::file(format::path(folder), why.to_string()))
            }),
        }
    }
    Some(troubles)
}

fn is_fetched(unit: &Unit) -> bool {
    unit.is_remote && !unit.superseded
}

/// The files of a run that are read.
fn files_of(unit: &Unit, folder: &Path, which: Files) -> Vec<PathBuf> {
    let Some(run) = &unit.published else {
        return Vec::new();
    };
    let parts = run.parts.iter().filter(|part| is_read(unit, part));
    let rows = parts.flat_map(|part| [&part.rows, &part.texts]);
    let sums = run.cells.iter().filter(|_| which == Files::RowsAndSums);
    let files = rows.chain(sums);
    files.map(|file| file.below(folder)).collect()
}

/// What the store did not have, by its listing, of the files of a run that are not read now.
pub fn lacking(unit: &Unit) -> Vec<Problem> {
    let remote = folder(unit).filter(|_| is_fetched(unit));
    let remote = remote.and_then(|folder| Some((folder, Remote::of(folder)?)));
    let (Some((folder, remote)), Some(run)) = (remote, &unit.published) else {
        return Vec::new();
    };
    let parts = run.parts.iter().filter(|part| !is_read(unit, part));
    let files = parts.flat_map(|part| [(&part.rows, part.n), (&part.texts, part.n)]);
    let lacking = files.filter_map(|(file, n)| {
        let path = file.below(folder);
        let length = remote.length(&path, file.bytes);
        let why = compare_length(file, length).err()?;
        Some(left_out(path, &why, n))
    });
    lacking.collect()
}
