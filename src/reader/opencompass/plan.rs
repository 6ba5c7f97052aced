//! Recognises OpenCompass's files by content, and groups them into units.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::FORMAT;
use crate::run_folder::{RunFile, picture_folders};
use crate::{Candidate, Context, Unit, runs};

/// Maximum number of parts of a data set. The harness writes a few parts per GPU.
const MOST_PARTS: usize = 1_000;
/// Name of the folder with predictions.
const PREDICTIONS: &str = "predictions";
/// Name of the folder with results.
pub const RESULTS: &str = "results";
/// Start of a summary's header.
const SUMMARY: &str = "dataset,version,metric,mode,";
/// Line after the timestamp in a text summary. Text summaries repeat the CSV.
const TEXT_SUMMARY: &str = "\ntabulate format\n";

/// Criteria that rank runs, most important first: existence of results, start time, file time.
type RunRank<'a> = (bool, Option<&'a str>, i128);

/// Role of a file in a run.
enum Role {
    Predictions,
    Results,
    Summary,
    /// A summary that only repeats other files.
    Ignored,
}

/// Folder of the run, and model.
type Group = (PathBuf, String);

/// Files by run folder and model, then by data set.
type Files = BTreeMap<Group, BTreeMap<String, Candidate>>;

/// Answers of one model to one data set.
struct Attempt {
    /// Run, model and data set.
    place: RunFile,
    main: Candidate,
    /// The other parts of the predictions in order, then the results.
    companions: Vec<PathBuf>,
    has_results: bool,
    problem: Option<String>,
}

/// Moves OpenCompass's files out of `files`, and groups them into units.
pub fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let (mut predictions, mut results) = (Files::new(), Files::new());
    let mut summaries: BTreeMap<PathBuf, Vec<Candidate>> = BTreeMap::new();
    for file in std::mem::take(files) {
        let add = |files: &mut Files, kind: &str, file: Candidate| {
            let place = RunFile::new(&file.real, kind);
            let group = (place.run.clone(), place.model_or_run());
            files.entry(group).or_default().insert(place.name, file);
        };
        match role(&file) {
            Some(Role::Predictions) => add(&mut predictions, PREDICTIONS, file),
            Some(Role::Results) => add(&mut results, RESULTS, file),
            Some(Role::Summary) => {
                let folder = file.real.parent().map(PathBuf::from).unwrap_or_default();
                summaries.entry(folder).or_default().push(file);
            }
            Some(Role::Ignored) => {}
            None => files.push(file),
        }
    }
    // A summary publishes only aggregates that are in no results document of the run.
    let known = |run: &Path| -> Vec<PathBuf> {
        let files = results.iter().filter(|((of, _), _)| of == run);
        let files = files.flat_map(|(_, files)| files.values());
        files.map(|file| file.path.clone()).collect()
    };
    let summaries: Vec<Unit> = (summaries.into_iter())
        .flat_map(|(folder, files)| {
            let known = known(folder.parent().unwrap_or(&folder));
            self::summaries(files, &known, context)
        })
        .collect();
    let attempts = attempts(predictions, results);
    let experiments: Vec<_> = attempts.iter().map(Attempt::experiment).collect();
    let superseded = context.runs.superseded(&experiments);
    let units = attempts.into_iter().zip(superseded);
    let units = units.map(|(attempt, superseded)| attempt.unit(superseded, context));
    units.chain(summaries).collect()
}

/// Returns the units of the summaries of a run. The last summary supersedes the others.
fn summaries(mut files: Vec<Candidate>, known: &[PathBuf], context: &Context) -> Vec<Unit> {
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let last = files.len().saturating_sub(1);
    let unit = |(at, file)| Unit {
        dataset: None,
        companions: known.to_vec(),
        superseded: at < last,
        ..Unit::single(file, FORMAT, context)
    };
    files.into_iter().enumerate().map(unit).collect()
}

fn role(file: &Candidate) -> Option<Role> {
    let head = file.head();
    let has = |key: &str| memchr::memmem::find(&head, key.as_bytes()).is_some();
    if head.starts_with(SUMMARY.as_bytes()) {
        return Some(Role::Summary);
    }
    if has(TEXT_SUMMARY) && has(SUMMARY) {
        return Some(Role::Ignored);
    }
    let is_in = |kind: &str| RunFile::new(&file.real, kind).model.is_some();
    if is_keyed_by_number(&head) {
        let is_ours = ["\"origin_prompt\"", "\"label: ", "\"testing input\""]
            .into_iter()
            .any(has);
        return (is_ours || is_in(PREDICTIONS) && has("\"prediction\""))
            .then_some(Role::Predictions);
    }
    let members = ["\"origin_prediction\"", "\"example_abbr\""];
    let is_detailed = has("\"details\"") && members.into_iter().any(has);
    // Results without details can only be recognised by the folders of their run.
    let is_below = || {
        let run = RunFile::new(&file.real, RESULTS).run;
        is_in(RESULTS) && (run.join(PREDICTIONS).is_dir() || run.join("summary").is_dir())
    };
    let is_object = head.trim_ascii_start().starts_with(b"{");
    (is_object && (is_detailed || is_below())).then_some(Role::Results)
}

