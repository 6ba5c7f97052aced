//! OpenCompass. Predictions of one model and data set are objects keyed by number; results contain
//! aggregates and details of samples; summaries of a run are CSV files.
//!
//! Predictions have no scores. Details can contain a verdict per sample. Verdicts are used as
//! scores only if their mean equals an aggregate of the harness.

mod details;
mod figures;
mod plan;
mod prediction;
mod read;
#[cfg(test)]
mod tests;

/// Name of the format in the list of sources.
pub const FORMAT: &str = "opencompass";

reader! {
    /// Reader of OpenCompass's outputs.
    OpenCompass, FORMAT, plan::plan, |unit, context, _, sink| {
        // `Break` means that the sink asked to stop. Reading has ended, so there is nothing to do.
        let _ = read::read(unit, context, sink);
    }
}
