//! Selects the runs to read. The newest complete run is used; all rotations of a question must come
//! from the same run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::names::{RESULT, ROTATIONS, is_extract, stem};
use super::status::State;
use crate::{Candidate, Runs, runs};

/// Files of one data set and one model in one run.
#[derive(Clone, Debug, Default)]
pub struct Attempt {
    /// Model that answered.
    pub model: String,
    /// Data set that was answered.
    pub dataset: String,
    /// Folder of the run; links are resolved.
    pub home: PathBuf,
    /// Start time of the run, if the name of its folder contains it.
    pub run: Option<u64>,
    /// Prediction tables. There can be several if the file format changed during the run.
    pub predictions: Vec<Candidate>,
    /// Result tables. There are several if several judges were used.
    pub results: Vec<Candidate>,
    /// Predictions in a Python pickle, which cannot be read.
    pub pickle: Option<Candidate>,
    /// Tables with aggregates of the data set.
    pub aggregates: Vec<Candidate>,
    /// Evaluation over all rotations. It is attached only to the first of its data sets.
    pub rotations: Option<Candidate>,
    /// File `status.json` of the run.
    pub status: Option<Candidate>,
    /// State of the data set, from `status.json`.
    pub state: Option<State>,
}

impl Attempt {
    /// Sorts the tables so that the tables to read come first. These are the newest tables, and the
    /// results of the configured judge.
    pub fn sort(&mut self) {
        let judge = self
            .state
            .as_ref()
            .and_then(|state| state.judge.as_deref())
            .map(judge_suffix);
        self.predictions.sort_by(newest);
        self.results.sort_by(|one, other| {
            let rank = |file: &Candidate| {
                let name = stem(&file.real);
                let asked = judge.as_ref().is_some_and(|judge| name.ends_with(judge));
                let is_scored = !is_extract(name);
                (!asked, !name.ends_with("_centroid_result"), !is_scored)
            };
            rank(one).cmp(&rank(other)).then_with(|| newest(one, other))
        });
    }

    /// True if an evaluation over rotations includes this data set. It must be in the same folder,
    /// and its name must be the same up to the rotation.
    pub fn is_rotated_in(&self, evaluation: &Candidate) -> bool {
        let name = stem(&evaluation.real).strip_suffix(ROTATIONS);
        let named_so = |file: &Candidate| {
            let rest = name.and_then(|name| stem(&file.real).strip_prefix(name));
            rest.is_some_and(|rest| rest.starts_with("_rot"))
        };
        let tables = self.predictions.iter().chain(&self.results);
        evaluation.real.parent() == Some(&self.home) && tables.chain(&self.pickle).any(named_so)
    }

    /// True if the run failed or was stopped early.
    fn is_unfinished(&self) -> bool {
        let only_pickle = self.predictions.is_empty() && self.results.is_empty();
        only_pickle || self.state.as_ref().is_some_and(|state| !state.finished)
    }

    /// Returns the index of the user's path under which the files were found.
    fn root(&self) -> usize {
        let mut files = self
            .predictions
            .iter()
            .chain(&self.results)
            .chain(&self.pickle)
            .chain(&self.aggregates);
        files.next().map_or(0, |file| file.root)
    }

    fn modified(&self) -> Option<i128> {
        let files = self
            .predictions
            .iter()
            .chain(&self.results)
            .chain(&self.pickle);
        files.map(|file| file.modified).max()
    }
}

fn newest(one: &Candidate, other: &Candidate) -> std::cmp::Ordering {
    other
        .modified
        .cmp(&one.modified)
        .then_with(|| one.path.cmp(&other.path))
}

/// Returns the suffix of the name of a judge's result file.
fn judge_suffix(judge: &str) -> String {
    let name = match judge {
        "chatgpt-0125" => "openai",
        "gpt-4-0125" => "gpt4",
        // `TDBench` uses a short name for this judge, other data sets do not.
        "gpt-4o-mini" => return format!("mini{RESULT}"),
        other => other,
    };
    format!("_{name}{RESULT}")
}

/// Model and series, index of the user's path, and folder of the run.
type Series<'a> = ((&'a str, &'a str), usize, &'a Path);

fn series_of<'a>(attempt: &'a Attempt, runs: &Runs) -> Series<'a> {
    // Runs below different paths given by the user belong to different series.
    let is_latest = *runs == Runs::Latest;
    let root = if is_latest { 0 } else { attempt.root() };
    (key(attempt), root, &attempt.home)
}

/// Returns, for each attempt, whether another run supersedes it.
pub fn superseded(attempts: &[Attempt], runs: &Runs) -> Vec<bool> {
    let mut series: BTreeMap<Series<'_>, AttemptRank> = BTreeMap::new();
    for attempt in attempts {
        let standing = series.entry(series_of(attempt, runs)).or_default();
        standing.complete += u32::from(is_complete(attempt, attempts));
        standing.present += 1;
        standing.run = attempt.run;
        standing.modified = standing.modified.max(attempt.modified());
    }
    // Of equal runs, the first one by path is used.
    let experiments = series
        .iter()
        .map(|(&(key, root, _), &standing)| runs::Attempt {
            key: Some(key),
            settings: BTreeMap::new(),
            root,
            standing,
        });
    let superseded = runs.superseded(&experiments.collect::<Vec<_>>());
    let superseded: BTreeMap<_, _> = series.keys().zip(superseded).collect();
    let is_superseded = |it: &Attempt| superseded.get(&series_of(it, runs)) == Some(&true);
    attempts.iter().map(is_superseded).collect()
}

