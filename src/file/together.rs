//! Many small files, such as the pictures of a benchmark.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::sync::{folder_of, sync_files};
use super::whole::filled;
use super::{FileError, Inputs};

/// Many small files: each is there whole or not at all, and all of them are on the disk after [`Together::settle`].
/// Waiting for the disk once takes a small part of the time that waiting after every file would.
#[derive(Debug, Default)]
pub struct Together {
    written: Mutex<Vec<PathBuf>>,
}

impl Together {
    /// Writes a file, and makes the folders in which it stands.
    ///
    /// # Errors
    /// The system does not let it be written.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), FileError> {
        let failed = |why| FileError::at(path, why);
        fs::create_dir_all(folder_of(path)).map_err(failed)?;
        let target = filled(path, bytes, &Inputs::none())?.commit_unsynced()?;
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.push(target);
        Ok(())
    }

    /// Returns when all files that were written are on the disk.
    ///
    /// # Errors
    /// The disk.
    pub fn settle(&self) -> Result<(), FileError> {
        let written = {
            let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *written)
        };
        sync_files(&written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_with_their_folders() {
        let folder = tempfile::tempdir().unwrap();
        let together = Together::default();
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
