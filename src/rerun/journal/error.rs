//! Why a journal cannot be used.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{path}: {why}", path = path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// There is one already, and the run is a new one.
    #[error("{path} holds a run already", path = .0.display())]
    Exists(PathBuf),
    /// Another program writes it.
    #[error("{path} is being written by another program", path = .0.display())]
    Locked(PathBuf),
    /// A line in its middle is no line of a journal.
    #[error("{path}:{line}: no line of a journal: {why}", path = path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
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
