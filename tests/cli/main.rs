//! Tests the command line as a process: output and exit codes.

// Helper functions of tests may panic.
#![allow(
    clippy::expect_used,
    clippy::float_cmp,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::similar_names
)]

mod across;
mod agree;
#[cfg(unix)]
#[path = "../support/amount.rs"]
mod amount;
mod checkpoints;
mod columns;
mod compare;
mod completions;
mod convert;
mod corrected_scores;
mod doctor;
mod evidence;
mod exam;
mod field_coco;
mod field_harness;
mod field_pictures;
mod field_tables;
mod filters;
mod gate;
mod generate;
mod harness_ava;
mod harness_coco;
mod harness_inspect;
mod harness_lm_eval;
mod harness_lmms_eval;
mod harness_taskit;
mod harness_vlmevalkit;
mod headline;
mod health;
mod hostile;
mod html;
mod identity;
mod large_sets;
mod left_out;
mod likeness;
#[cfg(unix)]
#[path = "../support/limited.rs"]
mod limited;
mod mcp;
#[cfg(target_os = "linux")]
#[path = "../support/memory.rs"]
mod memory;
mod opened;
mod own_format;
mod page;
mod papers;
mod publish;
mod published;
mod random;
mod ranks;
mod repetitions;
mod rotations;
mod scorers;
mod siblings;
#[path = "../support/skipped.rs"]
mod skipped;
mod slices;
mod sources;
mod strict;
#[path = "../support/mod.rs"]
mod support;
mod tables;
mod traces;
mod trust;
mod trust_cases;
mod unusual_tables;
mod verdicts;
mod write_back;
mod writing;
