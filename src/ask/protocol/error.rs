//! Errors in the text of a protocol.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::parse::NAMES;
use crate::edited::QuestionEditError;
use crate::template::TemplateError;

/// Why a text is not a valid protocol.
#[derive(Debug, Error)]
pub enum ProtocolError {
    /// There is no protocol with this name.
    #[error("there is no protocol `{0}`; use one of {list}", list = NAMES.join(", "))]
    Unknown(String),
    /// The argument after the colon is invalid.
    #[error("{0}: {1}")]
    Argument(String, String),
    /// A prompt file cannot be read.
    #[error("{path}: {why}", path = path.display())]
    Unreadable {
        /// Path of the file that cannot be read.
        path: PathBuf,
        /// The error of the file system.
        why: io::Error,
    },
    /// The file of an edited question is invalid.
    #[error(transparent)]
    Edited(#[from] QuestionEditError),
    /// A prompt file is invalid.
    #[error(transparent)]
    Template(#[from] TemplateError),
}
