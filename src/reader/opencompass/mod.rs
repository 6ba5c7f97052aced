//! OpenCompass: predictions of one model and data set in objects keyed by number, results with
//! figures and details of samples, and summaries of a run as CSV.
//!
//! Predictions have no scores. Details of the results may have a verdict of each sample; these
//! count as scores only if their mean is one of the harness's figures.

mod details;
mod figures;
mod plan;
mod prediction;
mod read;
#[cfg(test)]
mod tests;

use super::{Candidate, Context, Reader, Sink, Unit};

/// Name of the format, as listed under `sources`.
pub const FORMAT: &str = "opencompass";

/// Reader of OpenCompass's outputs.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenCompass;

impl Reader for OpenCompass {
    fn format(&self) -> &'static str {
        FORMAT
    }

    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
        plan::plan(files, context)
    }

    fn read(&self, unit: &Unit, context: &Context, sink: &mut dyn Sink) {
        // `Break` means that the sink asked to stop; nothing is left to do.
        let _ = read::read(unit, context, sink);
    }
}
