//! Checksum of a Parquet file's data, stored in the footer. It is the CRC-32 of all bytes before
//! the footer.
//!
//! The format has an optional checksum per page, but polars neither writes nor verifies it. Without
//! a checksum, a flipped bit in a page can change a value without an error.

use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crc32fast::Hasher;
use polars_parquet_format::thrift::protocol::{TCompactInputProtocol, TCompactOutputProtocol};
use polars_parquet_format::{FileMetaData, KeyValue};

use super::Error;
use super::input::{Source, length};

/// Key of the checksum among the footer's key-value metadata.
pub const KEY: &str = "eyechart.crc32";

/// Bytes after the footer: its length in four bytes, and `PAR1`.
const END: usize = 8;

/// Writer that computes a checksum of the data. It buffers the footer until [`Self::seal`].
pub struct ChecksumWriter<W>(Arc<Mutex<State<W>>>);

struct State<W> {
    out: W,
    sum: Hasher,
    /// Bytes written since [`ChecksumWriter::hold`]; `None` before that call.
    tail: Option<Vec<u8>>,
}

impl<W> Clone for ChecksumWriter<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: Write> ChecksumWriter<W> {
    pub fn new(out: W) -> Self {
        let (sum, tail) = (Hasher::new(), None);
        Self(Arc::new(Mutex::new(State { out, sum, tail })))
    }

    fn state(&self) -> MutexGuard<'_, State<W>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Buffers all bytes written from now on. These are the page indexes and the footer.
    pub fn hold(&self) {
        self.state().tail = Some(Vec::new());
    }

    /// Adds the checksum to the buffered footer, and writes the buffered bytes.
    ///
    /// # Errors
    /// If the footer cannot be read, or the bytes cannot be written.
    pub fn seal(&self) -> Result<(), Error> {
        const WRONG: Error = Error::Header("the footer cannot be read");
        let mut state = self.state();
        let tail = state.tail.take().ok_or(WRONG)?;
        let (rest, end) = tail.split_last_chunk::<END>().ok_or(WRONG)?;
        let at = rest.len().checked_sub(footer_length(*end)).ok_or(WRONG)?;
        let (indexes, footer) = rest.split_at(at);
        state.sum.update(indexes);
        let mut protocol = TCompactInputProtocol::new(footer, footer.len() * 16 + (1 << 16));
        let mut footer = FileMetaData::read_from_in_protocol(&mut protocol).map_err(|_| WRONG)?;
        let sum = format!("{:08x}", state.sum.clone().finalize());
        let sums = footer.key_value_metadata.get_or_insert_default();
        sums.push(KeyValue::new(KEY.to_owned(), Some(sum)));
        let mut bytes = Vec::new();
        let mut protocol = TCompactOutputProtocol::new(&mut bytes);
        footer
            .write_to_out_protocol(&mut protocol)
            .map_err(|_| WRONG)?;
        let length = u32::try_from(bytes.len()).map_err(|_| WRONG)?;
        for part in [indexes, &bytes, &length.to_le_bytes(), b"PAR1"] {
            state.out.write_all(part)?;
        }
        Ok(state.out.flush()?)
    }
}

impl<W: Write> Write for ChecksumWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.state();
        if let Some(tail) = &mut state.tail {
            tail.extend_from_slice(bytes);
            return Ok(bytes.len());
        }
        let written = state.out.write(bytes)?;
        state.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.state().out.flush()
    }
}

/// Returns the length of the footer in bytes, from the last bytes of a file.
fn footer_length([a, b, c, d, ..]: [u8; END]) -> usize {
    usize::try_from(u32::from_le_bytes([a, b, c, d])).unwrap_or(usize::MAX)
}

/// True if the data before the footer has the checksum `wanted`.
///
/// # Errors
/// If the file cannot be read.
pub fn agrees(file: &mut Source, wanted: &str) -> Result<bool, Error> {
    let (length, mut end) = (length(file)?, [0; END]);
    file.seek(SeekFrom::Start(length.saturating_sub(END as u64)))?;
    file.read_exact(&mut end)?;
    let data = length.saturating_sub((footer_length(end) + END) as u64);
    file.rewind()?;
    let (mut rest, mut sum) = (file.take(data), Hasher::new());
    let mut piece = vec![0; 1 << 18];
    loop {
        match rest.read(&mut piece)? {
            0 => return Ok(format!("{:08x}", sum.finalize()) == wanted),
            length => sum.update(&piece[..length]),
        }
    }
}
