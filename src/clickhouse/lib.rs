//! Asks `ClickHouse` servers over HTTP: queries, rows in and out.
//!
//! A [`Server`] takes SQL whose names and texts went through [`name`] and [`text`], and gives the bytes of an answer
//! in `RowBinary`, which [`Rows`] reads. An answer is whole or an error: the server is told to wait with its status until
//! the query has ended, and to skip no node; a body with an exception in it, or one that ends within a row, is refused. A
//! query that takes longer than the user allows is killed on the server.
//!
//! Only the user's name stands in an address. The password comes from the environment, and is in no message.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

mod error;
mod exception;
mod place;
mod rows;
mod server;
mod sql;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use error::ClickHouseError;
pub use place::Place;
pub use rows::{Line, Rows};
pub use server::{Patience, Server, token};
pub use sql::{name, text};
