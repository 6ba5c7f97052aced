//! Reads the footer and the record batches of Arrow IPC files.

// The type of the flag `checked` is in a crate of polars that is not a dependency of this one. Its
// default value checks everything.
#![allow(clippy::default_trait_access)]

use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;

use polars_arrow::array::Array;
use polars_arrow::io::ipc::read::{
    Dictionaries, FileMetadata, read_batch, read_file_dictionaries, read_file_metadata,
};
use polars_arrow_format::ipc::planus::ReadAsRoot as _;
use polars_arrow_format::ipc::{Block, MessageHeaderRef, MessageRef, RecordBatchRef};
use polars_core::error::PolarsError;

use super::cell::{kind, paths};
use super::file::Chunks;
use super::input::{Source, length};
use super::{Error, Kind};

/// Maximum bytes of a value in memory, without the data it points to.
const VALUE: u64 = 16;
/// Marker in front of the length of a message.
const MESSAGE: [u8; 4] = [0xff; 4];

/// Metadata and dictionaries of a file.
pub struct Footer {
    metadata: FileMetadata,
    dictionaries: Dictionaries,
}

impl Footer {
    /// Reads metadata and dictionaries, each of at most `most` bytes.
    pub fn read(file: &mut Source, most: u64) -> Result<Self, Error> {
        file.seek(SeekFrom::Start(0))?;
        let metadata = read_file_metadata(file)?;
        for block in metadata.dictionaries.iter().flatten() {
            rows(file, block, most)?;
        }
        let mut scratch = Vec::new();
        let dictionaries =
            read_file_dictionaries(file, &metadata, &mut scratch, Default::default())?;
        Ok(Self {
            metadata,
            dictionaries,
        })
    }

    pub fn columns(&self) -> Vec<String> {
        let names = self.metadata.schema.iter_names();
        names.map(ToString::to_string).collect()
    }

    pub fn paths(&self) -> Vec<String> {
        paths(self.metadata.schema.iter_values())
    }

    pub fn kind(&self, column: &str) -> Kind {
        let field = self.metadata.schema.get(column);
        field.map_or(Kind::Text, |field| kind(&field.dtype))
    }

    pub fn parts(&self) -> usize {
        self.metadata.blocks.len()
    }

    /// Returns the number of rows in a record batch.
    ///
    /// # Errors
    /// If the batch takes more than `most` bytes.
    pub fn rows(&self, file: &mut Source, part: usize, most: u64) -> Result<u64, Error> {
        rows(file, &self.metadata.blocks[part], most)
    }

    /// Reads the wanted columns of a record batch, optionally only a range of rows.
    pub fn chunks(
        &self,
        file: &mut Source,
        part: usize,
        wanted: &[usize],
        only: Option<&Range<usize>>,
    ) -> Result<Vec<Chunks>, Error> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let batch = read_batch(
            file,
            &self.dictionaries,
            &self.metadata,
            Some(wanted),
            only.map(|rows| rows.end),
            part,
            false,
            &mut Vec::new(),
            &mut Vec::new(),
            Default::default(),
        )?;
        let columns = batch.into_arrays().into_iter();
        let of_rows = |values: Box<dyn Array>| match only {
            Some(rows) => values.sliced(rows.start, rows.len()),
            None => values,
        };
        Ok(columns.map(|values| vec![of_rows(values)]).collect())
    }
}

/// Returns the number of rows in a record batch or dictionary.
///
/// # Errors
/// If the header claims more than `most` bytes. polars would allocate the claimed size.
fn rows(file: &mut Source, block: &Block, most: u64) -> Result<u64, Error> {
    let message = message(file, block)?;
    let message = MessageRef::read_as_root(&message).map_err(PolarsError::from)?;
    let batch = match message.header().map_err(PolarsError::from)? {
        Some(MessageHeaderRef::RecordBatch(batch)) => Some(batch),
        Some(MessageHeaderRef::DictionaryBatch(batch)) => {
            batch.data().map_err(PolarsError::from)?
        }
        _ => None,
    };
    let batch = batch.ok_or(Error::Header("a record batch has no header"))?;
    let body = unsigned(block.offset)?.saturating_add(unsigned(block.meta_data_length.into())?);
    if unpacked(file, body, batch)? > most {
        return Err(Error::Huge);
    }
    unsigned(batch.length().map_err(PolarsError::from)?)
}

fn message(file: &mut Source, block: &Block) -> Result<Vec<u8>, Error> {
    let mut word = [0; 4];
    file.seek(SeekFrom::Start(unsigned(block.offset)?))?;
    file.read_exact(&mut word)?;
    if word == MESSAGE {
        file.read_exact(&mut word)?;
    }
    let mut message = Vec::new();
    let length = unsigned(i32::from_le_bytes(word).into())?;
    file.take(length).read_to_end(&mut message)?;
    Ok(message)
}

/// Returns the decompressed size in bytes that a record batch claims. Its buffers start after
/// `body`.
fn unpacked(file: &mut Source, body: u64, batch: RecordBatchRef<'_>) -> Result<u64, Error> {
    let length = length(file)?;
    let packed = batch.compression().map_err(PolarsError::from)?.is_some();
    let mut total = 0_u64;
    for node in batch
        .nodes()
        .map_err(PolarsError::from)?
        .into_iter()
        .flatten()
    {
        total = total.saturating_add(unsigned(node.length())?.saturating_mul(VALUE));
    }
    for buffer in batch
        .buffers()
        .map_err(PolarsError::from)?
        .into_iter()
        .flatten()
    {
        let bytes = unsigned(buffer.length())?;
        if bytes > length {
            return Err(Error::Header("a buffer is longer than the file"));
        }
        total = total.saturating_add(bytes);
        if packed && bytes > 0 {
            let place = body.saturating_add(unsigned(buffer.offset())?);
            let mut own = [0; 8];
            file.seek(SeekFrom::Start(place))?;
            file.read_exact(&mut own)?;
            // The length -1 marks an uncompressed buffer.
            total = total.saturating_add(i64::from_le_bytes(own).max(0).unsigned_abs());
        }
    }
    Ok(total)
}

fn unsigned(number: i64) -> Result<u64, Error> {
    u64::try_from(number).map_err(|_| Error::Header("a length or an offset is negative"))
}
