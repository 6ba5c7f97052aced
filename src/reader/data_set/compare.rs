//! Compares the files of a data set with its manifest.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use base::limits::Limit;

use super::manifest::StoredFile;

/// Message for a missing file.
const ABSENT: &str = "the manifest lists it, but it is missing";

/// Compares a file's length and hash with the manifest.
///
/// # Errors
/// If the file is missing or differs.
pub fn compare(file: &StoredFile, folder: &Path) -> Result<(), String> {
    let opened = with_length(file, folder)?;
    let mut hasher = blake3::Hasher::new();
    // The file can grow while it is read.
    let bytes = opened.take(file.bytes);
    hasher.update_reader(bytes).map_err(|why| told(&why))?;
    if hasher.finalize().to_hex().as_str() != file.blake3 {
        return Err("it is damaged: its hash differs from the manifest".to_owned());
    }
    Ok(())
}

/// Like [`compare`], but checks only the length, for files that are not read.
///
/// # Errors
/// If the file is missing, or has another length.
pub fn with_length(file: &StoredFile, folder: &Path) -> Result<File, String> {
    let opened = base::platform::file::open(&file.below(folder)).map_err(|why| told(&why))?;
    let length = opened.metadata().map_err(|why| told(&why))?.len();
    compare_length(file, Some(length))?;
    Ok(opened)
}

/// Compares a file's length with the manifest; a `length` of `None` means that the file is missing.
///
/// # Errors
/// If the file is missing, the lengths differ, or the length exceeds [`Limit::SetFile`].
pub fn compare_length(file: &StoredFile, length: Option<u64>) -> Result<(), String> {
    match length {
        None => Err(ABSENT.to_owned()),
        Some(length) if length != file.bytes => Err(format!(
            "it has {length} bytes, but the manifest lists {}",
            file.bytes
        )),
        Some(length) if length > Limit::SetFile.get() => Err(Limit::SetFile.message()),
        Some(_) => Ok(()),
    }
}

fn told(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => ABSENT.to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}
