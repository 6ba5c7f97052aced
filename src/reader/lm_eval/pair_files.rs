//! Pairs samples files with the results document of their run, and selects the run that counts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::limits::Limit;

use super::Harness;
use super::lines;
use super::names::Name;
use super::results::Results;
use crate::open::paths_in;
use crate::run_folder::{file_name, folders_above, is_json, json_files};
use crate::{Candidate, Context, Reader as _, Runs, Unit, find, runs};

/// Separator between different values of one setting.
const TOLD_TOGETHER: &str = " and ";

/// Role of a file in a run.
enum LogFileKind {
    Samples,
    Results,
}

/// A results document, with the run time in its file name.
struct Document {
    file: Candidate,
    name: Name,
    results: Results,
    /// True if its results were dropped because the limit for all results was reached.
    is_beyond: bool,
    /// True if its tasks are unknown, because of the limit or because it cannot be read.
    is_unknown: bool,
}

/// One task of one run.
struct Attempt {
    task: String,
    model: String,
    time: Option<String>,
    /// The samples file; `None` if only aggregates exist.
    samples: Option<Candidate>,
    document: Option<Arc<Document>>,
}

/// Criteria that rank runs, most important first: complete, with
/// aggregates, with samples, time, file time.
type TaskRank<'a> = (bool, bool, bool, Option<&'a str>, i128);

pub fn plan(harness: Harness, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let mut samples = Vec::new();
    let mut documents = Vec::new();
    let mut room = Limit::Results.length();
    for file in std::mem::take(files) {
        match kind(harness, &file) {
            Some(LogFileKind::Samples) => samples.push(file),
            Some(LogFileKind::Results) => {
                documents.push(Arc::new(Document::new(harness, file, &mut room)));
            }
            None => files.push(file),
        }
    }
    let beside = beside(harness, &samples, &documents, &mut room);
    let all: Vec<Arc<Document>> = documents.iter().chain(&beside).cloned().collect();
    let with_samples = samples.into_iter().map(|file| attempt(harness, file, &all));
    let mut attempts: Vec<Attempt> = with_samples.collect();
    for document in &documents {
        let alone = alone(document, &attempts);
        attempts.extend(alone);
    }
    let superseded = superseded(&attempts, &context.runs);
    units(harness, attempts, &superseded, context)
}

/// Number of first lines that determine a file's role.
const TELLING: usize = 8;

/// Returns the role of a file, from the keys of most of its first lines.
fn kind(harness: Harness, file: &Candidate) -> Option<LogFileKind> {
    let head = file.head();
    if lines::begins_document(&head) {
        return (harness == Harness::LmmsEval).then_some(LogFileKind::Samples);
    }
    let stem = stem(file);
    let named = [Harness::LmEval, Harness::LmmsEval]
        .into_iter()
        .find(|harness| Name::of(*harness, stem).is_some_and(|name| name.time.is_some()));
    let lines: Vec<LineKind> = head
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty())
        .take(TELLING)
        .map(LineKind::of)
        .collect();
    let count = |kind: LineKind| lines.iter().filter(|line| **line == kind).count();
    let [lm, lmms] = [LineKind::LmEval, LineKind::LmmsEval].map(count);
    if lm + lmms > 0 && 2 * (lm + lmms) >= lines.len() {
        let told = if lm >= lmms {
            Harness::LmEval
        } else {
            Harness::LmmsEval
        };
        return (named.unwrap_or(told) == harness).then_some(LogFileKind::Samples);
    }
    let inner = inner(&head)?;
    let has = |text: &[u8], key: &str| memchr::memmem::find(text, key.as_bytes()).is_some();
    let figures = [
        ",none\"",
        "\"alias\"",
        "_stderr",
        "\"group_subtasks\"",
        "\"configs\"",
    ];
    if !inner.starts_with(b"\"results\"") || !figures.into_iter().any(|key| has(&head, key)) {
        return None;
    }
    let is_lmms = || {
        Results::read(&file.real).is_ok_and(|results| results.is_lmms())
            || paths_in(home(file)).iter().any(|path| is_document(path))
    };
    let told = named.unwrap_or_else(|| {
        if is_lmms() {
            Harness::LmmsEval
        } else {
            Harness::LmEval
        }
    });
    (told == harness).then_some(LogFileKind::Results)
}

/// True for a document with samples, as lmms-eval wrote it before 0.3.
fn is_document(path: &Path) -> bool {
    is_json(path) && lines::is_document(path).unwrap_or_default()
}

/// Harness that wrote a line, judged by its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineKind {
    LmEval,
    LmmsEval,
    Other,
}

