//! Finds settings that differ between two runs, as recorded in their logs.

use std::collections::{BTreeMap, BTreeSet};

use super::comparable::{Mismatch, sources};
use super::matched::MatchedGroups;
use super::sides::Pairing;
use crate::Group;
use record::{ModelId, OriginalRun, Row, RunName, Scoring};

/// Maximum length in characters of a setting in a warning.
const LONGEST: usize = 60;
/// Settings that have no effect under Eyechart's own rules.
const SCORING: [&str; 3] = ["judge", "scorer", "scores"];

/// Lists the settings that differ between runs of the same harness, each once with all its
/// abilities.
pub fn settings(pairing: &Pairing<'_>, matched: &[MatchedGroups]) -> Vec<Mismatch> {
    let mut found: BTreeMap<(String, String, String), Vec<String>> = BTreeMap::new();
    for groups in matched {
        let sides = [&groups.a, &groups.b];
        let [one, other] = sides.map(|group| {
            let formats = sources(pairing, group).map(|source| source.format);
            formats.collect::<BTreeSet<_>>()
        });
        if one != other {
            continue;
        }
        let [a, b] = sides.map(|group| set(pairing, group));
        for (name, a) in a {
            let Some(b) = b.get(name).filter(|b| **b != a) else {
                continue;
            };
            let [a, b] =
                [&a, b].map(|values| values.iter().copied().collect::<Vec<_>>().join(" and "));
            let abilities = found.entry((name.to_owned(), a, b)).or_default();
            if !abilities.contains(&groups.a.name.name) {
                abilities.push(groups.a.name.name.clone());
            }
        }
    }
    let mismatch = |((name, a, b), abilities)| Mismatch::Setting {
        name,
        a,
        b,
        abilities,
    };
    found.into_iter().map(mismatch).collect()
}

/// Collects the settings of a group's runs, including settings recorded by copies of a log. Scoring
/// settings are skipped under Eyechart's own rules.
fn set<'a>(pairing: &Pairing<'a>, group: &Group) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let strict = pairing.sides.scoring == Scoring::Strict;
    let runs = runs(pairing, group);
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for source in sources(pairing, group) {
        let own = source.settings.iter();
        let own = own.map(|(name, value)| (*name, value.as_str()));
        let told = source.told.iter().filter(|told| is_of(told, &runs, group));
        let told = told.flat_map(|told| &told.settings);
        let told = told.map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in own.chain(told) {
            if !(strict && SCORING.contains(&name)) {
                found.entry(name).or_default().insert(value);
            }
        }
    }
    found
}

/// Returns the models of a group, each with its run if it has several.
fn runs<'a>(pairing: &Pairing<'a>, group: &Group) -> BTreeSet<(&'a str, Option<&'a str>)> {
    let table = pairing.sides.table;
    let model = |row: &u32| table.model(Row(*row)).0;
    let models: BTreeSet<u16> = group.rows.iter().map(model).collect();
    let names = table.names();
    let plain = |model: u16| names.plain(names.model(ModelId(model)));
    models.into_iter().map(plain).collect()
}

/// Returns true if a copy's settings belong to one of these runs; parts of the run name that the
/// copy lacks are ignored.
fn is_of(told: &OriginalRun, runs: &BTreeSet<(&str, Option<&str>)>, group: &Group) -> bool {
    let RunName {
        model,
        dataset,
        run,
    } = &told.name;
    let is_run = |(name, known): &(&str, Option<&str>)| {
        model.as_deref() == Some(*name)
            && match (known, run.as_deref()) {
                (Some(known), Some(run)) => *known == run,
                _ => true,
            }
    };
    // The benchmark of the data set `tdbench_rot0` is `tdbench`.
    let benchmark = group.name.benchmark.as_str();
    let is_here = dataset
        .as_deref()
        .is_none_or(|dataset| dataset.contains(benchmark) || benchmark.contains(dataset));
    is_here && runs.iter().any(is_run)
}

/// Cuts two values around their first difference, to fit a line.
pub fn contrast(a: &str, b: &str) -> [String; 2] {
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let from = if same > LONGEST / 2 {
        same - LONGEST / 4
    } else {
        0
    };
    [a, b].map(|text| {
        let before = if from > 0 { "…" } else { "" };
        let shown: String = text.chars().skip(from).take(LONGEST).collect();
        let after = if text.chars().count() > from + LONGEST {
            "…"
        } else {
            ""
        };
        format!("{before}{shown}{after}")
    })
}

/// Formats a list of names: one or two in full, else the first and the number of others.
pub fn few(names: &[String]) -> String {
    match names {
        [name] => name.clone(),
        [one, other] => format!("{one}, {other}"),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_shown_where_they_differ() {
        assert_eq!(contrast("0", "5"), ["0", "5"]);
        let same = "x".repeat(100);
        let [a, b] = contrast(&format!("{same}A"), &format!("{same}B"));
        assert_eq!(a, format!("…{}A", "x".repeat(15)));
        assert!(b.ends_with("xB"));
        let [a, _] = contrast(&same, "y");
        assert_eq!(a.chars().count(), LONGEST + 1);
    }
}
