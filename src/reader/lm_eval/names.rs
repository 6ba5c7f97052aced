//! Parses task and time of a run from its file names.

use std::sync::LazyLock;

use base::format::pattern;
use regex::Regex;

use super::Harness;

/// File names of lm-eval: `samples_<task>_2026-11-21T00-35-25.064502.jsonl`,
/// `results_<same>.json`.
static LM_EVAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:samples_(?<task>.+?)|results)(?:_(?<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d[\d.]*))?$",
    )
});
/// File names of lmms-eval: `20261121_083345_samples_<task>.jsonl`,
/// `20261121_083345_results.json`.
static LMMS_EVAL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:(?<time>\d{8}_\d{4,6})_)?(?:samples_(?<task>.+)|results)$"));

/// Task and time parsed from a file name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// Task, for samples files.
    pub task: Option<String>,
    /// Time of the run, in a sortable form.
    pub time: Option<String>,
}

impl Name {
    /// Parses a file's stem; `None` if it does not follow the harness's pattern.
    pub fn of(harness: Harness, stem: &str) -> Option<Self> {
        let form = match harness {
            Harness::LmEval => &*LM_EVAL,
            Harness::LmmsEval => &*LMMS_EVAL,
        };
        let parts = form.captures(stem)?;
        let part = |name: &str| parts.name(name).map(|found| found.as_str().to_owned());
        Some(Self {
            task: part("task"),
            time: part("time"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(task: Option<&str>, time: Option<&str>) -> Option<Name> {
        Some(Name {
            task: task.map(str::to_owned),
            time: time.map(str::to_owned),
        })
    }

    #[test]
    fn both_orders_of_the_parts() {
        let time = "2026-11-21T00-35-25.064502";
        let of = |stem: &str| Name::of(Harness::LmEval, stem);
        assert_eq!(
            of(&format!("samples_mini_mc_{time}")),
            name(Some("mini_mc"), Some(time))
        );
        assert_eq!(of(&format!("results_{time}")), name(None, Some(time)));
        assert_eq!(of("samples_mini_mc"), name(Some("mini_mc"), None));
        assert_eq!(of("mini"), None);
        let of = |stem: &str| Name::of(Harness::LmmsEval, stem);
        let time = Some("20261121_083345");
        assert_eq!(of("20261121_083345_samples_pope"), name(Some("pope"), time));
        assert_eq!(of("20261121_083345_results"), name(None, time));
        assert_eq!(of("results_2026"), None);
    }
}
