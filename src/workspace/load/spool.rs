//! Stores packed texts of records from logs without random access.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use base::limits::Limit;
use record::Store;

/// A growing list of packed texts.
#[derive(Debug, Default)]
pub struct Spool {
    memory: Vec<u8>,
    spilled: Option<Arc<File>>,
    length: u64,
}

impl Spool {
    /// Continues with the texts of a store. Texts in memory are moved to a file, which avoids
    /// copying them as the store grows.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn resume(store: &Store) -> io::Result<Self> {
        match store {
            Store::Log | Store::Copy(_) => Ok(Self::default()),
            Store::Memory(bytes) => {
                let mut spool = Self {
                    memory: bytes.to_vec(),
                    length: bytes.len() as u64,
                    spilled: None,
                };
                spool.spill()?;
                Ok(spool)
            }
            Store::Spilled(file) => Ok(Self {
                memory: Vec::new(),
                length: file.metadata()?.len(),
                spilled: Some(Arc::clone(file)),
            }),
        }
    }

    /// Adds a text, given in parts. Returns its offset and length.
    ///
    /// # Errors
    /// The temporary file cannot be written, or the text is longer than 4 GB.
    pub fn push(&mut self, parts: &[&[u8]]) -> io::Result<(u64, u32)> {
        let offset = self.length;
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let narrow = u32::try_from(length).map_err(io::Error::other)?;
        for part in parts {
            self.memory.extend_from_slice(part);
        }
        self.length += u64::from(narrow);
        if self.memory.len() > Limit::Text.length() {
            self.spill()?;
        }
        Ok((offset, narrow))
    }

    fn spill(&mut self) -> io::Result<()> {
        let file = match self.spilled.take() {
            Some(file) => file,
            None => Arc::new(tempfile::tempfile()?),
        };
        let written = file.as_ref().write_all(&self.memory);
        self.memory.clear();
        self.spilled = Some(file);
        written
    }

    /// Ends the list. Returns the store from which the texts can be read.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn finish(mut self) -> io::Result<Store> {
        if self.spilled.is_some() {
            self.spill()?;
        }
        Ok(match self.spilled {
            Some(file) => Store::Spilled(file),
            None => Store::Memory(Arc::new(self.memory)),
        })
    }
}
