//! Encoded pictures of requests. The bytes are freed after sending, if a file stores them.
//!
//! Hundreds of requests may wait for their answers, and their pictures would fill memory. Buffers
//! that are reused soon are also still in the processor's cache.

use std::fmt;
use std::io;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use base::platform::memory::return_to_pool;

/// An encoded picture with its size and digest.
pub struct Picture {
    /// The bytes; `None` after the picture was sent.
    held: Mutex<Option<Arc<PictureBytes>>>,
    length: usize,
    /// The file that stores the bytes during the run.
    kept: OnceLock<PathBuf>,
    /// Media type: `image/png` or `image/jpeg`.
    pub mime: &'static str,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// BLAKE3 of the bytes, in hexadecimal digits.
    pub digest: String,
    /// The log's picture file with the same bytes, if there is one.
    pub file: Option<PathBuf>,
}

/// The bytes of a picture file, PNG or JPEG, in a buffer that is reused.
#[derive(Debug)]
pub struct PictureBytes(Vec<u8>);

impl Deref for PictureBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for PictureBytes {
    fn drop(&mut self) {
        return_to_pool(std::mem::take(&mut self.0));
    }
}

impl Picture {
    /// Returns a picture and computes its digest.
    pub fn new(bytes: Vec<u8>, mime: &'static str, size: (u32, u32)) -> Self {
        Self {
            length: bytes.len(),
            digest: digest(&bytes),
            held: Mutex::new(Some(Arc::new(PictureBytes(bytes)))),
            kept: OnceLock::new(),
            mime,
            size,
            file: None,
        }
    }

    /// Sets the log's picture file with the same bytes.
    #[must_use]
    pub fn of_file(mut self, file: Option<PathBuf>) -> Self {
        self.file = file;
        self
    }

    /// Number of bytes of the file.
    pub const fn length(&self) -> usize {
        self.length
    }

    /// Returns the bytes. They are read from the file if the picture was released.
    ///
    /// # Errors
    /// The file that stores the bytes cannot be read, or its content has changed.
    pub fn bytes(&self) -> io::Result<Arc<PictureBytes>> {
        let mut held = self.held();
        if let Some(bytes) = &*held {
            return Ok(Arc::clone(bytes));
        }
        let bytes = Arc::new(PictureBytes(self.read_again()?));
        *held = Some(Arc::clone(&bytes));
        Ok(bytes)
    }

    fn read_again(&self) -> io::Result<Vec<u8>> {
        let lost = || io::Error::other("the picture was not stored");
        let path = self.kept.get().ok_or_else(lost)?;
        let at_path = |why: String| io::Error::other(format!("{}: {why}", path.display()));
        let bytes = std::fs::read(path).map_err(|error| at_path(error.to_string()))?;
        if digest(&bytes) == self.digest {
            Ok(bytes)
        } else {
            let why = "the picture was changed after it was sent";
            Err(at_path(why.to_owned()))
        }
    }

    /// Records the file that stores the bytes, so that [`Picture::release`] may free them.
    pub fn keep_at(&self, path: PathBuf) {
        // A second file would have the same bytes.
        let _ = self.kept.set(path);
    }

    /// Returns true if the bytes are in memory.
    pub fn is_held(&self) -> bool {
        self.held().is_some()
    }

    /// Frees the bytes, if a file stores them.
    pub fn release(&self) {
        if self.kept.get().is_some() {
            *self.held() = None;
        }
    }

    fn held(&self) -> MutexGuard<'_, Option<Arc<PictureBytes>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// Pictures with the same digest have the same bytes.
impl PartialEq for Picture {
    fn eq(&self, other: &Self) -> bool {
        (self.mime, self.size, &self.digest) == (other.mime, other.size, &other.digest)
    }
}

impl Eq for Picture {}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}x{} {}",
            self.mime, self.size.0, self.size.1, self.digest
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_picture_is_read_again_and_others_stay_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let picture = Picture::new(vec![1, 2, 3], "image/png", (1, 1));
        let is_whole = || **picture.bytes().unwrap() == [1, 2, 3];
        picture.release();
        assert!(picture.is_held() && is_whole(), "kept nowhere");
        std::fs::write(&path, [1, 2, 3]).unwrap();
        picture.keep_at(path.clone());
        picture.release();
        assert!(!picture.is_held() && is_whole() && picture.is_held());
        picture.release();
        std::fs::write(&path, [1, 2, 4]).unwrap();
        let error = picture.bytes().unwrap_err().to_string();
        assert!(error.ends_with("a.png: the picture was changed after it was sent"));
        std::fs::remove_file(&path).unwrap();
        assert!(picture.bytes().unwrap_err().to_string().contains("a.png: "));
    }
}
