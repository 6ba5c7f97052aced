//! Tests `eyechart rerun` with a test server. Its answers depend on the picture, and it can fail in
//! all ways in which real servers do.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test ends there"
)]
#![allow(
    clippy::pedantic,
    reason = "small counts, exact numbers and tables of faults"
)]

mod accounting;
mod adaptive;
mod agreement;
#[path = "../support/amount.rs"]
mod amount;
mod assistant;
mod base;
mod batch;
mod builtin;
mod columns;
mod copies;
#[allow(dead_code, reason = "the fuzz tests use all of it")]
#[path = "../fuzz/damage.rs"]
mod damage;
#[path = "../fuzz/dice.rs"]
mod dice;
mod doctor;
mod exam;
mod faults;
mod full;
mod honest;
mod judge;
mod killed;
#[path = "../support/limited.rs"]
mod limited;
mod log;
#[path = "../support/memory.rs"]
mod memory;
mod modes;
mod modes_by_chance;
mod pictures;
mod playground;
mod protocols;
mod router;
mod scenes;
mod secrets;
mod seeing;
mod server;
mod several;
mod shards;
#[path = "../support/terminal.rs"]
mod terminal;
mod turns;
mod wire;
mod worker;
