//! Keeps the text of records whose log cannot be read from the middle: each answer, and once for each item what was
//! asked.

use std::io;

use hashbrown::HashMap;

use super::found::{Packed, Row, Rows};
use super::spool::Spool;
use crate::text;
use record::{ItemId, Place, Store};

/// The text of the log at hand, and where what was asked is kept of all logs.
#[derive(Debug, Default)]
pub struct KeptText {
    spool: Spool,
    /// By item, a hash of what it asks, and where that is kept.
    contents: HashMap<u32, (u64, Place)>,
}

impl KeptText {
    /// Goes on with the text of a log.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn resume(&mut self, store: &Store) -> io::Result<()> {
        self.spool = Spool::resume(store)?;
        Ok(())
    }

    /// Where the text of the log can be fetched from now on.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn finish(&mut self) -> io::Result<Store> {
        std::mem::take(&mut self.spool).finish()
    }

    /// Keeps the text of a row of a log, and what it asks unless its item asked the same before; gives its offset and
    /// length.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    pub fn keep(
        &mut self,
        rows: &Rows,
        row: &Row,
        packed: &Packed,
        ItemId(item): ItemId,
        unit: u32,
    ) -> io::Result<(u64, u32)> {
        let known = self.contents.get(&item);
        let content = if let Some((_, place)) = known.filter(|(hash, _)| *hash == packed.hash) {
            *place
        } else {
            let (offset, length) = self.spool.push(&[rows.part(&packed.bytes)])?;
            let place = Place {
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