impl LineKind {
    fn of(line: &[u8]) -> Self {
        let has = |key: &str| memchr::memmem::find(line, key.as_bytes()).is_some();
        let is_first = inner(line).is_some_and(|inner| inner.starts_with(b"\"doc_id\""));
        // Harnesses write `doc_id` first; a line in another order must also have the results.
        let is_object = inner(line).is_some();
        let has_results = has("\"doc_id\"") && has("\"filtered_resps\"");
        if !(is_first || is_object && has_results) {
            return Self::Other;
        }
        let requests = ["\"arguments\"", "\"prompt_hash\"", "\"doc\""];
        if requests.into_iter().any(has) {
            Self::LmEval
        } else {
            Self::LmmsEval
        }
    }
}

/// Returns the text after an object's opening bracket.
fn inner(text: &[u8]) -> Option<&[u8]> {
    let inner = text.trim_ascii_start().strip_prefix(b"{")?;
    Some(inner.trim_ascii_start())
}

fn stem(file: &Candidate) -> &str {
    let stem = file.path.file_stem().and_then(|stem| stem.to_str());
    stem.unwrap_or_default()
}

fn home(file: &Candidate) -> &Path {
    file.real.parent().unwrap_or(Path::new(""))
}

impl Document {
    /// Reads a document. If that fails, it has no results; the error is
    /// reported when its unit is read.
    fn new(harness: Harness, file: Candidate, room: &mut usize) -> Self {
        let read = Results::read(&file.real);
        let is_beyond = read.as_ref().is_ok_and(|results| results.values() > *room);
        let is_unknown = is_beyond || read.is_err();
        let results = read.ok().filter(|_| !is_beyond).unwrap_or_default();
        *room -= results.values();
        Self {
            name: Name::of(harness, stem(&file)).unwrap_or_default(),
            results,
            file,
            is_beyond,
            is_unknown,
        }
    }

    /// Returns the problem of a document whose results were dropped.
    fn problem(&self) -> Option<String> {
        let what = || {
            format!(
                "its results are not compared with others: {}",
                Limit::Results.message()
            )
        };
        self.is_beyond.then(what)
    }

    fn model(&self) -> String {
        let model = self.results.model().map(str::to_owned);
        model.unwrap_or_else(|| file_name(home(&self.file)))
    }
}

/// Returns the documents in the folders of samples files, if the user named only those files.
fn beside(
    harness: Harness,
    samples: &[Candidate],
    known: &[Arc<Document>],
    room: &mut usize,
) -> Vec<Arc<Document>> {
    let mut folders: Vec<&Path> = samples.iter().map(home).collect();
    folders.sort();
    folders.dedup();
    let paths: Vec<PathBuf> = folders
        .into_iter()
        .flat_map(json_files)
        .filter(|path| file_name(path).contains("results"))
        .collect();
    let is_new = |file: &Candidate| known.iter().all(|document| document.file.real != file.real);
    let found = find(&paths).0.into_iter().filter(is_new);
    let documents = found.filter(|file| matches!(kind(harness, file), Some(LogFileKind::Results)));
    documents
        .map(|file| Arc::new(Document::new(harness, file, room)))
        .collect()
}

/// Pairs a samples file with the document of the same folder and time, or
/// with the folder's only document.
fn attempt(harness: Harness, file: Candidate, documents: &[Arc<Document>]) -> Attempt {
    let name = Name::of(harness, stem(&file)).unwrap_or_default();
    let near: Vec<&Arc<Document>> = documents
        .iter()
        .filter(|document| home(&document.file) == home(&file))
        .collect();
    let same = |document: &&&Arc<Document>| name.time.is_some() && document.name.time == name.time;
    let document = match (near.iter().find(same), near.as_slice()) {
        (Some(document), _) => Some(Arc::clone(document)),
        (None, [only]) if name.time.is_none() || only.name.time.is_none() => Some(Arc::clone(only)),
        _ => None,
    };
    // A document with samples also holds the settings of its run.
    let mut room = usize::MAX;
    let own = lines::begins_document(&file.head())
        .then(|| Arc::new(Document::new(harness, file.clone(), &mut room)));
    let own_model = own.as_ref().map(|own| own.model());
    let document = document.or(own);
    let only_task = document.as_ref().and_then(|document| {
        let mut tasks = document.results.tasks();
        tasks
            .next()
            .filter(|_| tasks.next().is_none())
            .map(str::to_owned)
    });
    let folder = file_name(home(&file));
    Attempt {
        task: name
            .task
            .or(only_task)
            .unwrap_or_else(|| stem(&file).to_owned()),
        model: own_model
            .or_else(|| document.as_ref().map(|document| document.model()))
            .unwrap_or(folder),
        time: name.time,
        samples: Some(file),
        document,
    }
}

