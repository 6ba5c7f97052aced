//! Abilities that count as one in average ranks.

use record::AbilityGroup;

/// Benchmark, name of the group, abilities: fm-vision-evals prints six data sets of classification beside five other
/// tasks, and classification is one task (Table 1).
const GROUPS: [(&str, &str, &[&str]); 1] =
    [("fm-vision-evals", "classification", &["classification"])];

/// The groups that a benchmark's own paper means.
#[must_use]
pub fn usual_groups() -> Vec<AbilityGroup> {
    let group = |(benchmark, name, abilities): &(&str, &str, &[&str])| AbilityGroup {
        name: (*name).to_owned(),
        benchmark: Some((*benchmark).to_owned()),
        abilities: abilities.iter().map(|name| (*name).to_owned()).collect(),
    };
    GROUPS.iter().map(group).collect()
}
