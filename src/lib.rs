//! Eyechart: inspect benchmark runs of vision models in the terminal.
//!
//! # One way through the house
//! ```text
//!  files ─ reader ─▶ record table ─ scorer ─▶ scores ─ metric/analysis ─▶ answers ─▶ tui | report
//! ```
//! Logs come in at one door, become one [`record::Table`] of one schema, and are never looked at again
//! as files, but for the text of a record that is fetched from its place when it is shown. Scores are
//! computed once, when a record comes in; `analysis` asks the table questions; the two front ends show
//! the same answers.
//!
//! # Which module may import which
//! Each line may import what stands below it (`tests/layers.rs` checks it):
//! ```text
//!  command
//!  tui  report
//!  workspace
//!  analysis
//!  reader  scorer  metric
//!  benchmark
//!  record
//!  job  media  graphics  format  cli  config
//! ```
//! Outer crates are fenced the same way: polars in `record` and `workspace`, ratatui and crossterm in
//! `tui` and `graphics`, clap in `cli`, `image` in `media` and `graphics`.

pub mod analysis;
pub mod benchmark;
pub mod cli;
pub mod command;
pub mod config;
pub mod format;
pub mod graphics;
pub mod job;
pub mod media;
pub mod metric;
pub mod reader;
pub mod record;
pub mod report;
pub mod scorer;
pub mod tui;
pub mod workspace;
