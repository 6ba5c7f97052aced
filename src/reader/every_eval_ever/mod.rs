//! Every Eval Ever: an aggregate document per model and evaluation, with its samples in JSON lines.
//!
//! Source: `eval.schema.json` and `instance_level_eval.schema.json`, version 0.3.0, of
//! <https://github.com/evaleval/every_eval_ever>. The files do not contain the scorers' code, so
//! stored scores are used. Files of `eyechart convert --to eee` also name the rule: their metadata
//! hold the columns that the schema lacks.

mod aggregate;
mod instance;
mod plan;
mod read;
#[cfg(test)]
mod tests;

/// Name of the format in the list of sources.
pub const FORMAT: &str = "every-eval-ever";
/// Version of the two schemas.
pub const VERSION: &str = "0.3.0";
/// Metadata key that only files written by Eyechart have.
pub const MARK: &str = "eyechart";
/// Value of [`MARK`] for a score that is recomputed from the samples.
pub const FROM_SAMPLES: &str = "samples";
/// Metric detail for an unknown direction, as in Every Eval Ever's own converters.
pub const POLARITY: &str = "polarity";
/// Value of [`POLARITY`], and of other details that a log does not contain.
pub const UNKNOWN: &str = "unknown";
/// Suffix of a sample file after the name of its aggregate.
pub const SAMPLES: &str = "_samples.jsonl";

reader! {
    /// Reader of Every Eval Ever's documents and samples.
    EveryEvalEver, FORMAT, plan::plan, |unit, context, _, sink| {
        // `Break` means that the sink asked to stop; nothing is left to do.
        let _ = read::read(unit, context, sink);
    }
}
