//! lighteval: one Parquet file of details per task, and one results document per run.
//!
//! Since 0.10, a row has the columns `doc`, `metric` and `model_response`. Before, and on the Open
//! LLM Leaderboard, these are flat columns. The details do not contain the metrics' code, so stored
//! scores are used. A metric is computed from the samples only if its mean equals the harness's
//! aggregate, and an aggregate is shown only if the details contain its metric.

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
        // `Break` means that the sink asked to stop; nothing is left to do.
        let _ = read::read(unit, sink);
    }
}
