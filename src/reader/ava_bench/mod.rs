//! AVA-Bench: answers, questions and ground truth in separate files, joined by question id.
//!
//! The answer file is named `.jsonl` but holds a JSON array; true JSON lines from `LLaVA` exist
//! too. It contains neither model nor ability: the model is the file's stem, the ability the
//! folder's name.

mod ability;
mod file_roles;
mod join;
mod tags;

pub(super) use file_roles::{has_truth, share_id};

/// Name of the format, in the list of sources.
pub const FORMAT: &str = "ava-bench";

reader! {
    /// Reader of AVA-Bench answers.
    AvaBench, FORMAT, file_roles::plan, |unit, context, _, sink| join::read(unit, context, sink)
}
