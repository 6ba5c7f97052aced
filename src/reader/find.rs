//! Finds log files below the paths given by the user. The readers group the files into units.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use base::limits::Limit;
use store::PartialObject;

use super::data_set::Manifest;
use super::encoding::Encoding;
use super::file_name::{can_be_log, holds_verdicts, is_archive, is_packed};
use super::source::first_bytes;
use super::walk::{Links, Walk};
use super::{Candidate, Context, READERS, Unit, annotations, mapped, open, same_folder};
use record::Problem;

/// Problem of a compressed log, which is not read.
const PACKED: &str = "a compressed log: unpack it";
/// Problem of an archive where no other file can be a log.
const ARCHIVE: &str = "an archive, which is not opened: unpack it";

/// Result of a search for log files.
#[derive(Debug, Default)]
pub struct SearchResult {
    /// Files, without duplicates, sorted by path.
    pub files: Vec<Candidate>,
    /// Problems of files that could not be read or were skipped.
    pub problems: Vec<Problem>,
    /// True if the search was stopped early.
    pub stopped: bool,
    /// Index of the user's path that is being searched.
    root: usize,
    seen: HashSet<PathBuf>,
    /// Total bytes of file heads kept in memory.
    heads: usize,
    /// Number of files above the limit [`Limit::Files`].
    more: u64,
}

/// Returns the files below `paths`, without duplicates and sorted by path, and the problems. All
/// links are followed.
pub fn find(paths: &[PathBuf]) -> (Vec<Candidate>, Vec<Problem>) {
    let found = search(paths, Links::All, &mut || false);
    (found.files, found.problems)
}

/// Finds the files below `paths`, without duplicates. `stop` is called before each file and folder;
/// if it returns true, the search ends.
pub fn search(paths: &[PathBuf], links: Links, stop: &mut dyn FnMut() -> bool) -> SearchResult {
    let mut found = SearchResult::default();
    let mut walk = Walk::new(paths, links);
    for (root, path) in paths.iter().enumerate() {
        found.root = root;
        found.search(path, &mut walk, stop);
        if found.stopped {
            break;
        }
    }
    found.problems.extend(walk.left_out());
    if let (Some(last), 1..) = (found.files.last(), found.more) {
        let what = format!("{}: {} are left out", Limit::Files.message(), found.more);
        found.problems.push(Problem::file(&last.path, what));
    }
    found
}

impl SearchResult {
    fn search(&mut self, root: &Path, walk: &mut Walk, stop: &mut dyn FnMut() -> bool) {
        let first = self.files.len();
        if open::in_parts(root).is_some() {
            return self.add(root);
        }
        for path in PartialObject::below(root) {
            self.add(&path);
        }
        match fs::metadata(root) {
            Ok(meta) if meta.is_file() => {
                if is_packed(root) {
                    self.problems.push(Problem::file(root, PACKED));
                } else if is_archive(root) {
                    self.problems.push(Problem::file(root, ARCHIVE));
                } else if !holds_verdicts(root) {
                    self.add(root);
                }
                return;
            }
            Ok(meta) if open::is_pipe(meta.file_type()) => return self.add_pipe(root),
            _ => {}
        }
        let mut archive = None;
        self.stopped = walk.below(root, &mut |entry| {
            match entry {
                Ok(entry) if entry.file_type().is_file() && can_be_log(entry.path()) => {
                    self.add(entry.path());
                }
                Ok(entry) if entry.file_type().is_file() && is_packed(entry.path()) => {
                    self.problems.push(Problem::file(entry.path(), PACKED));
                }
                Ok(entry) => {
                    let is_ours = archive.is_none() && is_archive(entry.path());
                    archive = archive
                        .take()
                        .or_else(|| is_ours.then(|| entry.into_path()));
                }
                Err(error) => self.complain(root, &error),
            }
            stop()
        });
        if let (Some(archive), true) = (archive, self.files.len() == first) {
            self.problems.push(Problem::file(&archive, ARCHIVE));
        }
        // Files that are downloaded in parts are sorted in among the local files.
        if let Some(added) = self.files.get_mut(first..) {
            added.sort_by(|a, b| a.path.cmp(&b.path));
        }
    }

