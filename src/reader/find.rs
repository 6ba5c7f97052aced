//! Finds log files below the user's paths, each once, and lets the readers group them into units.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use walkdir::WalkDir;

use super::{Candidate, Context, READERS, Unit};
use record::Problem;

/// Folders of pictures or build products, which hold no logs.
const SKIPPED: [&str; 4] = ["images", ".git", "node_modules", "__pycache__"];
/// Endings of log files and their parts.
const ENDINGS: [&str; 15] = [
    "jsonl", "json", "csv", "tsv", "xlsx", "parquet", "arrow", "feather", "ipc", "txt", "pkl",
    "eval", "log", "lock", "ndjson",
];
/// Maximum depth of the search; deeper than any harness writes.
const DEEPEST: usize = 24;

/// The files below `paths`, each once, sorted by path, and the problems met.
#[must_use]
pub fn find(paths: &[PathBuf]) -> (Vec<Candidate>, Vec<Problem>) {
    let mut found = Found::default();
    for (root, path) in paths.iter().enumerate() {
        found.root = root;
        found.search(path);
    }
    (found.files, found.problems)
}

#[derive(Default)]
struct Found {
    /// Which path is searched.
    root: usize,
    seen: HashSet<PathBuf>,
    files: Vec<Candidate>,
    problems: Vec<Problem>,
}

impl Found {
    fn search(&mut self, root: &Path) {
        if root.is_file() {
            if !holds_verdicts(root) {
                self.add(root);
            }
            return;
        }
        for entry in walk(root) {
            match entry {
                Ok(entry) if entry.file_type().is_file() && can_be_log(entry.path()) => {
                    self.add(entry.path());
                }
                Ok(_) => {}
                Err(error) => self.complain(root, &error),
            }
        }
    }

    /// Ignores loops and dangling links; reports the rest.
    fn complain(&mut self, root: &Path, error: &walkdir::Error) {
        let absent = error
            .io_error()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound);
        if error.loop_ancestor().is_some() || (absent && error.depth() > 0) {
            return;
        }
        let path = error.path().unwrap_or(root);
        let why = error
            .io_error()
            .map_or_else(|| error.to_string(), ToString::to_string);
        self.problems
            .push(Problem::file(path, format!("cannot be read: {why}")));
    }

    fn add(&mut self, path: &Path) {
        match candidate(path, self.root) {
            Ok(file) if self.seen.insert(file.real.clone()) => self.files.push(file),
            Ok(_) => {}
            Err(error) => self
                .problems
                .push(Problem::file(path, format!("cannot be read: {error}"))),
        }
    }
}

/// The verdict files below `paths`, sorted by path.
#[must_use]
pub fn find_verdicts(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    let entries = paths.iter().flat_map(|path| walk(path)).flatten();
    entries
        .filter(|entry| entry.file_type().is_file() && holds_verdicts(entry.path()))
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.canonicalize().is_ok_and(|real| seen.insert(real)))
        .collect()
}

/// The folders that [`find`] searches for logs, at most `most`.
#[must_use]
pub fn folders(paths: &[PathBuf], most: usize) -> Vec<PathBuf> {
    let below = |path: &PathBuf| {
        let folder = path.is_file().then(|| path.parent().map(Path::to_path_buf));
        let entries = walk(path).flatten();
        let folders = entries.filter(|entry| entry.file_type().is_dir());
        folder
            .flatten()
            .into_iter()
            .chain(folders.map(walkdir::DirEntry::into_path))
            .collect::<Vec<_>>()
    };
    paths.iter().flat_map(below).take(most).collect()
}

/// The entries below a folder without the skipped folders, or the file itself.
fn walk(root: &Path) -> impl Iterator<Item = walkdir::Result<walkdir::DirEntry>> {
    let wanted = |entry: &walkdir::DirEntry| {
        entry.depth() == 0 || !entry.file_type().is_dir() || can_hold_logs(entry.path())
    };
    WalkDir::new(root)
        .follow_links(true)
        .max_depth(DEEPEST)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(wanted)
}

/// Returns true unless the folder's name is one for pictures or build products.
#[must_use]
pub fn can_hold_logs(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default();
    !SKIPPED.iter().any(|skipped| name == *skipped)
}

/// Returns true for verdict files, which are beside logs but are not logs.
fn holds_verdicts(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.to_string_lossy().ends_with(verdict::ENDING))
}

/// Returns true if a file's name is that of a log or of a part of one.
#[must_use]
pub fn can_be_log(path: &Path) -> bool {
    if holds_verdicts(path) {
        return false;
    }
    let ending = path
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default();
    ENDINGS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(ending))
}

fn candidate(path: &Path, root: usize) -> std::io::Result<Candidate> {
    let real = path.canonicalize()?;
    let mut file = File::open(&real)?;
    let meta = file.metadata()?;
    let mut head = Vec::new();
    file.by_ref()
        .take(Candidate::HEAD as u64)
        .read_to_end(&mut head)?;
    let modified = meta
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    Ok(Candidate {
        path: path.to_path_buf(),
        real,
        head,
        length: meta.len(),
        root,
        modified: modified.map_or(0, |age| i128::try_from(age.as_nanos()).unwrap_or(i128::MAX)),
    })
}

/// The units to read, sorted by path; files that no reader takes remain in `files`.
#[must_use]
pub fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let roots = files.iter().map(|file| (file.path.clone(), file.root));
    let roots: HashMap<PathBuf, usize> = roots.collect();
    let mut units: Vec<Unit> = READERS
        .iter()
        .flat_map(|reader| reader.plan(files, context))
        .collect();
    for unit in &mut units {
        unit.root = roots.get(&unit.path).copied().unwrap_or_default();
    }
    units.sort_by(|a, b| a.path.cmp(&b.path));
    context.take(&mut units);
    context.runs.name(&mut units);
    // Also what the wanted runs leave out.
    context.take(&mut units);
    units
}
