//! Input sources for tabular files.

use std::fs::File;
use std::io::{Read, Result, Seek, SeekFrom};
use std::ops::Range;

/// Input with random access: a local file, or an object in a store.
pub trait Input: Read + Seek + Send {
    /// Announces byte ranges that will be read next, so that a remote input can download them
    /// together.
    ///
    /// # Errors
    /// If the ranges cannot be downloaded.
    fn soon(&self, places: &[Range<u64>]) -> Result<()>;
}

impl Input for File {
    fn soon(&self, _places: &[Range<u64>]) -> Result<()> {
        Ok(())
    }
}

/// An input of any type.
pub type Source = Box<dyn Input>;

/// Returns the length of an input in bytes.
pub fn length(source: &mut Source) -> Result<u64> {
    source.seek(SeekFrom::End(0))
}
