//! Errors that prevent a run.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::connect::{ConnectError, ModelListError};
use crate::journal::JournalError;
use crate::protocol::ProtocolError;

/// Why a run cannot start. Command line and UI add their own hints about what to do.
#[derive(Debug, Error)]
pub enum RerunError {
    /// The endpoint is unknown or misconfigured, or the key is missing.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The server does not answer or rejects the key.
    #[error(transparent)]
    Look(#[from] ModelListError),
    /// The user names no model, and the server lists none or several.
    #[error("no model was given")]
    NoModel {
        /// The models that the server lists.
        known: Vec<String>,
    },
    /// The endpoint is a single model, and the user names another model.
    #[error("{0} is a single model")]
    OneModel(String),
    /// A cost limit is set, but no price is known.
    #[error("no price is known for `{0}`, so its cost cannot be limited")]
    NoPrice(String),
    /// No sample can be asked under the protocol.
    #[error("no sample can be asked under `{protocol}`")]
    Nothing {
        /// Name of the protocol, as in `--protocol`.
        protocol: String,
        /// Why samples cannot be asked; `None` if there are no samples.
        why: Option<String>,
    },
    /// The endpoint of a previous run now has another address.
    #[error(
        "this run used {before}, but endpoint {endpoint} is now {now}; restore its url or start a new run"
    )]
    Moved {
        /// The address at the start of the run.
        before: String,
        /// Name of the endpoint in the config file.
        endpoint: String,
        /// The address in the config file now.
        now: String,
    },
    /// The protocol of a previous run is unknown to this version.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// The journal cannot be read, written or resumed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// There is no folder for the new run.
    #[error("no folder is available for the new run")]
    NoPlace,
    /// A folder cannot be written.
    #[error("{path}: {why}", path = path.display())]
    Folder {
        /// Path of the folder that cannot be written.
        path: PathBuf,
        /// The error of the file system.
        why: io::Error,
    },
    /// No runtime can be started.
    #[error(transparent)]
    Threads(#[from] io::Error),
}
