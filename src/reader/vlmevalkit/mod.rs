//! `VLMEvalKit` run folders, `TDBench` included: predictions, stored hits and the data sets behind them.
//!
//! A prediction table has the columns of the data set (without the pictures) and `prediction`; a
//! result table has `hit` as well. One [`Unit`] is one data set asked of one model in one run.

mod ability;
mod archive;
mod cells;
mod dataset;
mod delimited;
mod join;
mod json;
mod names;
mod nearby;
mod plan;
mod read;
mod results;
mod rows;
mod runs;
mod sniff;
mod splitter;
mod status;
mod table;
#[cfg(test)]
mod tests;
mod xlsx;

use super::{Candidate, Context, Reader, Sink, Unit};

/// Name of the format under `sources`.
pub const FORMAT: &str = "vlmevalkit";

/// Reads what `VLMEvalKit` writes.
#[derive(Clone, Copy, Debug, Default)]
pub struct VlmEvalKit;

impl Reader for VlmEvalKit {
    fn format(&self) -> &'static str {
        FORMAT
    }

    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
        plan::plan(files, context)
    }

    fn read(&self, unit: &Unit, _context: &Context, sink: &mut dyn Sink) {
        // A break only means that the sink has had enough: there is nothing left to do.
        let _ = read::read(unit, sink);
    }
}
