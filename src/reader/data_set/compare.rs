//! Files of a data set beside what its manifest says of them.

use std::fs::File;
use std::io;
use std::path::Path;

use super::manifest::Stored;

/// Compares a file of a data set in a folder with what the manifest says of it.
///
/// # Errors
/// It is not there or has another length or content; one sentence.
pub fn compare(file: &Stored, folder: &Path) -> Result<(), String> {
    let opened = with_length(file, folder)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(opened).map_err(|why| told(&why))?;
    if hasher.finalize().to_hex().as_str() != file.blake3 {
        return Err("it is damaged: its bytes are not those of the manifest".to_owned());
    }
    Ok(())
}

/// As [`compare`], for a file that is not read: by its length alone.
///
/// # Errors
/// It is not there or has another length; one sentence.
pub fn with_length(file: &Stored, folder: &Path) -> Result<File, String> {
    let opened = File::open(file.below(folder)).map_err(|why| told(&why))?;
    let length = opened.metadata().map_err(|why| told(&why))?.len();
    if length != file.bytes {
        return Err(format!(
            "it has {length} bytes and not {}, as the manifest says",
            file.bytes
        ));
    }
    Ok(opened)
}

fn told(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "the manifest names it, and it is not there".to_owned(),
        _ => format!("cannot be read: {error}"),
    }
}