    /// Reports an error of the search, except for link loops and dangling links.
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
        self.problems.push(Problem::unreadable(path, why));
    }

    fn add_pipe(&mut self, path: &Path) {
        match open::spool(path) {
            Ok(left_out) => {
                let problem = left_out.map(|what| Problem::file(path, what));
                self.problems.extend(problem);
                self.add(path);
            }
            Err(error) => self.unreadable(path, &error),
        }
    }

    fn add(&mut self, path: &Path) {
        if self.files.len() >= Limit::Files.length() {
            self.more += 1;
            return;
        }
        match candidate(path, self.root) {
            Ok(mut file) if self.seen.insert(file.real.clone()) => {
                let kept = self.heads + file.head().len();
                if kept > Limit::Heads.length() {
                    file.forget_head();
                } else {
                    self.heads = kept;
                }
                self.files.push(file);
            }
            Ok(_) => {}
            Err(error) => self.unreadable(path, &error),
        }
    }

    fn unreadable(&mut self, path: &Path, error: &std::io::Error) {
        self.problems.push(Problem::unreadable(path, error));
    }
}

/// Returns the verdict files below `paths`, without duplicates. Files below the same path are
/// sorted by name.
pub fn find_verdicts(paths: &[PathBuf], links: Links) -> Vec<PathBuf> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut walk = Walk::new(paths, links);
    for path in paths {
        walk.below(path, &mut |entry| {
            let file = entry.ok().filter(|entry| entry.file_type().is_file());
            if let Some(file) = file.filter(|file| holds_verdicts(file.path()))
                && file
                    .path()
                    .canonicalize()
                    .is_ok_and(|real| seen.insert(real))
            {
                found.push(file.into_path());
            }
            false
        });
    }
    found
}

/// Returns at most `most` of the folders in which logs are searched.
pub fn folders(paths: &[PathBuf], links: Links, most: usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut walk = Walk::new(paths, links);
    for path in paths {
        if path.is_file() {
            found.extend(path.parent().map(Path::to_path_buf));
            continue;
        }
        walk.below(path, &mut |entry| {
            let folder = entry.ok().filter(|entry| entry.file_type().is_dir());
            found.extend(folder.map(walkdir::DirEntry::into_path));
            found.len() >= most
        });
    }
    found.truncate(most);
    found
}

/// Examines a file. `root` is the index of the user's path below which the file is.
///
/// # Errors
/// If it cannot be read.
pub fn candidate(path: &Path, root: usize) -> std::io::Result<Candidate> {
    // The path of a pipe, or of a file downloaded in parts, cannot be canonicalised.
    let real = path.canonicalize().or_else(|error| {
        let is_known = open::copy_of(path).is_some() || open::in_parts(path).is_some();
        is_known.then(|| path.to_path_buf()).ok_or(error)
    })?;
    let in_parts = open::in_parts(path);
    let (stamp, kind) = if let Some(stamp) = in_parts {
        (stamp, None)
    } else {
        let meta = fs::metadata(path)?;
        (open::stamp(&meta), Some(meta.file_type()))
    };
    let is_pipe = kind.is_some_and(open::is_pipe);
    let (head, length) = head(path, stamp, is_pipe)?;
    let modified = stamp
        .1
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    Ok(Candidate {
        path: path.to_path_buf(),
        real,
        head: Some(head.into()),
        length,
        root,
        modified: modified.map_or(0, |age| i128::try_from(age.as_nanos()).unwrap_or(i128::MAX)),
        is_pipe,
    })
}

/// Returns the first bytes of a file, converted to UTF-8, and its length in bytes before
/// conversion.
fn head(path: &Path, stamp: open::Stamp, is_pipe: bool) -> std::io::Result<(Vec<u8>, u64)> {
    open::forget_changed(path, stamp);
    let file = open::open(path)?;
    let length = if is_pipe { file.length()? } else { stamp.0 };
    let head = first_bytes(file)?;
    let Some(encoding) = Encoding::of(&head) else {
        return Ok((head, length));
    };
    open::decode(path, stamp, encoding)?;
    Ok((first_bytes(open::open(path)?)?, length))
}

