//! lm-evaluation-harness and its descendant lmms-eval: samples in JSON lines, one file per task, and one results
//! document per run.
//!
//! A log does not contain the task's code, so stored scores are used. A metric is computed from the samples only if
//! its mean equals the harness's aggregate; precision, F1 or means of category means are not sample means, and are
//! shown as the harness's own aggregates.

mod category;
mod filters;
mod lines;
mod lm;
mod lmms;
mod names;
mod pair_files;
mod pictures;
mod read;
mod results;
mod survey;
mod tally;
#[cfg(test)]
mod tests;

pub(crate) use lines::text_of;

use super::{Candidate, Context, Reader, Sink, Unit};
use record::Content;

/// The harness that wrote a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Harness {
    /// lm-evaluation-harness.
    LmEval,
    /// lmms-eval.
    LmmsEval,
}

impl Reader for Harness {
    fn format(&self) -> &'static str {
        match self {
            Self::LmEval => "lm-eval",
            Self::LmmsEval => "lmms-eval",
        }
    }

    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
        pair_files::plan(*self, files, context)
    }

    fn read(&self, unit: &Unit, context: &Context, sink: &mut dyn Sink) {
        // `Break` only means that the sink asked to stop: there is nothing left to do.
        let _ = read::read(*self, unit, context, sink);
    }
}

/// A parsed line.
#[derive(Clone, Debug, Default, PartialEq)]
struct SampleLine {
    /// The document's number.
    id: String,
    /// The filter applied to the answer, if the line names it.
    filter: Option<String>,
    /// The category of the sample.
    category: Option<String>,
    /// Question, options, target and pictures.
    content: Content,
    /// The model's response.
    response: String,
    /// The extracted answer; empty if none was found.
    parsed: Option<String>,
    /// Metrics that the line names, whatever their values are.
    named: Vec<String>,
    /// Metrics and values of the line.
    scores: Vec<(String, f64)>,
    /// Metrics whose values are true or false instead of numbers.
    flags: Vec<String>,
    /// The request's error, if it failed.
    failure: Option<String>,
}
