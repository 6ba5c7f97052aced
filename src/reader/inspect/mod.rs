//! Inspect AI: one task and one model per log, in an `.eval` archive or a `.json` document.
//!
//! The header holds status and aggregates; the samples hold answers and scores. A killed run has
//! no header and a failed one no aggregates, but their samples are read. The log does not contain
//! the scorers' code, so stored scores are used unchanged.

mod archive;
mod chunked;
mod figures;
mod header;
mod message;
mod read;
mod sample;
mod scores;
mod select_runs;
#[cfg(test)]
mod tests;

pub(crate) use message::{Attachments, asked, first_line, first_target};
pub(crate) use read::is_mostly_read;
pub use read::sample_text;

use super::{Candidate, Context, Reader, Sink, Unit};

/// Name of the format, as listed under `sources`.
pub const FORMAT: &str = "inspect-ai";

/// Reader of Inspect logs.
#[derive(Clone, Copy, Debug, Default)]
pub struct InspectAi;

impl Reader for InspectAi {
    fn format(&self) -> &'static str {
        FORMAT
    }

    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
        select_runs::plan(files, context)
    }

    fn read(&self, unit: &Unit, context: &Context, sink: &mut dyn Sink) {
        // `Break` means that the sink asked to stop; nothing is left to do.
        let _ = read::read(unit, context, sink);
    }
}
