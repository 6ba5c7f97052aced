//! Why a journal cannot be used.

use std::io;
use std::path::PathBuf;

use file::FileError;
use thiserror::Error;

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read.
    #[error("{path}: {why}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// It cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is one already, and the run is a new one.
    #[error("{path} holds a run already", path = .0.display())]
    Exists(PathBuf),
    /// The log of a run stands in its folder, and its journal does not.
    #[error(
        "{path} is the log of a run whose journal is not there; it stays as it is",
        path = .0.display()
    )]
    NoJournal(PathBuf),
    /// Another program writes it.
    #[error("{path} is being written by another program", path = .0.display())]
    Locked(PathBuf),
    /// A line cannot be written, which the error names.
    #[error("{0}")]
    Unsaved(io::Error),
    /// The line is damaged that says what the run is.
    #[error("{path}: the line is damaged that says what the run is", path = .0.display())]
    Headless(PathBuf),
    /// None of its lines is one of a journal.
    #[error("{path} is no journal: {why}", path = path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong with its first line.
        why: String,
    },
    /// It belongs to another run.
    #[error("{path} is of another run: {what} differs", path = path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: String,
    },
}
