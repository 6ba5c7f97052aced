//! Test writer that runs out of space after a number of bytes.

use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};

use super::whole::Medium;

/// Wraps a file and leaves space for `room` more bytes.
#[derive(Debug)]
pub(crate) struct Faulty<F> {
    pub(crate) file: F,
    pub(crate) room: usize,
}

impl<F> Faulty<F> {
    pub(crate) const fn new(file: F, room: usize) -> Self {
        Self { file, room }
    }
}

impl<F: Write> Write for Faulty<F> {
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

impl<F: Medium> Medium for Faulty<F> {
    fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }
}

impl<F: Read> Read for Faulty<F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl<F: Seek> Seek for Faulty<F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
