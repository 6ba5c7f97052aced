//! What the other crates rest on: systems, background jobs, limits, formatting, files, settings and the manual.
//!
//! Knows no sample, model or log. Modules import downwards only: `platform` and `job`, `limits`, `format`, `file`,
//! `config`.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

pub mod config;
pub mod file;
pub mod format;
pub mod job;
pub mod limits;
pub mod manual;
pub mod platform;
