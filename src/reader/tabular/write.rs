//! Writes tabular files part by part.

use std::borrow::Cow;
use std::io::Write;

use polars_arrow::io::ipc::write::{StreamWriter, WriteOptions, default_ipc_fields};
use polars_core::error::PolarsResult;
use polars_core::prelude::{
    CompatLevel, DataFrame, DataType, Field, NamedFrom as _, Schema, SchemaExt as _, Series,
};
use polars_io::SerWriter as _;
use polars_io::ipc::{BatchedWriter as ArrowOut, IpcCompression, IpcWriter};
use polars_io::parquet::write::{BatchedWriter as ParquetOut, ParquetWriter};

use super::checksum::ChecksumWriter;
use super::{Error, Form};

/// Kind of values in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Texts in UTF-8.
    Text,
    /// 64-bit floating point numbers.
    Number,
    /// Booleans.
    Flag,
}

impl Kind {
    /// Returns the kind of a column whose parts have the kinds `self` and `other`. Different kinds
    /// become text.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Text }
    }
}

impl From<bool> for Kind {
    /// Returns [`Self::Number`] for true and [`Self::Text`] for false.
    fn from(is_number: bool) -> Self {
        if is_number { Self::Number } else { Self::Text }
    }
}

/// Values of one column in one part.
#[derive(Clone, Debug, PartialEq)]
pub enum Column<'a> {
    /// Texts; `None` is null.
    Text(Vec<Option<Cow<'a, str>>>),
    /// Numbers; `None` is null.
    Number(Vec<Option<f64>>),
    /// Booleans; `None` is null.
    Flag(Vec<Option<bool>>),
}

/// Writer of a tabular file or of an Arrow IPC stream.
pub struct Writer<W: Write> {
    names: Vec<String>,
    out: Out<W>,
}

enum Out<W: Write> {
    Parquet(Box<ParquetOut<ChecksumWriter<W>>>, ChecksumWriter<W>),
    Arrow(Box<ArrowOut<W>>),
    Stream(Box<StreamWriter<W>>),
}

impl<W: Write> Writer<W> {
    /// Starts a file with these columns, given as pairs of name and kind.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn new(
        form: Form,
        out: W,
        columns: &[(String, impl Into<Kind> + Copy)],
    ) -> Result<Self, Error> {
        let schema = schema(columns);
        Ok(Self {
            names: columns.iter().map(|(name, _)| name.clone()).collect(),
            out: match form {
                Form::Parquet => {
                    let out = ChecksumWriter::new(out);
                    let writer = ParquetWriter::new(out.clone()).batched(&schema)?;
                    Out::Parquet(Box::new(writer), out)
                }
                Form::Arrow => Out::Arrow(Box::new(arrow(out, &schema)?)),
            },
        })
    }

    /// Starts an Arrow IPC stream with these columns. The output need not support seeking.
    /// [`Self::finish`] ends the stream.
    ///
    /// # Errors
    /// If the stream cannot be written.
    pub fn stream(out: W, columns: &[(String, impl Into<Kind> + Copy)]) -> Result<Self, Error> {
        // Some readers do not support LZ4 and Zstandard, so do not compress.
        let mut stream = StreamWriter::new(out, WriteOptions { compression: None });
        stream.start(&schema(columns).to_arrow(CompatLevel::oldest()), None)?;
        Ok(Self {
            names: columns.iter().map(|(name, _)| name.clone()).collect(),
            out: Out::Stream(Box::new(stream)),
        })
    }

    /// Writes rows as a part. All columns must have the same length.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, columns: Vec<Column<'_>>) -> Result<(), Error> {
        let columns = self.names.iter().zip(columns);
        let columns = columns.map(|(name, column)| {
            let name = name.into();
            match column {
                Column::Text(values) => Series::new(name, values).into(),
                Column::Number(values) => Series::new(name, values).into(),
                Column::Flag(values) => Series::new(name, values).into(),
            }
        });
        let frame = DataFrame::new_infer_height(columns.collect())?;
        match &mut self.out {
            Out::Parquet(out, _) => out.write_batch(&frame)?,
            Out::Arrow(out) => out.write_batch(&frame)?,
            Out::Stream(out) => {
                for batch in frame.iter_chunks(CompatLevel::oldest(), false) {
                    out.write(&batch, None)?;
                }
            }
        }
        Ok(())
    }

    /// Finishes the file or stream.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(self) -> Result<(), Error> {
        match self.out {
            Out::Parquet(writer, out) => {
                out.hold();
                writer.finish()?;
                out.seal()?;
            }
            Out::Arrow(mut out) => out.finish()?,
            Out::Stream(mut out) => out.finish()?,
        }
        Ok(())
    }
}