/// Returns the units to read, sorted by path. Files that no reader accepted stay in `files`.
pub fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let known = files.iter().map(|file| (file.path.clone(), file.clone()));
    let known: HashMap<PathBuf, Candidate> = known.collect();
    // Other files of a published data set may not be downloaded yet.
    let sets = files
        .iter()
        .filter(|file| Manifest::number(file.name()).is_some());
    let sets = sets.map(|file| (file.folder().to_path_buf(), file.root));
    let sets: HashMap<PathBuf, usize> = sets.collect();
    let mut units: Vec<Unit> = Vec::new();
    let mut gone: HashSet<&PathBuf> = HashSet::new();
    for reader in READERS {
        let count = files.len();
        let planned = reader.plan(files, context);
        if files.len() < count {
            let left: HashSet<&PathBuf> = files.iter().map(|file| &file.path).collect();
            let is_taken = |path: &PathBuf| !left.contains(path) && !gone.contains(path);
            let taken: Vec<_> = known.iter().filter(|(path, _)| is_taken(path)).collect();
            if planned.is_empty() && !reader.keeps_all() {
                // A reader without units returns its files, such as questions without answers, for
                // later readers.
                let given = taken.into_iter().map(|(_, file)| file.clone());
                put_back(files, given, &[]);
            } else {
                gone.extend(taken.into_iter().map(|(path, _)| path));
            }
        }
        units.extend(planned);
    }
    mapped::replace_empty(&mut units, &known, context);
    for unit in &mut units {
        let set = unit.path.parent().and_then(Path::parent);
        let root = known.get(&unit.path).map(|file| file.root);
        let root = root.or_else(|| sets.get(set?).copied());
        unit.root = root.unwrap_or_default();
    }
    units.sort_by(|a, b| a.order().cmp(&b.order()));
    annotations::leave_to_models(&mut units);
    context.take(&mut units);
    same_folder::distinguish_folders(&mut units, context);
    context.runs.name(&mut units);
    // Apply the user's selection, also to runs that would be skipped.
    context.take(&mut units);
    units
}

