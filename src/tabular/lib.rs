//! Tabular files, read and written by polars: Parquet and Arrow IPC (feather).
//!
//! Nothing outside of this room names polars. A file is read a part at a time, that is a row group of Parquet or
//! a record batch of Arrow, and only the wanted columns of it, so that a file may be larger than memory. Parts are
//! decoded on the calling thread by the decoders that polars' own scans use, and not by a scan: a row keeps its
//! number, damage stays in its part, a type that nobody asked for does no harm, and a panic has one thread.
//! Nothing is mapped into memory, so that a file may shrink while it is read.
//!
//! Of polars its columns, readers and writers are compiled. Its lazy engine would more than double the time of a clean
//! build, and nothing here adds up whole columns yet.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(test, allow(clippy::pedantic))]

mod arrow;
mod cell;
mod contain;
mod file;
mod input;
mod parquet;
#[cfg(test)]
mod tests;
mod write;

pub use file::{Batch, Batches, Damage, Form, Known, TableFile};
pub use input::Input;
pub use write::{Column, Kind, Writer};

use polars_core::error::PolarsError;

/// Why a tabular file, or a part of it, cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It begins neither like Parquet nor like Arrow.
    #[error("it is neither a Parquet nor an Arrow IPC file")]
    Form,
    /// The system does not let it be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// polars says so.
    #[error("{0}")]
    Polars(#[from] PolarsError),
    /// polars panicked.
    #[error("{0}")]
    Panic(String),
    /// A header, a length or a place that cannot be.
    #[error("{0}")]
    Header(&'static str),
    /// It takes far more memory than its size lets expect.
    #[error("the file unpacks to far more than its size")]
    Huge,
    /// A list or object within one row has more values than are read.
    #[error("{}", limits::Limit::Values.message())]
    Cell,
    /// A column is longer or shorter than the others.
    #[error("column {column} has {found} values for {rows} rows")]
    Uneven {
        /// The column's name.
        column: String,
        /// Its values.
        found: usize,
        /// The rows that there should be.
        rows: u64,
    },
}
