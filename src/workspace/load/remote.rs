//! Downloads the files in stores that are needed for reading: files of published data sets, and
//! logs that were only partly downloaded.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use store::{Progress as Fetched, Remote, StoreError};

use super::stores::troubled;
use super::{Event, Progress, failed};
use reader::data_set::{compare_length, is_read, left_out};
use reader::{Context, Unit, is_read_in_parts};
use record::{Problem, Source};

/// Returns the folder of a run's data set.
pub fn folder(unit: &Unit) -> Option<&Path> {
    unit.path.parent().and_then(Path::parent)
}

/// Marks the runs whose data sets are in stores.
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

/// Which files of runs to download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files {
    /// Rows and texts of the selected parts.
    Rows,
    /// Rows and texts of the selected parts, and the sums.
    RowsAndSums,
}

/// Downloads missing files of runs in stores. Returns the failures; `None` if stopped.
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
        if let Some(remote) = Remote::of(folder) {
            let wanted = RemoteFiles {
                remote,
                root,
                files,
            };
            troubles.extend(wanted.bring(folder, on_event)?);
        }
    }
    Some(troubles)
}

/// Downloads logs and their side files completely if only parts are on this machine. Skips logs
/// that are read in parts. Returns the failures; `None` if stopped.
pub fn fetch_logs(
    units: &[Unit],
    context: &Context,
    on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
) -> Option<Vec<Source>> {
    let mut wanted: Vec<RemoteFiles> = Vec::new();
    let read = units
        .iter()
        .filter(|unit| !unit.superseded && unit.published.is_none());
    for unit in read {
        let log = Some(&unit.path);
        let log = log.filter(|path| Remote::of_parts(path).is_some());
        let log = log.filter(|_| !is_read_in_parts(unit, context));
        for file in log.into_iter().chain(&unit.companions) {
            let Some(remote) = Remote::of_parts(file) else {
                continue;
            };
            let known = wanted
                .iter_mut()
                .find(|known| known.remote == remote && known.root == unit.root);
            match known {
                Some(known) => known.files.push(file.clone()),
                None => wanted.push(RemoteFiles {
                    remote,
                    root: unit.root,
                    files: vec![file.clone()],
                }),
            }
        }
    }
    let mut troubles = Vec::new();
    for mut wanted in wanted {
        wanted.files.sort();
        wanted.files.dedup();
        let first = wanted.files.first().cloned().unwrap_or_default();
        troubles.extend(wanted.bring(&first, on_event)?);
    }
    Some(troubles)
}

/// Files to download from one address.
struct RemoteFiles {
    remote: Remote,
    /// Index of the address in the request.
    root: usize,
    files: Vec<PathBuf>,
}

impl RemoteFiles {
    /// Downloads complete files. Returns the failures as problems of `place`; `None` if stopped.
    fn bring(
        &self,
        place: &Path,
        on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Option<Vec<Source>> {
        let root = self.root;
        let mut told =
            |progress: Fetched| on_event(Event::Progress(Progress::of_fetch(root, progress)));
        match self.remote.fetch(&self.files, &mut told) {
            Ok(found) => Some(troubled(found, root).collect()),
            Err(StoreError::Stopped) => None,
            Err(why) => Some(vec![Source {
                root,
                ..failed(Problem::file(base::format::path(place), why.to_string()))
            }]),
        }
    }
}

fn is_fetched(unit: &Unit) -> bool {
    unit.is_remote && !unit.superseded
}

/// Returns the files of a run that must be read.
fn files_of(unit: &Unit, folder: &Path, which: Files) -> Vec<PathBuf> {
    let Some(run) = &unit.published else {
        return Vec::new();
    };
    let parts = run.parts.iter().filter(|part| is_read(unit, part));
    let rows = parts.flat_map(|part| [&part.rows, &part.texts]);
    let sums = run.cells.iter().chain(&run.totals);
    let sums = sums.filter(|_| which == Files::RowsAndSums);
    let files = rows.chain(sums);
    files.map(|file| file.below(folder)).collect()
}

/// Returns a problem for each file of a run that is missing in the store's listing, but is not
/// read.
pub fn missing_files(unit: &Unit) -> Vec<Problem> {
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
