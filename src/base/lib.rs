//! Foundation of all other crates: operating systems, jobs, limits, formatting, files, settings and
//! the manual.
//!
//! Independent of samples, models and logs. In the list `config`, `file`, `format`, `limits`,
//! `job`, `platform`, each module imports only modules to the right of it.

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
