//! lm-evaluation-harness and lmms-eval, which was derived from it: samples in JSON lines, one file
//! per task, and one results document per run.
//!
//! A log does not contain the task's code, so stored scores are used. A metric is computed from the
//! samples only if its mean equals the harness's aggregate. Other metrics (precision, F1, means of
//! category means) are shown as aggregates of the harness.

pub(crate) mod category;
mod filters;
mod lines;
mod lm;
mod lmms;
mod pair_files;
mod read;
mod results;
mod survey;
mod tally;
#[cfg(test)]
mod tests;

pub(crate) use lines::text_of;
pub(crate) use lm::number;
pub(crate) use tally::Tally;

use super::{Candidate, Context, Reader, Sink, Unit};
use record::Content;

/// Harness that wrote a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Harness {
    /// lm-evaluation-harness, mostly for text models.
    LmEval,
    /// lmms-eval, for multimodal models.
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
        // `Break` means that the sink asked to stop. Reading has ended, so there is nothing to do.
        let _ = read::read(*self, unit, context, sink);
    }
}

/// Content of a parsed line, with the same fields for both harnesses.
#[derive(Clone, Debug, Default, PartialEq)]
struct SampleLine {
    /// Id of the document (`doc_id`), as text.
    id: String,
    /// Filter that extracted the answer; `None` if the line does not contain its name.
    filter: Option<String>,
    category: Option<String>,
    content: Content,
    response: String,
    /// Extracted answer; empty if the filter found none.
    parsed: Option<String>,
    /// Names of the metrics in the line, including metrics without a value.
    named: Vec<String>,
    /// Pairs of metric and value.
    scores: Vec<(String, f64)>,
    /// Names of the metrics whose values are booleans.
    flags: Vec<String>,
    /// Error message of the request, if the request failed.
    failure: Option<String>,
}
