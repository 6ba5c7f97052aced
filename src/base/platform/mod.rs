//! Differences between operating systems: files, names, signals, terminals.
//!
//! Everything specific to Unix or Windows is here, behind functions that exist on every system.
//! `tests/portable.rs` checks that no other module contains such code. A function states in its
//! type or documentation what a system lacks; it does not fail later.

pub mod file;
pub mod memory;
pub mod name;
pub mod signals;
pub mod terminal;
