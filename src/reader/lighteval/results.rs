//! Results document of a run: the model, and the aggregates of the tasks.

use std::path::Path;

use serde_json::{Map, Value as Json};

use crate::results_document;
use crate::run_folder::harness_figure;
use crate::{json, settings};
use record::{PublishedScore, Settings};

/// First member of a results document.
const CONFIG: &str = "config_general";
const RESULTS: &str = "results";
/// Name under which the mean over all tasks is stored.
const ALL: &str = "all";
const AVERAGE: &str = ":_average";

/// Results of a run.
#[derive(Clone, Debug, Default)]
pub struct Results {
    model: Option<String>,
    /// Settings shared by all tasks.
    settings: Settings,
    tasks: Vec<Task>,
}

/// A task and its aggregates from one run.
#[derive(Clone, Debug, Default)]
pub struct Task {
    pub name: TaskName,
    /// Pairs of metric and aggregate, in document order.
    pub figures: Vec<(String, f64)>,
    /// Metrics in the task's configuration, in order; empty if unknown.
    metrics: Vec<ConfiguredMetric>,
    version: Option<Json>,
}

#[derive(Clone, Debug)]
struct ConfiguredMetric {
    name: String,
    higher: Option<bool>,
}

/// Name of a task: `suite|benchmark:subset|shots`. Suite, subset and shots can be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskName {
    /// Name without the number of shots.
    pub plain: String,
    /// Number of few-shot examples in the prompt; `None` if the name does not contain it.
    pub shots: Option<String>,
}

impl From<&str> for TaskName {
    /// Parses a name from a results document or a file name.
    fn from(text: &str) -> Self {
        let is_count = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let mut parts: Vec<&str> = text.split('|').collect();
        let shots = parts.iter().skip(1).position(is_count);
        let shots = shots.and_then(|at| parts.drain(at + 1..).next());
        Self {
            plain: parts.join("|"),
            shots: shots.map(str::to_owned),
        }
    }
}

impl AsRef<str> for TaskName {
    fn as_ref(&self) -> &str {
        &self.plain
    }
}

impl TaskName {
    /// True if both names stand for the same task. In file names, `|` and `:` can be replaced.
    pub fn is_same(&self, other: &Self) -> bool {
        let letters = |name: &Self| -> String {
            let all = name
                .plain
                .chars()
                .chain(name.shots.iter().flat_map(|text| text.chars()));
            all.filter(|c| c.is_alphanumeric()).collect()
        };
        letters(self) == letters(other)
    }

    /// Returns the benchmark and the ability of the task's samples.
    pub fn labels(&self) -> [&str; 2] {
        match self.plain.split_once(':') {
            Some((benchmark, subset)) if !subset.is_empty() => [benchmark, subset],
            _ => [&self.plain, &self.plain],
        }
    }
}

impl Results {
    /// Returns the tasks and their aggregates, in document order.
    pub fn described(&self) -> &[Task] {
        &self.tasks
    }

    /// Returns the task with the given name.
    pub fn task(&self, name: &TaskName) -> Option<&Task> {
        self.tasks.iter().find(|task| task.name.is_same(name))
    }
}

impl results_document::Results for Results {
    type Task = TaskName;

    fn read(path: &Path) -> Result<Self, String> {
        let bytes = json::read_bounded(path).map_err(|error| format!("cannot be read: {error}"))?;
        let document = json::parse(json::without_mark(&bytes), 1)?;
        let empty = Json::Null;
        let get = |key: &str| document.get(key).unwrap_or(&empty);
        let results = get(RESULTS).as_object();
        // In data sets of the Open LLM Leaderboard, the document consists of the results only.
        let alone = document
            .as_object()
            .filter(|_| document.get(CONFIG).is_none());
        let results = results.or(alone).ok_or("`results` is missing")?;
        let general = get(CONFIG);
        let model = general
            .pointer("/model_config/model_name")
            .or_else(|| general.get("model_name"));
        let task = |(key, figures): (&String, &Json)| {
            let figures = figures.as_object()?;
            let is_task = key != ALL && !key.contains(AVERAGE);
            let version = get("versions").get(key).cloned();
            is_task.then(|| Task::new(key, figures, get("config_tasks"), version))
        };
        Ok(Self {
            model: model
                .and_then(Json::as_str)
                .filter(|name| !name.is_empty())
                .map(str::to_owned),
            settings: run_settings(general),
            tasks: results.iter().filter_map(task).collect(),
        })
    }

    fn values(&self) -> usize {
        let figures = self.tasks.iter().map(|task| task.figures.len());
        self.tasks.len() + figures.sum::<usize>()
    }

    fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    fn tasks(&self) -> Vec<TaskName> {
        self.tasks.iter().map(|task| task.name.clone()).collect()
    }