/// Returns the schema of columns given as pairs of name and kind.
fn schema(columns: &[(String, impl Into<Kind> + Copy)]) -> Schema {
    let fields = columns.iter().map(|(name, kind)| {
        let kind = match (*kind).into() {
            Kind::Text => DataType::String,
            Kind::Number => DataType::Float64,
            Kind::Flag => DataType::Boolean,
        };
        Field::new(name.into(), kind)
    });
    fields.collect()
}

/// Creates an Arrow writer that stores texts as plain text columns. All readers support these, but
/// not polars' string views.
fn arrow<W: Write>(out: W, schema: &Schema) -> PolarsResult<ArrowOut<W>> {
    let compat = CompatLevel::oldest();
    let ids = default_ipc_fields(schema.to_arrow(compat).iter_values());
    IpcWriter::new(out)
        .with_compat_level(compat)
        .with_compression(Some(IpcCompression::default()))
        .batched(schema, ids)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use polars_arrow::array::{BooleanArray, PrimitiveArray, Utf8Array};
    use polars_arrow::io::ipc::read::{StreamReader, StreamState, read_stream_metadata};

    use super::*;

    #[test]
    fn a_stream_holds_all_parts_and_nulls() {
        let kinds = [
            ("id", Kind::Text),
            ("score", Kind::Number),
            ("ok", Kind::Flag),
        ];
        let columns = kinds.map(|(name, kind)| (name.to_owned(), kind));
        let mut bytes = Vec::new();
        let mut writer = Writer::stream(&mut bytes, &columns).unwrap();
        for id in ["a", "\u{1b}é"] {
            writer
                .write(vec![
                    Column::Text(vec![Some(id.into()), None]),
                    Column::Number(vec![None, Some(0.1 + 0.2)]),
                    Column::Flag(vec![Some(true), None]),
                ])
                .unwrap();
        }
        writer.finish().unwrap();
        let mut input = Cursor::new(&bytes);
        let metadata = read_stream_metadata(&mut input).unwrap();
        let names: Vec<String> = metadata
            .schema
            .iter_names()
            .map(ToString::to_string)
            .collect();
        assert_eq!(names, ["id", "score", "ok"]);
        let mut ids = Vec::new();
        for state in StreamReader::new(input, metadata, None) {
            let StreamState::Some(batch) = state.unwrap() else {
                panic!("the stream waits");
            };
            let [texts, numbers, flags] = batch.arrays() else {
                panic!("three columns");
            };
            let texts = texts.as_any().downcast_ref::<Utf8Array<i64>>().unwrap();
            ids.extend(texts.iter().map(|id| id.map(str::to_owned)));
            let numbers = numbers
                .as_any()
                .downcast_ref::<PrimitiveArray<f64>>()
                .unwrap();
            let numbers: Vec<Option<f64>> = numbers.iter().map(|it| it.copied()).collect();
            assert_eq!(numbers, [None, Some(0.1 + 0.2)]);
            let flags = flags.as_any().downcast_ref::<BooleanArray>().unwrap();
            assert_eq!(flags.iter().collect::<Vec<_>>(), [Some(true), None]);
        }
        let expected = [Some("a"), None, Some("\u{1b}é"), None];
        assert_eq!(ids, expected.map(|id| id.map(str::to_owned)));
    }
}
