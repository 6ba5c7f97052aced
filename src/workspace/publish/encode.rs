//! Rows of a run as the files of a data set: narrow columns in one, texts in another.

use std::collections::{BTreeMap, BTreeSet};

use reader::data_set::{DIGITS_OF_HASH, Part, ROWS, Stored, TEXTS as TEXTS_FOLDER};
use tabular::{Column, Error, Form, Kind, Writer};

use super::PublishError;
use crate::export::{Cells, Columns, GROUP, LONG_TEXTS, SCORE, short_texts, values};

/// Characters of a name that a file name repeats.
const LONGEST: usize = 40;

/// Names of columns with the type of their values.
pub type Types = BTreeMap<String, String>;

/// A file that is to be stored.
#[derive(Debug)]
pub struct File {
    /// Its place and what tells its content.
    pub stored: Stored,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl File {
    /// A file in a folder of a data set, named by its content and by what a person calls it.
    #[must_use]
    pub fn new(folder: &str, name: &str, bytes: Vec<u8>) -> Self {
        let blake3 = blake3::hash(&bytes).to_hex().to_string();
        let short = blake3.get(..DIGITS_OF_HASH).unwrap_or_default();
        let path = format!("{folder}/{}-{short}.parquet", plain(name));
        let stored = Stored {
            path,
            bytes: bytes.len() as u64,
            blake3,
        };
        Self { stored, bytes }
    }
}

/// A name in letters that every file system and every address takes.
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

/// Rows as two files of equally many rows, and the types of their columns. The texts are gone from the rows then.
///
/// # Errors
/// They cannot be encoded.
pub fn encode(
    name: &str,
    n: u64,
    cells: &mut [Cells],
) -> Result<(Part, [File; 2], [Types; 2]), PublishError> {
    let narrow = short_texts().map(|name| (name.to_owned(), Kind::Text));
    let narrow = narrow.chain([(SCORE.to_owned(), Kind::Number)]);
    let narrow: Vec<(String, Kind)> = narrow.chain(Columns::of(cells).extra).collect();
    let long = LONG_TEXTS.map(|name| (name.to_owned(), Kind::Text));
    let rows = table_file((ROWS, name), &narrow, cells, &|group| {
        values(group, &narrow)
    })?;
    let texts = table_file((TEXTS_FOLDER, name), &long, cells, &|group| {
        values(group, &long)
    })?;
    let part = Part {
        n,
        abilities: BTreeSet::new(),
        rows: rows.stored.clone(),
        texts: texts.stored.clone(),
    };
    Ok((part, [rows, texts], [types(&narrow), types(&long)]))
}

/// The types of columns, each with what it holds.
#[must_use]
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

/// Rows as a file in a folder of a data set. `values` gives the values of some of them, column by column.
///
/// # Errors
/// They cannot be encoded.
pub fn table_file<T>(
    (folder, name): (&str, &str),
    columns: &[(String, Kind)],
    rows: &mut [T],
    values: &dyn Fn(&mut [T]) -> Vec<Column<'static>>,
) -> Result<File, PublishError> {
    let mut write = || -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(Form::Parquet, &mut bytes, columns)?;
        for group in rows.chunks_mut(GROUP) {
            writer.write(values(group))?;
        }
        writer.finish()?;
        Ok(bytes)
    };
    let bytes = write().map_err(|error| PublishError::Encode(error.to_string()))?;
    Ok(File::new(folder, name, bytes))
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
