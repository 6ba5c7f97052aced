//! Finds run folders, and describes each run by its specification.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::FORMAT;
use crate::document::{self, Part};
use crate::run_folder::{file_name, folders_above, is_json, json_files};
use crate::{Candidate, Context, Unit, find, json, runs, settings};
use record::Settings;

/// Member of `scenario_state.json` that lists the requests.
pub const STATES: &str = "request_states";
/// Member of `scenario_state.json` and `run_spec.json` with the prompt settings.
const ADAPTER: &str = "adapter_spec";
/// Tables and lists written by `helm-summarize`, which contain no samples.
const SUMMARIES: [&str; 8] = [
    "runs.json",
    "run_specs.json",
    "runs_to_run_suites.json",
    "groups.json",
    "groups_metadata.json",
    "summary.json",
    "schema.json",
    "costs.json",
];
/// Other files in a run folder, which are not read.
const OTHERS: [&str; 4] = [
    "scenario.json",
    "instances.json",
    "display_predictions.json",
    "display_requests.json",
];
/// Arguments in a run's name that choose the model instead of the samples.
const OF_MODEL: [&str; 2] = ["model", "model_deployment"];
/// Names of the folders above a suite, up to the folder where HELM was started.
const ABOVE: [&str; 2] = ["runs", "benchmark_output"];
/// Folder that users add to a copy of a run for its pictures.
const PICTURES: &str = "images";

/// Role of a file in a run folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileKind {
    States,
    Scores,
    Aggregates,
    Specification,
}

impl FileKind {
    /// Returns the role of a file by its first bytes; `None` for other files.
    pub fn of(head: &[u8]) -> Option<Self> {
        let text = head.trim_ascii_start();
        let begins = |marks: [&[u8]; 3]| {
            let mut rest = text;
            marks.into_iter().all(|mark| {
                let inner = rest.strip_prefix(mark);
                rest = inner.unwrap_or_default().trim_ascii_start();
                inner.is_some()
            })
        };
        let has = |key: &str| memchr::memmem::find(text, key.as_bytes()).is_some();
        if begins([b"{", b"\"adapter_spec\"", b":"]) || begins([b"{", b"\"request_states\"", b":"])
        {
            Some(Self::States)
        } else if begins([b"{", b"\"name\"", b":"]) && has("\"scenario_spec\"") {
            Some(Self::Specification)
        } else if begins([b"[", b"{", b"\"instance_id\""]) && has("\"stats\"") {
            Some(Self::Scores)
        } else if begins([b"[", b"{", b"\"name\""]) && has("\"count\"") && has("\"sum\"") {
            Some(Self::Aggregates)
        } else {
            None
        }
    }
}

/// Number of files in a complete run folder.
const ALL: usize = 4;
type RunFiles = BTreeMap<FileKind, Candidate>;

pub fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let mut folders: BTreeMap<PathBuf, RunFiles> = BTreeMap::new();
    for file in files.iter() {
        if let Some(kind) = FileKind::of(&file.head()) {
            let folder = folders.entry(file.folder().to_path_buf()).or_default();
            folder.insert(kind, file.clone());
        }
    }
    // If the user opened a single file of a run, find the other files.
    for (folder, files) in folders.iter_mut().filter(|(_, files)| files.len() < ALL) {
        for file in find(&json_files(folder)).0 {
            if let Some(kind) = FileKind::of(&file.head()) {
                files.entry(kind).or_insert(file);
            }
        }
    }
    // A run needs requests, a specification, or scores and another file. Aggregates alone can
    // belong to another program.
    folders.retain(|_, files| {
        files.contains_key(&FileKind::States)
            || files.contains_key(&FileKind::Scores) && files.len() > 1
            || files.contains_key(&FileKind::Specification)
    });
    files.retain(|file| !is_taken(file, &folders));
    let runs: Vec<Run> = folders.into_values().filter_map(Run::new).collect();
    let attempts: Vec<_> = runs.iter().map(Run::experiment).collect();
    let superseded = context.runs.superseded(&attempts);
    let units = runs.into_iter().zip(superseded);
    units
        .filter_map(|(run, superseded)| run.unit(superseded, context))
        .collect()
}

