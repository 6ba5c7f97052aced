//! Recognises files by content, and pairs samples with the results document of the same run.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use base::format::pattern;
use base::limits::Limit;
use regex::Regex;

use super::results::Results;
use super::{Harness, lines};
use crate::open::paths_in;
use crate::results_document::{self, Results as _, units};
use crate::run_folder::{file_name, files_above, folders_above, is_json};
use crate::{Candidate, Context, Reader as _, Unit, find};

type Document = results_document::Document<Results>;
type Attempt = results_document::Attempt<Results>;

/// Kind of a file in a run.
enum LogFileKind {
    Samples,
    Results,
}

pub fn plan(harness: Harness, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let (mut samples, mut documents) = (Vec::new(), Vec::new());
    let mut room = Limit::Results.length();
    for file in std::mem::take(files) {
        match kind(harness, &file) {
            Some(LogFileKind::Samples) => samples.push(file),
            Some(LogFileKind::Results) => documents.push(document(harness, file, &mut room)),
            None => files.push(file),
        }
    }
    let beside = results_next_to(harness, &samples, &documents, &mut room);
    let all: Vec<Arc<Document>> = documents.iter().chain(&beside).cloned().collect();
    let with_samples = samples.into_iter().map(|file| attempt(harness, file, &all));
    let mut units = units(
        with_samples.collect(),
        &documents,
        harness.format(),
        context,
    );
    for unit in units.iter_mut().filter(|unit| unit.dataset.is_some()) {
        let above = folders_above(&unit.path, 1..3);
        unit.image_roots.extend(above);
    }
    units
}

/// Reads a results document. The time of the run is taken from the file's name.
fn document(harness: Harness, file: Candidate, room: &mut usize) -> Arc<Document> {
    let time = Name::of(harness, stem(&file)).and_then(|name| name.time);
    Arc::new(Document::new(file, time, room))
}

/// Number of lines examined to determine the kind of a file.
const TELLING: usize = 8;

/// Returns the kind of a file, by the keys in most of its first lines.
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

/// True for a document with samples, as written by lmms-eval before version 0.3.
fn is_document(path: &Path) -> bool {
    is_json(path) && lines::is_document(path).unwrap_or_default()
}

/// Harness that wrote a line, determined from the keys of the line.
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
        // Both harnesses write `doc_id` first. Other lines must also contain the results.
        let is_object = inner(line).is_some();
        let has_results = has("\"doc_id\"") && has("\"filtered_resps\"");
        // Lines written by other programs can also start with `doc_id`.
        let is_cut = !line.trim_ascii_end().ends_with(b"}");
        let of_harness = [
            "\"filtered_resps\"",
            "\"resps\"",
            "\"arguments\"",
            "\"doc\"",
        ];
        let is_told = is_cut || of_harness.into_iter().any(has);
        if !(is_first && is_told || is_object && has_results) {
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

/// Returns the results documents in the folders of samples files. Used if the user opened only the
/// samples files.
fn results_next_to(
    harness: Harness,
    samples: &[Candidate],
    known: &[Arc<Document>],
    room: &mut usize,
) -> Vec<Arc<Document>> {
    let mut paths = files_above(samples.iter(), 1, &[""], &["json"]);
    paths.retain(|path| file_name(path).contains("results"));
    let is_new = |file: &Candidate| known.iter().all(|document| document.file.real != file.real);
    let found = find(&paths).0.into_iter().filter(is_new);
    let documents = found.filter(|file| matches!(kind(harness, file), Some(LogFileKind::Results)));
    documents
        .map(|file| document(harness, file, room))
        .collect()
}

/// Pairs a samples file with the document of the same folder and time. If the folder contains only
/// one document, uses that document.
fn attempt(harness: Harness, file: Candidate, documents: &[Arc<Document>]) -> Attempt {
    let name = Name::of(harness, stem(&file)).unwrap_or_default();
    let near: Vec<&Arc<Document>> = documents
        .iter()
        .filter(|document| home(&document.file) == home(&file))
        .collect();
    let same = |document: &&&Arc<Document>| name.time.is_some() && document.time == name.time;
    let document = match (near.iter().find(same), near.as_slice()) {
        (Some(document), _) => Some(Arc::clone(document)),
        (None, [only]) if name.time.is_none() || only.time.is_none() => Some(Arc::clone(only)),
        _ => None,
    };
    // A document with samples also contains the settings of its run.
    let mut room = usize::MAX;
    let own = lines::begins_document(&file.head())
        .then(|| self::document(harness, file.clone(), &mut room));
    let own_model = own.as_ref().map(|own| own.model());
    let document = document.or(own);
    let tasks = document.as_ref().map(|document| document.results.tasks());
    let tasks = tasks.unwrap_or_default();
    // Before version 0.4.3, files were named `pretrained=org__model_task.jsonl`.
    let is_last = |task: &&String| stem(&file).ends_with(&format!("_{task}"));
    let last = tasks.iter().filter(is_last).max_by_key(|task| task.len());
    let only_task = (tasks.len() == 1).then(|| tasks.first()).flatten();
    let told = only_task.or(last).cloned();
    let folder = file_name(home(&file));
    Attempt {
        task: name.task.or(told).unwrap_or_else(|| stem(&file).to_owned()),
        model: own_model
            .or_else(|| document.as_ref().map(|document| document.model()))
            .unwrap_or(folder),
        time: name.time,
        samples: Some(file),
        document,
    }
}

/// File names of lm-eval: `samples_<task>_2026-11-21T00-35-25.064502.jsonl`,
/// `results_<same>.json`.
static LM_EVAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:samples_(?<task>.+?)|results)(?:_(?<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d[\d.]*))?$",
    )
});
/// File names of lmms-eval: `20261121_083345_samples_<task>.jsonl`,
/// `20261121_083345_results.json`.
static LMMS_EVAL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:(?<time>\d{8}_\d{4,6})_)?(?:samples_(?<task>.+)|results)$"));

/// Task and time in a file name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// Name of the task, for samples files.
    pub task: Option<String>,
    /// Time of the run, in a format that sorts by time.
    pub time: Option<String>,
}

impl Name {
    /// Parses a file's stem; `None` if it does not follow the harness's pattern.
    pub fn of(harness: Harness, stem: &str) -> Option<Self> {
        let form = match harness {
            Harness::LmEval => &*LM_EVAL,
            Harness::LmmsEval => &*LMMS_EVAL,
        };
        let parts = form.captures(stem)?;
        let part = |name: &str| parts.name(name).map(|found| found.as_str().to_owned());
        Some(Self {
            task: part("task"),
            time: part("time"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(task: Option<&str>, time: Option<&str>) -> Option<Name> {
        Some(Name {
            task: task.map(str::to_owned),
            time: time.map(str::to_owned),
        })
    }

    #[test]
    fn both_orders_of_the_parts() {
        let time = "2026-11-21T00-35-25.064502";
        let of = |stem: &str| Name::of(Harness::LmEval, stem);
        assert_eq!(
            of(&format!("samples_mini_mc_{time}")),
            name(Some("mini_mc"), Some(time))
        );
        assert_eq!(of(&format!("results_{time}")), name(None, Some(time)));
        assert_eq!(of("samples_mini_mc"), name(Some("mini_mc"), None));
        assert_eq!(of("mini"), None);
        let of = |stem: &str| Name::of(Harness::LmmsEval, stem);
        let time = Some("20261121_083345");
        assert_eq!(of("20261121_083345_samples_pope"), name(Some("pope"), time));
        assert_eq!(of("20261121_083345_results"), name(None, time));
        assert_eq!(of("results_2026"), None);
    }
}
