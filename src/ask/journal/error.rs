//! Errors when opening, reading or writing a journal.

use std::io;
use std::path::PathBuf;

use base::file::FileError;
use thiserror::Error;

/// Why a journal is unusable.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be read.
    #[error("{path}: {why}", path = path.display())]
    Unreadable {
        /// Path of the journal.
        path: PathBuf,
        /// The error of the file system.
        why: io::Error,
    },
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The folder of a new run already contains a journal.
    #[error("{path} already contains a run", path = .0.display())]
    Exists(PathBuf),
    /// The folder contains the log of a run, but not its journal.
    #[error(
        "{path} is the log of a run without a journal; it is left unchanged",
        path = .0.display()
    )]
    NoJournal(PathBuf),
    /// Another program is writing the journal.
    #[error("{path} is being written by another program", path = .0.display())]
    Locked(PathBuf),
    /// A line cannot be written; holds the error of the file system.
    #[error("{0}")]
    Unsaved(io::Error),
    /// The first line, which describes the run, is damaged.
    #[error("{path}: the line that describes the run is damaged", path = .0.display())]
    Headless(PathBuf),
    /// The file contains no journal line.
    #[error("{path} is not a journal: {why}", path = path.display())]
    Foreign {
        /// Path of the file, which is left unchanged.
        path: PathBuf,
        /// The fault in its first line.
        why: String,
    },
    /// The journal belongs to another run.
    #[error("{path} belongs to another run: {what} differs", path = path.display())]
    Other {
        /// Path of the journal.
        path: PathBuf,
        /// Name of the first property that differs.
        what: String,
    },
}
