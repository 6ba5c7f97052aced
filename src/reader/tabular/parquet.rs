//! Reads the footer and the row groups of Parquet files.

use std::io::{Cursor, Read as _, Seek as _, SeekFrom};
use std::ops::Range;

use polars_arrow::datatypes::{ArrowDataType as Type, ArrowSchema, Field};
use polars_parquet::parquet::statistics::Statistics;
use polars_parquet::read::{
    BasicDecompressor, ColumnChunkMetadata, FileMetadata, Filter, PageReader,
    column_iter_to_arrays, infer_schema, n_columns, read_metadata,
};
use polars_parquet_format::PageHeader;
use polars_parquet_format::thrift::protocol::TCompactInputProtocol;

use super::cell::{is_bytes, kind, paths};
use super::file::{Chunks, PartCells};
use super::input::{Source, length};
use super::{ColumnStatistics, Error, Kind};

/// Minimum bytes of memory for a value while its page is decoded.
const VALUE: u64 = 16;
/// Maximum bytes of the page headers, in addition to the size of a column.
const HEADER: usize = 1 << 16;

/// Metadata, schema and length of a file.
pub struct Footer {
    metadata: FileMetadata,
    schema: ArrowSchema,
    length: u64,
    /// Name of the column whose binary data is read.
    pub bytes: Option<String>,
}

impl Footer {
    /// Reads the footer of a file.
    pub fn read(file: &mut Source) -> Result<Self, Error> {
        let metadata = read_metadata(file)?;
        let schema = infer_schema(&metadata)?;
        let length = length(file)?;
        Ok(Self {
            metadata,
            schema,
            length,
            bytes: None,
        })
    }

    pub fn columns(&self) -> Vec<String> {
        self.schema.iter_names().map(ToString::to_string).collect()
    }

    pub fn paths(&self) -> Vec<String> {
        paths(self.schema.iter_values())
    }

    /// Returns the value of a key in the footer's key-value metadata.
    pub fn value(&self, key: &str) -> Option<&str> {
        let mut values = self.metadata.key_value_metadata.iter().flatten();
        values.find(|entry| entry.key == key)?.value.as_deref()
    }

    pub fn kind(&self, column: &str) -> Kind {
        let field = self.schema.get(column);
        field.map_or(Kind::Text, |field| kind(&field.dtype))
    }

    pub fn parts(&self) -> usize {
        self.metadata.row_groups.len()
    }

    pub fn rows(&self, part: usize) -> u64 {
        self.metadata.row_groups[part].num_rows() as u64
    }

    /// Returns the statistics of a column in a row group.
    pub fn known(&self, part: usize, column: &str) -> ColumnStatistics {
        let mut leaves = self.metadata.row_groups[part]
            .columns_under_root_iter(column)
            .into_iter()
            .flatten();
        let said = leaves
            .next()
            .and_then(|leaf| leaf.statistics(&self.metadata.footer_buf)?.ok());
        let nulls = said
            .as_ref()
            .and_then(|said| u64::try_from(said.null_count()?).ok());
        let text = |value: Option<Vec<u8>>| String::from_utf8(value?).ok();
        let texts = match said {
            Some(Statistics::Binary(texts)) => text(texts.min_value).zip(text(texts.max_value)),
            _ => None,
        };
        ColumnStatistics { nulls, texts }
    }

    /// Returns the byte ranges of the wanted columns in a row group, for downloading.
    fn places(&self, part: usize, wanted: &[usize]) -> Result<Vec<Range<u64>>, Error> {
        let group = &self.metadata.row_groups[part];
        let mut places = Vec::new();
        for &column in wanted {
            let found = self.schema.get_at_index(column);
            let (name, field) = found.ok_or(Error::Header("a column has no type"))?;
            let leaves = group.columns_under_root_iter(name);
            let kept = self.wanted(field, leaves.into_iter().flatten());
            let leaves = kept.into_iter().flat_map(|(_, leaves)| leaves);
            places.extend(leaves.map(ColumnChunkMetadata::byte_range));
        }
        Ok(places)
    }

    /// Returns the compressed size of the wanted columns in bytes.
    pub fn packed(&self, wanted: &[usize]) -> Result<u64, Error> {
        let mut total = 0_u64;
        for part in 0..self.parts() {
            for place in self.places(part, wanted)? {
                total = total.saturating_add(place.end.saturating_sub(place.start));
            }
        }
        Ok(total)
    }

