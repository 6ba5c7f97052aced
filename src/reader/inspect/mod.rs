//! Inspect AI: one task and one model per log. A log is an `.eval` archive or a `.json` document.
//!
//! The header contains status and aggregates; the samples contain answers and scores. A killed run
//! has no header, and a failed run has no aggregates; their samples are read. The log does not
//! contain the scorers' code, so stored scores are used unchanged.

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
/// Metadata key that marks logs written by Eyechart. In a sample, its value is a line of Eyechart's
/// own format with the fields that Inspect lacks. In a header, its value is an object.
pub const MARK: &str = "eyechart";
/// Member of the object [`MARK`] in a header, with the settings of the original runs.
pub const RUNS: &str = "runs";

reader! {
    /// Reader of Inspect logs.
    InspectAi, FORMAT, select_runs::plan, |unit, context, _, sink| {
        // `Break` means that the sink asked to stop. Reading has ended, so there is nothing to do.
        let _ = read::read(unit, context, sink);
    }
}
