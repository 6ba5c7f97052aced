//! Converts cells of Arrow arrays to JSON.

use base64_simd::STANDARD;
use polars_arrow::array::{
    Array, BinaryArray, BinaryViewArray, BooleanArray, DictionaryArray, FixedSizeBinaryArray,
    FixedSizeListArray, Float16Array, ListArray, PrimitiveArray, StructArray, Utf8Array,
    Utf8ViewArray, get_display,
};
use polars_arrow::datatypes::{ArrowDataType as Type, Field};
use polars_arrow::match_integer_type;
use polars_arrow::types::NativeType;
use serde_json::Value as Json;

use super::{Error, Kind};

/// Handling of binary data, such as embedded pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// Binary data becomes null.
    Null,
    /// Binary data becomes a text in base64.
    Base64,
}

/// Converts a cell to JSON. Dates become texts. `left` is the number of values that may still be
/// converted.
///
/// # Errors
/// If the cell contains more than `left` values.
pub fn cell(
    array: &dyn Array,
    row: usize,
    binary: Binary,
    left: &mut usize,
) -> Result<Json, Error> {
    *left = left.checked_sub(1).ok_or(Error::Cell)?;
    if array.is_null(row) {
        return Ok(Json::Null);
    }
    match array.dtype().to_storage() {
        Type::List(_) => list(&*typed::<ListArray<i32>>(array)?.value(row), binary, left),
        Type::LargeList(_) => list(&*typed::<ListArray<i64>>(array)?.value(row), binary, left),
        Type::FixedSizeList(..) => list(
            &*typed::<FixedSizeListArray>(array)?.value(row),
            binary,
            left,
        ),
        Type::Struct(_) => {
            let array = typed::<StructArray>(array)?;
            let fields = array.fields().iter().zip(array.values());
            let cells = fields.map(|(field, values)| {
                Ok((field.name.to_string(), cell(&**values, row, binary, left)?))
            });
            cells.collect::<Result<_, _>>().map(Json::Object)
        }
        Type::Dictionary(key, ..) => match_integer_type!(key, |$T| {
            let array = typed::<DictionaryArray<$T>>(array)?;
            cell(&**array.values(), array.key_value(row), binary, left)
        }),
        _ if binary == Binary::Base64 && is_bytes_type(array.dtype()) => {
            Ok(Json::String(STANDARD.encode_to_string(bytes(array, row)?)))
        }
        _ => single(array, row),
    }
}

fn list(values: &dyn Array, binary: Binary, left: &mut usize) -> Result<Json, Error> {
    let cells = (0..values.len()).map(|row| cell(values, row, binary, left));
    cells.collect::<Result<_, _>>().map(Json::Array)
}

/// Converts a cell that is neither a list nor a struct.
fn single(array: &dyn Array, row: usize) -> Result<Json, Error> {
    Ok(match array.dtype().to_storage() {
        Type::Null
        | Type::Binary
        | Type::LargeBinary
        | Type::BinaryView
        | Type::FixedSizeBinary(_) => Json::Null,
        Type::Boolean => typed::<BooleanArray>(array)?.value(row).into(),
        Type::Int8 => number::<i8>(array, row)?.into(),
        Type::Int16 => number::<i16>(array, row)?.into(),
        Type::Int32 => number::<i32>(array, row)?.into(),
        Type::Int64 => number::<i64>(array, row)?.into(),
        Type::UInt8 => number::<u8>(array, row)?.into(),
        Type::UInt16 => number::<u16>(array, row)?.into(),
        Type::UInt32 => number::<u32>(array, row)?.into(),
        Type::UInt64 => number::<u64>(array, row)?.into(),
        Type::Float32 => number::<f32>(array, row)?.into(),
        Type::Float64 => number::<f64>(array, row)?.into(),
        Type::Utf8 => typed::<Utf8Array<i32>>(array)?.value(row).into(),
        Type::LargeUtf8 => typed::<Utf8Array<i64>>(array)?.value(row).into(),
        Type::Utf8View => typed::<Utf8ViewArray>(array)?.value(row).into(),
        Type::Float16 => f64::from(typed::<Float16Array>(array)?.value(row)).into(),
        Type::Decimal(_, scale) => decimal(number::<i128>(array, row)?, *scale),
        Type::Decimal32(_, scale) => decimal(number::<i32>(array, row)?, *scale),
        Type::Decimal64(_, scale) => decimal(number::<i64>(array, row)?, *scale),
        _ => {
            let mut text = String::new();
            let written = get_display(array, "")(&mut text, row);
            written.map_err(|_| Error::Header("a cell cannot be shown as text"))?;
            Json::String(text)
        }
    })
}

