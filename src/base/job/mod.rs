//! Runs work in background threads. A newer job of the same kind cancels the older ones. A panic
//! ends only its own job. Does not use the types for samples, models and logs.

mod newest;
mod supervised;

pub use newest::{FOR_GOOD, Newest, Ticket};
pub use supervised::{Failure, caught, spawn};
