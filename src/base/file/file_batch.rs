//! Writes many small files, for example the pictures of a benchmark.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use super::sync::{folder_of, sync_below, sync_files};
use super::whole::filled;
use super::{FileError, Inputs, WholeFile};

/// A batch of small files. Each file is written completely or not at all.
///
/// All files are on disk after [`FileBatch::settle`], which is much faster than syncing each file.
#[derive(Debug, Default)]
pub struct FileBatch {
    pub(crate) written: Mutex<Vec<PathBuf>>,
}

impl FileBatch {
    /// Writes a file, and creates missing folders.
    ///
    /// # Errors
    /// If the system cannot write it.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), FileError> {
        let failed = |why| FileError::at(path, why);
        fs::create_dir_all(folder_of(path)).map_err(failed)?;
        let target = filled(path, bytes, &Inputs::none())?.commit_unsynced()?;
        self.wrote(target);
        Ok(())
    }

    /// Registers a file that was written without this batch, so that it is synced too.
    pub(crate) fn wrote(&self, path: PathBuf) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.push(path);
    }

    /// Commits a file that was written in pieces, without syncing it yet.
    ///
    /// # Errors
    /// If the system cannot write it; an old file is unchanged.
    pub fn keep(&self, file: WholeFile, modified: Option<SystemTime>) -> Result<(), FileError> {
        self.wrote(file.commit_unsynced_as_of(modified)?);
        Ok(())
    }

    /// Calls [`FileBatch::settle`] if at least `most` files are not synced yet. Bounds the length
    /// of the list of written files.
    ///
    /// # Errors
    /// If flushing fails.
    pub fn settle_from(&self, most: usize) -> Result<(), FileError> {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = written.len() >= most;
        drop(written);
        if is_due { self.settle() } else { Ok(()) }
    }

    /// Returns once all written files are on disk.
    ///
    /// # Errors
    /// If flushing fails.
    pub fn settle(&self) -> Result<(), FileError> {
        sync_files(&self.take())
    }

    /// Like [`FileBatch::settle`], for files that are all below one folder on one file system.
    ///
    /// # Errors
    /// If flushing fails.
    pub fn settle_below(&self, folder: &Path) -> Result<(), FileError> {
        sync_below(folder, &self.take())
    }

    fn take(&self) -> Vec<PathBuf> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_in_pieces_has_the_time_that_it_is_given() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let together = FileBatch::default();
        let mut file = WholeFile::create(&path, &Inputs::none()).unwrap();
        let then = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
        for _ in 0..3 {
            std::io::Write::write_all(&mut file, b"piece").unwrap();
        }
        assert!(!path.exists());
        together.keep(file, Some(then)).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), then);
        together.settle().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"piecepiecepiece");
    }

    #[test]
    fn no_more_files_than_wanted_are_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let together = FileBatch::default();
        let waiting = || together.written.lock().unwrap().len();
        for name in ["1", "2", "3"] {
            together.write(&folder.path().join(name), b"x").unwrap();
            together.settle_from(3).unwrap();
            assert_eq!(waiting(), [1, 2, 0][name.parse::<usize>().unwrap() - 1]);
        }
    }

    #[test]
    fn files_come_with_their_folders() {
        let folder = tempfile::tempdir().unwrap();
        let together = FileBatch::default();
        let at = |name: &str| folder.path().join(name);
        for name in ["images/1.png", "images/deep/2.png"] {
            together.write(&at(name), name.as_bytes()).unwrap();
            assert_eq!(fs::read(at(name)).unwrap(), name.as_bytes());
        }
        together.settle().unwrap();
        fs::write(at("file"), "").unwrap();
        let error = together
            .write(&at("file/3.png"), b"")
            .unwrap_err()
            .to_string();
        assert!(error.contains("3.png: "), "{error}");
        assert_eq!(fs::read_dir(at("images")).unwrap().count(), 2);
    }
}
