//! Groups the runs of one model on one data set. Finds repeated runs, and names the other runs
//! after their differences.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use itertools::Itertools as _;
use serde_json::Value as Json;

use super::json::plain;
use super::{Runs, Unit, published};
use record::Settings;

/// Maximum length in bytes of a setting's value inside a run's name.
const LONGEST: usize = 24;
/// Maximum number of settings combined in a run's name. If they do not distinguish the runs, all
/// differing settings are used.
const MOST_TRIED: usize = 3;

/// A run of one model on one data set, as described by the header of its log.
pub struct Attempt<'a, S> {
    /// Model and data set; `None` if the header lacks them.
    pub key: Option<(&'a str, &'a str)>,
    /// Settings by name.
    pub settings: BTreeMap<String, String>,
    /// Index of the user's path under which the run was found.
    pub root: usize,
    /// Rank among the runs of the same experiment; the run with the highest rank is used.
    pub standing: S,
}

impl Runs {
    /// Returns, for each attempt, whether a run of the same experiment with a higher rank
    /// supersedes it.
    pub fn superseded<S: Ord + Copy>(&self, attempts: &[Attempt<'_, S>]) -> Vec<bool> {
        let none = BTreeMap::new();
        let experiment = |attempt: &Attempt<'_, S>| {
            let (model, dataset) = attempt.key?;
            let key = (model.to_owned(), dataset.to_owned());
            Some(match self {
                Self::Latest => (key, none.clone(), 0),
                _ => (key, attempt.settings.clone(), attempt.root),
            })
        };
        let keys: Vec<_> = attempts.iter().map(experiment).collect();
        let mut best = BTreeMap::new();
        for (at, (key, attempt)) in keys.iter().zip(attempts).enumerate() {
            let Some(key) = key else { continue };
            let known = best.entry(key).or_insert((attempt.standing, at));
            if known.0 < attempt.standing {
                *known = (attempt.standing, at);
            }
        }
        let is_other = |(at, key): (usize, &Option<_>)| {
            let best = key.as_ref().and_then(|key| best.get(key));
            best.is_some_and(|(_, best)| *best != at)
        };
        let keeps_all = matches!(self, Self::All | Self::Named(_));
        keys.iter()
            .enumerate()
            .map(|place| !keeps_all && is_other(place))
            .collect()
    }

    /// Names the runs of each model that has several runs. Deselects runs that the user does not
    /// want.
    pub fn name(&self, units: &mut [Unit]) {
        let mut by_model: BTreeMap<(&str, String), Vec<usize>> = BTreeMap::new();
        for (at, unit) in units
            .iter()
            .enumerate()
            .filter(|(_, unit)| !unit.superseded)
        {
            if let Some(model) = &unit.model {
                let runs = by_model.entry((unit.format, model.clone())).or_default();
                runs.push(at);
            }
        }
        for places in by_model.into_values() {
            let names = names(&places.iter().map(|&at| &units[at]).collect::<Vec<_>>());
            for (at, name) in places.into_iter().zip(names) {
                units[at].run = name;
            }
        }
        if let Self::Named(wanted) = self {
            // The model of some runs is known only from their rows; match them by path.
            let has_rows = |unit: &&Unit| unit.model.is_none() && unit.format != published::FORMAT;
            let is_in_path = (units.iter().filter(has_rows))
                .any(|unit| unit.path.to_string_lossy().contains(wanted));
            let is_wanted = |unit: &Unit| {
                unit.model.is_none() && !is_in_path
                    || unit.run.as_ref().is_some_and(|run| run.contains(wanted))
                    || unit.path.to_string_lossy().contains(wanted)
            };
            for unit in units {
                unit.superseded |= !is_wanted(unit);
            }
        }
    }
}

/// Flattens the settings in a header: members of objects become separate settings.
pub fn flat(settings: &Settings) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (name, text) in settings {
        match serde_json::from_str(text) {
            Ok(Json::Object(members)) => members.iter().for_each(|(key, value)| {
                flatten(key, value, &mut found);
            }),
            _ => {
                found.insert((*name).to_owned(), text.clone());
            }
        }
    }
    found
}

fn flatten(key: &str, value: &Json, found: &mut BTreeMap<String, String>) {
    match value {
        Json::Null => {}
        Json::Object(members) => {
            for (inner, value) in members {
                flatten(inner, value, found);
            }
        }
        value => {
            found.insert(key.to_owned(), plain(value));
        }
    }
}

