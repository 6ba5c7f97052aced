//! Why there is no such way to ask.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::parse::NAMES;
use crate::edited::EditedError;
use crate::template::TemplateError;

/// Why there is no such way to ask.
#[derive(Debug, Error)]
pub enum ProtocolError {
    /// No protocol has this name.
    #[error("there is no protocol `{0}`; one of {list}", list = NAMES.join(", "))]
    Unknown(String),
    /// What stands behind the colon is wrong.
    #[error("{0}: {1}")]
    Argument(String, String),
    /// A file of words cannot be read.
    #[error("{path}: {why}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// A file of an edited question has no use.
    #[error(transparent)]
    Edited(#[from] EditedError),
    /// A file of words has no use.
    #[error(transparent)]
    Template(#[from] TemplateError),
}