/// Returns the tasks of a document that have aggregates but no samples.
fn alone(document: &Arc<Document>, attempts: &[Attempt]) -> Vec<Attempt> {
    let belongs = |attempt: &&Attempt| {
        let own = attempt.document.as_ref();
        own.is_some_and(|own| own.file.real == document.file.real)
    };
    let with_samples: Vec<&str> = attempts
        .iter()
        .filter(belongs)
        .map(|attempt| attempt.task.as_str())
        .collect();
    let tasks = document
        .results
        .tasks()
        .filter(|task| !with_samples.contains(task));
    // The problem is reported when it is read.
    let unknown = document.is_unknown && with_samples.is_empty();
    let tasks = tasks.chain(unknown.then(|| stem(&document.file)));
    let attempt = |task: &str| Attempt {
        task: task.to_owned(),
        model: document.model(),
        time: document.name.time.clone(),
        samples: None,
        document: Some(Arc::clone(document)),
    };
    tasks.map(attempt).collect()
}

impl Attempt {
    /// Returns the samples file, or else the document.
    fn file(&self) -> Option<&Candidate> {
        let document = self.document.as_ref();
        self.samples
            .as_ref()
            .or(document.map(|document| &document.file))
    }

    fn settings(&self) -> BTreeMap<String, String> {
        let told = self
            .document
            .as_ref()
            .map(|document| document.results.settings(&self.task));
        told.map(|told| runs::flat(&told)).unwrap_or_default()
    }

    /// Returns the run's experiment, settings and rank.
    fn experiment(&self) -> runs::Attempt<'_, TaskRank<'_>> {
        runs::Attempt {
            key: Some((self.model.as_str(), self.task.as_str())),
            settings: self.settings(),
            root: self.file().map_or(0, |file| file.root),
            standing: self.standing(),
        }
    }

    fn standing(&self) -> TaskRank<'_> {
        let document = self.document.as_ref();
        let whole = document.is_some_and(|document| !document.results.is_partial(&self.task));
        let modified = self.file().map_or(0, |file| file.modified);
        (
            whole,
            document.is_some(),
            self.samples.is_some(),
            self.time.as_deref(),
            modified,
        )
    }
}

/// Returns, for each attempt, whether another run of the same experiment
/// replaces it. The newest run counts; a complete run with aggregates is never
/// replaced by one that lacks them or is partial.
fn superseded(attempts: &[Attempt], runs: &Runs) -> Vec<bool> {
    runs.superseded(&attempts.iter().map(Attempt::experiment).collect::<Vec<_>>())
}

/// Returns one unit per samples file, and one for the remaining tasks of each document.
fn units(
    harness: Harness,
    attempts: Vec<Attempt>,
    superseded: &[bool],
    context: &Context,
) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut figures: BTreeMap<PathBuf, Unit> = BTreeMap::new();
    for (attempt, &superseded) in attempts.into_iter().zip(superseded) {
        let settings = attempt.settings();
        let document = attempt.document.as_ref();
        let Some(samples) = attempt.samples else {
            let Some(document) = document else { continue };
            let unit = figures
                .entry(document.file.path.clone())
                .or_insert_with(|| Unit {
                    model: Some(attempt.model.clone()),
                    dataset: None,
                    superseded: true,
                    problem: document.problem(),
                    ..Unit::single(document.file.clone(), harness.format(), context)
                });
            // If another run replaces some tasks of a document, its other tasks are still read.
            if unit.superseded && !superseded {
                unit.aggregates.clear();
                unit.settings.clear();
            }
            if unit.superseded || !superseded {
                unit.aggregates.push(attempt.task);
                add(&mut unit.settings, settings);
            }
            unit.superseded &= superseded;
            continue;
        };
        let mut unit = Unit::single(samples, harness.format(), context);
        let above = folders_above(&unit.path, 1..3);
        unit.image_roots.extend(above);
        let problem = document.and_then(|document| document.problem());
        unit.companions
            .extend(document.map(|document| document.file.path.clone()));
        units.push(Unit {
            model: Some(attempt.model),
            dataset: Some(attempt.task),
            superseded,
            settings,
            problem,
            ..unit
        });
    }
    for unit in figures.values_mut() {
        let reads_it = |samples: &&Unit| samples.companions.contains(&unit.path);
        unit.companions = units
            .iter()
            .filter(reads_it)
            .map(|samples| samples.path.clone())
            .collect();
    }
    units.extend(figures.into_values());
    units
}

/// Adds the settings of another task of the run; differing values are joined.
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