/// True for a JSON object whose first key is a number and whose first value is an object.
pub fn is_keyed_by_number(head: &[u8]) -> bool {
    let inner = head
        .trim_ascii_start()
        .strip_prefix(b"{")
        .unwrap_or_default();
    let key = inner
        .trim_ascii_start()
        .strip_prefix(b"\"")
        .unwrap_or_default();
    let digits = key.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = key.get(digits..).and_then(|rest| rest.strip_prefix(b"\""));
    let value = value.and_then(|rest| rest.trim_ascii_start().strip_prefix(b":"));
    digits > 0 && value.is_some_and(|value| value.trim_ascii_start().starts_with(b"{"))
}

fn attempts(predictions: Files, mut results: Files) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    for (group, mut files) in predictions {
        let mut scored = results.remove(&group).unwrap_or_default();
        for (dataset, parts) in datasets(&files, &scored) {
            let parts = parts.iter().map(|name| files.remove(name));
            let all = parts.len();
            // The harness numbers parts from 0. Like the harness, stop at the first missing part.
            let mut parts = parts.map_while(|part| part).collect::<Vec<_>>().into_iter();
            let missing = parts.len();
            let Some(main) = parts.next() else { continue };
            let result = scored.remove(&dataset);
            let mut attempt = Attempt::new(&group, dataset, main);
            attempt.has_results = result.is_some();
            attempt.companions = parts.chain(result).map(|file| file.path).collect();
            if missing < all {
                let what = format!("part {missing} is missing: the parts after it are not read");
                attempt.problem = Some(what);
            }
            attempts.push(attempt);
        }
        results.insert(group, scored);
    }
    for (group, files) in results {
        let alone = files.into_iter();
        attempts.extend(alone.map(|(dataset, file)| Attempt::new(&group, dataset, file)));
    }
    attempts
}

/// Returns the data sets of predictions, each with the names of its files. `D_0`, `D_1` and so on
/// are parts of the data set `D`, unless they have their own results.
fn datasets(
    files: &BTreeMap<String, Candidate>,
    scored: &BTreeMap<String, Candidate>,
) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in files.keys() {
        let is_part = |(root, _): &(&str, usize)| {
            let has = |at: u8| files.contains_key(&format!("{root}_{at}"));
            let is_alone = !files.contains_key(*root) && has(0) && has(1);
            !scored.contains_key(name) && (scored.contains_key(*root) || is_alone)
        };
        let Some((root, at)) = part(name).filter(is_part) else {
            found.insert(name.clone(), vec![name.clone()]);
            continue;
        };
        // A file with the complete data set takes precedence over files with parts.
        if !files.contains_key(root) {
            let parts = found.entry(root.to_owned()).or_default();
            let most = parts.len().max(at + 1);
            *parts = (0..most).map(|at| format!("{root}_{at}")).collect();
        }
    }
    found
}

/// Splits the name of a part into data set and part number.
fn part(name: &str) -> Option<(&str, usize)> {
    let (root, number) = name.rsplit_once('_')?;
    // Greater numbers belong to the name of the data set.
    let at = number.parse().ok().filter(|at| *at < MOST_PARTS)?;
    Some((root, at))
}

impl Attempt {
    /// Creates the attempt for a file that is not split into parts.
    fn new(group: &Group, dataset: String, main: Candidate) -> Self {
        let (run, model) = group.clone();
        Self {
            place: RunFile {
                run,
                model: Some(model),
                name: dataset,
            },
            main,
            companions: Vec::new(),
            has_results: true,
            problem: None,
        }
    }

    fn experiment(&self) -> runs::Attempt<'_, RunRank<'_>> {
        let model = self.place.model.as_deref();
        runs::Attempt {
            key: model.map(|model| (model, self.place.name.as_str())),
            settings: BTreeMap::new(),
            root: self.main.root,
            standing: (self.has_results, self.place.time(), self.main.modified),
        }
    }

    fn unit(self, superseded: bool, context: &Context) -> Unit {
        let mut unit = Unit::single(self.main, FORMAT, context);
        unit.image_roots.extend(picture_folders(&unit.path));
        Unit {
            companions: self.companions,
            model: self.place.model,
            dataset: Some(self.place.name),
            superseded,
            problem: self.problem,
            ..unit
        }
    }
}
