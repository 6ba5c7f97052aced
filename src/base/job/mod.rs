//! Runs work in background threads. Only the newest job of a kind counts, and a panic ends only its
//! own job. Uses no domain types.

mod newest;
mod supervised;

pub use newest::{FOR_GOOD, Newest, Ticket};
pub use supervised::{Failure, caught, spawn};
