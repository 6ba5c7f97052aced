//! Reads matrices of floats in `NumPy`'s `.npy` format, versions 1 to 3. Source: "NEP 1: a simple
//! file format for `NumPy` arrays".

use std::io::{BufReader, Read as _};
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

/// First bytes of a `.npy` file.
const MAGIC: &[u8] = b"\x93NUMPY";
/// Maximum length of a header in bytes.
const HEADER: u32 = 1 << 16;

/// Patterns that match the header's entries for type, order and shape.
static ENTRIES: LazyLock<[Option<Regex>; 3]> = LazyLock::new(|| {
    [
        r"'descr'\s*:\s*'([^']*)'",
        r"'fortran_order'\s*:\s*(True|False)",
        r"'shape'\s*:\s*\(\s*(\d+)\s*,\s*(\d+)\s*,?\s*\)",
    ]
    .map(|pattern| Regex::new(pattern).ok())
});

/// A matrix in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// `rows` times `columns` values.
    pub values: Vec<f32>,
}

/// Reads a matrix of at most `most` values.
///
/// # Errors
/// If the file cannot be read, is not a `.npy` file of little-endian floats, or is too large.
pub fn read(path: &Path, most: usize) -> Result<Matrix, String> {
    let file = base::platform::file::open(path).map_err(|error| error.to_string())?;
    let mut file = BufReader::new(file);
    let mut start = [0; 8];
    let cut = |_| "the file is cut short".to_owned();
    file.read_exact(&mut start).map_err(cut)?;
    if !start.starts_with(MAGIC) {
        return Err("it is not a .npy file".to_owned());
    }
    // The length is stored in two bytes in version 1, and in four bytes in later versions.
    let mut length = [0; 4];
    let bytes = if start[6] == 1 { 2 } else { 4 };
    file.read_exact(&mut length[..bytes]).map_err(cut)?;
    let length = u32::from_le_bytes(length);
    if length > HEADER {
        return Err("its header is too long".to_owned());
    }
    let mut header = vec![0; length as usize];
    file.read_exact(&mut header).map_err(cut)?;
    let (width, rows, columns) = shape(&String::from_utf8_lossy(&header))?;
    let count = rows.checked_mul(columns).filter(|count| *count <= most);
    let count = count.ok_or_else(|| format!("more than {most} values"))?;
    let mut values = Vec::new();
    let mut buffer = vec![0; width * columns.max(1)];
    while values.len() < count {
        file.read_exact(&mut buffer).map_err(cut)?;
        values.extend(buffer.chunks_exact(width).map(float));
    }
    Ok(Matrix {
        rows,
        columns,
        values,
    })
}

/// Returns the bytes per value, the number of rows and the number of columns.
fn shape(header: &str) -> Result<(usize, usize, usize), String> {
    let entry = |at: usize| ENTRIES[at].as_ref().and_then(|it| it.captures(header));
    let (Some(kind), Some(order)) = (entry(0), entry(1)) else {
        return Err("its header cannot be read".to_owned());
    };
    let width = match &kind[1] {
        "<f2" => 2,
        "<f4" => 4,
        "<f8" => 8,
        other => {
            return Err(format!(
                "its values are {other}; save float16, float32 or float64"
            ));
        }
    };
    if &order[1] == "True" {
        return Err("it is in Fortran order; save numpy.ascontiguousarray(matrix)".to_owned());
    }
    let sides = entry(2).and_then(|shape| Some((shape[1].parse().ok()?, shape[2].parse().ok()?)));
    let (rows, columns) = sides.ok_or("it is not a matrix with a row per sample")?;
    if rows == 0 || columns == 0 {
        return Err("its matrix is empty".to_owned());
    }
    Ok((width, rows, columns))
}

/// Reads a little-endian float of two, four or eight bytes.
#[expect(
    clippy::cast_possible_truncation,
    reason = "vectors are compared in 32-bit floats"
)]
fn float(bytes: &[u8]) -> f32 {
    let value = match bytes.len() {
        2 => bytes.try_into().map(|it| half(u16::from_le_bytes(it))),
        4 => bytes.try_into().map(f32::from_le_bytes),
        _ => bytes.try_into().map(|it| f64::from_le_bytes(it) as f32),
    };
    // [`shape`] accepts no other lengths.
    value.unwrap_or(f32::NAN)
}

/// Converts a 16-bit float (IEEE 754 binary16).
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from((bits >> 10) & 0x1f);
    let fraction = f32::from(bits & 0x3ff);
    sign * match exponent {
        0 => fraction * 2.0_f32.powi(-24),
        0x1f if fraction == 0.0 => f32::INFINITY,
        0x1f => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2.0_f32.powi(exponent - 15),
    }
}
