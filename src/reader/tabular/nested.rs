//! Reads single values inside nested columns, without converting the whole row.

use base::limits::Limit;
use polars_arrow::array::{Array, FixedSizeListArray, ListArray, StructArray};
use polars_arrow::datatypes::ArrowDataType as Type;
use serde_json::Value as Json;

use super::cell::{Binary, bytes as binary, cell, is_bytes_type, typed};
use super::contain::contain;
use super::{Batch, Error};

impl Batch {
    /// Returns the value of a row at a path, which consists of a column and struct fields. `None`
    /// if the column or a field does not exist. Binary data becomes null.
    ///
    /// # Errors
    /// If the value cannot be read.
    pub fn value(&self, row: usize, path: &[&str]) -> Result<Option<Json>, Error> {
        self.place(row, path)
            .map_or(Ok(None), |(chunk, row, path)| {
                contain(|| value(chunk, row, path))
            })
    }

    /// Returns the binary values of a row at a path, which consists of a column and struct fields.
    /// Lists on the path contribute all their elements; nulls are skipped.
    ///
    /// # Errors
    /// If the values cannot be read.
    pub fn bytes(&self, row: usize, path: &[&str]) -> Result<Vec<Vec<u8>>, Error> {
        let mut found = Vec::new();
        if let Some((chunk, row, path)) = self.place(row, path) {
            contain(|| bytes(chunk, row, path, &mut found))?;
        }
        Ok(found)
    }

    /// Finds a row in the chunks of the path's column. Returns the chunk, the index of the row in
    /// the chunk, and the rest of the path.
    fn place<'a>(
        &self,
        mut row: usize,
        path: &'a [&'a str],
    ) -> Option<(&dyn Array, usize, &'a [&'a str])> {
        let (name, fields) = path.split_first()?;
        let column = self.names.iter().position(|known| known == name)?;
        for chunk in self.chunks.get(column)? {
            if row < chunk.len() {
                return Some((&**chunk, row, fields));
            }
            row -= chunk.len();
        }
        None
    }
}

/// Returns the value of a row at a path of struct fields; `None` if a field does not exist.
///
/// # Errors
/// If the value cannot be read, or contains too many nested values.
fn value(array: &dyn Array, row: usize, path: &[&str]) -> Result<Option<Json>, Error> {
    let Some((name, rest)) = path.split_first() else {
        let mut left = Limit::Values.length();
        return cell(array, row, Binary::Null, &mut left).map(Some);
    };
    if array.is_null(row) {
        return Ok(Some(Json::Null));
    }
    field(array, name).map_or(Ok(None), |values| value(values, row, rest))
}

/// Appends the binary values of a row at a path of struct fields. Lists on the path contribute all
/// their elements.
///
/// # Errors
/// If an array is damaged.
fn bytes(
    array: &dyn Array,
    row: usize,
    path: &[&str],
    into: &mut Vec<Vec<u8>>,
) -> Result<(), Error> {
    if array.is_null(row) {
        return Ok(());
    }
    let elements = match array.dtype().to_storage() {
        Type::List(_) => typed::<ListArray<i32>>(array)?.value(row),
        Type::LargeList(_) => typed::<ListArray<i64>>(array)?.value(row),
        Type::FixedSizeList(..) => typed::<FixedSizeListArray>(array)?.value(row),
        _ => {
            let inner = path.split_first();
            if let Some((values, rest)) =
                inner.and_then(|(name, rest)| Some((field(array, name)?, rest)))
            {
                return bytes(values, row, rest, into);
            }
            if path.is_empty() && is_bytes_type(array.dtype()) {
                into.push(binary(array, row)?.to_vec());
            }
            return Ok(());
        }
    };
    (0..elements.len()).try_for_each(|at| bytes(&*elements, at, path, into))
}

fn field<'a>(array: &'a dyn Array, name: &str) -> Option<&'a dyn Array> {
    let array = array.as_any().downcast_ref::<StructArray>()?;
    let at = array.fields().iter().position(|field| field.name == name)?;
    array.values().get(at).map(|values| &**values)
}
