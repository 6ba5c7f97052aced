//! The open data: the table, the lens on it, filters, and rows and pictures for display.
//!
//! Independent of ratatui, stdout and endpoints.

// Tests may compare floats exactly and cast small numbers.
#![cfg_attr(test, allow(clippy::pedantic, clippy::complexity, clippy::perf))]

pub mod answered;
pub mod automatic_tags;
pub mod brief;
pub mod columns;
pub mod corrected;
pub mod database;
pub mod doubtful;
pub mod export;
pub mod filter;
pub mod follow;
pub mod frame;
pub mod hash;
pub mod health;
pub mod known_rules;
mod label_errors;
mod lens;
pub mod likeness;
pub mod load;
pub mod log_line;
mod merit;
pub mod open;
pub mod outline;
pub mod overview;
pub mod page;
pub mod picture;
pub mod progress;
pub mod publish;
pub mod sample_panel;
mod sides;
pub mod surface;
pub mod text;
pub mod thumbnail;
pub mod trace;
pub mod upload_queue;
pub mod verdicts;
mod versus;

pub use lens::{Lens, bin_terms};
pub use sides::{NamedComparison, NamedSides, SideError, each_pair, side_term};
