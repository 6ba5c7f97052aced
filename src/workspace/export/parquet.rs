//! Parquet for other programs and for opening again.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

use super::columns::{Cells, Columns, SCORE, TEXTS};
use record::{Record, Value};

/// Rows of one row group: what is held in memory at once.
const GROUP: usize = 16_384;

/// Writes records as Parquet.
pub struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Columns,
    waiting: Vec<Cells>,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn new(out: W, columns: Columns) -> Result<Self> {
        let mut fields: Vec<TypePtr> = Vec::new();
        for name in TEXTS {
            fields.push(Arc::new(text_type(name)?));
        }
        fields.push(Arc::new(number_type(SCORE)?));
        for (name, numeric) in &columns.extra {
            fields.push(Arc::new(if *numeric {
                number_type(name)?
            } else {
                text_type(name)?
            }));
        }
        let schema = Arc::new(
            Type::group_type_builder("predictions")
                .with_fields(fields)
                .build()?,
        );
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .build();
        let file = SerializedFileWriter::new(out, schema, Arc::new(properties))?;
        Ok(Self {
            file,
            columns,
            waiting: Vec::new(),
        })
    }

    /// Adds a record.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn push(&mut self, record: &Record) -> Result<()> {
        self.waiting.push(Cells::new(record));
        if self.waiting.len() >= GROUP {
            self.write_group()
        } else {
            Ok(())
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<()> {
        self.write_group()?;
        self.file.close()?;
        Ok(())
    }

    fn write_group(&mut self) -> Result<()> {
        let cells = std::mem::take(&mut self.waiting);
        let extra = self
            .columns
            .extra
            .iter()
            .map(|(name, numeric)| (name.as_str(), *numeric));
        let names = TEXTS
            .iter()
            .map(|name| (*name, false))
            .chain([(SCORE, true)])
            .chain(extra);
        let mut group = self.file.next_row_group()?;
        for (name, numeric) in names {
            let Some(mut column) = group.next_column()? else {
                break;
            };
            if numeric {
                let values: Vec<Option<f64>> =
                    cells.iter().map(|cells| number(cells, name)).collect();
                let (levels, values) = split(values);
                column
                    .typed::<DoubleType>()
                    .write_batch(&values, Some(&levels), None)?;
            } else {
                let values: Vec<Option<ByteArray>> = cells
                    .iter()
                    .map(|cells| text(cells, name).map(|text| ByteArray::from(text.into_bytes())))
                    .collect();
                let (levels, values) = split(values);
                column
                    .typed::<ByteArrayType>()
                    .write_batch(&values, Some(&levels), None)?;
            }
            column.close()?;
        }
        group.close()?;
        Ok(())
    }
}

fn number(cells: &Cells, name: &str) -> Option<f64> {
    if name == SCORE {
        cells.score()
    } else {
        cells.extra(name).and_then(Value::number)
    }
}

fn text(cells: &Cells, name: &str) -> Option<String> {
    cells
        .extra(name)
        .map(ToString::to_string)
        .or_else(|| cells.text(name))
}

/// Definition levels and the values that are there.
fn split<T>(values: Vec<Option<T>>) -> (Vec<i16>, Vec<T>) {
    let levels = values
        .iter()
        .map(|value| i16::from(value.is_some()))
        .collect();
    (levels, values.into_iter().flatten().collect())
}

fn text_type(name: &str) -> Result<Type> {
    Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(Some(LogicalType::String))
        .build()
}

fn number_type(name: &str) -> Result<Type> {
    Type::primitive_type_builder(name, Physical::DOUBLE)
        .with_repetition(Repetition::OPTIONAL)
        .build()
}
