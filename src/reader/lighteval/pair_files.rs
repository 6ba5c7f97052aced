//! Pairs details with the results document of their run, and selects the run that counts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use crate::tabular::Form;
use base::format::pattern;
use itertools::Itertools as _;
use regex::Regex;

use super::FORMAT;
use super::results::{Results, TaskName, is_results};
use super::row::Layout;
use crate::run_folder::{file_name, folders_above, shared};
use crate::tables::open;
use crate::{Candidate, Context, Unit, find, runs};

/// Folder of the details, and of the results next to it.
const DETAILS: &str = "details";
const RESULTS: &str = "results";
/// Time of a run in names of files and folders: `2026-11-25T22-49-03.824043`.
const TIME: &str = r"\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d[\d.]*";
static FILE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"^(?:details_(?<task>.+?)|results)(?:_(?<time>{TIME}))?$"
    ))
});
static FOLDER: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("^{TIME}$")));

/// A results document, with the run time in its file name.
struct Document {
    file: Candidate,
    time: Option<String>,
    /// Empty if the document cannot be read, which is reported later.
    results: Results,
}

/// One task of one run.
struct Attempt {
    task: TaskName,
    model: String,
    time: Option<String>,
    /// The details; `None` if only aggregates exist.
    details: Option<Candidate>,
    document: Option<Arc<Document>>,
}

pub fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let documents = files.extract_if(.., |file| is_results(&file.head()));
    let documents: Vec<Arc<Document>> = documents.map(Document::new).map(Arc::new).collect();
    let details: Vec<Candidate> = files.extract_if(.., |file| is_details(file)).collect();
    let mut attempts: Vec<Attempt> = (details.into_iter())
        .map(|file| Attempt::new(file, &documents))
        .collect();
    for document in &documents {
        let alone = alone(document, &attempts);
        attempts.extend(alone);
    }
    let experiments: Vec<_> = attempts.iter().map(Attempt::experiment).collect();
    let superseded = context.runs.superseded(&experiments);
    units(attempts, &superseded, context)
}

/// True for a Parquet file with the columns of details.
fn is_details(file: &Candidate) -> bool {
    let is_parquet = Form::of(&file.head()) == Some(Form::Parquet);
    is_parquet
        && open(&file.real, file.length).is_ok_and(|table| Layout::of(table.columns()).is_some())
}

/// Returns the task of a file of details: from its name, or from its first row if the name's
/// separators were replaced.
pub fn task(path: &Path, length: u64) -> TaskName {
    let named = matched(path, "task");
    let exact = named.clone().filter(|name| name.contains('|'));
    let in_row = || {
        let mut table = open(path, length).ok()?;
        let first = table.part_of(0, |name| name == "doc", 0..1).ok()?;
        let name = first.value(0, &["doc", "task_name"]).ok()??;
        name.as_str().map(str::to_owned)
    };
    let stem = || {
        path.file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    TaskName::new(&exact.or_else(in_row).or(named).unwrap_or_else(stem))
}

/// Returns a part of a file's name.
fn matched(path: &Path, group: &str) -> Option<String> {
    let found = FILE.captures(path.file_stem()?.to_str()?)?;
    Some(found.name(group)?.as_str().to_owned())
}

impl Document {
    fn new(file: Candidate) -> Self {
        Self {
            time: matched(&file.real, "time"),
            results: Results::read(&file.real).unwrap_or_default(),
            file,
        }
    }
}

impl Attempt {
    fn new(file: Candidate, documents: &[Arc<Document>]) -> Self {
        let mut task = task(&file.real, file.length);
        let time = matched(&file.real, "time");
        let model = model(&file.real);
        let near = || {
            let found = find(&beside(&file.real, time.as_deref()?)).0;
            let document = found.into_iter().find(|file| is_results(&file.head()));
            document.map(Document::new).map(Arc::new)
        };
        let fits = |document: &&Arc<Document>| document.results.task(&task).is_some();
        let known = documents
            .iter()
            .filter(fits)
            .filter(|document| document.time == time || document.time.is_none() || time.is_none());
        let same_time = |document: &Document| time.is_some() && document.time == time;
        let rank = |document: &&Arc<Document>| {
            let of_model = document.results.model() == Some(&model);
            (
                same_time(document),
                of_model,
                shared(&document.file.real, &file.real),
            )
        };
        let best = known.max_set_by_key(rank);
        let document = match best.as_slice() {
            [only] => Some(Arc::clone(only)),
            [first, ..] if same_time(first) => Some(Arc::clone(first)),
            _ => near().filter(|document| document.results.task(&task).is_some()),
        };
        if let Some(known) = document
            .as_ref()
            .and_then(|document| document.results.task(&task))
        {
            task = known.name.clone();
        }
        let named = document
            .as_ref()
            .and_then(|document| document.results.model());
        Self {
            model: named.map_or(model, str::to_owned),
            task,
            time,
            details: Some(file),
            document,
        }
    }

    /// Returns the details, or else the document.
    fn file(&self) -> Option<&Candidate> {
        let document = self.document.as_ref();
        self.details
            .as_ref()
            .or(document.map(|document| &document.file))
    }

    fn settings(&self) -> BTreeMap<String, String> {
        let none = Results::default();
        let results = self
            .document
            .as_ref()
            .map_or(&none, |document| &document.results);
        runs::flat(&results.settings(&self.task))
    }

    /// Returns the run's experiment, settings and rank: with aggregates, with details, time, file
    /// time.
    fn experiment(&self) -> runs::Attempt<'_, (bool, bool, Option<&str>, i128)> {
        let file = self.file();
        runs::Attempt {
            key: Some((&self.model, &self.task.plain)),
            settings: self.settings(),
            root: file.map_or(0, |file| file.root),
            standing: (
                self.document.is_some(),
                self.details.is_some(),
                self.time.as_deref(),
                file.map_or(0, |file| file.modified),
            ),
        }
    }
}

