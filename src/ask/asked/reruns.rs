//! Folders and names of reruns.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::JOURNAL;
use base::config::state_folder;
use record::Table;
use workspace::load::Request;

/// Name of the folder for reruns.
const RERUNS: &str = "reruns";
/// Name of the folder for playground runs, within the folder for reruns.
const PLAYGROUND: &str = "playground";
/// Name of the folder for edited questions.
const VARIANTS: &str = "variants";

/// Returns a name for a live model that the logs do not contain: its own name, or a numbered one.
pub fn free_label(table: &Table, model: &str) -> String {
    let taken = |name: &str| table.names().models.find(name).is_some();
    if !taken(model) {
        return model.to_owned();
    }
    let numbered = (2..).map(|count| format!("{model}@rerun{count}"));
    let mut names = std::iter::once(format!("{model}@rerun")).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or_default()
}

/// Returns the folders where a new run can be saved: next to the opened path, else in the state
/// folder.
pub fn places(request: &Request) -> Vec<PathBuf> {
    let first = request
        .paths
        .first()
        .and_then(|path| path.canonicalize().ok());
    let beside = first.and_then(|path| Some(path.parent()?.join(RERUNS)));
    let state = state_folder().map(|folder| folder.join(RERUNS));
    beside.into_iter().chain(state).collect()
}

/// Returns the folders for playground runs. They are inside the folders for other runs, and are not
/// listed as runs.
pub fn playgrounds(request: &Request) -> Vec<PathBuf> {
    let places = places(request).into_iter();
    places.map(|place| place.join(PLAYGROUND)).collect()
}

/// Returns the folders for edited questions: next to the opened path, else in the state folder.
pub fn variants(request: &Request) -> Vec<PathBuf> {
    let places = places(request).into_iter();
    places.map(|place| place.with_file_name(VARIANTS)).collect()
}

/// Returns folders with a journal: next to the opened path, inside the opened paths, and below
/// `more`.
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
