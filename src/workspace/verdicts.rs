//! The files of verdicts that belong to the logs that are open: found, read, followed, written to.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::load::local;
use super::outbox;
use reader::Links;
use record::Problem;
use verdict::{Appended, Book, ENDING, Entry, Follow, append};

/// The name of the file beside the logs, before its ending.
const NAME: &str = "eyechart";

/// Whose verdicts, and where.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    /// The logs that are open.
    pub paths: Vec<PathBuf>,
    /// Which links below them are followed.
    pub links: Links,
    /// The file that the user names; `None`: beside the logs.
    pub file: Option<PathBuf>,
    /// The user's name.
    pub author: String,
    /// The folder of this program's state, for logs in a folder that takes no file.
    pub state: Option<PathBuf>,
}

/// All files of verdicts, read side by side, and the one that is written to.
#[derive(Clone, Debug)]
pub struct Ledger {
    own: PathBuf,
    /// Where verdicts go when the folder of `own` takes none.
    fallback: Option<PathBuf>,
    files: Vec<Follow>,
    book: Book,
    unreadable: Vec<Problem>,
    /// Folders to which copies of files of verdicts may come.
    copies: Vec<PathBuf>,
    /// Entries go on to a store, in objects that have no order.
    goes_on: bool,
}

impl Audit {
    /// The file that is written to: the one that is named, else one in the folder that is open, else one beside
    /// the first log. For logs in a store, one in the state folder: copies of logs may be given up, verdicts never.
    #[must_use]
    pub fn own(&self) -> PathBuf {
        let beside = || self.folder().join(format!("{NAME}{ENDING}"));
        if let Some(address) = outbox::address(self) {
            return self.kept_for(address.to_string().as_bytes());
        }
        let named = self.file.clone();
        let named = named.or_else(|| self.fallback().filter(|_| self.is_elsewhere()));
        named.unwrap_or_else(beside)
    }

    /// The files that verdicts go to, whether they are there or not.
    #[must_use]
    pub fn written(&self) -> Vec<PathBuf> {
        std::iter::once(self.own()).chain(self.fallback()).collect()
    }

    /// Returns true if the logs lie in a store.
    fn is_elsewhere(&self) -> bool {
        let first = self.paths.first();
        first.is_some_and(|path| store::is_address(path))
    }

    /// The folders with copies of what lies in stores, in which verdicts of others may come.
    fn copies(&self) -> Vec<PathBuf> {
        let all = self.paths.iter().chain(&self.file);
        let addresses = all.filter(|path| store::is_address(path));
        addresses.map(|path| local(path)).collect()
    }

    fn folder(&self) -> PathBuf {
        let first = self.paths.first().map_or(Path::new("."), PathBuf::as_path);
        if first.is_dir() || self.is_elsewhere() {
            return first.to_path_buf();
        }
        let parent = first
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        parent.unwrap_or(Path::new(".")).to_path_buf()
    }

    /// The file in the state folder that stands for the logs' own.
    fn fallback(&self) -> Option<PathBuf> {
        let state = self.state.as_ref().filter(|_| self.file.is_none())?;
        let folder = self.folder();
        let real = folder.canonicalize().unwrap_or(folder);
        Some(in_state(state, real.as_os_str().as_encoded_bytes()))
    }

    /// The file of this machine for verdicts that go elsewhere.
    fn kept_for(&self, place: &[u8]) -> PathBuf {
        let here = || PathBuf::from(format!("{NAME}{ENDING}"));
        let state = self.state.as_ref();
        state.map_or_else(here, |state| in_state(state, place))
    }
}

/// The file in the state folder for verdicts on what lies at a place.
fn in_state(state: &Path, place: &[u8]) -> PathBuf {
    let hash = blake3::hash(place).to_hex();
    let name = hash.get(..16).unwrap_or_default();
    state.join("verdicts").join(format!("{name}{ENDING}"))
}

impl Ledger {
    /// Reads every file of verdicts below the paths, the user's own and its stand-in.
    #[must_use]
    pub fn open(audit: &Audit) -> Self {
        let own = audit.own();
        let fallback = audit.fallback().filter(|fallback| *fallback != own);
        let goes_on = outbox::address(audit);
        if (audit.is_elsewhere() || goes_on.is_some())
            && let Some(folder) = own.parent()
        {
            // What cannot be made is told when the first verdict is kept.
            drop(std::fs::create_dir_all(folder));
        }
        let mut on_disk: Vec<PathBuf> = audit.paths.iter().map(|path| local(path)).collect();
        on_disk.extend(audit.copies());
        let mut paths = reader::find_verdicts(&on_disk, audit.links);
        for path in std::iter::once(&own).chain(&fallback) {
            let is_known = |known: &PathBuf| {
                known == path
                    || known
                        .canonicalize()
                        .ok()
                        .is_some_and(|real| path.canonicalize().ok() == Some(real))
            };
            if !paths.iter().any(is_known) {
                paths.push(path.clone());
            }
        }
        let mut ledger = Self {
            own,
            fallback,
            files: paths.iter().map(|path| Follow::new(path)).collect(),
            book: Book::default(),
            unreadable: Vec::new(),
            copies: audit.copies(),
            goes_on: goes_on.is_some(),
        };
        ledger.refresh();
        ledger
    }