/// Returns where the results of a run may be, if the user named only its details.
fn beside(details: &Path, time: &str) -> Vec<PathBuf> {
    let name = format!("results_{time}.json");
    let home = details.ancestors().nth(2);
    let below = |folder: &Path| {
        let is_root = folder.file_name().is_some_and(|name| name == DETAILS);
        let model = home?.strip_prefix(folder).ok().filter(|_| is_root)?;
        Some(folder.with_file_name(RESULTS).join(model))
    };
    let folders = details.ancestors().skip(2).filter_map(below);
    let near = folders_above(details, 0..2);
    let paths = folders.chain(near).map(|folder| folder.join(&name));
    paths.filter(|path| path.is_file()).collect()
}

/// Returns the model that the folders of details name: `details/MODEL/TIME`, or the data set
/// `details_ORGANISATION__MODEL_private`.
fn model(details: &Path) -> String {
    let folders: Vec<String> = (details.ancestors().skip(1))
        .filter_map(|folder| Some(folder.file_name()?.to_string_lossy().into_owned()))
        .skip_while(|name| FOLDER.is_match(name))
        .collect();
    let below = folders.iter().position(|name| name == DETAILS).unwrap_or(1);
    let names = folders.iter().take(below.max(1)).rev();
    let name = names.map(String::as_str).collect::<Vec<_>>().join("/");
    let set = name
        .strip_prefix("details_")
        .map(|set| set.trim_start_matches('_'));
    set.map_or(name.clone(), |set| {
        set.trim_end_matches("_private").replace("__", "/")
    })
}

/// Returns the tasks of a document that have aggregates but no details.
fn alone(document: &Arc<Document>, attempts: &[Attempt]) -> Vec<Attempt> {
    let has_details = |task: &TaskName| {
        attempts.iter().any(|attempt| {
            let own = attempt.document.as_ref();
            own.is_some_and(|own| own.file.real == document.file.real) && attempt.task == *task
        })
    };
    let tasks = document
        .results
        .tasks()
        .iter()
        .map(|task| task.name.clone());
    let mut tasks: Vec<TaskName> = tasks.filter(|task| !has_details(task)).collect();
    // The problem of a broken document is reported when it is read.
    if document.results.tasks().is_empty() {
        tasks.push(TaskName::default());
    }
    let model = document.results.model().map(str::to_owned);
    let folder = document.file.real.parent();
    let model = model.unwrap_or_else(|| folder.map(file_name).unwrap_or_default());
    let attempt = |task| Attempt {
        task,
        model: model.clone(),
        time: document.time.clone(),
        details: None,
        document: Some(Arc::clone(document)),
    };
    tasks.into_iter().map(attempt).collect()
}

/// Returns one unit per file of details, and one for the remaining tasks of each document.
fn units(attempts: Vec<Attempt>, superseded: &[bool], context: &Context) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut figures: BTreeMap<PathBuf, Unit> = BTreeMap::new();
    for (attempt, &superseded) in attempts.into_iter().zip(superseded) {
        let settings = attempt.settings();
        if let Some(details) = attempt.details {
            let document = attempt.document.iter();
            units.push(Unit {
                model: Some(attempt.model),
                dataset: Some(attempt.task.plain),
                companions: document
                    .map(|document| document.file.path.clone())
                    .collect(),
                superseded,
                settings,
                ..Unit::single(details, FORMAT, context)
            });
        } else if let Some(document) = &attempt.document {
            let unit = figures
                .entry(document.file.path.clone())
                .or_insert_with(|| Unit {
                    model: Some(attempt.model.clone()),
                    dataset: None,
                    superseded: true,
                    settings,
                    ..Unit::single(document.file.clone(), FORMAT, context)
                });
            if !superseded {
                unit.aggregates.push(attempt.task.plain);
            }
            unit.superseded &= superseded;
        }
    }
    units.extend(figures.into_values());
    units
}
