//! Files named after their content, for example the pictures that a run sends. Each file is written
//! once.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::sync::folder_of;
use super::{FileBatch, FileError};

/// Number of locks. The name of a file selects its lock, so writers of the same file wait.
const LOCKS: usize = 64;

/// Folder of files that are named after their content.
///
/// A file with the right name and length has the right content. Partial files left by a crash are
/// rewritten. All files are on disk after [`ContentStore::settle`].
#[derive(Debug)]
pub struct ContentStore {
    folder: PathBuf,
    /// Names of files that are known to be complete.
    known: [Mutex<HashSet<String>>; LOCKS],
    together: FileBatch,
    linked: AtomicU64,
}

impl ContentStore {
    /// Creates a store for files in a folder.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_path_buf(),
            known: std::array::from_fn(|_| Mutex::default()),
            together: FileBatch::default(),
            linked: AtomicU64::new(0),
        }
    }

    /// Stores a file under a name derived from its content. The file is complete when this returns.
    /// It becomes a hard link to `original` if the file system supports that. `original` must have
    /// the same content and must not be a symbolic link.
    ///
    /// # Errors
    /// If the system cannot write the file.
    pub fn keep(&self, name: &str, bytes: &[u8], original: Option<&Path>) -> Result<(), FileError> {
        let sum: usize = name.bytes().map(usize::from).sum();
        let [first, rest @ ..] = &self.known;
        let lock = rest.get(sum % LOCKS).unwrap_or(first);
        let mut known = lock.lock().unwrap_or_else(PoisonError::into_inner);
        if known.contains(name) {
            return Ok(());
        }
        let path = self.path(name);
        if original.is_some_and(|original| self.link(original, &path, bytes.len())) {
            self.linked.fetch_add(1, Ordering::Relaxed);
        } else if !self.write_new(&path, bytes)? && !is_whole(&path, bytes.len())? {
            self.together.write(&path, bytes)?;
        }
        known.insert(name.to_owned());
        Ok(())
    }

    /// Returns the path of the file with this name, whether or not it exists.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Returns the number of stored files that are hard links to their originals.
    pub fn linked(&self) -> u64 {
        self.linked.load(Ordering::Relaxed)
    }

    /// Links a new name to a file of this length. Returns false if linking fails or the name
    /// exists.
    fn link(&self, original: &Path, path: &Path, length: usize) -> bool {
        let linked = fs::hard_link(original, path).or_else(|why| match why.kind() {
            io::ErrorKind::NotFound => {
                fs::create_dir_all(folder_of(path))?;
                fs::hard_link(original, path)
            }
            _ => Err(why),
        });
        if linked.is_err() {
            return false;
        }
        // Another program may have changed the original after it was read.
        if !is_whole(path, length).unwrap_or_default() {
            drop(fs::remove_file(path));
            return false;
        }
        self.together.wrote(path.to_path_buf());
        true
    }

    /// Writes a new file directly under its final name. The length shows later whether it is
    /// complete. Returns false if the path exists or the folder does not.
    fn write_new(&self, path: &Path, bytes: &[u8]) -> Result<bool, FileError> {
        let Ok(mut file) = File::create_new(path) else {
            return Ok(false);
        };
        if let Err(why) = file.write_all(bytes) {
            // Remove the partial file.
            drop(fs::remove_file(path));
            return Err(FileError::at(path, why));
        }
        self.together.wrote(path.to_path_buf());
        Ok(true)
    }

    /// Returns once all written files are on disk.
    ///
    /// # Errors
    /// If flushing fails.
    pub fn settle(&self) -> Result<(), FileError> {
        self.together.settle_below(&self.folder)
    }
}

/// Returns true if a file with this length exists. A symbolic link is an error, because it can
/// point to any file.
fn is_whole(path: &Path, length: usize) -> Result<bool, FileError> {
    match path.symlink_metadata() {
        Ok(meta) if meta.is_symlink() => {
            let why = io::Error::other("it is a link; the linked file is not overwritten");
            Err(FileError::at(path, why))
        }
        Ok(meta) => Ok(meta.len() == length as u64),
        Err(_) => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::sync::MANY;

    #[test]
    fn a_file_is_written_once_and_what_a_crash_left_of_it_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("images/a.png");
        let keep = || {
            let files = ContentStore::new(folder.path());
            for _ in 0..2 {
                files.keep("images/a.png", b"whole", None).unwrap();
            }
            let count = files.together.written.lock().unwrap().len();
            files.settle().unwrap();
            count
        };
        assert_eq!((keep(), fs::read(&path).unwrap()), (1, b"whole".to_vec()));
        assert_eq!(keep(), 0, "it is there");
        fs::write(&path, "who").unwrap();
        assert_eq!((keep(), fs::read(&path).unwrap()), (1, b"whole".to_vec()));
    }

    #[test]
    fn an_original_of_the_same_length_is_linked_and_outlives_its_first_name() {
        let folder = tempfile::tempdir().unwrap();
        let original = folder.path().join("log.png");
        fs::write(&original, "whole").unwrap();
        let files = ContentStore::new(folder.path());
        let keep = |name: &str, bytes: &[u8]| {
            files.keep(name, bytes, Some(&original)).unwrap();
            fs::read(folder.path().join(name)).unwrap()
        };
        assert_eq!(keep("images/a.png", b"whole"), b"whole");
        assert_eq!(files.linked(), 1);
        // The original has changed since these bytes were read.
        assert_eq!(keep("images/b.png", b"before"), b"before");
        assert_eq!(files.linked(), 1);
        files.settle().unwrap();
        fs::remove_file(&original).unwrap();
        assert_eq!(
            fs::read(folder.path().join("images/a.png")).unwrap(),
            b"whole"
        );
        // Without an original, the bytes are written.
        assert_eq!(keep("images/c.png", b"whole"), b"whole");
        assert_eq!(files.linked(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_names_is_never_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log.jsonl");
        fs::write(&log, "a log").unwrap();
        std::os::unix::fs::symlink(&log, folder.path().join("a.png")).unwrap();
        let error = ContentStore::new(folder.path()).keep("a.png", b"a picture", None);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("a.png: it is a link"), "{error}");
        assert_eq!(fs::read(&log).unwrap(), b"a log");
    }

    #[test]
    fn many_at_once_are_all_there() {
        let folder = tempfile::tempdir().unwrap();
        let files = ContentStore::new(folder.path());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for at in 0..2 * MANY {
                        let name = format!("images/{at}.png");
                        files.keep(&name, name.as_bytes(), None).unwrap();
                        assert_eq!(
                            fs::read(folder.path().join(&name)).unwrap(),
                            name.as_bytes()
                        );
                    }
                });
            }
        });
        assert_eq!(files.together.written.lock().unwrap().len(), 2 * MANY);
        files.settle().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        let error = files
            .keep("file/a.png", b"a", None)
            .unwrap_err()
            .to_string();
        assert!(error.contains("a.png: "), "{error}");
    }
}
