//! Runs, for each sample, the task that its annotation allows.

use std::sync::Arc;

use super::{Task, TaskChain};
use crate::asking::Asking;
use crate::chain::{Chain, Fold, RequestRange};
use crate::sample::Sample;

/// Name of this chain in `chain:each`.
const NAME: &str = "each";

/// Protocol that asks each sample the task that its annotation allows. A setting applies to all
/// tasks that support it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EachTask {
    /// Settings like `segments=40`, as in [`TaskChain::parse`].
    settings: Arc<[String]>,
}

/// Order in which tasks are tried: annotations with more information first, options last.
const ORDER: [Task; 6] = [
    Task::Detect,
    Task::Segment,
    Task::Depth,
    Task::Normals,
    Task::Group,
    Task::Classify,
];

impl EachTask {
    /// Parses a text like `each` or `each,segments=40,pairs=60`; `None` if it names a single task.
    pub fn parse(text: &str) -> Option<Result<Self, String>> {
        let mut parts = text.split(',').map(str::trim);
        if parts.next() != Some(NAME) {
            return None;
        }
        let settings: Arc<[String]> = parts.map(str::to_owned).collect();
        for setting in settings.iter() {
            let mut tried = ORDER.map(|task| set(task, setting)).into_iter();
            if tried.clone().all(|chain| chain.is_err()) {
                // Report a wrong number if a task has this setting; otherwise report the
                // unknown name.
                let wrong =
                    tried.find_map(|chain| chain.err().filter(|why| why.contains("number")));
                let none = format!("no task has a setting `{setting}`");
                return Some(Err(wrong.unwrap_or(none)));
            }
        }
        Some(Ok(Self { settings }))
    }

    /// Returns the name with settings, which [`EachTask::parse`] reads.
    pub fn name(&self) -> String {
        let settings = self.settings.iter().map(String::as_str);
        std::iter::once(NAME)
            .chain(settings)
            .collect::<Vec<_>>()
            .join(",")
    }

    /// Returns why a sample fits no task; `None` if it fits one.
    pub fn unfit(&self, sample: &Sample) -> Option<&'static str> {
        let none = || Some("no annotation for any task");
        self.of(sample).map_or_else(none, |_| None)
    }

    fn of(&self, sample: &Sample) -> Option<TaskChain> {
        let mut chains = ORDER.into_iter().map(|task| self.chain(task));
        chains.find(|chain| chain.unfit(sample).is_none())
    }

    fn chain(&self, task: Task) -> TaskChain {
        let known = self.settings.iter().filter(|it| set(task, it).is_ok());
        let parts: Vec<&str> = std::iter::once(task.name())
            .chain(known.map(String::as_str))
            .collect();
        TaskChain::parse(&parts.join(",")).unwrap_or(TaskChain::usual(task))
    }
}

/// Returns the chain of a task with one setting.
fn set(task: Task, setting: &str) -> Result<TaskChain, String> {
    TaskChain::parse(&format!("{},{setting}", task.name()))
}

impl Chain for EachTask {
    fn bound(&self, sample: &Sample) -> RequestRange {
        self.of(sample)
            .map_or_else(RequestRange::default, |chain| chain.bound(sample))
    }

    fn rounds(&self, sample: &Sample) -> usize {
        self.of(sample).map_or(1, |chain| chain.rounds(sample))
    }

    fn begin(&self, sample: &Arc<Sample>, asking: &Arc<Asking>) -> Box<dyn Fold> {
        let chain = self.of(sample);
        let chain = chain.unwrap_or_else(|| self.chain(Task::Classify));
        chain.begin(sample, asking)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_hold_for_the_tasks_that_have_them() {
        let each = EachTask::parse("each, pairs=5,segments=40")
            .unwrap()
            .unwrap();
        assert_eq!(each.name(), "each,pairs=5,segments=40");
        assert_eq!(each.chain(Task::Depth).name(), "depth,segments=40,pairs=5");
        assert_eq!(each.chain(Task::Group).name(), "group,segments=40");
        assert_eq!(each.chain(Task::Detect).name(), "detect");
        assert_eq!(
            EachTask::parse("each").unwrap().unwrap(),
            EachTask::default()
        );
        assert!(EachTask::parse("depth").is_none());
        for (text, part) in [
            ("each,pairs=0", "whole number"),
            ("each,colour=red", "no task has"),
        ] {
            let error = EachTask::parse(text).unwrap().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
