//! Reads and writes tabular files with polars: Parquet and Arrow IPC (feather).
//!
//! No other module uses polars. Files are read part by part (row group or record batch) and only in
//! the wanted columns, so a file can be larger than memory. Parts are decoded on the calling thread
//! by polars' decoders, not by a scan. Rows keep their numbers, damage is limited to its part, and
//! unsupported types in other columns do no harm. Files are not memory-mapped, so a file can safely
//! shrink while it is read.
//!
//! Only polars' columns, readers and writers are compiled. Its lazy engine would more than double
//! the clean build time and is not needed yet.

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
    /// An impossible header, length or offset.
    #[error("{0}")]
    Header(&'static str),
    /// A part needs far more memory than its size suggests.
    #[error("the file unpacks to far more than its size")]
    Huge,
    /// A cell contains more nested values than allowed.
    #[error("{}", base::limits::Limit::Values.message())]
    Cell,
    /// A column has a different length than the others.
    #[error("column {column} has {found} values for {rows} rows")]
    Uneven {
        /// Column with the wrong length.
        column: String,
        /// Number of its values.
        found: usize,
        /// Expected number of rows.
        rows: u64,
    },
}
