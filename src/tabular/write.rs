//! Tabular files, written a part at a time.

use std::borrow::Cow;
use std::io::Write;

use polars_arrow::io::ipc::write::default_ipc_fields;
use polars_core::error::PolarsResult;
use polars_core::prelude::{
    CompatLevel, DataFrame, DataType, Field, NamedFrom as _, Schema, SchemaExt as _, Series,
};
use polars_io::SerWriter as _;
use polars_io::ipc::{BatchedWriter as ArrowOut, IpcCompression, IpcWriter};
use polars_io::parquet::write::{BatchedWriter as ParquetOut, ParquetWriter};

use super::{Error, Form};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Texts.
    Text,
    /// 64-bit floating point numbers.
    Number,
    /// True or false.
    Flag,
}

impl Kind {
    /// What a column holds of which one part holds this and another one that.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Text }
    }
}

impl From<bool> for Kind {
    /// Whether a column holds numbers, or else texts.
    fn from(is_number: bool) -> Self {
        if is_number { Self::Number } else { Self::Text }
    }
}

/// The values of one column of one part.
#[derive(Clone, Debug, PartialEq)]
pub enum Column<'a> {
    /// Texts.
    Text(Vec<Option<Cow<'a, str>>>),
    /// Numbers.
    Number(Vec<Option<f64>>),
    /// True or false.
    Flag(Vec<Option<bool>>),
}

/// Writes a tabular file.
pub struct Writer<W: Write> {
    names: Vec<String>,
    out: Out<W>,
}

enum Out<W: Write> {
    Parquet(Box<ParquetOut<W>>),
    Arrow(Box<ArrowOut<W>>),
}

impl<W: Write> Writer<W> {
    /// Begins a file with columns of these names, each with what it holds.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn new(
        form: Form,
        out: W,
        columns: &[(String, impl Into<Kind> + Copy)],
    ) -> Result<Self, Error> {
        let fields = columns.iter().map(|(name, kind)| {
            let kind = match (*kind).into() {
                Kind::Text => DataType::String,
                Kind::Number => DataType::Float64,
                Kind::Flag => DataType::Boolean,
            };
            Field::new(name.into(), kind)
        });
        let schema: Schema = fields.collect();
        Ok(Self {
            names: columns.iter().map(|(name, _)| name.clone()).collect(),
            out: match form {
                Form::Parquet => Out::Parquet(Box::new(ParquetWriter::new(out).batched(&schema)?)),
                Form::Arrow => Out::Arrow(Box::new(arrow(out, &schema)?)),
            },
        })
    }

    /// Writes rows as one part: the values of all columns, which are equally long.
    ///
    /// # Errors
    /// The file cannot be written.
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
            Out::Parquet(out) => out.write_batch(&frame)?,
            Out::Arrow(out) => out.write_batch(&frame)?,
        }
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(self) -> Result<(), Error> {
        match self.out {
            Out::Parquet(out) => out.finish().map(drop)?,
            Out::Arrow(mut out) => out.finish()?,
        }
        Ok(())
    }
}

/// Texts of the kind that every reader knows, not the views that polars itself prefers.
fn arrow<W: Write>(out: W, schema: &Schema) -> PolarsResult<ArrowOut<W>> {
    let compat = CompatLevel::oldest();
    let ids = default_ipc_fields(schema.to_arrow(compat).iter_values());
    IpcWriter::new(out)
        .with_compat_level(compat)
        .with_compression(Some(IpcCompression::default()))
        .batched(schema, ids)
}
