//! Destinations for published data sets.

use std::fs;
use std::io::{Error, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use base::file::{FileBatch, Inputs, WholeFile};
use reader::data_set::{Manifest, StoredFile};

use base::limits::Limit;

use super::PublishError;

/// A destination for files that are never overwritten, and for numbered manifests.
pub trait Target: Sync {
    /// Returns number and content of the newest manifest; `None` if there is none.
    ///
    /// # Errors
    /// The destination cannot be read.
    fn newest(&self) -> Result<Option<(u64, Vec<u8>)>, PublishError>;

    /// Stores a file that is named by its content. Returns false if it already exists.
    ///
    /// # Errors
    /// The file cannot be written.
    fn keep(&self, file: &StoredFile, bytes: &[u8]) -> Result<bool, PublishError>;

    /// Waits until all stored files survive a system crash.
    ///
    /// # Errors
    /// The destination cannot be synced.
    fn settle(&self) -> Result<(), PublishError>;

    /// Adds a manifest atomically. Returns false if its number is taken.
    ///
    /// # Errors
    /// The manifest cannot be written.
    fn add(&self, number: u64, manifest: &[u8]) -> Result<bool, PublishError>;

    /// Returns the local folder; `None` for a store.
    fn folder(&self) -> Option<&Path>;
}

/// Counts the written files; shared by all threads.
#[derive(Debug, Default)]
pub struct WriteCounter {
    files: AtomicU64,
    bytes: AtomicU64,
}

impl WriteCounter {
    /// Counts a file if it is new.
    pub fn count(&self, file: &StoredFile, is_new: bool) {
        if is_new {
            self.files.fetch_add(1, Ordering::Relaxed);
            self.bytes.fetch_add(file.bytes, Ordering::Relaxed);
        }
    }

    /// Returns the number of written files.
    pub fn files(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }

    /// Returns the total size of the written files in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

/// A local folder that contains a data set.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    together: FileBatch,
}

impl Folder {
    /// Creates a destination. The folder is created together with its first file.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
            together: FileBatch::default(),
        }
    }
}

impl Target for Folder {
    fn newest(&self) -> Result<Option<(u64, Vec<u8>)>, PublishError> {
        let entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(PublishError::at(&self.path, &error)),
        };
        let names = entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok());
        let Some(newest) = names.filter_map(|name| Manifest::number(&name)).max() else {
            return Ok(None);
        };
        let path = self.path.join(Manifest::name(newest));
        let bytes = Limit::StoreFile.read(&path);
        let bytes = bytes.map_err(|error| PublishError::at(&path, &error))?;
        Ok(Some((newest, bytes)))
    }

    fn keep(&self, file: &StoredFile, bytes: &[u8]) -> Result<bool, PublishError> {
        let path = file.below(&self.path);
        match path.symlink_metadata() {
            Ok(meta) if meta.is_symlink() => {
                let why = Error::other("it is a link; the linked file is not overwritten");
                return Err(PublishError::at(&path, &why));
            }
            // Writing to a pipe would block until a reader opens it.
            Ok(meta) if !meta.is_file() => {
                let why = Error::other("it is a folder, a pipe or a device, not a file");
                return Err(PublishError::at(&path, &why));
            }
            // A file damaged by a system crash is written again.
            Ok(meta)
                if meta.len() == file.bytes && fs::read(&path).is_ok_and(|own| own == bytes) =>
            {
                return Ok(false);
            }
            _ => {}
        }
        self.together.write(&path, bytes)?;
        Ok(true)
    }

    fn settle(&self) -> Result<(), PublishError> {
        Ok(self.together.settle_below(&self.path)?)
    }

    fn add(&self, number: u64, manifest: &[u8]) -> Result<bool, PublishError> {
        fs::create_dir_all(&self.path).map_err(|error| PublishError::at(&self.path, &error))?;
        let path = self.path.join(Manifest::name(number));
        let mut file = WholeFile::create(&path, &Inputs::none())?;
        file.write_all(manifest)?;
        Ok(file.commit_new()?)
    }

    fn folder(&self) -> Option<&Path> {
        Some(&self.path)
    }
}
