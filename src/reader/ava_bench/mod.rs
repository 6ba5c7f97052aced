//! AVA-Bench: answers, questions and ground truth in separate files, joined by question id.
//!
//! The answer file is named `.jsonl` but holds a JSON array; true JSON lines from
//! `LLaVA` exist too. The file contains neither model nor ability: the file's stem is
//! the model, its folder's name the ability.

mod ability;
mod file_roles;
mod join;
mod tags;

pub(super) use file_roles::{has_truth, share_id};

use super::{Candidate, Context, Reader, Sink, Unit};

/// Name of the format, as listed under `sources`.
pub const FORMAT: &str = "ava-bench";

/// Reader of AVA-Bench answers.
#[derive(Clone, Copy, Debug, Default)]
pub struct AvaBench;

impl Reader for AvaBench {
    fn format(&self) -> &'static str {
        FORMAT
    }

    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
        file_roles::plan(files, context)
    }

    fn read(&self, unit: &Unit, context: &Context, sink: &mut dyn Sink) {
        join::read(unit, context, sink);
    }
}
