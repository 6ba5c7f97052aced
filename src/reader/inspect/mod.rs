//! Inspect AI: one task and one model per log, in an `.eval` archive or a `.json` document.
//!
//! The header holds status and aggregates; the samples hold answers and scores. A killed run has no
//! header and a failed one no aggregates, but their samples are read. The log does not contain the
//! scorers' code, so stored scores are used as they are.

mod archive;
mod chunked;
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

/// Name of the format in the list of sources.
pub const FORMAT: &str = "inspect-ai";
/// Metadata key that only logs written by Eyechart have. In a sample it holds a line of Eyechart's
/// own format with the fields that Inspect lacks; in a header, an object.
pub const MARK: &str = "eyechart";
/// Member of [`MARK`] in a header with the settings of the original runs.
pub const RUNS: &str = "runs";

reader! {
    /// Reader of Inspect logs.
    InspectAi, FORMAT, select_runs::plan, |unit, context, _, sink| {
        // `Break` means that the sink asked to stop; nothing is left to do.
        let _ = read::read(unit, context, sink);
    }
}
