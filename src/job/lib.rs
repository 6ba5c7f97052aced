//! Runs work in background threads. Only the newest job of a kind counts, and a panic ends only its
//! own job. Uses no domain types.

// Tests may compare floats exactly and cast small numbers.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

mod newest;
mod supervised;

pub use newest::{FOR_GOOD, Newest, Ticket};
pub use supervised::{Failure, caught, spawn};
