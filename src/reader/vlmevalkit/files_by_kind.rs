//! Sorts the files of run folders into units.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::FORMAT;
use super::names::{RunLocation, TDBENCH, split, stem};
use super::nearby::Nearby;
use super::runs::{Attempt, superseded};
use super::sniff::{FileKind, kind};
use super::status::Status;
use crate::open::length;
use crate::{Candidate, Context, Unit};

/// Takes this format's files out of `files` and groups them into units.
pub fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let mut by_kind = FilesByKind::default();
    for file in std::mem::take(files) {
        match kind(&file) {
            Some(kind) => by_kind.put(kind, file),
            None => files.push(file),
        }
    }
    let attempts = by_kind.attempts();
    let superseded = superseded(&attempts, &context.runs);
    let nearby = Nearby::new(&by_kind.data_sets, context);
    attempts
        .iter()
        .zip(superseded)
        .flat_map(|(attempt, superseded)| units(attempt, superseded, &nearby))
        .collect()
}

/// The files of the format, by kind.
#[derive(Default)]
struct FilesByKind {
    predictions: Vec<Candidate>,
    results: Vec<Candidate>,
    pickles: Vec<Candidate>,
    aggregates: Vec<Candidate>,
    rotations: Vec<Candidate>,
    data_sets: Vec<Candidate>,
    /// Run states by folder.
    states: HashMap<PathBuf, State>,
}

/// The state of a run.
struct State {
    file: Candidate,
    /// `None` if the file cannot be read.
    status: Option<Status>,
}

impl State {
    /// The data sets of the run.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.status
            .iter()
            .flat_map(|status| status.datasets.keys().map(String::as_str))
    }
}

impl FilesByKind {
    fn put(&mut self, kind: FileKind, file: Candidate) {
        match kind {
            FileKind::Predictions => self.predictions.push(file),
            FileKind::Results => self.results.push(file),
            FileKind::Pickle => self.pickles.push(file),
            FileKind::Aggregate => self.aggregates.push(file),
            FileKind::Rotations => self.rotations.push(file),
            FileKind::DataSet => self.data_sets.push(file),
            FileKind::Status => {
                let status = Status::read(&file.real).ok();
                self.states
                    .insert(home(&file).to_owned(), State { file, status });
            }
            FileKind::Other => {}
        }
    }

    /// Groups the tables by model, data set and run, sorted in this order.
    fn attempts(&mut self) -> Vec<Attempt> {
        let mut attempts = Attempts::default();
        let sets: Vec<String> = self
            .data_sets
            .iter()
            .map(|file| stem(&file.real).to_owned())
            .collect();
        // Results come last: the data sets of the predictions beside them tell where the judge's name begins.
        for (kind, files) in [
            (FileKind::Predictions, &mut self.predictions),
            (FileKind::Pickle, &mut self.pickles),
            (FileKind::Results, &mut self.results),
            (FileKind::Aggregate, &mut self.aggregates),
        ] {
            for file in std::mem::take(files) {
                let state = self.states.get(home(&file));
                attempts.put(kind, file, &sets, state);
            }
        }
        let mut attempts = attempts.finish();
        for file in std::mem::take(&mut self.rotations) {
            // The first of its data sets tells them.
            let mut series = attempts.iter_mut();
            if let Some(first) = series.find(|attempt| attempt.is_rotated_in(&file)) {
                first.rotations = Some(file);
            }
        }
        attempts
    }
}

/// The folder of a run; links are resolved.
fn home(file: &Candidate) -> &Path {
    file.real.parent().unwrap_or(Path::new(""))
}

/// Attempts being collected.
#[derive(Default)]
struct Attempts {
    found: BTreeMap<(String, String, PathBuf), Attempt>,
    /// Data sets of the predictions by folder.
    beside: HashMap<PathBuf, Vec<String>>,
}

impl Attempts {
    fn put(&mut self, kind: FileKind, file: Candidate, sets: &[String], state: Option<&State>) {
        let home = home(&file);
        let location = RunLocation::of(&file.real);
        let (model, dataset) = self.name(&file, &location, sets, state);
        let stated: Vec<&str> = state.into_iter().flat_map(State::names).collect();
        if !stated.contains(&&*dataset) && stated.iter().any(|name| extends(&dataset, name)) {
            // A judge's working copy of the predictions, for example `<model>_<data set>_gpt-4-turbo.xlsx`.
            return;
        }
        let key = (model, dataset, home.to_owned());
        if kind == FileKind::Aggregate && !self.found.contains_key(&key) {
            return;
        }
        self.beside
            .entry(key.2.clone())
            .or_default()
            .push(key.1.clone());
        let attempt = self
            .found
            .entry(key)
            .or_insert_with_key(|(model, dataset, home)| Attempt {
                model: model.clone(),
                dataset: dataset.clone(),
                home: home.clone(),
                run: location.run,
                state: state
                    .and_then(|state| state.status.as_ref()?.datasets.get(dataset))
                    .cloned(),
                status: state.map(|state| state.file.clone()),
                ..Attempt::default()
            });
        match kind {
            FileKind::Results => attempt.results.push(file),
            FileKind::Pickle => attempt.pickle = Some(file),
            FileKind::Aggregate => attempt.aggregate = Some(file),
            _ => attempt.predictions.push(file),
        }
    }

