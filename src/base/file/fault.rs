//! Test writer that reports a full disk after a number of bytes.

use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};

use super::whole::Medium;

/// Wraps a file and leaves space for `room` more bytes.
#[derive(Debug)]
pub(crate) struct FaultyFile<F> {
    pub(crate) file: F,
    pub(crate) room: usize,
}

impl<F> FaultyFile<F> {
    pub(crate) const fn new(file: F, room: usize) -> Self {
        Self { file, room }
    }
}

impl<F: Write> Write for FaultyFile<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room == 0 && !bytes.is_empty() {
            return Err(ErrorKind::StorageFull.into());
        }
        let fits = bytes.len().min(self.room);
        let written = self.file.write(&bytes[..fits])?;
        self.room -= written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl<F: Medium> Medium for FaultyFile<F> {
    fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }
}

impl<F: Read> Read for FaultyFile<F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl<F: Seek> Seek for FaultyFile<F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
