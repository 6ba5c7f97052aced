//! Groups of abilities, each counted as one ability in average ranks.

use crate::AbilityGroup;

/// Benchmark, group name and abilities. fm-vision-evals has six classification data sets and five
/// other tasks, but counts classification as one task (Table 1).
const GROUPS: [(&str, &str, &[&str]); 1] =
    [("fm-vision-evals", "classification", &["classification"])];

/// Returns the ability groups defined by the benchmarks' papers.
pub fn usual_groups() -> Vec<AbilityGroup> {
    let group = |(benchmark, name, abilities): &(&str, &str, &[&str])| AbilityGroup {
        name: (*name).to_owned(),
        benchmark: Some((*benchmark).to_owned()),
        abilities: abilities.iter().map(|name| (*name).to_owned()).collect(),
    };
    GROUPS.iter().map(group).collect()
}
