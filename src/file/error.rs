//! Why a file is not written.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file is not written, in one sentence that names it.
#[derive(Debug, Error)]
pub enum FileError {
    /// It is an input, perhaps under another name.
    #[error(
        "{} is one of the files that are read{}; it stays as it is",
        format::visible(&target.display().to_string()),
        as_named(target, input)
    )]
    IsRead {
        /// The file that was to be written.
        target: PathBuf,
        /// The input.
        input: PathBuf,
    },
    /// Its name is that of an input but for upper and lower case; on many systems that is the same file.
    #[error(
        "{} differs only by upper and lower case from {}, which is read; name another file",
        format::visible(&target.display().to_string()),
        format::visible(&input.display().to_string())
    )]
    IsReadButForCase {
        /// The file that was to be written.
        target: PathBuf,
        /// The input.
        input: PathBuf,
    },
    /// The system does not let it be written.
    #[error("{}: {}", format::visible(&path.display().to_string()), reason(why))]
    System {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
}

impl FileError {
    /// An error of the system at a file.
    pub(crate) fn at(path: &Path, why: io::Error) -> Self {
        let path = path.to_path_buf();
        Self::System { path, why }
    }

    /// What kind of error it is.
    #[must_use]
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

/// Names the input if it has another name.
fn as_named(target: &Path, input: &Path) -> String {
    if target == input {
        return String::new();
    }
    let input = input.display().to_string();
    format!(", as {}", format::visible(&input))
}

/// A full disk is said in plain words.
fn reason(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::QuotaExceeded => "the disk quota is used up".to_owned(),
        io::ErrorKind::FileTooLarge => "the file may not become larger".to_owned(),
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