/// True for a file of HELM in a run folder, and for a summary of the run's suite.
fn is_taken(file: &Candidate, folders: &BTreeMap<PathBuf, RunFiles>) -> bool {
    let (path, folder) = (&file.path, file.folder());
    let name = file.name().to_lowercase();
    let is_of_run = || OTHERS.contains(&name.as_str()) || FileKind::of(&file.head()).is_some();
    let is_summary = SUMMARIES.contains(&name.as_str());
    let holds_runs = |suite: &Path| folders.keys().any(|run| run.parent() == Some(suite));
    let is_group = folder.file_name().is_some_and(|name| name == "groups");
    is_json(path)
        && (folders.contains_key(folder) && is_of_run()
            || is_summary && holds_runs(folder)
            || is_group && folder.parent().is_some_and(holds_runs))
}

/// Files, specification and names of a run.
struct Run {
    files: RunFiles,
    specification: Specification,
    model: String,
    /// Name that combines benchmark and ability.
    dataset: String,
}

/// Specification of a run: its name and settings.
#[derive(Clone, Debug, Default)]
pub struct Specification {
    /// Name of the run: `scenario:argument=value,...,model=organisation_name`.
    name: String,
    adapter: Json,
    /// Arguments of the scenario.
    scenario: Json,
}

impl Specification {
    /// Reads the specification of a run. If it is missing, derives it from the requests and the
    /// folder's name. Also returns the problem of a damaged specification.
    pub fn read(specification: Option<&Path>, main: &Path) -> (Self, Option<String>) {
        let mut found = Self {
            name: main.parent().map(file_name).unwrap_or_default(),
            ..Self::default()
        };
        let parsed = specification.map(|path| {
            let bytes =
                json::read_bounded(path).map_err(|error| format!("cannot be read: {error}"))?;
            json::parse(json::without_mark(&bytes), 1)
        });
        let problem = match parsed {
            Some(Ok(parsed)) => {
                found.adapter = parsed.get(ADAPTER).cloned().unwrap_or_default();
                found.scenario = parsed
                    .pointer("/scenario_spec/args")
                    .cloned()
                    .unwrap_or_default();
                if let Some(name) = parsed.get("name").and_then(Json::as_str) {
                    name.clone_into(&mut found.name);
                }
                None
            }
            Some(Err(what)) => Some(what),
            None => None,
        };
        if found.adapter.is_null() {
            // Errors are reported when the samples are read.
            let _ = document::read(main, STATES, &[ADAPTER], &mut |part| {
                if let Part::Member(ADAPTER, text) = part {
                    found.adapter = json::parse(text, 1).unwrap_or_default();
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
        }
        (found, problem)
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.adapter
            .get(key)?
            .as_str()
            .filter(|text| !text.is_empty())
    }

    fn arguments(&self) -> impl Iterator<Item = (&str, &str)> {
        let arguments = self
            .name
            .split_once(':')
            .map_or("", |(_, arguments)| arguments);
        arguments
            .split(',')
            .filter_map(|argument| argument.split_once('='))
    }

    /// Returns the model's name from the adapter settings, or else from the run's name.
    pub fn model(&self) -> &str {
        let named = || self.arguments().find(|(key, _)| *key == "model");
        let model = self.text("model").or_else(|| self.text("model_deployment"));
        model.or_else(|| Some(named()?.1)).unwrap_or("unknown")
    }

    /// Returns the name of the scenario: the run's name without arguments.
    pub fn benchmark(&self) -> &str {
        self.name.split([':', ',']).next().unwrap_or(&self.name)
    }

    /// Returns the arguments in the run's name that choose samples, for example `subject=anatomy`.
    pub fn ability(&self) -> String {
        let is_scenario = |key: &str| self.scenario.get(key).is_some();
        let is_known = self.arguments().any(|(key, _)| is_scenario(key));
        let chosen = self.arguments().filter(|(key, _)| {
            !OF_MODEL.contains(key) && (is_scenario(key) || !is_known && self.scenario.is_null())
        });
        let chosen: Vec<String> = chosen
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        if chosen.is_empty() {
            self.benchmark().to_owned()
        } else {
            chosen.join(",")
        }
    }

    /// Returns HELM's adaptation method, such as `generation` or `multiple_choice_joint`.
    pub fn method(&self) -> &str {
        self.text("method").unwrap_or_default()
    }

    /// True if each sample was requested several times, with different few-shot examples.
    pub fn has_trials(&self) -> bool {
        let trials = self.adapter.get("num_train_trials").and_then(Json::as_u64);
        trials.is_some_and(|trials| trials > 1)
    }

    /// Returns the settings of the run that affect its scores.
    pub fn settings(&self) -> Settings {
        let of = |key: &str| self.adapter.get(key);
        let mut told = Settings::new();
        settings::keep(&mut told, "shots", of("max_train_instances"));
        settings::keep(&mut told, "prompt", of("instructions"));
        settings::keep(&mut told, "method", of("method"));
        settings::keep(&mut told, "limit", of("max_eval_instances"));
        let generation = ["temperature", "max_tokens", "num_outputs"];
        let generation = generation
            .iter()
            .filter_map(|key| Some(((*key).to_owned(), of(key)?.clone())));
        let generation = Json::Object(generation.collect());
        settings::keep(&mut told, "generation", Some(&generation));
        let is_other = |key: &str| !OF_MODEL.contains(&key) && self.scenario.get(key).is_none();
        let others = self.arguments().filter(|(key, _)| is_other(key));
        let others: Vec<String> = others
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        if !others.is_empty() && !self.scenario.is_null() {
            told.insert("task arguments", others.join(","));
        }
        told
    }
}

impl Run {
    fn new(files: RunFiles) -> Option<Self> {
        let specification = files
            .get(&FileKind::Specification)
            .map(|file| file.real.as_path());
        let main = files.values().next()?;
        let (specification, _) = Specification::read(specification, &main.real);
        let (benchmark, ability) = (specification.benchmark(), specification.ability());
        let dataset = if benchmark == ability {
            ability
        } else {
            format!("{benchmark}:{ability}")
        };
        Some(Self {
            model: specification.model().to_owned(),
            files,
            specification,
            dataset,
        })
    }

    /// Returns the run with its rank. Runs with requests rank highest, then runs with scores, then
    /// newer runs.
    fn experiment(&self) -> runs::Attempt<'_, (bool, bool, i128)> {
        let main = self.files.values().next();
        runs::Attempt {
            key: Some((&self.model, &self.dataset)),
            settings: runs::flat(&self.specification.settings()),
            root: main.map_or(0, |file| file.root),
            standing: (
                self.files.contains_key(&FileKind::States),
                self.files.contains_key(&FileKind::Scores),
                main.map_or(0, |file| file.modified),
            ),
        }
    }

    fn unit(self, superseded: bool, context: &Context) -> Option<Unit> {
        let mut files = self.files.into_values();
        let main = files.next()?;
        let above = above(&main.path);
        let mut unit = Unit::single(main, FORMAT, context);
        unit.image_roots.extend(above);
        Some(Unit {
            model: Some(self.model),
            dataset: Some(self.dataset),
            settings: runs::flat(&self.specification.settings()),
            companions: files.map(|file| file.path).collect(),
            superseded,
            ..unit
        })
    }
}

/// Returns the folders that are searched for pictures: the suite, and HELM's own folders above it.
fn above(file: &Path) -> Vec<PathBuf> {
    let mut found = folders_above(file, 1..2);
    let mut folders = file.ancestors().skip(3);
    for name in ABOVE {
        let folder = folders.next().filter(|folder| folder.ends_with(name));
        let Some(parent) = folder.and_then(Path::parent) else {
            break;
        };
        found.push(parent.to_path_buf());
    }
    found.retain(|folder| !folder.as_os_str().is_empty());
    let pictures: Vec<PathBuf> = found.iter().map(|folder| folder.join(PICTURES)).collect();
    found.extend(pictures.into_iter().filter(|folder| folder.is_dir()));
    found
}
