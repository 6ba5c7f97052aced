//! Why there is no run.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::connect::{ConnectError, LookError};
use crate::journal::JournalError;
use crate::protocol::ProtocolError;

/// Why there is no run. What to do about it depends on where the user is: command line and UI add their own hints.
#[derive(Debug, Error)]
pub enum RerunError {
    /// There is no such endpoint, or no key.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The server does not answer, or refuses the key.
    #[error(transparent)]
    Look(#[from] LookError),
    /// The server has several models, or names none, and the user names none either.
    #[error("no model is named")]
    NoModel {
        /// The models that the server names.
        known: Vec<String>,
    },
    /// The endpoint is one model, and another one is named.
    #[error("{0} is one model")]
    OneModel(String),
    /// What may be spent is bounded, and it is not known what anything costs.
    #[error("no price is known for `{0}`, so that nothing can be said of its cost")]
    NoPrice(String),
    /// No sample can be asked under the protocol.
    #[error("no sample can be asked under `{protocol}`")]
    Nothing {
        /// The protocol's name.
        protocol: String,
        /// Why samples cannot be asked; `None`: there is none.
        why: Option<String>,
    },
    /// The endpoint of a previous run is elsewhere now.
    #[error(
        "this run was asked at {before}, and endpoint {endpoint} is now {now}; set its url back, or begin a new run"
    )]
    Moved {
        /// Where it was.
        before: String,
        /// Its name.
        endpoint: String,
        /// Where it is.
        now: String,
    },
    /// This version does not know the protocol of a previous run.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// There is no folder in which the new run may stand.
    #[error("there is no place for the new run")]
    NoPlace,
    /// A folder cannot be written.
    #[error("{path}: {why}", path = path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// No threads can be had.
    #[error(transparent)]
    Threads(#[from] io::Error),
}
