//! Groups the files of runs into units, and selects the runs to read.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use record::Settings;
use serde_json::Value as Json;

use super::FORMAT;
use super::config::TaskConfig;
use super::line::{is_prediction, is_review, object};
use crate::lines::{self, START};
use crate::run_folder::{RunFile, is_json, json_files, picture_folders, stem};
use crate::{Candidate, Context, Unit, has_ending, runs};

/// Problem of a file whose name cannot be split into benchmark and subset.
const NO_BENCHMARK: &str =
    "no report and no task_config*.yaml of its run: the file name is used as benchmark and subset";
/// Problem of predictions without reviews.
const NO_REVIEWS: &str = "no reviews of these predictions: the answers have no scores";

/// Criteria that rank runs, most important first: existence of a report, start time, file time.
type RunRank<'a> = (bool, Option<&'a str>, i128);

/// Paths of the reports, by run folder and model, then by benchmark.
type Reports = BTreeMap<(PathBuf, String), BTreeMap<String, PathBuf>>;

/// A log with its data set and companions.
struct Attempt {
    log: RunLog,
    /// Benchmark, for a report; `BENCHMARK/SUBSET` (such as `mm_star/math`), for answers.
    dataset: String,
    settings: Settings,
    /// The report of the benchmark, if any, and the configuration.
    companions: Vec<PathBuf>,
    problems: Vec<&'static str>,
}

/// Moves EvalScope's files out of `files`, and groups them into units.
pub fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let mut logs = Vec::new();
    for file in std::mem::take(files) {
        match RunLog::new(file) {
            Ok(log) => logs.push(log),
            Err(file) => files.push(*file),
        }
    }
    let reviewed: BTreeSet<_> = logs
        .iter()
        .filter(|log| log.kind == FileKind::Review)
        .map(key)
        .collect();
    // Reviews contain the answers of predictions, except of those that were not reviewed.
    let is_reviewed =
        |log: &mut RunLog| log.kind == FileKind::Prediction && reviewed.contains(&key(log));
    let predictions = logs.extract_if(.., is_reviewed);
    let predictions: BTreeMap<_, _> = predictions.map(|log| (key(&log), log.file.path)).collect();
    let mut attempts = attempts(logs);
    for attempt in &mut attempts {
        if attempt.log.kind == FileKind::Review {
            attempt
                .companions
                .extend(predictions.get(&key(&attempt.log)).cloned());
        }
    }
    let experiments: Vec<_> = attempts.iter().map(Attempt::experiment).collect();
    let superseded = context.runs.superseded(&experiments);
    let units = attempts.into_iter().zip(superseded);
    units
        .map(|(attempt, superseded)| attempt.unit(superseded, context))
        .collect()
}

/// Returns the key by which the reviews and predictions of the same answers are matched.
fn key(log: &RunLog) -> (PathBuf, String, String) {
    (
        log.place.run.clone(),
        log.model.clone(),
        log.place.name.clone(),
    )
}

fn attempts(logs: Vec<RunLog>) -> Vec<Attempt> {
    let runs: BTreeSet<PathBuf> = logs.iter().map(|log| log.place.run.clone()).collect();
    let config = |run: PathBuf| {
        let path: Vec<PathBuf> = TaskConfig::find(&run).into_iter().collect();
        (run, (TaskConfig::read(&path), path))
    };
    let configs: BTreeMap<PathBuf, (TaskConfig, Vec<PathBuf>)> =
        runs.into_iter().map(config).collect();
    let reports = reports(&logs);
    let told: BTreeSet<String> = logs
        .iter()
        .filter_map(|log| log.benchmark.clone())
        .collect();
    let told = told.iter().map(String::as_str);
    let configured = configs.values().flat_map(|(config, _)| &config.benchmarks);
    let everywhere: BTreeSet<&str> = told.chain(configured.map(String::as_str)).collect();
    let attempt = |log: RunLog| {
        let (config, path) = configs.get(&log.place.run).cloned().unwrap_or_default();
        let near = reports.get(&(log.place.run.clone(), log.model.clone()));
        let own = near.into_iter().flat_map(BTreeMap::keys);
        let own = own.chain(&config.benchmarks).map(String::as_str);
        let name = &log.place.name;
        let parts = split(name, own).or_else(|| split(name, everywhere.iter().copied()));
        let benchmark = log
            .benchmark
            .clone()
            .or(parts.map(|(benchmark, _)| benchmark.to_owned()));
        let report = benchmark.as_ref().and_then(|name| near?.get(name).cloned());
        let is_report = log.kind == FileKind::Report;
        let checks = [
            (NO_BENCHMARK, !is_report && parts.is_none()),
            (NO_REVIEWS, log.kind == FileKind::Prediction),
        ];
        let problems = checks.into_iter().filter(|(_, holds)| *holds);
        let dataset = match parts.filter(|_| !is_report) {
            Some((benchmark, subset)) => format!("{benchmark}/{subset}"),
            None => benchmark.unwrap_or_else(|| name.clone()),
        };
        Attempt {
            settings: config.settings_of(&dataset),
            dataset,
            companions: report
                .into_iter()
                .chain(path)
                .filter(|_| !is_report)
                .collect(),
            problems: problems.map(|(what, _)| what).collect(),
            log,
        }
    };
    logs.into_iter().map(attempt).collect()
}

