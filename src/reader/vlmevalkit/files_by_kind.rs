//! Groups the files of run folders into units.
//!
//! The data set and the pictures of a run are searched next to the run, among the opened files, and
//! in the folders given with `--data`.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::FORMAT;
use super::names::{RunLocation, TDBENCH, ends_with_judge, split, split_judged, stem};
use super::runs::{Attempt, superseded};
use super::sniff::{FileKind, kind};
use super::status::Status;
use crate::find::put_back;
use crate::open::{is_file, length};
use crate::run_folder::shared;
use crate::{Candidate, Context, Unit, has_ending};

/// Moves the files of this format out of `files`, and groups them into units.
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
    let nearby = NearbyDataSets::new(&by_kind.data_sets, context);
    let attempts = attempts.iter().zip(superseded);
    let units = attempts.flat_map(|(attempt, superseded)| units(attempt, superseded, &nearby));
    let units: Vec<Unit> = units.collect();
    put_back(files, by_kind.data_sets.into_iter(), &units);
    units
}

/// Files of this format, by kind.
#[derive(Default)]
struct FilesByKind {
    predictions: Vec<Candidate>,
    results: Vec<Candidate>,
    judged: Vec<Candidate>,
    pickles: Vec<Candidate>,
    aggregates: Vec<Candidate>,
    rotations: Vec<Candidate>,
    data_sets: Vec<Candidate>,
    /// State of each run, by folder.
    states: HashMap<PathBuf, State>,
}

/// The file `status.json` of a run, and its content.
struct State {
    file: Candidate,
    /// Content of the file; `None` if the file cannot be read.
    status: Option<Status>,
}

impl State {
    /// Returns the data sets in the run's `status.json`.
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
            FileKind::Judged => self.judged.push(file),
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

    /// Groups the tables by model, data set and run. The result is sorted by these.
    fn attempts(&mut self) -> Vec<Attempt> {
        let mut attempts = Attempts::default();
        let sets: Vec<String> = self
            .data_sets
            .iter()
            .map(|file| stem(&file.real).to_owned())
            .collect();
        // Result tables come last. The data sets of nearby predictions then show where the judge's
        // name starts.
        for (kind, files) in [
            (FileKind::Predictions, &mut self.predictions),
            (FileKind::Pickle, &mut self.pickles),
            (FileKind::Results, &mut self.results),
            (FileKind::Judged, &mut self.judged),
            (FileKind::Aggregate, &mut self.aggregates),
        ] {
            for file in std::mem::take(files) {
                let state = self.states.get(home(&file));
                attempts.put(kind, file, &sets, state);
            }
        }
        let mut attempts = attempts.finish();
        for file in std::mem::take(&mut self.rotations) {
            // Attach the evaluation only to the first of its data sets.
            let mut series = attempts.iter_mut();
            if let Some(first) = series.find(|attempt| attempt.is_rotated_in(&file)) {
                first.rotations = Some(file);
            }
        }
        attempts
    }
}

/// Returns the folder of a run; links are resolved.
fn home(file: &Candidate) -> &Path {
    file.real.parent().unwrap_or(Path::new(""))
}

/// Attempts under construction, filled file by file.
#[derive(Default)]
struct Attempts {
    found: BTreeMap<(String, String, PathBuf), Attempt>,
    /// Data sets of all prediction tables, by folder.
    beside: HashMap<PathBuf, Vec<String>>,
    /// Model and data set of a judge's table, by path without extension.
    judged: HashMap<PathBuf, (String, String)>,
}

