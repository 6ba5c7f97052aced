//! Lists reasons why two sides are hard to compare: different questions, scoring rules or settings,
//! and conditions without a common value.

use std::collections::BTreeSet;
use std::fmt;

use hashbrown::{HashMap, HashSet};

use super::matched::MatchedGroups;
use super::settings::{contrast, few, settings};
use super::sides::{ComparisonKind, Pairing};
use crate::Group;
use base::format::{compact, counted};
use record::{Ability, RequestFingerprint, Row, Scoring, Source};

/// Reason why two sides are hard to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// Some samples have different questions on the two sides.
    Asked {
        /// Benchmark and ability.
        ability: Ability,
        /// Number of samples with different questions.
        samples: u64,
        /// Parts of the request that differ in any of these samples.
        apart: RequestFingerprint,
    },
    /// The logs score the ability by different metrics, which cannot be compared.
    Metric {
        /// Benchmark and ability.
        ability: Ability,
        /// Metric in A's logs.
        a: String,
        /// Metric in B's logs.
        b: String,
    },
    /// The logs come from different harnesses, whose rules can differ.
    Harness {
        /// Benchmark and ability.
        ability: Ability,
        /// Log formats of A.
        a: String,
        /// Log formats of B.
        b: String,
    },
    /// The logs record different settings of the runs.
    Setting {
        /// Name of the setting, for example prompt, scorer or resolution.
        name: String,
        /// Value in A's logs.
        a: String,
        /// Value in B's logs.
        b: String,
        /// Abilities whose runs have these settings.
        abilities: Vec<String>,
    },
    /// The sides have no common value of a condition, so no samples are paired.
    Condition {
        /// Name of the condition.
        name: String,
        /// Values of A.
        a: String,
        /// Values of B.
        b: String,
    },
    /// The sides differ in several properties at once; holds their names.
    Several(Vec<String>),
    /// Number of predictions that are on both sides.
    Shared(u64),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked {
                ability,
                samples,
                apart,
            } => write!(
                f,
                "{}: {} between A and B; not paired; what differs: {}",
                ability.name,
                if *samples == 1 {
                    "1 sample differs".to_owned()
                } else {
                    format!("{} differ", counted(*samples, "sample"))
                },
                apart.words(),
            ),
            Self::Setting {
                name,
                a,
                b,
                abilities,
            } => {
                let [a, b] = contrast(a, b);
                write!(f, "{name} of A: {a}, of B: {b} ({})", few(abilities))
            }
            Self::Metric { ability, a, b } => write!(
                f,
                "{}: A is scored by {a}, B by {b}; not compared",
                ability.name
            ),
            Self::Harness { ability, a, b } => write!(
                f,
                "{}: A was scored by {a}, B by {b}; their rules may differ",
                ability.name
            ),
            Self::Condition { name, a, b } => {
                let [a, b] = contrast(a, b);
                write!(
                    f,
                    "{name} of A: {a}, of B: {b}; to pair the samples, use filters '{name}:…' as sides"
                )
            }
            Self::Several(names) => write!(
                f,
                "the sides differ in {}: a difference may have several causes",
                names.join(" and ")
            ),
            Self::Shared(predictions) => write!(
                f,
                "{} predictions belong to both sides",
                compact(*predictions)
            ),
        }
    }
}

/// Collects all reasons why the sides are hard to compare.
pub fn mismatches(pairing: &Pairing<'_>, matched: &[MatchedGroups]) -> Vec<Mismatch> {
    let mut found = Vec::new();
    let shared = pairing.sides.shared() as u64;
    if shared > 0 {
        found.push(Mismatch::Shared(shared));
    }
    let mut differ_in = pairing.differ_in().to_vec();
    if pairing.sides.kind == ComparisonKind::Filters && pairing.is_by_model() {
        differ_in.insert(0, "model".to_owned());
    }
    if differ_in.len() > 1 {
        found.push(Mismatch::Several(differ_in));
    }
    found.extend(
        pairing
            .disjoint_conditions()
            .into_iter()
            .map(|(name, [a, b])| {
                let listed = |values: Vec<String>| values.join(" and ");
                Mismatch::Condition {
                    name,
                    a: listed(a),
                    b: listed(b),
                }
            }),
    );
    for groups in matched {
        let ability = &groups.a.name;
        if groups.b.rows.is_empty() {
            let other = |other: &&MatchedGroups| {
                other.a.ability == groups.a.ability && other.a.rows.is_empty()
            };
            found.extend(matched.iter().find(other).map(|other| Mismatch::Metric {
                ability: ability.clone(),
                a: groups.a.metric.clone(),
                b: other.b.metric.clone(),
            }));
        }
        if groups.a.rows.is_empty() || groups.b.rows.is_empty() {
            continue;
        }
        let (samples, apart) = differing_questions(pairing, groups);
        if samples > 0 {
            found.push(Mismatch::Asked {
                ability: ability.clone(),
                samples,
                apart,
            });
        }
        let [a, b] = [&groups.a, &groups.b].map(|group| formats(pairing, group));
        if a != b {
            found.push(Mismatch::Harness {
                ability: ability.clone(),
                a,
                b,
            });
        }
    }
    found.extend(settings(pairing, matched));
    found
}

/// Returns the number of samples with different questions on the two sides under the same
/// condition, and the parts of the request that differ.
pub(super) fn differing_questions(
    pairing: &Pairing<'_>,
    groups: &MatchedGroups,
) -> (u64, RequestFingerprint) {
    let table = pairing.sides.table;
    if !table.has_changed_requests() {
        return (0, RequestFingerprint::default());
    }
    let key = |row: u32| {
        let model = (!pairing.is_by_model()).then(|| table.model(Row(row)));
        (table.item(Row(row)), model)
    };
    let rows = groups.a.rows.iter();
    let of_a: HashMap<_, RequestFingerprint> = rows
        .map(|&row| (key(row), table.request_change(Row(row))))
        .collect();
    let mut samples = HashSet::new();
    let mut all = RequestFingerprint::default();
    for &row in &groups.b.rows {
        let of_b = table.request_change(Row(row));
        let apart = of_a.get(&key(row)).map(|of_a| of_a.differences(of_b));
        if let Some(apart) = apart.filter(|apart| !apart.is_none()) {
            all = all.and(apart);
            samples.insert(table.sample_of().get(table.item(Row(row)).0 as usize));
        }
    }
    (samples.len() as u64, all)
}

/// Joins the names of the log formats of a group; empty under Eyechart's own rules.
fn formats(pairing: &Pairing<'_>, group: &Group) -> String {
    // Eyechart's own rules are the same for all log formats.
    if pairing.sides.scoring == Scoring::Strict {
        return String::new();
    }
    let formats: BTreeSet<&str> = sources(pairing, group)
        .map(|source| source.format)
        .collect();
    formats.into_iter().collect::<Vec<_>>().join(" and ")
}

/// Returns the logs that a group's predictions come from.
pub(super) fn sources<'a>(
    pairing: &Pairing<'a>,
    group: &Group,
) -> impl Iterator<Item = &'a Source> {
    let table = pairing.sides.table;
    let unit = |row: &u32| table.unit_of().get(*row as usize).copied();
    let units: BTreeSet<u32> = group.rows.iter().filter_map(unit).collect();
    units
        .into_iter()
        .filter_map(|unit| table.sources().get(unit as usize))
}
