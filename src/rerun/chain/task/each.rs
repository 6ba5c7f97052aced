//! Each sample by the task that it is annotated for.

use std::sync::Arc;

use super::{Task, TaskChain};
use crate::asking::Asking;
use crate::chain::{Bound, Chain, Fold};
use crate::sample::Sample;

/// Each sample by the task that it is annotated for, as the harness asks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EachTask;

/// What tells most about a sample first: every map is worth more than options.
const ORDER: [Task; 6] = [
    Task::Detect,
    Task::Segment,
    Task::Depth,
    Task::Normals,
    Task::Group,
    Task::Classify,
];

impl EachTask {
    /// Why a sample cannot be asked in any of the ways; `None`: it can.
    #[must_use]
    pub fn unfit(sample: &Sample) -> Option<&'static str> {
        let none = || Some("no annotation of any task");
        Self::of(sample).map_or_else(none, |_| None)
    }

    fn of(sample: &Sample) -> Option<TaskChain> {
        let mut chains = ORDER.into_iter().map(TaskChain::usual);
        chains.find(|chain| chain.unfit(sample).is_none())
    }
}

impl Chain for EachTask {
    fn bound(&self, sample: &Sample) -> Bound {
        Self::of(sample).map_or_else(Bound::default, |chain| chain.bound(sample))
    }

    fn begin(&self, sample: &Arc<Sample>, asking: &Arc<Asking>) -> Box<dyn Fold> {
        let chain = Self::of(sample).unwrap_or(TaskChain::usual(Task::Classify));
        chain.begin(sample, asking)
    }
}