impl Attempts {
    fn put(&mut self, kind: FileKind, file: Candidate, sets: &[String], state: Option<&State>) {
        let home = home(&file);
        let location = RunLocation::of(&file.real);
        let (model, dataset, is_result) = self.name(kind, &file, &location, sets, state);
        let stated: Vec<&str> = state.into_iter().flat_map(State::names).collect();
        if !is_result
            && !stated.contains(&&*dataset)
            && stated.iter().any(|name| extends(&dataset, name))
        {
            // This is the judge's working copy of the predictions, such as
            // `<model>_<data set>_gpt-4-turbo.xlsx`.
            return;
        }
        if kind == FileKind::Judged {
            let names = (model.clone(), dataset.clone());
            self.judged.insert(home.join(stem(&file.real)), names);
        }
        let key = (model, dataset, home.to_owned());
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
            FileKind::Pickle => attempt.pickle = Some(file),
            FileKind::Aggregate => attempt.aggregates.push(file),
            _ if is_result => attempt.results.push(file),
            _ => attempt.predictions.push(file),
        }
    }

    /// Returns model and data set of a file, and whether it is a result table. The names of known
    /// data sets are used to split the file's name.
    fn name(
        &self,
        kind: FileKind,
        file: &Candidate,
        location: &RunLocation,
        sets: &[String],
        state: Option<&State>,
    ) -> (String, String, bool) {
        let beside = self.beside.get(home(file)).into_iter().flatten();
        let learnt = sets.iter().chain(beside).map(String::as_str);
        let stated = state.into_iter().flat_map(State::names);
        let known: Vec<&str> = TDBENCH.into_iter().chain(learnt).chain(stated).collect();
        let name = stem(&file.real);
        let owned = |(model, dataset): (&str, &str), is_result| {
            (model.to_owned(), dataset.to_owned(), is_result)
        };
        match kind {
            FileKind::Judged | FileKind::Results
                if kind == FileKind::Judged || ends_with_judge(name) =>
            {
                match split_judged(name, location, &known) {
                    // A stem that ends with the name of its data set contains no judge.
                    Some(names) if !name.ends_with(names.1) => owned(names, true),
                    _ => owned(split(name, location, &known), kind == FileKind::Results),
                }
            }
            FileKind::Aggregate => {
                let figures = ["_acc", "_score"]
                    .iter()
                    .find_map(|end| name.strip_suffix(end));
                let name = figures.unwrap_or(name);
                match self.judged.get(&home(file).join(name)) {
                    Some((model, dataset)) => (model.clone(), dataset.clone(), false),
                    None => owned(split(name, location, &known), false),
                }
            }
            _ => owned(split(name, location, &known), kind == FileKind::Results),
        }
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

/// Returns the unit of an attempt, and one unit for each of its tables that is not read.
fn units(attempt: &Attempt, superseded: bool, nearby: &NearbyDataSets<'_>) -> Vec<Unit> {
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
        .or(attempt.aggregates.first())
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
    let figures = attempt.aggregates.iter().chain(&attempt.rotations);
    let figures = figures.filter(|file| file.path != main.path);
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

/// Name of the folder in which the harness stores data sets.
const FOLDER: &str = "LMUData";
/// Number of folders above a run that are searched for [`FOLDER`].
const ABOVE: usize = 4;
/// Maximum depth of folders searched below `--data`.
const DEPTH: usize = 4;

/// Data sets that are outside the run folders.
#[derive(Debug)]
pub struct NearbyDataSets<'a> {
    given: &'a [Candidate],
    data: &'a [PathBuf],
    under_data: HashMap<String, PathBuf>,
}

impl<'a> NearbyDataSets<'a> {
    /// Collects the data sets among the opened files and in the folders given with `--data`.
    pub fn new(given: &'a [Candidate], context: &'a Context) -> Self {
        let mut under_data = HashMap::new();
        for folder in &context.data {
            let entries = WalkDir::new(folder)
                .max_depth(DEPTH)
                .sort_by_file_name()
                .into_iter()
                .filter_entry(|entry| entry.file_name() != "images")
                .flatten();
            let tables = entries.filter(|entry| has_ending(entry.path(), &["tsv"]));
            for table in tables {
                under_data
                    .entry(stem(table.path()).to_owned())
                    .or_insert_with(|| table.into_path());
            }
        }
        Self {
            given,
            data: &context.data,
            under_data,
        }
    }

    /// Returns the file of a data set for a run in the folder `home`.
    pub fn data_set(&self, home: &Path, dataset: &str) -> Option<PathBuf> {
        let name = format!("{dataset}.tsv");
        let beside = home
            .ancestors()
            .take(ABOVE + 1)
            .map(|folder| folder.join(FOLDER).join(&name));
        beside
            .into_iter()
            .find(|path| is_file(path))
            .or_else(|| {
                let named = self.given.iter().filter(|file| stem(&file.real) == dataset);
                // Use the file nearest to the run; of equally near files, the first.
                named
                    .rev()
                    .max_by_key(|file| shared(&file.real, home))
                    .map(|file| file.path.clone())
            })
            .or_else(|| self.under_data.get(dataset).cloned())
    }

    /// Returns the folders that may contain the pictures of a data set.
    pub fn image_roots(&self, home: &Path, dataset: &str, data_set: Option<&Path>) -> Vec<PathBuf> {
        let beside_data_set = data_set.and_then(Path::parent).map(Path::to_path_buf);
        let above = home
            .ancestors()
            .take(ABOVE + 1)
            .map(|folder| folder.join(FOLDER));
        let given = self
            .data
            .iter()
            .flat_map(|folder| [folder.clone(), folder.join(FOLDER)]);
        let mut roots: Vec<PathBuf> = Vec::new();
        for folder in beside_data_set.into_iter().chain(above).chain(given) {
            let root = folder.join("images").join(dataset);
            if !roots.contains(&root) && root.is_dir() {
                roots.push(root);
            }
        }
        roots.extend(self.data.iter().cloned());
        roots
    }
}

#[cfg(test)]
#[path = "files_by_kind_tests.rs"]
mod tests;

#[cfg(test)]
mod nearby_tests {
    use std::fs;

    use super::*;

    fn candidate(path: PathBuf) -> Candidate {
        Candidate {
            root: 0,
            real: path.clone(),
            path,
            head: Some(Vec::new().into()),
            length: 0,
            modified: 0,
            is_pipe: false,
        }
    }

    #[test]
    fn beside_the_run_comes_before_given_before_data() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        let home = at("work/outputs/M/T20261121-001510");
        for path in [
            "work/outputs/M/T20261121-001510",
            "work/LMUData/images/d",
            "data/deep/images",
            "data/LMUData/images/d",
        ] {
            fs::create_dir_all(at(path)).unwrap();
        }
        for path in [
            "work/LMUData/d.tsv",
            "data/deep/d.tsv",
            "data/deep/only.tsv",
            "data/deep/images/not.tsv",
        ] {
            fs::write(at(path), "").unwrap();
        }
        let given = [
            candidate(at("far/e.tsv")),
            candidate(at("work/e.tsv")),
            candidate(at("work/second/e.tsv")),
        ];
        let context = Context {
            data: vec![at("data")],
            ability: None,
            ..Context::default()
        };
        let nearby = NearbyDataSets::new(&given, &context);
        assert_eq!(nearby.data_set(&home, "d"), Some(at("work/LMUData/d.tsv")));
        assert_eq!(nearby.data_set(&home, "e"), Some(at("work/e.tsv")));
        assert_eq!(
            nearby.data_set(&home, "only"),
            Some(at("data/deep/only.tsv"))
        );
        assert_eq!(nearby.data_set(&home, "not"), None);
        let roots = nearby.image_roots(&home, "d", Some(&at("work/LMUData/d.tsv")));
        assert_eq!(
            roots,
            [
                at("work/LMUData/images/d"),
                at("data/LMUData/images/d"),
                at("data")
            ]
        );
    }
}