    fn settings(&self, name: &TaskName) -> Settings {
        let mut told = self.settings.clone();
        let version = self.task(name).and_then(|task| task.version.as_ref());
        settings::keep(&mut told, "task version", version);
        let shots = name.shots.as_deref().map(Json::from);
        settings::keep(&mut told, "shots", shots.as_ref());
        told
    }
}

/// Returns the settings of the run, stored in the first member of a document.
fn run_settings(general: &Json) -> Settings {
    let mut told = Settings::new();
    let of_model = |key: &str| {
        general
            .get("model_config")
            .and_then(|config| config.get(key))
    };
    let generation =
        of_model("generation_parameters").or_else(|| general.get("generation_parameters"));
    settings::keep(&mut told, "generation", generation);
    settings::keep(&mut told, "system prompt", of_model("system_prompt"));
    settings::keep(&mut told, "limit", general.get("max_samples"));
    let version = general
        .get("lighteval_sha")
        .filter(|sha| sha.as_str() != Some("?"));
    settings::keep(&mut told, "harness version", version);
    told
}

impl Task {
    fn new(key: &str, figures: &Map<String, Json>, configs: &Json, version: Option<Json>) -> Self {
        // Before version 0.10, the keys of configurations do not contain the number of shots.
        let name = TaskName::from(key);
        let config = configs.get(key).or_else(|| configs.get(&name.plain));
        let entries =
            config.and_then(|config| config.get("metrics").or_else(|| config.get("metric")));
        let entries = entries.and_then(Json::as_array);
        let number = |(metric, value): (&String, &Json)| {
            // Null replaces a bare `NaN`.
            let value = if value.is_null() {
                Some(f64::NAN)
            } else {
                value.as_f64()
            };
            Some((metric.clone(), value?))
        };
        Self {
            name,
            figures: figures.iter().filter_map(number).collect(),
            metrics: entries.into_iter().flatten().flat_map(configured).collect(),
            version,
        }
    }

    /// Creates a task without aggregates.
    pub fn without_results(name: TaskName) -> Self {
        Self {
            name,
            ..Self::default()
        }
    }

    /// Returns the position of a metric in the configuration; unknown metrics come last.
    pub fn place(&self, metric: &str) -> usize {
        let known = self.metrics.iter().position(|known| known.name == metric);
        known.unwrap_or(self.metrics.len())
    }

    /// True if the configuration contains a metric, or if there is no configuration.
    pub fn has(&self, metric: &str) -> bool {
        self.metrics.is_empty() || self.metrics.iter().any(|known| known.name == metric)
    }

    /// Returns the aggregate of a metric.
    pub fn figure(&self, metric: &str) -> Option<f64> {
        let figure = self.figures.iter().find(|(known, _)| known == metric);
        figure.map(|(_, value)| *value)
    }

    /// Returns whether higher values of a metric are better; `None` if the configuration does not
    /// contain the metric.
    pub fn higher(&self, metric: &str) -> Option<bool> {
        self.metrics
            .iter()
            .find(|known| known.name == metric)?
            .higher
    }

    /// Converts an aggregate to a published score.
    pub fn published(&self, figure: &(String, f64), log: &Path, model: &str) -> PublishedScore {
        let [benchmark, ability] = self.name.labels();
        PublishedScore {
            benchmark: benchmark.to_owned(),
            ability: ability.to_owned(),
            higher_is_better: self.higher(&figure.0),
            metric: figure.0.clone(),
            score: figure.1,
            ..harness_figure(log, model)
        }
    }
}

/// Returns the metrics defined by an entry of the configuration, which can be several.
fn configured(entry: &Json) -> Vec<ConfiguredMetric> {
    let names = entry.get("metric_name").unwrap_or(entry);
    let names: Vec<&str> = match names {
        Json::Array(names) => names.iter().filter_map(Json::as_str).collect(),
        name => name.as_str().into_iter().collect(),
    };
    let higher = |name: &str| {
        let higher = entry.get("higher_is_better")?;
        higher.get(name).unwrap_or(higher).as_bool()
    };
    let metric = |name: &str| ConfiguredMetric {
        name: name.to_owned(),
        higher: higher(name),
    };
    names.into_iter().map(metric).collect()
}

/// True if a file starts like a results document.
pub fn is_results(head: &[u8]) -> bool {
    let Some(inner) = head.trim_ascii_start().strip_prefix(b"{") else {
        return false;
    };
    let inner = inner.trim_ascii_start();
    let has = |text: &str| memchr::memmem::find(inner, text.as_bytes()).is_some();
    inner.starts_with(b"\"config_general\"")
        || inner.starts_with(b"\"all\"") && has("\"harness|") && has("_stderr\"")
}
