//! Differences between operating systems: files, file names, signals and terminals.
//!
//! All code specific to Unix or Windows is here, behind functions that exist on every system.
//! `tests/portable.rs` checks that no other module contains such code. If a system lacks a feature,
//! the function's return type or documentation states that.

pub mod file;
pub mod memory;
pub mod name;
pub mod signals;
pub mod terminal;
