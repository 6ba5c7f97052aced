//! Every Eval Ever: one aggregate document per model and evaluation, and its samples in JSON lines.
//!
//! Source: `eval.schema.json` and `instance_level_eval.schema.json`, version 0.3.0, of
//! <https://github.com/evaleval/every_eval_ever>. The files do not contain the scorers' code, so
//! stored scores are used. Files written by `eyechart convert --to eee` also contain the scoring
//! rule: their metadata has the columns that the schema lacks.

mod aggregate;
mod instance;
mod plan;
mod read;
#[cfg(test)]
mod tests;

/// Name of the format in the list of sources.
pub const FORMAT: &str = "every-eval-ever";
/// Version of both schemas.
pub const VERSION: &str = "0.3.0";
/// Metadata key that marks files written by Eyechart.
pub const MARK: &str = "eyechart";
/// Value of [`MARK`] for a score that can be recomputed from the samples.
pub const FROM_SAMPLES: &str = "samples";
/// Metric detail that marks an unknown direction. Every Eval Ever's own converters use it, too.
pub const POLARITY: &str = "polarity";
/// Value of [`POLARITY`] and of other details that are unknown.
pub const UNKNOWN: &str = "unknown";
/// Suffix that turns the name of an aggregate document into the name of its sample file.
pub const SAMPLES: &str = "_samples.jsonl";

reader! {
    /// Reader of Every Eval Ever's documents and samples.
    EveryEvalEver, FORMAT, plan::plan, |unit, context, _, sink| {
        // `Break` means that the sink asked to stop. Reading has ended, so there is nothing to do.
        let _ = read::read(unit, context, sink);
    }
}