/// Converts a decimal number to the nearest float. Whole numbers stay exact if they fit into 64
/// bits.
fn decimal(digits: impl Into<i128>, scale: usize) -> Json {
    let digits: i128 = digits.into();
    match i64::try_from(digits) {
        Ok(whole) if scale == 0 => whole.into(),
        // Parsing the text rounds only once, a division could round twice.
        _ => format!("{digits}e-{scale}")
            .parse::<f64>()
            .unwrap_or(f64::NAN)
            .into(),
    }
}

/// Appends the values of a 64-bit float array; nulls become `NaN`.
///
/// # Errors
/// If the array has another type.
pub fn numbers(array: &dyn Array, into: &mut Vec<f64>) -> Result<(), Error> {
    let array = typed::<PrimitiveArray<f64>>(array)?;
    if array.null_count() == 0 {
        into.extend_from_slice(array.values());
    } else {
        into.extend(array.iter().map(|value| value.copied().unwrap_or(f64::NAN)));
    }
    Ok(())
}

/// Appends the values of a text array.
///
/// # Errors
/// If the array has another type.
pub fn texts<'a>(array: &'a dyn Array, into: &mut Vec<Option<&'a str>>) -> Result<(), Error> {
    match array.dtype().to_storage() {
        Type::Utf8 => into.extend(typed::<Utf8Array<i32>>(array)?.iter()),
        Type::LargeUtf8 => into.extend(typed::<Utf8Array<i64>>(array)?.iter()),
        _ => into.extend(typed::<Utf8ViewArray>(array)?.iter()),
    }
    Ok(())
}

/// Returns the kind of a column with this Arrow type.
pub fn kind(of: &Type) -> Kind {
    match of.to_storage() {
        Type::Float64 => Kind::Number,
        Type::Boolean => Kind::Flag,
        _ => Kind::Text,
    }
}

/// Returns the paths of all values in some columns. A path is the name of a column, or `name.field`
/// for the field of a struct. A struct that contains binary data, such as a picture with its path,
/// is one value.
pub fn paths<'a>(columns: impl Iterator<Item = &'a Field>) -> Vec<String> {
    let mut found = Vec::new();
    for column in columns {
        add_paths(column, "", &mut found);
    }
    found
}

/// Adds the paths of a column. `before` is the path of the struct that contains it, followed by a
/// dot.
fn add_paths(field: &Field, before: &str, into: &mut Vec<String>) {
    let path = format!("{before}{}", field.name);
    match field.dtype.to_storage() {
        Type::Struct(fields) if !fields.iter().any(is_bytes) => {
            let before = format!("{path}.");
            for field in fields {
                add_paths(field, &before, into);
            }
        }
        _ => into.push(path),
    }
}

/// True for a column of binary data.
pub fn is_bytes(field: &Field) -> bool {
    is_bytes_type(&field.dtype)
}

/// True for a type of binary data.
pub fn is_bytes_type(of: &Type) -> bool {
    matches!(
        of.to_storage(),
        Type::Binary | Type::LargeBinary | Type::BinaryView | Type::FixedSizeBinary(_)
    )
}

/// Returns the bytes of a non-null cell of binary data.
///
/// # Errors
/// If the array does not match its data type.
pub fn bytes(array: &dyn Array, row: usize) -> Result<&[u8], Error> {
    Ok(match array.dtype().to_storage() {
        Type::Binary => typed::<BinaryArray<i32>>(array)?.value(row),
        Type::LargeBinary => typed::<BinaryArray<i64>>(array)?.value(row),
        Type::FixedSizeBinary(_) => typed::<FixedSizeBinaryArray>(array)?.value(row),
        _ => typed::<BinaryViewArray>(array)?.value(row),
    })
}

fn number<T: NativeType>(array: &dyn Array, row: usize) -> Result<T, Error> {
    Ok(typed::<PrimitiveArray<T>>(array)?.value(row))
}

/// Downcasts an array to the Rust type for its data type.
///
/// # Errors
/// If the array has another type.
pub fn typed<T: 'static>(array: &dyn Array) -> Result<&T, Error> {
    let array = array.as_any().downcast_ref();
    array.ok_or(Error::Header("a column's data does not match its type"))
}
