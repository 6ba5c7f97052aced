//! The user's own embeddings: one vector per sample id, in `NumPy` or Parquet files.
//!
//! A `NumPy` file such as `codes.npy` contains a matrix with one row per sample. The file
//! `codes.ids.txt` next to it contains the sample ids, one per line in row order. A Parquet or
//! Arrow file has a column `sample_id` (or `id`). Its vectors are in a list column `embedding`, or
//! all other columns are numbers. Files with another structure and repeated ids are errors.

mod npy;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::tabular::{Error, TableFile};
use base::limits::Limit;

/// Possible names of the id column; the first name found is used.
const IDS: [&str; 2] = ["sample_id", "id"];
/// Name of the column with the vectors.
const VECTORS: &str = "embedding";
/// Maximum number of values in a file; each takes four bytes.
const MOST_VALUES: usize = 250_000_000;
/// Maximum bytes of memory for one part of a Parquet or Arrow file.
const MOST_BYTES: u64 = 2 << 30;

/// Error for a file of embeddings that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {why}", .file.display())]
pub struct EmbeddingError {
    /// Path of the file.
    pub file: PathBuf,
    /// The reason, without the path.
    pub why: String,
}

/// Vectors of equal length, by sample id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Embeddings {
    places: HashMap<String, usize>,
    values: Vec<f32>,
    width: usize,
}

impl Embeddings {
    /// Reads a `.npy` file with its ids, or a Parquet or Arrow file.
    ///
    /// # Errors
    /// If the file cannot be read, has another structure, contains an id twice, or contains a value
    /// that is not a finite number.
    pub fn read(file: &Path) -> Result<Self, EmbeddingError> {
        let is_npy = file
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("npy"));
        let read = if is_npy { of_npy(file) } else { of_table(file) };
        read.map_err(|why| EmbeddingError {
            file: file.to_owned(),
            why,
        })
    }

    /// Returns the vector of a sample.
    pub fn get(&self, sample_id: &str) -> Option<&[f32]> {
        let at = self.places.get(sample_id)? * self.width;
        self.values.get(at..at + self.width)
    }

    /// Adds the vector of a sample.
    fn add(
        &mut self,
        id: String,
        vector: impl ExactSizeIterator<Item = f32>,
    ) -> Result<(), String> {
        let width = vector.len();
        if self.places.is_empty() {
            self.width = width;
        }
        if width == 0 {
            return Err(format!("the vector of {id} is empty"));
        }
        if width != self.width {
            let usual = self.width;
            return Err(format!(
                "the vector of {id} has {width} values, but the first one has {usual}"
            ));
        }
        if self.values.len() + width > MOST_VALUES {
            return Err(format!("more than {MOST_VALUES} values"));
        }
        let from = self.values.len();
        self.values.extend(vector);
        let added = self.values.get(from..).unwrap_or_default();
        if !added.iter().all(|value| value.is_finite()) {
            return Err(format!(
                "the vector of {id} contains a value that is not a finite number"
            ));
        }
        let at = self.places.len();
        match self.places.insert(id, at) {
            None => Ok(()),
            Some(_) => Err("an id occurs twice".to_owned()),
        }
    }
}

/// Returns the path of the id file for a `NumPy` file.
pub fn ids_of(file: &Path) -> PathBuf {
    file.with_extension("ids.txt")
}

/// Reads a `NumPy` file and its ids.
fn of_npy(file: &Path) -> Result<Embeddings, String> {
    let beside = ids_of(file);
    let name = beside.file_name().unwrap_or_default().to_string_lossy();
    let text = Limit::Ids
        .read(&beside)
        .map_err(|error| format!("its sample ids must be in {name} next to it: {error}"))?;
    let text = String::from_utf8(text).map_err(|_| format!("{name} is not UTF-8"))?;
    let ids: Vec<&str> = text.lines().collect();
    let matrix = npy::read(file, MOST_VALUES)?;
    if ids.len() != matrix.rows {
        let (lines, rows) = (ids.len(), matrix.rows);
        return Err(format!(
            "{name} has {lines} lines for {rows} rows of the matrix"
        ));
    }
    let mut found = Embeddings::default();
    let vectors = matrix.values.chunks_exact(matrix.columns.max(1));
    for (number, (id, vector)) in ids.into_iter().zip(vectors).enumerate() {
        if id.is_empty() {
            return Err(format!("line {} of {name} is empty", number + 1));
        }
        let added = found.add(id.to_owned(), vector.iter().copied());
        added.map_err(|why| format!("{why} ({id}, line {} of {name})", number + 1))?;
    }
    Ok(found)
}

/// Reads a Parquet or Arrow file.
fn of_table(file: &Path) -> Result<Embeddings, String> {
    let table = TableFile::open(file, MOST_BYTES).map_err(|error| match error {
        Error::Form => "it is neither a .npy, a Parquet nor an Arrow IPC file".to_owned(),
        error => error.to_string(),
    })?;
    let columns = table.columns().to_vec();
    let id = IDS.into_iter().find(|id| columns.iter().any(|it| it == id));
    let id = id.ok_or_else(|| format!("it has no column {} or {}", IDS[0], IDS[1]))?;
    let has_vectors = columns.iter().any(|column| column == VECTORS);
    let is_value = |name: &str| name != id && (!has_vectors || name == VECTORS);
    let mut found = Embeddings::default();
    for batch in table.batches(|name| name == id || is_value(name)) {
        let batch = batch.map_err(|damage| format!("row {}: {}", damage.row, damage.error))?;
        for row in 0..batch.rows() {
            let at = |why: String| format!("row {}: {why}", batch.number(row));
            let cells = batch.row(row).map_err(|error| at(error.to_string()))?;
            add_row(&mut found, batch.names().iter().zip(cells), id).map_err(at)?;
        }
    }
    if found.places.is_empty() {
        return Err("it has no rows".to_owned());
    }
    Ok(found)
}

/// Adds a row of a table: its id and its vector.
fn add_row<'a>(
    found: &mut Embeddings,
    cells: impl Iterator<Item = (&'a String, Json)>,
    id: &str,
) -> Result<(), String> {
    let (mut name, mut vector) = (None, Vec::new());
    for (column, cell) in cells {
        match cell {
            Json::String(text) if column == id => name = Some(text),
            Json::Number(number) if column == id => name = Some(number.to_string()),
            Json::Array(values) if column == VECTORS => {
                for value in &values {
                    vector.push(number(column, value)?);
                }
            }
            value if column != id && column != VECTORS => vector.push(number(column, &value)?),
            _ => return Err(format!("column {column} has an unexpected value")),
        }
    }
    let name = name.ok_or_else(|| format!("column {id} is empty"))?;
    let shown = name.clone();
    let added = found.add(name, vector.into_iter());
    added.map_err(|why| format!("{why} ({shown})"))
}

/// Converts a value to a 32-bit float.
#[expect(
    clippy::cast_possible_truncation,
    reason = "vectors are compared in 32-bit floats"
)]
fn number(column: &str, value: &Json) -> Result<f32, String> {
    let value = value.as_f64().map(|value| value as f32);
    value.ok_or_else(|| format!("column {column} is not a number"))
}

#[cfg(test)]
mod tests;
