//! lm-evaluation-harness and lmms-eval, which grew out of it: samples in JSON lines, one file a task, and the
//! figures of all tasks of a run in one document.
//!
//! What a task's code makes of an answer is not in the log: the stored scores count. A metric of the samples
//! is reported only if its mean is the figure that the harness printed; precision, F1 or a mean of category
//! means are no means over samples, and are shown as the harness's own figures.

mod category;
mod lines;
mod lm;
mod lmms;
mod names;
mod pictures;
mod plan;
mod read;
mod results;
mod survey;
#[cfg(test)]
mod tests;

use super::{Candidate, Context, Reader, Sink, Unit};
use record::Content;

/// Which of the two wrote a log.
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
        plan::plan(*self, files, context)
    }

    fn read(&self, unit: &Unit, context: &Context, sink: &mut dyn Sink) {
        // A break only means that the sink has had enough: there is nothing left to do.
        let _ = read::read(*self, unit, context, sink);
    }
}

/// A line understood.
#[derive(Clone, Debug, Default, PartialEq)]
struct Answered {
    /// The document's number.
    id: String,
    /// The filter that the answer went through, where the line names it.
    filter: Option<String>,
    /// The sample's own category.
    category: Option<String>,
    /// What was asked.
    content: Content,
    /// What the model answered.
    response: String,
    /// What the harness read; empty where it could read nothing.
    parsed: Option<String>,
    /// Every number that the line has for a metric.
    scores: Vec<(String, f64)>,
    /// Why the request failed, if it did.
    failure: Option<String>,
}
