//! Hashes of logs, by which a reader of a report knows whether a file is still the same.

use std::io;
use std::path::Path;

use rayon::prelude::*;

use record::Source;

/// BLAKE3 of each log's file in hexadecimal digits; `None` where it cannot be read. Reads every file whole.
#[must_use]
pub fn hashes(sources: &[Source]) -> Vec<Option<String>> {
    sources
        .par_iter()
        .map(|source| hash(&source.path).ok())
        .collect()
}

/// The path or address of each log, with its hash.
#[must_use]
pub fn with_hashes(sources: &[Source]) -> Vec<(String, Option<String>)> {
    let paths = sources.iter().map(|source| format::path(&source.path));
    paths.zip(hashes(sources)).collect()
}

/// BLAKE3 of a file in hexadecimal digits.
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
        // The first test vector of the BLAKE3 paper's repository.
        let empty = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
        assert_eq!(hash(&file).unwrap(), empty);
        fs::write(&file, "x").unwrap();
        assert_ne!(hash(&file).unwrap(), empty);
        assert!(hash(Path::new("no such file")).is_err());
    }
}
