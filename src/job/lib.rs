//! Work beside the loop: only the newest of a kind counts, and a panic ends nothing but the work that panicked. Knows
//! no domain type.

// Tests compare exact numbers and cast small ones.
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