/// Collects the reports that belong to the runs and models of these logs.
fn reports(logs: &[RunLog]) -> Reports {
    let mut found = Reports::new();
    // Logs are visited in reverse, so that the first of several reports is used.
    for log in logs.iter().rev() {
        let (run, model) = (&log.place.run, &log.model);
        let near = found.entry((run.clone(), model.clone()));
        let near = near.or_insert_with(|| reports_below(run, model));
        if let Some(benchmark) = &log.benchmark {
            near.insert(benchmark.clone(), log.file.path.clone());
        }
    }
    found
}

/// Returns the reports of a model in the folder of a run, by benchmark. Used if the user opened
/// only other files of the run.
fn reports_below(run: &Path, model: &str) -> BTreeMap<String, PathBuf> {
    let paths = json_files(&run.join("reports").join(model)).into_iter();
    paths.map(|path| (stem(&path), path)).collect()
}

/// Returns the report among the files of a unit.
pub fn report_of(companions: &[PathBuf]) -> Option<&PathBuf> {
    companions.iter().find(|path| is_json(path))
}

/// Returns the predictions among the files of a unit of reviews.
pub fn predictions_of(companions: &[PathBuf]) -> Option<&PathBuf> {
    companions.iter().find(|path| has_ending(path, &["jsonl"]))
}

/// Splits `BENCHMARK_SUBSET` after the longest matching benchmark; both can contain `_`.
fn split<'a>(
    name: &'a str,
    benchmarks: impl Iterator<Item = &'a str>,
) -> Option<(&'a str, &'a str)> {
    let fitting = benchmarks.filter_map(|benchmark| {
        let subset = name.strip_prefix(benchmark)?.strip_prefix('_')?;
        Some((benchmark, subset))
    });
    fitting.max_by_key(|(benchmark, _)| benchmark.len())
}

impl Attempt {
    fn experiment(&self) -> runs::Attempt<'_, RunRank<'_>> {
        let has_report = self.log.kind == FileKind::Report || report_of(&self.companions).is_some();
        runs::Attempt {
            key: Some((&self.log.model, &self.dataset)),
            settings: runs::flat(&self.settings),
            root: self.log.file.root,
            standing: (has_report, self.log.place.time(), self.log.file.modified),
        }
    }

    fn unit(self, superseded: bool, context: &Context) -> Unit {
        let is_report = self.log.kind == FileKind::Report;
        let mut unit = Unit::single(self.log.file, FORMAT, context);
        unit.image_roots.extend(picture_folders(&unit.path));
        Unit {
            companions: self.companions,
            model: Some(self.log.model),
            dataset: (!is_report).then(|| self.dataset.clone()),
            aggregates: if is_report {
                vec![self.dataset]
            } else {
                Vec::new()
            },
            superseded,
            settings: runs::flat(&self.settings),
            problem: (!self.problems.is_empty()).then(|| self.problems.join("; ")),
            ..unit
        }
    }
}

/// Number of lines examined to determine the kind of a file. Single lines can be damaged.
const TELLING: usize = 4;

