//! Keeps the text of records whose log cannot be read from the middle, as lines of Eyechart's own format.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use crate::record::Store;

/// Bytes that are kept in memory; what goes beyond is written to an unnamed temporary file.
const IN_MEMORY: usize = 32 << 20;

/// A growing list of lines.
#[derive(Debug, Default)]
pub struct Spool {
    memory: Vec<u8>,
    spilled: Option<File>,
    length: u64,
}

impl Spool {
    /// Adds a line; gives its offset.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn push(&mut self, line: &str) -> io::Result<u64> {
        let offset = self.length;
        self.memory.extend_from_slice(line.as_bytes());
        self.memory.push(b'\n');
        self.length += line.len() as u64 + 1;
        if self.memory.len() > IN_MEMORY {
            self.spill()?;
        }
        Ok(offset)
    }

    fn spill(&mut self) -> io::Result<()> {
        let mut file = match self.spilled.take() {
            Some(file) => file,
            None => tempfile::tempfile()?,
        };
        file.write_all(&self.memory)?;
        self.memory.clear();
        self.spilled = Some(file);
        Ok(())
    }

    /// Where the lines can be fetched from now on.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn finish(mut self) -> io::Result<Store> {
        if self.spilled.is_some() {
            self.spill()?;
        }
        Ok(match self.spilled {
            Some(file) => Store::Spilled(Arc::new(file)),
            None => Store::Memory(Arc::new(self.memory)),
        })
    }
}
