//! Stores the text of records from logs without random access. Stores each answer, and the question
//! of each item once.

use std::io;

use hashbrown::HashMap;

use super::log_element::{PackedContent, Row, Rows};
use super::spool::Spool;
use crate::text;
use record::{ItemId, RecordPosition, Store};

/// Stored text of the current log, and positions of the questions in all logs.
#[derive(Debug, Default)]
pub struct KeptText {
    spool: Spool,
    /// Hash and position of the question, by item.
    contents: HashMap<u32, (u64, RecordPosition)>,
}

impl KeptText {
    /// Continues with the already stored text of a log.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn resume(&mut self, store: &Store) -> io::Result<()> {
        self.spool = Spool::resume(store)?;
        Ok(())
    }

    /// Ends the log. Returns the store from which its text can be read.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn finish(&mut self) -> io::Result<Store> {
        std::mem::take(&mut self.spool).finish()
    }

    /// Stores the text of a row. Stores its question only if the item has no equal question yet.
    /// Returns offset and length.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn keep(
        &mut self,
        rows: &Rows,
        row: &Row,
        packed: &PackedContent,
        ItemId(item): ItemId,
        unit: u32,
    ) -> io::Result<(u64, u32)> {
        let known = self.contents.get(&item);
        let content = if let Some((_, place)) = known.filter(|(hash, _)| *hash == packed.hash) {
            *place
        } else {
            let (offset, length) = self.spool.push(&[rows.part(&packed.bytes)])?;
            let place = RecordPosition {
                unit,
                offset,
                length,
                line: 0,
            };
            self.contents.entry(item).or_insert((packed.hash, place));
            place
        };
        let content = text::pack_place(content).map_err(io::Error::other)?;
        self.spool.push(&[&content, rows.part(&row.text)])
    }
}