    /// Reads what came since, also from other programs; whether anything did.
    pub fn refresh(&mut self) -> bool {
        let mut came = false;
        let mut replaced = false;
        self.unreadable.clear();
        for path in reader::find_verdicts(&self.copies, Links::Inside) {
            if !self.files.iter().any(|file| file.path() == path) {
                self.files.push(Follow::new(&path));
            }
        }
        for (number, file) in self.files.iter_mut().enumerate() {
            match file.read_on() {
                Ok(Some(entries)) => {
                    for entry in entries {
                        came = true;
                        self.book.take(number, entry);
                    }
                }
                Ok(None) => replaced = true,
                Err(error) => self.unreadable.push(Problem::file(
                    file.path(),
                    format!("cannot be read: {error}"),
                )),
            }
        }
        if replaced {
            // Words of the file that is gone must not stay.
            self.book = Book::default();
            for file in &mut self.files {
                *file = Follow::new(file.path());
            }
            self.refresh();
        }
        came || replaced
    }

    /// What all files say.
    #[must_use]
    pub const fn book(&self) -> &Book {
        &self.book
    }

    /// The file that is written to.
    #[must_use]
    pub fn own(&self) -> &Path {
        &self.own
    }

    /// What is wrong with the files, as of the last look.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let of_file = |file: &'_ Follow| {
            let problem =
                |bad: &verdict::BadLine| Problem::line(file.path(), bad.line, bad.what.clone());
            file.problems().map(problem).collect::<Vec<_>>()
        };
        self.unreadable
            .iter()
            .cloned()
            .chain(self.files.iter().flat_map(of_file))
            .collect()
    }

    /// The files that are there.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files
            .iter()
            .map(Follow::path)
            .filter(|path| path.exists())
    }

    /// Keeps an entry on the disk. In a folder that takes no file, the state folder takes it from then on; the
    /// sentence says so.
    ///
    /// # Errors
    /// One sentence: it is not kept.
    pub fn append(&mut self, entry: &Entry) -> Result<Option<String>, String> {
        let entry = &self.in_time(entry);
        let error = match append(&self.own, entry) {
            Ok(appended) => return Ok(closed(&self.own, appended)),
            Err(error) => error,
        };
        let is_closed = matches!(
            error.kind(),
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
        );
        let Some(fallback) = self.fallback.clone().filter(|_| is_closed) else {
            return Err(error.to_string());
        };
        if let Some(folder) = fallback.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        append(&fallback, entry).map_err(|error| error.to_string())?;
        let told = format!("{error}; verdicts are kept in {}", fallback.display());
        self.own = fallback;
        self.fallback = None;
        Ok(Some(told))
    }
}

impl Ledger {
    /// The entry, later than the last word of its author on the sample where only the time tells which of two counts.
    fn in_time(&self, entry: &Entry) -> Entry {
        let last = self.book.last_at(&entry.sample, &entry.author);
        let last = last.filter(|last| self.goes_on && *last >= entry.at);
        let mut entry = entry.clone();
        if let Some(last) = last {
            entry.at = last + std::time::Duration::from_millis(1);
        }
        entry
    }
}

/// What is said of a file whose last line was cut short.
fn closed(path: &Path, appended: Appended) -> Option<String> {
    let told = || {
        format!(
            "the last line of {} was cut short; it is left out",
            path.display()
        )
    };
    (appended == Appended::AfterTorn).then(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_on_logs_in_a_store_go_to_the_state_folder() {
        let state = tempfile::tempdir().unwrap();
        let audit = |path: &str| Audit {
            paths: vec![PathBuf::from(path)],
            state: Some(state.path().to_path_buf()),
            ..Audit::default()
        };
        let [one, other] = ["s3://team/one", "s3://team/two"].map(|path| audit(path).own());
        assert!(one.starts_with(state.path()) && one != other);
        assert_eq!(one, audit("s3://team/one").own());
        let here = audit(&state.path().to_string_lossy()).own();
        assert!(here.ends_with("eyechart.verdicts.jsonl"), "{here:?}");
    }
}
