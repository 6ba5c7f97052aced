//! EvalScope: reviews (answers with scores) in JSON lines, one file per model and subset of a
//! benchmark; predictions (answers alone); and one report per model and benchmark.
//!
//! The tasks' own code computed the scores, so stored scores are used. A sample whose request
//! failed is in no file of a run with `--ignore-errors`; only the report counts it.

mod config;
mod files;
mod line;
mod markdown;
mod plan;
mod read;
mod report;
#[cfg(test)]
mod tests;

pub(crate) use line::sample;

use super::{Candidate, Context, Position, Reader, Sink, Unit};

/// Name of the format, as listed under `sources`.
pub const FORMAT: &str = "evalscope";

/// Reader of EvalScope's outputs.
#[derive(Clone, Copy, Debug, Default)]
pub struct EvalScope;

impl Reader for EvalScope {
    fn format(&self) -> &'static str {
        FORMAT
    }

    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
        plan::plan(files, context)
    }

    fn read(&self, unit: &Unit, context: &Context, sink: &mut dyn Sink) {
        read::read(unit, context, None, sink);
    }

    fn read_on(&self, unit: &Unit, context: &Context, from: Position, sink: &mut dyn Sink) {
        read::read(unit, context, Some(from), sink);
    }
}
