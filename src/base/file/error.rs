//! Errors of writing files.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::format::visible;

/// Error of writing a file; the message is one sentence that contains its path.
#[derive(Debug, Error)]
pub enum FileError {
    /// The target is one of the input files, perhaps under another name.
    #[error(
        "{} is one of the input files{}; it is not changed",
        visible(&target.display().to_string()),
        as_named(target, input)
    )]
    IsRead {
        /// File to be written.
        target: PathBuf,
        /// Input that is the same file.
        input: PathBuf,
    },
    /// The target's name differs from the name of an input only in case. Many systems treat them as
    /// the same file.
    #[error(
        "{} differs only in upper and lower case from the input {}; name another file",
        visible(&target.display().to_string()),
        visible(&input.display().to_string())
    )]
    IsReadButForCase {
        /// File to be written.
        target: PathBuf,
        /// Input with the similar name.
        input: PathBuf,
    },
    /// The system cannot read, write or sync the file.
    #[error("{}: {}", visible(&path.display().to_string()), reason(why))]
    System {
        /// Path of the file that failed.
        path: PathBuf,
        /// Cause reported by the system.
        why: io::Error,
    },
}

impl FileError {
    /// Creates an error from a system error at a path.
    pub(crate) fn at(path: &Path, why: io::Error) -> Self {
        let path = path.to_path_buf();
        Self::System { path, why }
    }

    /// Returns the kind of the system's error, or the closest kind for other errors.
    pub fn kind(&self) -> io::ErrorKind {
        match self {
            Self::IsRead { .. } | Self::IsReadButForCase { .. } => io::ErrorKind::InvalidInput,
            Self::System { why, .. } => why.kind(),
        }
    }
}

impl From<FileError> for io::Error {
    fn from(error: FileError) -> Self {
        Self::new(error.kind(), error)
    }
}

/// Returns the input's path for the message; empty if it equals the target's path.
fn as_named(target: &Path, input: &Path) -> String {
    if target == input {
        return String::new();
    }
    let input = input.display().to_string();
    format!(", as {}", visible(&input))
}

/// Returns the system's message. Common errors, for example a full disk, get a simpler text.
fn reason(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::QuotaExceeded => "the disk quota is used up".to_owned(),
        io::ErrorKind::FileTooLarge => "the file would become too large".to_owned(),
        _ => why.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_named_with_the_file_and_keeps_its_kind() {
        let error = FileError::at(
            Path::new("a\u{1b}b.csv"),
            io::Error::from(io::ErrorKind::StorageFull),
        );
        assert_eq!(error.to_string(), "a␛b.csv: the disk is full");
        let error = io::Error::from(error);
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert_eq!(error.to_string(), "a␛b.csv: the disk is full");
    }
}
