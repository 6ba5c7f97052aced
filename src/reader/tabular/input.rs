//! Input sources for tabular files.

use std::fs::File;
use std::io::{Read, Result, Seek, SeekFrom};
use std::ops::Range;

/// Bytes with random access: a local file or a remote object.
pub trait Input: Read + Seek + Send {
    /// Announces the byte ranges to be read next, so that a remote source can fetch them together.
    ///
    /// # Errors
    /// If they cannot be fetched.
    fn soon(&self, places: &[Range<u64>]) -> Result<()>;
}

impl Input for File {
    fn soon(&self, _places: &[Range<u64>]) -> Result<()> {
        Ok(())
    }
}

/// A boxed source of any type.
pub type Source = Box<dyn Input>;

/// Returns the length of a source in bytes.
pub fn length(source: &mut Source) -> Result<u64> {
    source.seek(SeekFrom::End(0))
}
