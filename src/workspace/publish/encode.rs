//! Encodes the rows of a run as files of a data set: one for short columns, one for long texts.

use std::collections::{BTreeMap, BTreeSet};

use reader::data_set::{DIGITS_OF_HASH, Part, ROWS, StoredFile, TEXTS as TEXTS_FOLDER};
use reader::tabular::{Column, Error, Form, Kind, Writer};

use super::PublishError;
use crate::export::{Cells, Columns, GROUP, LONG_TEXTS, SCORE, short_texts, values};

/// Maximum number of characters of a readable name in a file name.
const LONGEST: usize = 40;

/// Type of each column, by name.
pub type Types = BTreeMap<String, String>;

/// A file to be stored in a data set.
#[derive(Debug)]
pub struct File {
    /// Path and hash of the file.
    pub stored: StoredFile,
    /// Content of the file.
    pub bytes: Vec<u8>,
}

impl File {
    /// Creates a file for a folder of a data set. Its file name consists of a readable name and its
    /// hash.
    pub fn new(folder: &str, name: &str, bytes: Vec<u8>) -> Self {
        let blake3 = blake3::hash(&bytes).to_hex().to_string();
        let short = blake3.get(..DIGITS_OF_HASH).unwrap_or_default();
        let path = format!("{folder}/{}-{short}.parquet", plain(name));
        let stored = StoredFile {
            path,
            bytes: bytes.len() as u64,
            blake3,
        };
        Self { stored, bytes }
    }
}

/// Replaces the characters of a name that are not safe in file names and addresses.
fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
    let plain: String = name
        .chars()
        .take(LONGEST)
        .map(|c| {
            if is_plain(c) {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        })
        .collect();
    plain.trim_start_matches(['.', '-']).to_owned()
}

/// Encodes rows as two files with the same number of rows. Also returns the types of their columns.
/// Moves the texts out of the rows.
///
/// # Errors
/// The rows cannot be encoded.
pub fn encode(
    name: &str,
    n: u64,
    cells: &mut [Cells],
) -> Result<(Part, [File; 2], [Types; 2]), PublishError> {
    let narrow = short_texts().map(|name| (name.to_owned(), Kind::Text));
    let narrow = narrow.chain([(SCORE.to_owned(), Kind::Number)]);
    let narrow: Vec<(String, Kind)> = narrow.chain(Columns::of(cells).extra).collect();
    let long = LONG_TEXTS.map(|name| (name.to_owned(), Kind::Text));
    let rows = encoded(&narrow, cells, &|group| values(group, &narrow))?;
    let texts = encoded(&long, cells, &|group| values(group, &long))?;
    let rows = File::new(ROWS, name, rows);
    let texts = File::new(TEXTS_FOLDER, name, texts);
    let part = Part {
        n,
        abilities: BTreeSet::new(),
        rows: rows.stored.clone(),
        texts: texts.stored.clone(),
    };
    Ok((part, [rows, texts], [types(&narrow), types(&long)]))
}

/// Returns the name of each column's type, by name of the column.
pub fn types(columns: &[(String, Kind)]) -> Types {
    let of = |kind: Kind| match kind {
        Kind::Text => "text",
        Kind::Number => "number",
        Kind::Flag => "flag",
    };
    let columns = columns.iter();
    columns
        .map(|(name, kind)| (name.clone(), of(*kind).to_owned()))
        .collect()
}

/// Encodes rows as a file. `values` converts some rows to columns.
///
/// # Errors
/// The rows cannot be encoded.
pub fn encoded<T>(
    columns: &[(String, Kind)],
    rows: &mut [T],
    values: &dyn Fn(&mut [T]) -> Vec<Column<'static>>,
) -> Result<Vec<u8>, PublishError> {
    let mut write = || -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(Form::Parquet, &mut bytes, columns)?;
        for group in rows.chunks_mut(GROUP) {
            writer.write(values(group))?;
        }
        writer.finish()?;
        Ok(bytes)
    };
    write().map_err(|error| PublishError::Encode(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain_and_tell_their_content() {
        let name = |name: &str, bytes: &[u8]| File::new(ROWS, name, bytes.to_vec()).stored.path;
        let one = name("../Qwen/Qwen2 VL·5-shot", b"1");
        assert!(one.starts_with("rows/qwen-qwen2-vl-5-shot-"), "{one}");
        assert!(one.ends_with(".parquet"));
        assert_ne!(one, name("../Qwen/Qwen2 VL·5-shot", b"2"));
        assert_eq!(name("..", b"1").matches('/').count(), 1);
    }
}
