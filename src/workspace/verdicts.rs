//! Finds, reads, follows and writes the verdict files of the open logs.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::load::local;
use super::upload_queue;
use reader::Links;
use record::Problem;
use record::verdict::{Book, ENDING, Entry, FileEnd, VerdictFile, append};

/// Name of the verdict file next to the logs, without its extension.
const NAME: &str = "eyechart";

/// Where verdicts are read and written, and who writes them.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    /// Paths of the open logs.
    pub paths: Vec<PathBuf>,
    /// Which links below the paths to follow.
    pub links: Links,
    /// File or address given by the user; `None` for a file next to the logs.
    pub file: Option<PathBuf>,
    /// Name of the user.
    pub author: String,
    /// The program's state folder, for verdicts on logs in a read-only folder.
    pub state: Option<PathBuf>,
}

/// All verdict files, including the file to write to.
#[derive(Clone, Debug)]
pub struct Ledger {
    own: PathBuf,
    /// Verdict file that is used if the folder of `own` is read-only.
    fallback: Option<PathBuf>,
    files: Vec<VerdictFile>,
    book: Book,
    unreadable: Vec<Problem>,
    /// Folders of copies from stores, in which verdict files of other people may appear.
    copies: Vec<PathBuf>,
    /// True if verdicts are uploaded to a store, whose objects have no order.
    goes_on: bool,
}

impl Audit {
    /// Returns the file to write to. This is the given file or, by default, a file in the opened
    /// folder or next to the first log.
    ///
    /// For logs in a store, it is a file in the state folder, because cached copies may be removed.
    pub fn own(&self) -> PathBuf {
        let beside = || self.folder().join(format!("{NAME}{ENDING}"));
        if let Some(address) = upload_queue::address(self) {
            return self.kept_for(address.to_string().as_bytes());
        }
        let named = self.file.clone();
        let named = named.or_else(|| self.fallback().filter(|_| self.is_elsewhere()));
        named.unwrap_or_else(beside)
    }

    /// Returns the files to which verdicts may be written, whether or not they exist.
    pub fn written(&self) -> Vec<PathBuf> {
        std::iter::once(self.own()).chain(self.fallback()).collect()
    }

    /// Returns true if the logs are in a store.
    fn is_elsewhere(&self) -> bool {
        let first = self.paths.first();
        first.is_some_and(|path| store::is_address(path))
    }

    /// Returns the folders of copies from stores, in which verdict files of other people may
    /// appear.
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

    /// Returns the file in the state folder that is used if the usual file cannot be written.
    fn fallback(&self) -> Option<PathBuf> {
        let state = self.state.as_ref().filter(|_| self.file.is_none())?;
        let folder = self.folder();
        let real = folder.canonicalize().unwrap_or(folder);
        Some(in_state(state, real.as_os_str().as_encoded_bytes()))
    }

    /// Returns the local file for verdicts that are uploaded to a place.
    fn kept_for(&self, place: &[u8]) -> PathBuf {
        let here = || PathBuf::from(format!("{NAME}{ENDING}"));
        let state = self.state.as_ref();
        state.map_or_else(here, |state| in_state(state, place))
    }
}

/// Returns the file in the state folder that belongs to a place.
fn in_state(state: &Path, place: &[u8]) -> PathBuf {
    let hash = blake3::hash(place).to_hex();
    let name = hash.get(..16).unwrap_or_default();
    state.join("verdicts").join(format!("{name}{ENDING}"))
}

impl Ledger {
    /// Reads every verdict file below the paths, including the user's own file and its replacement.
    pub fn open(audit: &Audit) -> Self {
        let own = audit.own();
        let fallback = audit.fallback().filter(|fallback| *fallback != own);
        let goes_on = upload_queue::address(audit);
        if (audit.is_elsewhere() || goes_on.is_some())
            && let Some(folder) = own.parent()
        {
            // If this fails, the error is reported when the first verdict is saved.
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
            files: paths.iter().map(|path| VerdictFile::new(path)).collect(),
            book: Book::default(),
            unreadable: Vec::new(),
            copies: audit.copies(),
            goes_on: goes_on.is_some(),
        };
        ledger.refresh();
        ledger
    }

    /// Reads new entries, including those of other programs. Returns true if anything changed.
    pub fn refresh(&mut self) -> bool {
        let mut came = false;
        let mut replaced = false;
        self.unreadable.clear();
        for path in reader::find_verdicts(&self.copies, Links::Inside) {
            if !self.files.iter().any(|file| file.path() == path) {
                self.files.push(VerdictFile::new(&path));
            }
        }
        for (number, file) in self.files.iter_mut().enumerate() {
            match file.read_on() {
                Ok(Some(entries)) => {
                    for entry in entries {
                        came = true;
                        self.book.add(number, entry);
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
            // Drop the entries of files that were replaced.
            self.book = Book::default();
            for file in &mut self.files {
                *file = VerdictFile::new(file.path());
            }
            self.refresh();
        }
        came || replaced
    }

    /// Returns the verdicts of all files.
    pub const fn book(&self) -> &Book {
        &self.book
    }

    /// Returns the file to write to.
    pub fn own(&self) -> &Path {
        &self.own
    }

    /// Returns the problems of the files at the last refresh.
    pub fn problems(&self) -> Vec<Problem> {
        let of_file = |file: &'_ VerdictFile| {
            let problem = |bad: &record::verdict::BadLine| {
                Problem::line(file.path(), bad.line, bad.what.clone())
            };
            file.problems().map(problem).collect::<Vec<_>>()
        };
        self.unreadable
            .iter()
            .cloned()
            .chain(self.files.iter().flat_map(of_file))
            .collect()
    }

    /// Returns the files that exist.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files
            .iter()
            .map(VerdictFile::path)
            .filter(|path| path.exists())
    }

    /// Saves an entry to disk. If the folder is read-only, uses the state folder from then on, and
    /// returns a notice that explains it.
    ///
    /// # Errors
    /// If the entry is not saved.
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
        let told = format!("{error}; verdicts are saved in {}", fallback.display());
        self.own = fallback;
        self.fallback = None;
        Ok(Some(told))
    }

    /// Returns the entry with a time after the author's last entry. Needed if verdicts are
    /// uploaded, because then the latest time decides which entry counts.
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

/// Returns a notice about an incomplete last line; `None` if the last line was complete.
fn closed(path: &Path, appended: FileEnd) -> Option<String> {
    let told = || {
        format!(
            "the last line of {} was cut short; it is left out",
            path.display()
        )
    };
    (appended == FileEnd::AfterTorn).then(told)
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
