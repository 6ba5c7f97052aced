//! Runs with one results document, and one samples file per task, as written by lm-eval, lmms-eval
//! and lighteval. Selects the run of each task to read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::limits::Limit;

use super::run_folder::{file_name, stem};
use super::{Candidate, Context, Sink, Unit, runs};
use record::{Problem, Settings};

/// Text between two values of one setting.
const TOLD_TOGETHER: &str = " and ";

/// Content of a results document: the aggregates of a run, by task.
pub trait Results: Default {
    /// Name of a task. As text, it is the data set of the task's unit.
    type Task: Clone + PartialEq + AsRef<str> + for<'a> From<&'a str>;

    /// Reads a results document.
    ///
    /// # Errors
    /// If the document cannot be read, or has no results.
    fn read(path: &Path) -> Result<Self, String>;

    /// Returns the approximate number of JSON values that the document holds in memory.
    fn values(&self) -> usize;

    /// Returns the model's name; `None` if the document does not contain it.
    fn model(&self) -> Option<&str>;

    /// Returns the names of the tasks in document order.
    fn tasks(&self) -> Vec<Self::Task>;

    /// Returns the settings of the run that affect a task's scores.
    fn settings(&self, task: &Self::Task) -> Settings;

    /// True if the run used only a part of the task's samples.
    fn is_partial(&self, _task: &Self::Task) -> bool {
        false
    }
}

/// Reads a document. If it is damaged, reports the problem and returns an empty document.
pub fn read<R: Results>(path: &Path, sink: &mut dyn Sink) -> R {
    R::read(path).unwrap_or_else(|what| {
        sink.problem(Problem::file(path, what));
        R::default()
    })
}

/// A results document, and the time of its run.
pub struct Document<R> {
    pub file: Candidate,
    /// Time of the run, from the file's name, in a format that sorts by time.
    pub time: Option<String>,
    /// Content of the document. Empty if it cannot be read, which is reported when its unit is
    /// read.
    pub results: R,
    /// True if the results were dropped because they exceed [`Limit::Results`].
    is_beyond: bool,
}

impl<R: Results> Document<R> {
    /// Reads a document. `room` is the number of JSON values still allowed for all documents; the
    /// document's values are subtracted.
    pub fn new(file: Candidate, time: Option<String>, room: &mut usize) -> Self {
        let results = R::read(&file.real).unwrap_or_default();
        let is_beyond = results.values() > *room;
        let results = Some(results).filter(|_| !is_beyond).unwrap_or_default();
        *room -= results.values();
        Self {
            file,
            time,
            results,
            is_beyond,
        }
    }

    /// Returns the model named in the document, or else the name of the folder.
    pub fn model(&self) -> String {
        let folder = || self.file.real.parent().map(file_name);
        let model = self.results.model().map(str::to_owned);
        model.or_else(folder).unwrap_or_default()
    }

    /// Returns the problem of a document whose results were dropped.
    fn problem(&self) -> Option<String> {
        let limit = Limit::Results.message();
        let what = || format!("its results are not used to choose between runs: {limit}");
        self.is_beyond.then(what)
    }
}

/// One task of one run.
pub struct Attempt<R: Results> {
    pub task: R::Task,
    /// Name of the evaluated model.
    pub model: String,
    /// Time of the run, in a format that sorts by time.
    pub time: Option<String>,
    /// Samples file; `None` if only aggregates exist.
    pub samples: Option<Candidate>,
    /// Results document of the run, if it exists.
    pub document: Option<Arc<Document<R>>>,
}

/// Criteria that rank runs, most important first: is complete, has aggregates, has samples, time of
/// the run, file time.
type TaskRank<'a> = (bool, bool, bool, Option<&'a str>, i128);

impl<R: Results> Attempt<R> {
    fn settings(&self) -> BTreeMap<String, String> {
        // Without a document, the task's name can contain some of the settings.
        let none = R::default();
        let document = self.document.as_ref();
        let results = document.map_or(&none, |document| &document.results);
        runs::flat(&results.settings(&self.task))
    }

