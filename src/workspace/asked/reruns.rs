//! Where new runs stand, where earlier ones are, and what a new one is called.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::load::Request;
use config::state_folder;
use record::Table;
use rerun::JOURNAL;

/// The folder of new runs.
const RERUNS: &str = "reruns";
/// The folder of runs of the playground, below that of runs.
const PLAYGROUND: &str = "playground";
/// The folder of edited questions.
const VARIANTS: &str = "variants";

/// A name for a live model's answers that no model of the logs has: its own, where that is free.
#[must_use]
pub fn free_label(table: &Table, model: &str) -> String {
    let taken = |name: &str| table.names().models.find(name).is_some();
    if !taken(model) {
        return model.to_owned();
    }
    let numbered = (2..).map(|count| format!("{model}@rerun{count}"));
    let mut names = std::iter::once(format!("{model}@rerun")).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or_default()
}

/// Folders in which a new run may stand: beside what was opened, else in the state folder.
#[must_use]
pub fn places(request: &Request) -> Vec<PathBuf> {
    let first = request
        .paths
        .first()
        .and_then(|path| path.canonicalize().ok());
    let beside = first.and_then(|path| Some(path.parent()?.join(RERUNS)));
    let state = state_folder().map(|folder| folder.join(RERUNS));
    beside.into_iter().chain(state).collect()
}

/// Folders in which runs of the playground may stand: below those of other runs, among which they are not listed.
#[must_use]
pub fn playgrounds(request: &Request) -> Vec<PathBuf> {
    let places = places(request).into_iter();
    places.map(|place| place.join(PLAYGROUND)).collect()
}

/// Folders in which an edited question may be kept: beside what was opened, else in the state folder.
#[must_use]
pub fn variants(request: &Request) -> Vec<PathBuf> {
    let places = places(request).into_iter();
    places.map(|place| place.with_file_name(VARIANTS)).collect()
}

/// Folders with a journal: of runs beside what was opened, in what was opened, and under `more`.
#[must_use]
pub fn journals(request: &Request, more: &[PathBuf]) -> Vec<PathBuf> {
    let parents = places(request).into_iter().chain(more.iter().cloned());
    let parents = parents.chain(request.paths.iter().cloned());
    let below = |parent: PathBuf| {
        let children = std::fs::read_dir(&parent).into_iter().flatten();
        let children = children.filter_map(|entry| Some(entry.ok()?.path()));
        children.chain([parent]).collect::<Vec<_>>()
    };
    let is_run = |folder: &PathBuf| folder.join(JOURNAL).is_file();
    let folders = parents.flat_map(below).filter(is_run);
    let folders: BTreeSet<PathBuf> = folders
        .map(|folder| folder.canonicalize().unwrap_or(folder))
        .collect();
    folders.into_iter().collect()
}
