//! Eyechart: inspect benchmark runs of vision models in the terminal.
//!
//! # One way through the house
//! ```text
//!  files ─ reader ─▶ record table ─ scorer ─▶ scores ─ metric/analysis ─▶ engine ─▶ tui | report
//! ```
//! Logs come in at one door, become one [`record::Table`] of one schema, and are never looked at again
//! as files, but for the text of a record that is fetched from its place when it is shown. Scores are
//! computed once, when a record comes in; an `engine` answers queries with `analysis`; the two front ends
//! ask the same queries.
//!
//! # Which module may import which
//! Each line may import what stands below it, `graphics` may import `media`, and
//! `verdict` may import `format`. `tests/layers.rs` reads
//! these two tables and checks them; test modules are exempt.
//! ```text
//!  command
//!  tui  report
//!  engine
//!  workspace
//!  analysis  rerun
//!  exam
//!  reader  scorer  metric  encoder
//!  benchmark
//!  record
//!  job  media  graphics  format  cli  config  verdict  client
//! ```
//! Outer crates are fenced the same way: each may be named in these modules only.
//! ```text
//!  ratatui: tui graphics
//!  ratatui_image: graphics
//!  crossterm: tui graphics command
//!  clap: cli command
//!  image: media graphics exam encoder
//!  tokio: tui job client rerun
//!  tokio_util: client rerun tui command
//!  reqwest: client
//!  rustls: client
//!  httpdate: client
//!  secrecy: client
//!  parquet: reader workspace
//!  calamine: reader
//!  csv: reader report workspace
//!  chrono: verdict command rerun
//!  plotters: report
//!  blake3: workspace client rerun exam
//!  nucleo_matcher: tui
//!  clap_complete: command
//!  clap_mangen: command
//!  ruzstd: reader
//!  notify: workspace
//!  nalgebra: encoder
//!  tiny_skia: exam
//!  kurbo: exam
//!  geo: exam
//!  noise: exam
//!  ab_glyph: exam
//!  epaint_default_fonts: exam
//! ```

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

pub use ::analysis;
pub use ::benchmark;
pub use ::cli;
pub use ::client;
pub use ::command;
pub use ::config;
pub use ::encoder;
pub use ::engine;
pub use ::exam;
pub use ::format;
pub use ::graphics;
pub use ::job;
pub use ::media;
pub use ::metric;
pub use ::reader;
pub use ::record;
pub use ::report;
pub use ::rerun;
pub use ::scorer;
pub use ::tui;
pub use ::verdict;
pub use ::workspace;