    /// Returns the attempt with its settings and its rank.
    fn experiment(&self) -> runs::Attempt<'_, TaskRank<'_>> {
        let document = self.document.as_ref();
        let is_whole = document.is_some_and(|it| !it.results.is_partial(&self.task));
        let file = self.samples.as_ref().or(document.map(|it| &it.file));
        runs::Attempt {
            key: Some((&self.model, self.task.as_ref())),
            settings: self.settings(),
            root: file.map_or(0, |file| file.root),
            standing: (
                is_whole,
                document.is_some(),
                self.samples.is_some(),
                self.time.as_deref(),
                file.map_or(0, |file| file.modified),
            ),
        }
    }
}

/// Returns one unit per samples file, and one per document for its other tasks. The newest run of
/// an experiment is used, but no run supersedes a more complete run.
pub fn units<R: Results>(
    mut attempts: Vec<Attempt<R>>,
    documents: &[Arc<Document<R>>],
    format: &'static str,
    context: &Context,
) -> Vec<Unit> {
    for document in documents {
        let alone = alone(document, &attempts);
        attempts.extend(alone);
    }
    let experiments: Vec<_> = attempts.iter().map(Attempt::experiment).collect();
    let superseded = context.runs.superseded(&experiments);
    let settings: Vec<_> = experiments.into_iter().map(|it| it.settings).collect();
    let mut units: Vec<Unit> = Vec::new();
    let mut figures: BTreeMap<PathBuf, Unit> = BTreeMap::new();
    let attempts = attempts.into_iter().zip(superseded).zip(settings);
    for ((attempt, superseded), settings) in attempts {
        let task = attempt.task.as_ref().to_owned();
        let document = attempt.document.as_ref();
        let problem = document.and_then(|document| document.problem());
        if let Some(samples) = attempt.samples {
            units.push(Unit {
                model: Some(attempt.model),
                dataset: Some(task),
                companions: document.iter().map(|it| it.file.path.clone()).collect(),
                superseded,
                settings,
                problem,
                ..Unit::single(samples, format, context)
            });
        } else if let Some(document) = document {
            let unit = figures.entry(document.file.path.clone());
            let unit = unit.or_insert_with(|| Unit {
                model: Some(attempt.model),
                dataset: None,
                superseded: true,
                problem,
                ..Unit::single(document.file.clone(), format, context)
            });
            // Another run may supersede some tasks of a document. Its other tasks are still read.
            if unit.superseded && !superseded {
                unit.aggregates.clear();
                unit.settings.clear();
            }
            if unit.superseded || !superseded {
                unit.aggregates.push(task);
                add(&mut unit.settings, settings);
            }
            unit.superseded &= superseded;
        }
    }
    for unit in figures.values_mut() {
        let with_it = units.iter().filter(|it| it.companions.contains(&unit.path));
        unit.companions = with_it.map(|samples| samples.path.clone()).collect();
    }
    units.extend(figures.into_values());
    units
}

/// Returns the tasks of a document that have aggregates but no samples file.
fn alone<R: Results>(document: &Arc<Document<R>>, attempts: &[Attempt<R>]) -> Vec<Attempt<R>> {
    let belongs = |attempt: &&Attempt<R>| {
        let own = attempt.document.as_ref();
        own.is_some_and(|own| own.file.real == document.file.real)
    };
    let with_samples: Vec<_> = attempts.iter().filter(belongs).map(|it| &it.task).collect();
    let mut tasks = document.results.tasks();
    // A document without tasks gets a unit that reports its problem.
    if tasks.is_empty() && with_samples.is_empty() {
        tasks.push(stem(&document.file.path).as_str().into());
    }
    tasks.retain(|task| !with_samples.contains(&task));
    let attempt = |task| Attempt {
        task,
        model: document.model(),
        time: document.time.clone(),
        samples: None,
        document: Some(Arc::clone(document)),
    };
    tasks.into_iter().map(attempt).collect()
}

/// Adds the settings of another task of the run. Different values of one setting are joined.
fn add(settings: &mut BTreeMap<String, String>, of_task: BTreeMap<String, String>) {
    for (name, value) in of_task {
        let known = settings.entry(name).or_default();
        if known.is_empty() {
            *known = value;
        } else if known.split(TOLD_TOGETHER).all(|part| part != value) {
            known.push_str(TOLD_TOGETHER);
            known.push_str(&value);
        }
    }
}
