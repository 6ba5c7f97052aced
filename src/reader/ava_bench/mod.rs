//! AVA-Bench: answers, questions and ground truth in separate files, joined by question id.
//!
//! The answer file is named `.jsonl` but usually contains a JSON array; files from `LLaVA` contain
//! JSON lines. It contains neither model nor ability. The model is the stem of the file name, the
//! ability is the folder's name.

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
