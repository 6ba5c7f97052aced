//! Stores the pictures of a published data set, each once under the hash of its content.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use media::Source;
use reader::data_set::StoredFile;
use record::{ImageRef, MapValues, Record, Row, Table};

use super::PublishError;
use super::target::{Target, WriteCounter};
use crate::picture::{roots, source_of};

/// Name of the folder for pictures. Readers do not search it for logs.
const FOLDER: &str = "images";
/// Number of hexadecimal digits of a picture's hash.
const DIGITS: usize = 32;
/// First bytes of picture files, with the extension of each format.
const KINDS: [(&[u8], &str); 5] = [
    (b"\x89PNG", "png"),
    (b"\xff\xd8\xff", "jpg"),
    (b"GIF8", "gif"),
    (b"BM", "bmp"),
    (b"RIFF", "webp"),
];

/// Pictures that are stored with the data set.
pub struct Pictures<'a> {
    target: &'a dyn Target,
    written: &'a WriteCounter,
    /// Path in the data set for each picture; `None` if it was not found.
    known: Mutex<HashMap<Source, Option<String>>>,
}

impl<'a> Pictures<'a> {
    /// Creates an empty collection.
    pub fn new(target: &'a dyn Target, written: &'a WriteCounter) -> Self {
        Self {
            target,
            written,
            known: Mutex::default(),
        }
    }

    /// Returns the number of pictures that were not found at their path in the log.
    pub fn missing(&self) -> u64 {
        // Count each picture once, because several threads may have looked for it.
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.values().filter(|path| path.is_none()).count() as u64
    }

    /// Stores the pictures and maps of a record, and replaces their paths. A picture that is not
    /// found keeps its path.
    ///
    /// # Errors
    /// A picture cannot be written.
    pub fn take(&self, table: &Table, row: Row, record: &mut Record) -> Result<(), PublishError> {
        let folders = roots(table, row);
        let maps = record.content.maps.iter_mut();
        let maps = maps.filter_map(|map| match &mut map.values {
            MapValues::Picture(picture) | MapValues::Segments { picture, .. } => Some(picture),
            MapValues::Runs { .. } | MapValues::Nowhere(_) => None,
        });
        for image in record.content.images.iter_mut().chain(maps) {
            if matches!(image, ImageRef::Url(_)) {
                continue;
            }
            if let Some(path) = self.path(image, source_of(image, &folders))? {
                *image = ImageRef::Path(path);
            }
        }
        Ok(())
    }

    /// Returns the path of a picture in the data set. Stores the picture first if needed.
    fn path(&self, image: &ImageRef, source: Source) -> Result<Option<String>, PublishError> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = known.get(&source) {
            return Ok(path.clone());
        }
        drop(known);
        let path = match source.read() {
            Err(_) => None,
            Ok(bytes) => {
                let stored = stored(image, &bytes);
                self.written
                    .count(&stored, self.target.keep(&stored, &bytes)?);
                Some(stored.path)
            }
        };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(source, path.clone());
        Ok(path)
    }
}

/// Returns the path of a picture: a folder named by its hash, then its file name in the log.
fn stored(image: &ImageRef, bytes: &[u8]) -> StoredFile {
    let blake3 = blake3::hash(bytes).to_hex().to_string();
    let name = match image {
        ImageRef::Path(path) => path
            .rsplit(['/', '\\'])
            .next()
            .filter(|name| is_plain(name)),
        ImageRef::Inline(_) | ImageRef::Url(_) | ImageRef::Cell { .. } => None,
    };
    let kind = KINDS.iter().find(|(begins, _)| bytes.starts_with(begins));
    let kind = kind.map_or("bin", |(_, kind)| kind);
    let name = name.map_or_else(|| format!("picture.{kind}"), str::to_owned);
    let short = blake3.get(..DIGITS).unwrap_or_default();
    StoredFile {
        path: format!("{FOLDER}/{short}/{name}"),
        bytes: bytes.len() as u64,
        blake3,
    }
}

/// Returns true if a name is safe in file names and in addresses.
fn is_plain(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let has_stem = Path::new(name)
        .file_stem()
        .is_some_and(|stem| !stem.is_empty());
    has_stem && !name.starts_with('.') && name.len() < 200 && name.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_keeps_its_name_where_every_system_takes_it() {
        let named = |name: &str| {
            let path = stored(&ImageRef::Path(name.to_owned()), b"\x89PNG...").path;
            let parts: Vec<String> = path.split('/').map(str::to_owned).collect();
            assert_eq!((parts.len(), parts[0].as_str()), (3, FOLDER), "{path}");
            parts[2].clone()
        };
        assert_eq!(named("a/b/0_90.png"), "0_90.png");
        for odd in ["..", "a/..", "x/ü.png", "", "a/.png", "con\u{1b}.png"] {
            assert_eq!(named(odd), "picture.png", "{odd:?}");
        }
        let inline = stored(&ImageRef::Inline("…".to_owned()), b"\xff\xd8\xff...").path;
        assert!(inline.ends_with("/picture.jpg"), "{inline}");
    }
}
