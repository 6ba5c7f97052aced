//! Queries `ClickHouse` servers over HTTP and reads and writes rows.
//!
//! A [`Server`] takes SQL in which [`name`] and [`text`] have quoted all names and texts. It
//! returns the bytes of an answer in `RowBinary`, which [`Rows`] reads. An answer is complete or an
//! error: the server sends its status only after the query has ended, and skips no node. A body
//! with an exception in it, or one that ends in the middle of a row, is refused. A query that
//! exceeds the time limit is killed on the server.
//!
//! An address contains at most the user's name. The password comes from the environment and
//! appears in no message.

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