/// Kind of a file written by EvalScope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Answers with scores.
    Review,
    /// Answers without scores.
    Prediction,
    /// Aggregates of one benchmark.
    Report,
}

impl FileKind {
    /// Returns the name of the folder for files of this kind.
    const fn folder(self) -> &'static str {
        match self {
            Self::Review => "reviews",
            Self::Prediction => "predictions",
            Self::Report => "reports",
        }
    }
}

/// A file of a run, with the names found in its path and content.
#[derive(Clone, Debug)]
pub struct RunLog {
    pub file: Candidate,
    pub kind: FileKind,
    /// Location relative to the run's folder.
    pub place: RunFile,
    /// Model that answered.
    pub model: String,
    /// Benchmark named in a report; `None` for answers.
    pub benchmark: Option<String>,
}

/// Kind of a file, with the names found in its content.
struct Recognized {
    kind: FileKind,
    model: Option<String>,
    benchmark: Option<String>,
}

impl RunLog {
    /// Creates the log if the file was written by EvalScope.
    ///
    /// # Errors
    /// If the file has another format; the error returns the file.
    pub fn new(file: Candidate) -> Result<Self, Box<Candidate>> {
        let Some(found) = report(&file).or_else(|| answers(&file)) else {
            return Err(Box::new(file));
        };
        let place = RunFile::new(&file.real, found.kind.folder());
        let in_content = found.model.filter(|_| place.model.is_none());
        Ok(Self {
            model: in_content.unwrap_or_else(|| place.model_or_run()),
            benchmark: found.benchmark,
            kind: found.kind,
            place,
            file,
        })
    }
}

fn report(file: &Candidate) -> Option<Recognized> {
    let head = file.head();
    let has = |key: &str| memchr::memmem::find(&head, key.as_bytes()).is_some();
    let is_report = head.trim_ascii_start().starts_with(b"{")
        && ["\"dataset_name\"", "\"model_name\""].into_iter().all(has)
        && ["\"dataset_pretty_name\"", "\"macro_score\""]
            .into_iter()
            .any(has);
    is_report.then(|| Recognized {
        kind: FileKind::Report,
        model: text_after(&head, "\"model_name\""),
        benchmark: text_after(&head, "\"dataset_name\""),
    })
}

/// Returns the first non-empty text value of a key in the start of a document.
fn text_after(head: &[u8], key: &str) -> Option<String> {
    let at = memchr::memmem::find(head, key.as_bytes())? + key.len();
    let value = head.get(at..)?.trim_ascii_start().strip_prefix(b":")?;
    let mut values = serde_json::Deserializer::from_slice(value).into_iter::<String>();
    values.next()?.ok().filter(|text| !text.is_empty())
}

/// Recognises a file of answers: checks its head for keys, then parses the first lines. The head can
/// end inside a line with a picture.
fn answers(file: &Candidate) -> Option<Recognized> {
    let head = file.head();
    let has = |key: &str| memchr::memmem::find(&head, key.as_bytes()).is_some();
    let parts = [
        "\"messages\"",
        "\"input\"",
        "\"sample_score\"",
        "\"model_output\"",
    ];
    if !has("\"index\"") || !parts.into_iter().any(has) {
        return None;
    }
    let (mut found, mut left) = (None, TELLING);
    // The reader of the file will report errors.
    let _ = lines::each(&file.path, START, &mut |line| {
        left -= 1;
        let parsed = line.text.and_then(|text| object(text, line.number)).ok();
        found = parsed.as_ref().and_then(recognized);
        if found.is_some() || left == 0 {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    let cut = || has("\"sample_score\"").then_some(FileKind::Review);
    found.or_else(|| {
        cut().map(|kind| Recognized {
            kind,
            model: None,
            benchmark: None,
        })
    })
}

fn recognized(line: &Json) -> Option<Recognized> {
    let kind = if is_review(line) {
        FileKind::Review
    } else {
        is_prediction(line).then_some(FileKind::Prediction)?
    };
    let text = |object: &Json| object.get("model")?.as_str().map(str::to_owned);
    let messages = line.get("messages").and_then(Json::as_array);
    let mut messages = messages.into_iter().flatten();
    Some(Recognized {
        kind,
        model: text(line).or_else(|| messages.find_map(text)),
        benchmark: None,
    })
}
