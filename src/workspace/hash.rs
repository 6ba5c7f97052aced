//! Hashes logs, so that readers of a report can verify that they have the same files.

use std::io;
use std::path::Path;

use rayon::prelude::*;

use base::limits::Limit;
use reader::data_set::FORMAT;
use record::Source;

/// Returns the hexadecimal BLAKE3 hash of each log's file. `None` if the file is unreadable, or
/// larger than the limit for files of a published data set. Reads all other files completely.
pub fn hashes(sources: &[Source]) -> Vec<Option<String>> {
    sources
        .par_iter()
        .map(|source| {
            let length = || source.path.metadata().map_or(0, |found| found.len());
            let is_read = source.format != FORMAT || length() <= Limit::SetFile.get();
            is_read.then(|| hash(&source.path).ok())?
        })
        .collect()
}

/// Returns path or address of each log with its hash.
pub fn with_hashes(sources: &[Source]) -> Vec<(String, Option<String>)> {
    let paths = sources
        .iter()
        .map(|source| base::format::path(&source.path));
    paths.zip(hashes(sources)).collect()
}

/// Returns the hexadecimal BLAKE3 hash of a file.
///
/// # Errors
/// The file cannot be read.
pub fn hash(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(reader::open(path)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::hash;

    #[test]
    fn a_hash_is_that_of_the_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("empty");
        fs::write(&file, "").unwrap();
        // First test vector from the BLAKE3 repository.
        let empty = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
        assert_eq!(hash(&file).unwrap(), empty);
        fs::write(&file, "x").unwrap();
        assert_ne!(hash(&file).unwrap(), empty);
        assert!(hash(Path::new("no such file")).is_err());
    }
}