    /// Reads cells of a row group.
    pub fn chunks(
        &self,
        file: &mut Source,
        cells: &PartCells<'_>,
        most: u64,
    ) -> Result<Vec<Chunks>, Error> {
        file.soon(&self.places(cells.part, cells.columns)?)?;
        let group = &self.metadata.row_groups[cells.part];
        let chunks_of = |&column: &usize| {
            let found = self.schema.get_at_index(column);
            let (name, field) = found.ok_or(Error::Header("a column has no type"))?;
            let leaves = group.columns_under_root_iter(name);
            let Some((field, leaves)) = self.wanted(field, leaves.into_iter().flatten()) else {
                return Ok(Chunks::new());
            };
            let mut pages = Vec::new();
            let mut types = Vec::new();
            for leaf in leaves {
                pages.push(self.pages(file, leaf, most)?);
                types.push(&leaf.descriptor().descriptor.primitive_type);
            }
            let filter = cells
                .rows
                .clone()
                .map(|rows| Filter::new_ranged(rows.start, rows.end));
            Ok(column_iter_to_arrays(pages, types, field, filter)?.0)
        };
        cells.columns.iter().map(chunks_of).collect()
    }

    /// Returns a column and its leaves. Binary leaves are removed, unless the binary data of the
    /// column is wanted.
    fn wanted<'a>(
        &self,
        field: &Field,
        leaves: impl Iterator<Item = &'a ColumnChunkMetadata>,
    ) -> Option<(Field, Vec<&'a ColumnChunkMetadata>)> {
        if self.bytes.as_deref() == Some(field.name.as_str()) {
            return Some((field.clone(), leaves.collect()));
        }
        without_bytes(field, leaves)
    }

    /// Reads the compressed pages of a column.
    fn pages(
        &self,
        file: &mut Source,
        column: &ColumnChunkMetadata,
        most: u64,
    ) -> Result<BasicDecompressor, Error> {
        let place = column.byte_range();
        if place.end > self.length {
            return Err(Error::Header("a column lies beyond the end of the file"));
        }
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(place.start))?;
        file.take(place.end - place.start).read_to_end(&mut bytes)?;
        if unpacked(&bytes, column.num_values())? > most {
            return Err(Error::Huge);
        }
        let limit = bytes.len() + HEADER;
        let pages = PageReader::new(Cursor::new(bytes.into()), column, Vec::new(), limit);
        Ok(BasicDecompressor::new(pages, Vec::new()))
    }
}

/// Returns the decompressed size that the pages of a column claim, in bytes. polars allocates the
/// claimed size.
fn unpacked(bytes: &[u8], values: i64) -> Result<u64, Error> {
    const WRONG: Error = Error::Header("the header of a page is damaged");
    let mut rest = Cursor::new(bytes);
    let (mut seen, mut total) = (0_i64, 0_u64);
    while seen < values && rest.position() < bytes.len() as u64 {
        let mut protocol = TCompactInputProtocol::new(&mut rest, bytes.len() + HEADER);
        let header = PageHeader::read_from_in_protocol(&mut protocol).map_err(|_| WRONG)?;
        let first = header.data_page_header.map(|header| header.num_values);
        let second = header.data_page_header_v2.map(|header| header.num_values);
        let dictionary = header
            .dictionary_page_header
            .map(|header| header.num_values);
        let data = first.or(second).unwrap_or_default();
        seen += i64::from(data);
        for (size, each) in [
            (header.uncompressed_page_size, 1),
            (data, VALUE),
            (dictionary.unwrap_or_default(), VALUE),
        ] {
            total += u64::try_from(size).map_err(|_| WRONG)? * each;
        }
        let packed = u64::try_from(header.compressed_page_size).map_err(|_| WRONG)?;
        rest.set_position(rest.position() + packed);
    }
    Ok(total)
}

/// Returns a column without its binary leaves, and the leaves that remain.
fn without_bytes<'a>(
    field: &Field,
    leaves: impl Iterator<Item = &'a ColumnChunkMetadata>,
) -> Option<(Field, Vec<&'a ColumnChunkMetadata>)> {
    let mut leaves = leaves;
    if is_bytes(field) {
        return None;
    }
    let Type::Struct(fields) = field.dtype.to_storage() else {
        return Some((field.clone(), leaves.collect()));
    };
    let (mut kept, mut of_kept) = (Vec::new(), Vec::new());
    for inner in fields {
        let own = leaves.by_ref().take(n_columns(&inner.dtype));
        if is_bytes(inner) {
            own.for_each(drop);
        } else {
            of_kept.extend(own);
            kept.push(inner.clone());
        }
    }
    let field = Field::new(field.name.clone(), Type::Struct(kept), field.is_nullable);
    (!of_kept.is_empty()).then_some((field, of_kept))
}
