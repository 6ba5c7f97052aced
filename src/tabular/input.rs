//! What tabular files are read from.

use std::fs::File;
use std::io::{Read, Result, Seek, SeekFrom};
use std::ops::Range;

/// Bytes that are read from any place on: a file, or what lies elsewhere.
pub trait Input: Read + Seek + Send {
    /// Says which places will be read next, so that they can be brought together.
    ///
    /// # Errors
    /// They cannot be had.
    fn soon(&self, places: &[Range<u64>]) -> Result<()>;
}

impl Input for File {
    fn soon(&self, _places: &[Range<u64>]) -> Result<()> {
        Ok(())
    }
}

/// Any of them.
pub type Source = Box<dyn Input>;

/// How many bytes there are.
pub fn length(source: &mut Source) -> Result<u64> {
    source.seek(SeekFrom::End(0))
}
