//! What differs between systems: files, names, signals, the terminal as a device.
//!
//! Everything that only Unix or only Windows has is here, behind functions that every system has. `tests/portable.rs`
//! lets nothing of the kind into other rooms. Where a system lacks something, the function says so in its type or in
//! its words, and never by failing later.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

pub mod file;
pub mod memory;
pub mod name;
pub mod signals;
pub mod terminal;
