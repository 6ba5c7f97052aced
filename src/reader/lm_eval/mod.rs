//! lm-evaluation-harness and its descendant lmms-eval: samples in JSON lines, one file
//! per task, and one results document per run.
//!
//! A log does not contain the task's code, so stored scores are used. A metric is computed from
//! the samples only if its mean equals the harness's aggregate. Other metrics (precision, F1,
//! means of category means) are shown as the harness's own aggregates.

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
    /// lmms-eval, its descendant for multimodal models.
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
        // `Break` means that the sink asked to stop; nothing is left to do.
        let _ = read::read(*self, unit, context, sink);
    }
}

/// Content of a parsed line, common to both harnesses.
#[derive(Clone, Debug, Default, PartialEq)]
struct SampleLine {
    /// Id of the document (`doc_id`), as text.
    id: String,
    /// Filter applied to the answer; `None` if the line does not name it.
    filter: Option<String>,
    category: Option<String>,
    content: Content,
    response: String,
    /// Extracted answer; empty if the filter found none.
    parsed: Option<String>,
    /// Metrics named in the line, with or without a value.
    named: Vec<String>,
    /// Metrics and their values.
    scores: Vec<(String, f64)>,
    /// Metrics with boolean instead of numeric values.
    flags: Vec<String>,
    /// Error message of the request, if it failed.
    failure: Option<String>,
}
