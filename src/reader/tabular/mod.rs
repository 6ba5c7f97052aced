//! Reads and writes tabular files with polars: Parquet and Arrow IPC (feather).
//!
//! No other module uses polars. Files are read part by part (row groups or record batches), and
//! only in the wanted columns, so a file can be larger than memory. Parts are decoded by polars'
//! decoders on the calling thread, not by a scan of polars. Rows keep their numbers, damage affects
//! only its own part, and unsupported types in unread columns do no harm. Files are not
//! memory-mapped, so it is safe if a file is truncated during reading.
//!
//! Of polars, only columns, readers and writers are compiled. The lazy engine would more than
//! double the time of a clean build, and is not needed.

// Tests compare floats exactly and cast small numbers.
#![cfg_attr(test, allow(clippy::pedantic))]

mod arrow;
mod cell;
mod checksum;
mod contain;
mod file;
mod input;
mod nested;
mod parquet;
#[cfg(test)]
mod tests;
mod write;

pub use file::{Batch, Batches, ColumnStatistics, Damage, Form, TableFile};
pub use input::Input;
pub use write::{Column, Kind, Writer};

use polars_core::error::PolarsError;

/// Error of reading or writing a tabular file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file is neither Parquet nor Arrow IPC.
    #[error("it is neither a Parquet nor an Arrow IPC file")]
    Form,
    /// An error of the operating system.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// An error of polars.
    #[error("{0}")]
    Polars(#[from] PolarsError),
    /// A panic of polars, with its message.
    #[error("{0}")]
    Panic(String),
    /// A header, length or offset is impossible.
    #[error("{0}")]
    Header(&'static str),
    /// A part needs much more memory than its size suggests.
    #[error("the file unpacks to far more than its size")]
    Huge,
    /// A cell contains more nested values than allowed.
    #[error("{}", base::limits::Limit::Values.message())]
    Cell,
    /// A column has a different length than the others.
    #[error("column {column} has {found} values for {rows} rows")]
    Uneven {
        /// Name of the column.
        column: String,
        /// Number of values in the column.
        found: usize,
        /// Number of rows in the other columns.
        rows: u64,
    },
}