/// Moves each of the `taken` files that no unit uses back to `files`, for other readers.
pub fn put_back(
    files: &mut Vec<Candidate>,
    taken: impl Iterator<Item = Candidate>,
    units: &[Unit],
) {
    let used = units
        .iter()
        .flat_map(|unit| std::iter::once(&unit.path).chain(&unit.companions));
    let used: HashSet<&PathBuf> = used.collect();
    let mut unused: Vec<Candidate> = taken.filter(|file| !used.contains(&file.path)).collect();
    if !unused.is_empty() {
        // A companion can have another path than the same file found in the search, so compare
        // canonical paths.
        let real = used.iter().filter_map(|path| path.canonicalize().ok());
        let real: HashSet<PathBuf> = real.collect();
        unused.retain(|file| !real.contains(&file.real));
    }
    files.extend(unused);
    files.sort_by(|a, b| (a.root, &a.path).cmp(&(b.root, &b.path)));
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::Reader;
    use crate::ava_bench::AvaBench;
    use crate::taskit::Taskit;
    use crate::testing::fixture;
    use crate::vlmevalkit::VlmEvalKit;

    fn names(found: &SearchResult) -> Vec<String> {
        let name = |file: &Candidate| file.name().to_owned();
        found.files.iter().map(name).collect()
    }

    #[test]
    fn folders_that_link_to_each_other_are_searched_once() {
        let folder = tempfile::tempdir().unwrap();
        for at in 0..24 {
            let own = folder.path().join(format!("{at}"));
            fs::create_dir(&own).unwrap();
            fs::write(own.join(format!("{at}.jsonl")), "{}").unwrap();
            for other in [at + 1, at + 2] {
                symlink(format!("../{}", other % 24), own.join(format!("to{other}"))).unwrap();
            }
        }
        let mut asked = 0;
        let found = search(&[folder.path().to_path_buf()], Links::Inside, &mut || {
            asked += 1;
            false
        });
        assert_eq!((found.files.len(), found.problems.len()), (24, 0));
        assert!(asked < 500, "{asked}");
    }

    #[test]
    fn links_out_of_the_folder_are_told_and_followed_only_if_asked() {
        let folder = tempfile::tempdir().unwrap();
        let [inside, outside] = ["in", "out"].map(|name| folder.path().join(name));
        for path in [&inside, &outside] {
            fs::create_dir(path).unwrap();
            fs::write(path.join("a.jsonl"), "{}").unwrap();
        }
        symlink(&outside, inside.join("folder")).unwrap();
        symlink(outside.join("a.jsonl"), inside.join("b.jsonl")).unwrap();
        let paths = [inside];
        let near = search(&paths, Links::Inside, &mut || false);
        assert_eq!(names(&near), ["a.jsonl"]);
        assert_eq!(near.problems.len(), 1, "{:?}", near.problems);
        assert!(near.problems[0].what.contains("--follow-links"));
        let far = search(&paths, Links::All, &mut || false);
        assert_eq!(far.files.len(), 2);
        assert!(far.problems.is_empty());
        assert_eq!(folders(&paths, Links::Inside, 9).len(), 1);
        assert_eq!(folders(&paths, Links::All, 9).len(), 2);
    }

    #[test]
    fn what_lies_too_deep_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let mut deep = folder.path().to_path_buf();
        for _ in 0..30 {
            deep.push("d");
        }
        fs::create_dir_all(&deep).unwrap();
        fs::write(deep.join("a.jsonl"), "{}").unwrap();
        let found = search(&[folder.path().to_path_buf()], Links::Inside, &mut || false);
        assert!(found.files.is_empty());
        assert!(
            found.problems[0].what.contains("limits.depth"),
            "{:?}",
            found.problems
        );
    }

    /// Returns the names of the files that a reader leaves to later readers.
    fn left(reader: &dyn Reader, paths: &[PathBuf]) -> Vec<String> {
        let mut files = find(paths).0;
        assert!(!reader.plan(&mut files, &Context::default()).is_empty());
        files.iter().map(|file| file.name().to_owned()).collect()
    }

    #[test]
    fn readers_leave_files_that_they_do_not_use() {
        let run = fixture("vlmevalkit/outputs/GPT4o_MINI");
        let sets = fixture("vlmevalkit/LMUData");
        let unused = left(&VlmEvalKit, &[run, sets]);
        assert!(
            unused.contains(&"tdbench_cs_height.tsv".to_owned()),
            "{unused:?}"
        );
        let log = fixture("taskit/logs/outputs/gpt-4o_depth_20261121_001646.json");
        let unused = left(&Taskit, &[log, fixture("taskit/gt")]);
        assert_eq!(unused, ["classify.json", "detect.json", "group.json"]);
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        let question = |id: u8| {
            format!("[{{\"question_id\": \"{id}\", \"image\": \"a.png\", \"text\": \"?\"}}]")
        };
        let answer = "{\"question_id\": \"1\", \"text\": \"3\", \"answer_id\": \"x\"}\n";
        for (path, text) in [
            ("count/answers/m.jsonl", answer),
            ("count/questions.json", &question(1)),
            ("far/from/these/others.json", &question(2)),
        ] {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            fs::write(at(path), text).unwrap();
        }
        let unused = left(&AvaBench, &[folder.path().to_path_buf()]);
        assert_eq!(unused, ["others.json"]);
    }

    #[test]
    fn another_log_in_the_folder_of_a_run_is_read() {
        let folder = tempfile::tempdir().unwrap();
        for file in fs::read_dir(fixture("helm/written/boolq")).unwrap() {
            let path = file.unwrap().path();
            fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
        }
        let row = "{\"sample_id\": \"1\", \"ability\": \"a\", \"model\": \"m\", \"score\": 1}";
        fs::write(folder.path().join("other.json"), format!("[{row},\n{row}]")).unwrap();
        fs::write(folder.path().join("scenario.json"), "{}").unwrap();
        let mut files = find(&[folder.path().to_path_buf()]).0;
        let units = plan(&mut files, &Context::default());
        let formats: Vec<&str> = units.iter().map(|unit| unit.format).collect();
        assert_eq!(formats, ["json", "helm"]);
        assert_eq!(files.len(), 0);
    }

    #[test]
    fn a_search_can_be_stopped() {
        let folder = tempfile::tempdir().unwrap();
        for at in 0..9 {
            fs::write(folder.path().join(format!("{at}.jsonl")), "{}").unwrap();
        }
        let mut left = 3;
        let found = search(&[folder.path().to_path_buf()], Links::Inside, &mut || {
            left -= 1;
            left == 0
        });
        assert!(found.stopped && found.files.len() < 9);
    }
}