/// Returns a name for each run of a model; `None` if there is only one run for each data set.
fn names(units: &[&Unit]) -> Vec<Option<String>> {
    let mut rivals: BTreeMap<&str, Vec<&Unit>> = BTreeMap::new();
    for unit in units {
        for dataset in unit.datasets() {
            rivals.entry(dataset).or_default().push(unit);
        }
    }
    let rivals: Vec<Vec<&Unit>> = rivals.into_values().filter(|runs| runs.len() > 1).collect();
    if rivals.is_empty() {
        return vec![None; units.len()];
    }
    let settings = telling(&rivals);
    let is_told = |runs: &Vec<&Unit>| {
        let told: BTreeSet<Vec<Option<&String>>> =
            runs.iter().map(|run| values(run, &settings)).collect();
        told.len() == runs.len()
    };
    let by_path = !rivals.iter().all(is_told);
    let parts = if by_path { parts(units) } else { Vec::new() };
    let name = |(at, unit): (usize, &&Unit)| {
        let words = settings.iter().map(|setting| words(setting, unit, units));
        let path = parts.get(at).cloned();
        words.chain(path).join(", ")
    };
    units.iter().enumerate().map(name).map(Some).collect()
}

fn values<'a>(unit: &'a Unit, settings: &[String]) -> Vec<Option<&'a String>> {
    settings
        .iter()
        .map(|name| unit.settings.get(name))
        .collect()
}

/// Returns the smallest set of settings that distinguishes the runs of each data set. If there is
/// none, returns all settings that differ.
fn telling(rivals: &[Vec<&Unit>]) -> Vec<String> {
    let differs = |name: &&String| {
        rivals.iter().any(|runs| {
            let first = runs.first().map(|run| run.settings.get(*name));
            runs.iter()
                .any(|run| Some(run.settings.get(*name)) != first)
        })
    };
    let names: BTreeSet<&String> = rivals
        .iter()
        .flatten()
        .flat_map(|run| run.settings.keys())
        .collect();
    let differing: Vec<&String> = names.into_iter().filter(differs).collect();
    let kinds = |settings: &[String]| -> usize {
        let of_runs = |runs: &Vec<&Unit>| {
            let told: BTreeSet<_> = runs.iter().map(|run| values(run, settings)).collect();
            told.len()
        };
        rivals.iter().map(of_runs).sum()
    };
    let all: Vec<String> = differing.iter().map(|name| (*name).clone()).collect();
    let most = kinds(&all);
    for size in 0..=MOST_TRIED.min(all.len()) {
        let some = all.iter().cloned().combinations(size);
        // Of equally large sets, prefer the one with the shortest values.
        let length = |settings: &Vec<String>| -> usize {
            let runs = rivals.iter().flatten();
            runs.flat_map(|run| values(run, settings))
                .flatten()
                .map(String::len)
                .sum()
        };
        let told = some.filter(|some| kinds(some) == most);
        if let Some(found) = told.min_by_key(length) {
            return found;
        }
    }
    all
}

/// Formats a setting as a part of a run's name: `5-shot`, `v0.4.2`, `cot`, `no cot`,
/// `temperature 0.7`, `high`.
fn words(setting: &str, unit: &Unit, all: &[&Unit]) -> String {
    let Some(value) = unit.settings.get(setting) else {
        return format!("no {setting}");
    };
    match setting {
        "shots" => return format!("{value}-shot"),
        "harness version" if value.len() <= LONGEST => return format!("v{value}"),
        _ => {}
    }
    match value.as_str() {
        "true" => setting.to_owned(),
        "false" => format!("no {setting}"),
        value if value.chars().count() > LONGEST => {
            let others: BTreeSet<&String> = all
                .iter()
                .filter_map(|unit| unit.settings.get(setting))
                .collect();
            let place = others.iter().position(|other| *other == value);
            format!("{setting} {}", place.unwrap_or_default() + 1)
        }
        value if !value.contains(char::is_alphabetic) => format!("{setting} {value}"),
        value => value.to_owned(),
    }
}

/// Returns the part of each run's path that differs from the paths of the other runs.
fn parts(units: &[&Unit]) -> Vec<String> {
    let stems: Vec<PathBuf> = units
        .iter()
        .map(|unit| unit.path.with_extension(""))
        .collect();
    // Two runs of one data set need different parts; runs of different data sets do not.
    let is_told = |parts: &[String]| {
        (units.iter().zip(parts))
            .flat_map(|(unit, part)| unit.datasets().map(move |dataset| (dataset, part)))
            .all_unique()
    };
    telling_parts(&stems, is_told)
}

