//! lighteval: one Parquet file with details per task, and one results document per run.
//!
//! Since version 0.10, a row has the columns `doc`, `metric` and `model_response`. In older
//! versions and on the Open LLM Leaderboard, each field is a separate column. The details do not
//! contain the metrics' code, so stored scores are used.
//!
//! A metric is computed from the samples only if its mean equals the harness's aggregate. An
//! aggregate is shown only if the details contain its metric.

mod pair_files;
mod read;
mod results;
mod row;
#[cfg(test)]
mod tests;

/// Name of the format in the list of sources.
pub const FORMAT: &str = "lighteval";

reader! {
    /// Reader of lighteval's details and results.
    Lighteval, FORMAT, pair_files::plan, |unit, _, _, sink| {
        // `Break` means that the sink asked to stop. Reading has ended, so there is nothing to do.
        let _ = read::read(unit, sink);
    }
}
