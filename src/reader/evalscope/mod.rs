//! EvalScope: reviews (answers with scores) and predictions (answers without scores) in JSON lines,
//! one file per model and subset; and one report per model and benchmark.
//!
//! Stored scores are used, because they were computed by the tasks' own code. In a run with
//! `--ignore-errors`, samples with a failed request are missing in all files; only the report
//! counts them.

mod config;
mod line;
mod markdown;
mod plan;
mod read;
mod report;
#[cfg(test)]
mod tests;

pub(crate) use line::sample;

/// Name of the format in the list of sources.
pub const FORMAT: &str = "evalscope";

reader! {
    /// Reader of EvalScope's outputs.
    EvalScope, FORMAT, plan::plan, read::read
}
