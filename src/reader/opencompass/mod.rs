//! OpenCompass: predictions of one model and data set as objects keyed by number, results with
//! figures and details of samples, and summaries of a run as CSV.
//!
//! Predictions have no scores. Details can hold a verdict per sample; verdicts are scores only if
//! their mean is one of the harness's figures.

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
        // `Break` means that the sink asked to stop; nothing is left to do.
        let _ = read::read(unit, context, sink);
    }
}