    /// Model and data set of a file, given all known data sets around it.
    fn name(
        &self,
        file: &Candidate,
        location: &RunLocation,
        sets: &[String],
        state: Option<&State>,
    ) -> (String, String) {
        let beside = self.beside.get(home(file)).into_iter().flatten();
        let learnt = sets.iter().chain(beside).map(String::as_str);
        let stated = state.into_iter().flat_map(State::names);
        let known: Vec<&str> = TDBENCH.into_iter().chain(learnt).chain(stated).collect();
        let name = stem(&file.real);
        let (model, dataset) = split(name.strip_suffix("_acc").unwrap_or(name), location, &known);
        (model.to_owned(), dataset.to_owned())
    }

    fn finish(self) -> Vec<Attempt> {
        let mut attempts: Vec<Attempt> = self.found.into_values().collect();
        attempts.iter_mut().for_each(Attempt::sort);
        attempts
    }
}

fn extends(dataset: &str, known: &str) -> bool {
    dataset
        .strip_prefix(known)
        .is_some_and(|rest| rest.starts_with('_'))
}

/// The unit of an attempt, and one per table of it that is not read.
fn units(attempt: &Attempt, superseded: bool, nearby: &Nearby<'_>) -> Vec<Unit> {
    let data_set = nearby.data_set(&attempt.home, &attempt.dataset);
    let image_roots = nearby.image_roots(&attempt.home, &attempt.dataset, data_set.as_deref());
    let unit = |file: &Candidate| Unit {
        path: file.path.clone(),
        format: FORMAT,
        companions: Vec::new(),
        image_roots: image_roots.clone(),
        model: Some(attempt.model.clone()),
        dataset: Some(attempt.dataset.clone()),
        length: file.length,
        superseded: true,
        ..Unit::default()
    };
    let mut predictions = attempt.predictions.iter();
    let mut results = attempt.results.iter();
    let Some(main) = predictions
        .next()
        .or_else(|| results.next())
        .or(attempt.pickle.as_ref())
    else {
        return Vec::new();
    };
    let mut first = unit(main);
    first.superseded = superseded;
    let result = if attempt.predictions.is_empty() {
        None
    } else {
        results.next()
    };
    let figures = attempt.aggregate.iter().chain(&attempt.rotations);
    for file in result.into_iter().chain(&attempt.status).chain(figures) {
        first.companions.push(file.path.clone());
    }
    first.length += result.map_or(0, |file| file.length);
    if let Some(path) = data_set {
        first.length += length(&path).unwrap_or(0);
        first.companions.push(path);
    }
    let others = predictions.chain(results).map(unit);
    std::iter::once(first).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// A folder with these files; `->` stands before a link's target.
    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, content) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            match content.strip_prefix("->") {
                #[cfg(unix)]
                Some(target) => std::os::unix::fs::symlink(target, path).unwrap(),
                _ => fs::write(path, content).unwrap(),
            }
        }
        folder
    }

    fn candidate(root: &Path, path: &str) -> Candidate {
        let path = root.join(path);
        let head = fs::read(&path).unwrap();
        Candidate {
            root: 0,
            real: path.canonicalize().unwrap(),
            path,
            length: head.len() as u64,
            head: Some(head),
            modified: 0,
            is_pipe: false,
        }
    }

    /// Model, data set, path, companions and whether superseded, of each unit; and the files left over.
    fn planned(
        root: &Path,
        paths: &[&str],
    ) -> (Vec<(String, String, String, Vec<String>, bool)>, usize) {
        let mut files: Vec<Candidate> = paths.iter().map(|path| candidate(root, path)).collect();
        let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
        let units = plan(&mut files, &Context::default());
        let told = units.into_iter().map(|unit| {
            let path = unit
                .path
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            let companions = unit.companions.iter().map(|path| name(path)).collect();
            (
                unit.model.unwrap(),
                unit.dataset.unwrap(),
                path,
                companions,
                unit.superseded,
            )
        });
        (told.collect(), files.len())
    }

    const TABLE: &str = "index\tprediction\n1\tA\n";
    const HITS: &str = "index\tprediction\thit\n1\tA\t1\n";

    #[test]
    fn a_run_is_read_through_its_links() {
        let files = [
            ("M/T20261121-000001/M_MME.tsv", TABLE),
            ("M/T20261121-000001/M_MME_my_judge_result.tsv", HITS),
            (
                "M/T20261121-000001/status.json",
                r#"{"datasets": {"MME": {"status": "done"}}}"#,
            ),
            ("M/M_MME.tsv", "->T20261121-000001/M_MME.tsv"),
            ("LMUData/MME.tsv", "index\tquestion\tanswer\n1\tq\tA\n"),
            ("other.txt", "left alone"),
        ];
        let folder = tree(&files);
        let paths = [
            "LMUData/MME.tsv",
            "M/M_MME.tsv",
            files[1].0,
            files[2].0,
            "other.txt",
        ];
        let (units, left) = planned(folder.path(), &paths);
        let companions = ["M_MME_my_judge_result.tsv", "status.json", "MME.tsv"]
            .map(str::to_owned)
            .to_vec();
        assert_eq!(
            units,
            [(
                "M".to_owned(),
                "MME".to_owned(),
                "M/M_MME.tsv".to_owned(),
                companions,
                false
            )]
        );
        assert_eq!(left, 1);
    }

    #[test]
    fn loose_files_work_without_a_run() {
        let folder = tree(&[
            ("any/where/a_b_tdbench_rot90.tsv", TABLE),
            (
                "llava_7b/llava_7b_MME_x_result.csv",
                "index,prediction,hit\n",
            ),
        ]);
        let paths = [
            "any/where/a_b_tdbench_rot90.tsv",
            "llava_7b/llava_7b_MME_x_result.csv",
        ];
        let (units, _) = planned(folder.path(), &paths);
        let names: Vec<_> = units.iter().map(|unit| (&*unit.0, &*unit.1)).collect();
        assert_eq!(names, [("a_b", "tdbench_rot90"), ("llava_7b", "MME")]);
    }

    #[test]
    fn older_runs_pickles_and_working_copies() {
        let files = [
            ("M/T20261121-000001/M_d.tsv", TABLE),
            ("M/T20261121-000002/M_d.tsv", TABLE),
            ("M/T20261121-000002/M_d_gpt-4-turbo.tsv", TABLE),
            (
                "M/T20261121-000002/status.json",
                r#"{"datasets": {"d": {"status": "done"}}}"#,
            ),
            ("M/T20261121-000003/M_d.pkl", "\u{80}"),
            ("M/T20261121-000003/M_e.pkl", "\u{80}"),
        ];
        let folder = tree(&files);
        let (units, left) = planned(folder.path(), &files.map(|(path, _)| path));
        let told: Vec<_> = units.iter().map(|unit| (&*unit.2, unit.4)).collect();
        assert_eq!(
            told,
            [
                ("M/T20261121-000001/M_d.tsv", true),
                ("M/T20261121-000002/M_d.tsv", false),
                ("M/T20261121-000003/M_d.pkl", true),
                ("M/T20261121-000003/M_e.pkl", false),
            ]
        );
        assert_eq!(left, 0);
    }

    #[test]
    fn figures_go_with_their_data_set_and_with_the_first_of_the_rotations() {
        let acc = "\"split\",\"Overall\"\n";
        let all = "category,total_questions,hit_all,miss_all\n";
        let files = [
            ("any/a_tdbench_rot0.tsv", TABLE),
            ("any/a_tdbench_rot90.tsv", TABLE),
            ("any/a_tdbench_grounding_rot90.tsv", TABLE),
            ("any/b_tdbench_rot0.tsv", TABLE),
            ("any/a_tdbench_rot90_acc.csv", acc),
            ("any/a_tdbench_REresult.csv", all),
            ("any/a_tdbench_grounding_REresult.csv", all),
            ("any/c_tdbench_REresult.csv", all),
        ];
        let folder = tree(&files);
        let (units, left) = planned(folder.path(), &files.map(|(path, _)| path));
        let told: Vec<_> = units
            .iter()
            .map(|unit| (&*unit.2, unit.3.join(" ")))
            .collect();
        let of = |path, files: &str| (path, files.to_owned());
        assert_eq!(
            told,
            [
                of(
                    "any/a_tdbench_grounding_rot90.tsv",
                    "a_tdbench_grounding_REresult.csv"
                ),
                of("any/a_tdbench_rot0.tsv", "a_tdbench_REresult.csv"),
                of("any/a_tdbench_rot90.tsv", "a_tdbench_rot90_acc.csv"),
                of("any/b_tdbench_rot0.tsv", ""),
            ]
        );
        assert_eq!(left, 0);
    }

    #[test]
    fn a_second_judge_is_named_and_not_read() {
        let files = [
            ("M/M_tdbench_grounding_rot0.tsv", TABLE),
            ("M/M_tdbench_grounding_rot0_iou_result.tsv", HITS),
            ("M/M_tdbench_grounding_rot0_centroid_result.tsv", HITS),
        ];
        let folder = tree(&files);
        let (units, _) = planned(folder.path(), &files.map(|(path, _)| path));
        assert_eq!(units[0].3, ["M_tdbench_grounding_rot0_centroid_result.tsv"]);
        assert_eq!((&*units[1].2, units[1].4), (files[1].0, true));
    }
}
