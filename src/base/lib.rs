//! Foundation of all other crates: operating systems, background jobs, limits, formatting, files,
//! settings and the manual.
//!
//! Independent of samples, models and logs. Each of these modules imports only later ones:
//! `config`, `file`, `format`, `limits`, `job`, `platform`.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(test, allow(clippy::pedantic, clippy::complexity, clippy::perf))]

pub mod config;
pub mod file;
pub mod format;
pub mod job;
pub mod limits;
pub mod manual;
mod named_enum;
pub mod picture_facts;
pub mod platform;