/// Returns the part of each path that differs. The part is the first folder that the paths do not
/// share. If `is_told` returns false for these parts, the rest of each path is returned.
pub fn telling_parts(paths: &[PathBuf], is_told: impl Fn(&[String]) -> bool) -> Vec<String> {
    let split = |path: &PathBuf| -> Vec<String> {
        let parts = path.components();
        parts
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
            .collect()
    };
    let paths: Vec<Vec<String>> = paths.iter().map(split).collect();
    let shared = |at: usize| {
        let first = paths.first().and_then(|path| path.get(at));
        paths
            .iter()
            .all(|path| path.get(at) == first && path.get(at).is_some())
    };
    let longest = paths.iter().map(Vec::len).max().unwrap_or_default();
    let first = (0..longest).take_while(|&at| shared(at)).count();
    let tail = |path: &Vec<String>| path.get(first).cloned().unwrap_or_default();
    let short: Vec<String> = paths.iter().map(tail).collect();
    if is_told(&short) {
        return short;
    }
    let whole = |path: &Vec<String>| path.get(first..).unwrap_or_default().join("/");
    paths.iter().map(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(path: &str, dataset: &str, settings: &[(&str, &str)]) -> Unit {
        let settings = settings
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Unit {
            path: path.into(),
            format: "lm-eval",
            model: Some("m".to_owned()),
            dataset: Some(dataset.to_owned()),
            settings: settings.collect(),
            ..Unit::default()
        }
    }

    fn named(mut units: Vec<Unit>) -> Vec<Option<String>> {
        Runs::default().name(&mut units);
        units.into_iter().map(|unit| unit.run).collect()
    }

    #[test]
    fn one_run_of_each_data_set_needs_no_name() {
        let units = vec![
            unit("a/x.jsonl", "t", &[("shots", "0")]),
            unit("a/y.jsonl", "u", &[("shots", "5")]),
        ];
        assert_eq!(named(units), [None, None]);
    }

    #[test]
    fn the_fewest_settings_tell_runs_apart() {
        let both = [("shots", "0"), ("seed", "1"), ("version", "0.4")];
        let mut five = both;
        five[0].1 = "5";
        five[2].1 = "0.5";
        let units = vec![
            unit("a/x.jsonl", "t", &both),
            unit("b/x.jsonl", "t", &five),
            unit("b/y.jsonl", "u", &five),
        ];
        let names = ["0-shot", "5-shot", "5-shot"].map(|name| Some(name.to_owned()));
        assert_eq!(named(units), names);
    }

    #[test]
    fn switches_and_words_are_short() {
        let units = vec![
            unit("a/1.json", "t", &[("cot", "true"), ("effort", "high")]),
            unit("a/2.json", "t", &[("cot", "false"), ("effort", "high")]),
            unit("a/3.json", "t", &[("cot", "false"), ("effort", "low")]),
        ];
        let names = ["cot, high", "no cot, high", "no cot, low"].map(|name| Some(name.to_owned()));
        assert_eq!(named(units), names);
    }

    #[test]
    fn equal_runs_are_told_apart_by_path() {
        let units = vec![
            unit("logs/monday/x.json", "t", &[]),
            unit("logs/friday/x.json", "t", &[]),
        ];
        assert_eq!(
            named(units),
            ["monday", "friday"].map(|name| Some(name.to_owned()))
        );
    }

    #[test]
    fn a_repetition_is_superseded_and_another_experiment_is_not() {
        let attempt = |shots: &str, root, standing| Attempt {
            key: Some(("m", "t")),
            settings: [("shots".to_owned(), shots.to_owned())].into(),
            root,
            standing,
        };
        let attempts = [
            attempt("0", 0, 1),
            attempt("0", 0, 2),
            attempt("5", 0, 0),
            attempt("0", 1, 0),
        ];
        assert_eq!(
            Runs::Distinct.superseded(&attempts),
            [true, false, false, false]
        );
        assert_eq!(
            Runs::Latest.superseded(&attempts),
            [true, false, true, true]
        );
        assert_eq!(Runs::All.superseded(&attempts), [false; 4]);
    }

    #[test]
    fn members_of_objects_are_settings_of_their_own() {
        let told = Settings::from([
            (
                "generation",
                r#"{"temperature": 0.5, "extra": {"effort": "high"}, "top_p": null}"#.to_owned(),
            ),
            ("shots", "5".to_owned()),
        ]);
        let flat: Vec<(String, String)> = flat(&told).into_iter().collect();
        let expected = [("effort", "high"), ("shots", "5"), ("temperature", "0.5")];
        assert_eq!(
            flat,
            expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
    }
}
