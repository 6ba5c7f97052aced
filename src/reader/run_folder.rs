//! Helpers for readers of run folders: file names, folders, aggregates of a harness, and the parts
//! of paths such as `RUN/KIND/MODEL/NAME.ending`, as used by EvalScope and OpenCompass.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use crate::open::{is_file, paths_in};
use crate::{Candidate, has_ending};
use record::PublishedScore;

/// Returns the name of a file or folder as text.
pub fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Returns the name of a file without its extension, as text.
pub fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// True for the path of a JSON document.
pub fn is_json(path: &Path) -> bool {
    has_ending(path, &["json"])
}

/// Returns the paths of the JSON documents in a folder, sorted.
pub fn json_files(folder: &Path) -> Vec<PathBuf> {
    let mut paths = paths_in(folder);
    paths.retain(|path| is_json(path));
    paths
}

/// Returns the folders above a file for a range of levels, nearest first. Level 0 is the folder
/// that contains the file.
pub fn folders_above(path: &Path, levels: Range<usize>) -> Vec<PathBuf> {
    let above = path.ancestors().skip(1 + levels.start).take(levels.len());
    let above = above.filter(|folder| !folder.as_os_str().is_empty());
    above.map(Path::to_path_buf).collect()
}

/// Returns the files with one of the `endings` near other files. Searches the `levels` nearest
/// folders above each file, and the subfolders `below` of these folders. Each folder is searched
/// once.
pub fn files_above<'a>(
    files: impl Iterator<Item = &'a Candidate>,
    levels: usize,
    below: &[&str],
    endings: &[&str],
) -> Vec<PathBuf> {
    let above = files.flat_map(|file| folders_above(&file.real, 0..levels));
    let folders: BTreeSet<PathBuf> = above
        .flat_map(|folder| below.iter().map(move |below| folder.join(below)))
        .collect();
    let paths = folders.iter().flat_map(|folder| paths_in(folder));
    paths
        .filter(|path| has_ending(path, endings) && is_file(path))
        .collect()
}

/// Returns the number of path components that two paths share at the start.
pub fn shared(one: &Path, other: &Path) -> usize {
    let both = one.components().zip(other.components());
    both.take_while(|(one, other)| one == other).count()
}

/// Returns an aggregate of a harness. The caller must set benchmark, ability, metric and score.
pub fn harness_figure(log: &Path, model: &str) -> PublishedScore {
    PublishedScore {
        table: file_name(log),
        group: PublishedScore::HARNESS.to_owned(),
        model: model.to_owned(),
        split: Some(PublishedScore::HARNESS.to_owned()),
        by_harness: true,
        ..PublishedScore::default()
    }
}

/// Run, model and name of a log, taken from the path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunFile {
    /// Folder of the run. If the path has another structure, the folder of the file.
    pub run: PathBuf,
    /// Folder of the model; `None` if the path has another structure.
    pub model: Option<String>,
    /// File name without extension. A name that contains `/` was stored as nested folders.
    pub name: String,
}

impl RunFile {
    /// Splits a path at its last folder with the name `kind`.
    pub fn new(path: &Path, kind: &str) -> Self {
        let parts: Vec<_> = path.components().map(Component::as_os_str).collect();
        let at = parts.iter().rposition(|part| *part == kind);
        match at.map(|at| (at, parts.get(at + 1..).unwrap_or_default())) {
            Some((at, [model, name @ ..])) if !name.is_empty() => Self {
                run: parts.iter().take(at).collect(),
                model: Some(model.to_string_lossy().into_owned()),
                name: (name
                    .iter()
                    .collect::<PathBuf>()
                    .with_extension("")
                    .to_string_lossy())
                .into_owned(),
            },
            _ => Self {
                run: path.parent().unwrap_or(Path::new("")).to_owned(),
                model: None,
                name: stem(path),
            },
        }
    }

    /// Returns the name of the model; if unknown, the name of the run's folder.
    pub fn model_or_run(&self) -> String {
        self.model.clone().unwrap_or_else(|| file_name(&self.run))
    }

    /// Returns the start time of the run, if its folder has a name such as `20260131_235959`.
    pub fn time(&self) -> Option<&str> {
        let name = self.run.file_name()?.to_str()?;
        let (day, time) = name.split_once('_')?;
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        (day.len() == 8 && time.len() == 6 && is_number(day) && is_number(time)).then_some(name)
    }
}

/// Returns the folders that are searched for a log's pictures: `KIND`, and the folders above it up
/// to the one in which the harness ran and wrote `outputs/RUN/KIND/MODEL`.
pub fn picture_folders(path: &Path) -> Vec<PathBuf> {
    folders_above(path, 1..5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_and_model_are_the_folders_around_the_kind() {
        let file = RunFile::new(
            Path::new("/reviews/outputs/20261125_225242/reviews/m-7b/a b/c.d.jsonl"),
            "reviews",
        );
        assert_eq!(file.run, Path::new("/reviews/outputs/20261125_225242"));
        assert_eq!(
            (file.model.as_deref(), file.name.as_str()),
            (Some("m-7b"), "a b/c.d")
        );
        assert_eq!(file.time(), Some("20261125_225242"));
        let flat = RunFile::new(Path::new("/x/reviews/a_b.jsonl"), "reviews");
        assert_eq!(
            (
                flat.run.as_path(),
                flat.model.as_deref(),
                flat.name.as_str()
            ),
            (Path::new("/x/reviews"), None, "a_b")
        );
        assert_eq!(flat.time(), None);
    }
}
