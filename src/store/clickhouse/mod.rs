//! Queries `ClickHouse` servers over HTTP and reads and writes rows.
//!
//! A [`Server`] runs SQL in which all names and texts are quoted by [`name`] and [`text`]. It
//! returns the answer as bytes in the format `RowBinary`, which [`Rows`] decodes. An answer is
//! either complete or an error: the server sends its status only after the query has ended, and
//! does not skip nodes. A body that contains an exception, or ends in the middle of a row, is an
//! error. A query that exceeds the time limit is killed on the server.
//!
//! An address may contain the user's name. The password comes from the environment, and no message
//! contains it.

mod database_address;
mod error;
mod exception;
mod rows;
mod server;
mod sql;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use database_address::DatabaseAddress;
pub use error::ClickHouseError;
pub use rows::{RowBuffer, Rows};
pub use server::{Server, TimeLimits, token};
pub use sql::{name, text};
