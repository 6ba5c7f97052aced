//! Errors of publishing.

use std::io;
use std::path::Path;

use base::file::FileError;
use store::clickhouse::ClickHouseError;
use thiserror::Error;

/// Why a data set could not be published.
#[derive(Debug, Error)]
pub enum PublishError {
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A system error during writing.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The destination cannot be read or written.
    #[error("{place}: {why}")]
    Place {
        /// The destination, for display.
        place: String,
        /// The cause.
        why: String,
    },
    /// A database rejects the data, or cannot be read.
    #[error("{place}: {why}")]
    Database {
        /// Address of the database.
        place: String,
        /// The cause.
        why: ClickHouseError,
    },
    /// Rows cannot be encoded.
    #[error("{0}")]
    Encode(String),
    /// Records can no longer be read from their logs. Without them, the data set would be
    /// incomplete.
    #[error("{} can no longer be read from the logs; first cause: {why}", base::format::counted(*count, "record"))]
    Lost {
        /// Number of unreadable records.
        count: u64,
        /// Why the first record cannot be read.
        why: String,
    },
    /// The existing data set cannot be extended.
    #[error("the existing data set cannot be extended: {0}")]
    Manifest(String),
    /// The newest manifest has the highest possible number.
    #[error("the newest manifest already has the highest possible number")]
    Last,
    /// In every attempt, another publication had taken the number of the manifest.
    #[error("others were publishing into the data set at the same time; try again")]
    Busy,
}

impl PublishError {
    /// Adds the path to a system error.
    pub(super) fn at(path: &Path, why: &io::Error) -> Self {
        Self::Place {
            place: base::format::visible(&path.display().to_string()).into_owned(),
            why: why.to_string(),
        }
    }
}