/// Criteria that rank runs, most important first.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct AttemptRank {
    complete: u32,
    present: u32,
    run: Option<u64>,
    modified: Option<i128>,
}

/// Returns the model, and the data set or its rotation series. All rotations of a series must come
/// from one run.
fn key(attempt: &Attempt) -> (&str, &str) {
    let dataset = attempt.dataset.as_str();
    let series = dataset
        .rsplit_once("_rot")
        .filter(|(_, angle)| ["0", "90", "180", "270"].contains(angle))
        .map_or(dataset, |(series, _)| series);
    (&attempt.model, series)
}

/// True if a run is complete. A run without result tables is complete only if no other run has
/// result tables.
fn is_complete(attempt: &Attempt, all: &[Attempt]) -> bool {
    let same = |other: &&Attempt| other.model == attempt.model && other.dataset == attempt.dataset;
    !attempt.is_unfinished()
        && (!attempt.results.is_empty()
            || all
                .iter()
                .filter(same)
                .all(|other| other.results.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, modified: i128) -> Candidate {
        Candidate {
            root: 0,
            path: name.into(),
            real: name.into(),
            head: Some(Vec::new().into()),
            length: 1,
            modified,
            is_pipe: false,
        }
    }

    fn attempt(dataset: &str, run: u64, scored: bool) -> Attempt {
        Attempt {
            model: "M".to_owned(),
            dataset: dataset.to_owned(),
            home: format!("/M/{run}").into(),
            run: Some(run),
            predictions: vec![file("p", 0)],
            results: scored.then(|| file("r", 0)).into_iter().collect(),
            ..Attempt::default()
        }
    }

    fn failed(dataset: &str, run: u64) -> Attempt {
        Attempt {
            state: Some(State::default()),
            ..attempt(dataset, run, true)
        }
    }

    #[test]
    fn the_newest_run_counts_unless_it_failed_or_is_partial() {
        assert_eq!(
            superseded(
                &[attempt("d", 1, true), attempt("d", 2, true)],
                &Runs::Distinct
            ),
            [true, false]
        );
        assert_eq!(
            superseded(&[attempt("d", 1, true), failed("d", 2)], &Runs::Distinct),
            [false, true]
        );
        assert_eq!(
            superseded(
                &[attempt("d", 1, true), attempt("d", 2, false)],
                &Runs::Distinct
            ),
            [false, true]
        );
        assert_eq!(
            superseded(
                &[attempt("d", 1, false), attempt("d", 2, false)],
                &Runs::Distinct
            ),
            [true, false]
        );
        assert_eq!(
            superseded(&[failed("d", 1), failed("d", 2)], &Runs::Distinct),
            [true, false]
        );
        assert_eq!(superseded(&[failed("d", 1)], &Runs::Distinct), [false]);
        assert_eq!(
            superseded(
                &[attempt("d", 1, true), attempt("e", 2, true)],
                &Runs::Distinct
            ),
            [false, false]
        );
    }

    #[test]
    fn rotations_come_from_one_run() {
        let rotations = |run: u64, angles: &[u16]| -> Vec<Attempt> {
            angles
                .iter()
                .map(|angle| attempt(&format!("X_rot{angle}"), run, true))
                .collect()
        };
        let all = [0, 90, 180, 270];
        let newer = [
            rotations(1, &all),
            rotations(2, &all),
            rotations(3, &[0, 90]),
        ]
        .concat();
        assert_eq!(
            superseded(&newer, &Runs::Distinct),
            [[true; 4], [false; 4]]
                .concat()
                .into_iter()
                .chain([true; 2])
                .collect::<Vec<_>>()
        );
        let most = [rotations(1, &[0, 90]), rotations(2, &[180])].concat();
        assert_eq!(superseded(&most, &Runs::Distinct), [false, false, true]);
        let other = [
            attempt("X_rot0", 1, true),
            attempt("X_grounding_rot0", 2, true),
        ];
        assert_eq!(superseded(&other, &Runs::Distinct), [false, false]);
    }

    #[test]
    fn without_run_ids_the_file_time_decides() {
        let loose = |home: &str, modified: i128| Attempt {
            run: None,
            home: home.into(),
            predictions: vec![file("p", modified)],
            ..attempt("d", 0, false)
        };
        assert_eq!(
            superseded(&[loose("/a", 5), loose("/b", 3)], &Runs::Distinct),
            [false, true]
        );
        assert_eq!(
            superseded(&[loose("/a", 3), loose("/b", 3)], &Runs::Distinct),
            [false, true]
        );
        assert_eq!(
            superseded(&[loose("/a", 9), attempt("d", 1, false)], &Runs::Distinct),
            [true, false]
        );
    }

    #[test]
    fn the_asked_judge_comes_first() {
        let mut attempt = attempt("d", 1, false);
        attempt.results = ["M_d_iou_result", "M_d_centroid_result", "M_d_openai_result"]
            .map(|name| file(name, 0))
            .into();
        attempt.sort();
        assert_eq!(attempt.results[0].name(), "M_d_centroid_result");
        attempt.state = Some(State {
            judge: Some("chatgpt-0125".to_owned()),
            ..State::default()
        });
        attempt.sort();
        assert_eq!(attempt.results[0].name(), "M_d_openai_result");
    }
}
