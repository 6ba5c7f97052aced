//! EvalScope: reviews (answers with scores) in JSON lines, one file per model and subset of a
//! benchmark; predictions (answers alone); and one report per model and benchmark.
//!
//! The tasks' own code computed the scores, so stored scores are used. A sample whose request
//! failed is in no file of a run with `--ignore-errors`; only the report counts it.

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
