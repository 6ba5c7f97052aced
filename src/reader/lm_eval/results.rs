//! Results document of a run: the model, and the aggregates of the tasks.

use std::path::Path;

use serde_json::{Value as Json, json};

use super::lines;
use crate::results_document;
use crate::run_folder::harness_figure;
use crate::{json, settings};
use record::{PublishedScore, Settings};

/// Name of a filter that changes nothing.
pub const NO_FILTER: &str = "none";
/// Members of a task's results that are not aggregates.
const NO_FIGURES: [&str; 4] = ["alias", "name", "sample_len", "samples"];

/// A results document, and the number of its JSON values.
#[derive(Clone, Debug, Default)]
pub struct Results(Json, usize);

/// One aggregate computed by the harness.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Metric, without the name of the filter.
    pub metric: String,
    /// Name of the filter, or [`NO_FILTER`].
    pub filter: String,
    /// Value of the aggregate.
    pub value: f64,
}

impl Results {
    /// Builds the results of a run from a document of lmms-eval that contains the samples of one
    /// task.
    fn of_document(path: &Path) -> Result<Self, String> {
        let members = lines::members(path)?;
        let empty = Json::Null;
        let get = |key: &str| members.get(key).unwrap_or(&empty);
        let (args, task) = (get("args"), get("model_configs"));
        let name = task.get("task").and_then(Json::as_str);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let arguments = args.get("model_args").and_then(Json::as_str);
        let mut arguments = arguments.unwrap_or_default().split(',');
        let weights = arguments.find_map(|argument| argument.trim().strip_prefix("pretrained="));
        let name = name.unwrap_or(&stem);
        let document = json!({
            "results": {name: {}},
            "configs": {name: task},
            "config": args,
            "n-shot": {name: task.get("num_fewshot")},
            "model_name": weights.or_else(|| args.get("model")?.as_str()),
        });
        Ok(Self(document, members.len()))
    }

    /// True if lmms-eval wrote the document.
    pub fn is_lmms(&self) -> bool {
        self.0.get("lmms_eval_version").is_some()
    }

    /// Returns the aggregates of a task in document order. Texts such as `N/A` are skipped.
    pub fn figures(&self, task: &str) -> Vec<Figure> {
        let members = self
            .0
            .get("results")
            .and_then(|results| results.get(task)?.as_object());
        let figure = |(key, value): (&String, &Json)| {
            let (metric, filter) = key.rsplit_once(',').unwrap_or((key, NO_FILTER));
            let value = value.as_f64().filter(|_| !NO_FIGURES.contains(&metric))?;
            Some(Figure {
                metric: metric.to_owned(),
                filter: filter.to_owned(),
                value,
            })
        };
        members.into_iter().flatten().filter_map(figure).collect()
    }

    /// Returns the entries for metrics in a task's configuration.
    fn configured(&self, task: &str) -> impl Iterator<Item = &Json> {
        let list = format!("/configs/{}/metric_list", escaped(task));
        let list = self.0.pointer(&list).and_then(Json::as_array);
        list.into_iter().flatten()
    }

    /// Returns the metrics that a task's configuration declares as means over samples.
    pub fn means(&self, task: &str) -> Vec<String> {
        let is_mean =
            |entry: &&Json| entry.get("aggregation").and_then(Json::as_str) == Some("mean");
        let means = self.configured(task).filter(is_mean);
        let names = means.filter_map(|entry| entry.get("metric")?.as_str());
        names.map(str::to_owned).collect()
    }

    /// Returns the metrics of a task. The order is that of the configuration, then that of the
    /// aggregates.
    pub fn metrics(&self, task: &str) -> Vec<String> {
        let listed = self.configured(task);
        let listed = listed.filter_map(|entry| entry.get("metric")?.as_str().map(str::to_owned));
        let printed = self.figures(task).into_iter().map(|figure| figure.metric);
        listed.chain(printed).collect()
    }

    /// Returns the filters of a task in the order in which they occur in the aggregates.
    pub fn filters(&self, task: &str) -> Vec<String> {
        let mut filters: Vec<String> = Vec::new();
        for figure in self.figures(task) {
            if !filters.contains(&figure.filter) {
                filters.push(figure.filter);
            }
        }
        filters
    }

    /// Returns the number of a task's samples that the run used.
    pub fn samples(&self, task: &str) -> Option<u64> {
        self.count(task, "effective")
    }

    fn count(&self, task: &str, key: &str) -> Option<u64> {
        self.0.get("n-samples")?.get(task)?.get(key)?.as_u64()
    }

    /// Returns the number of few-shot examples of a group of tasks, if it is the same for all its
    /// tasks.
    fn shots_of_group(&self, group: &str) -> Option<Json> {
        let tasks = self.0.get("group_subtasks")?.get(group)?.as_array()?;
        let of_task = |task: &Json| self.0.get("n-shot")?.get(task.as_str()?);
        let mut shots = tasks.iter().filter_map(of_task);
        let first = shots.next()?;
        shots.all(|other| other == first).then(|| first.clone())
    }

    /// Converts an aggregate to a published score.
    pub fn published(
        &self,
        task: &str,
        figure: Figure,
        labels: &FigureLabels<'_>,
    ) -> PublishedScore {
        let directions = self
            .0
            .get("higher_is_better")
            .and_then(|tasks| tasks.get(task));
        let higher = directions.and_then(|metrics| metrics.get(&figure.metric)?.as_bool());
        PublishedScore {
            benchmark: task.to_owned(),
            ability: labels.ability.to_owned(),
            higher_is_better: higher,
            score: figure.value,
            metric: figure.label(),
            ..harness_figure(labels.log, labels.model)
        }
    }
}

/// Arguments that can contain the model's name, most important first.
const MODEL_ARGUMENTS: [&str; 2] = ["pretrained", "model"];

impl results_document::Results for Results {
    type Task = String;

    fn read(path: &Path) -> Result<Self, String> {
        if lines::is_document(path).is_ok_and(|is_document| is_document) {
            return Self::of_document(path);
        }
        let bytes = json::read_bounded(path).map_err(|error| format!("cannot be read: {error}"))?;
        let document = json::parse(json::without_mark(&bytes), 1)?;
        match document.get("results") {
            Some(Json::Object(_)) => Ok(Self(document, json::values(&bytes))),
            _ => Err("`results` is missing".to_owned()),
        }
    }

    fn values(&self) -> usize {
        self.1
    }

    fn model(&self) -> Option<&str> {
        let name = self.0.get("model_name").and_then(Json::as_str);
        // Before version 0.4.3, the model's name occurs only in the arguments.
        let of_arguments = || {
            let arguments = self.0.get("config")?.get("model_args")?;
            MODEL_ARGUMENTS.iter().find_map(|key| match arguments {
                Json::String(text) => text
                    .split(',')
                    .find_map(|member| member.trim().strip_prefix(key)?.strip_prefix('=')),
                arguments => arguments.get(key)?.as_str(),
            })
        };
        let name = name.filter(|name| !name.is_empty());
        name.or_else(|| of_arguments().filter(|name| !name.is_empty()))
    }

    fn tasks(&self) -> Vec<String> {
        let tasks = self.0.get("results").and_then(Json::as_object);
        tasks
            .into_iter()
            .flatten()
            .map(|(task, _)| task.clone())
            .collect()
    }

    fn is_partial(&self, task: &String) -> bool {
        let (all, asked) = (self.count(task, "original"), self.samples(task));
        matches!((all, asked), (Some(all), Some(asked)) if asked < all)
    }

    fn settings(&self, task: &String) -> Settings {
        let of_run = |key: &str| self.0.get(key);
        let of_task = |key: &str| self.0.get(key)?.get(task);
        let configured = |key: &str| self.0.get("configs")?.get(task)?.get(key);
        let mut told = Settings::new();
        settings::keep(&mut told, "task version", of_task("versions"));
        let shots = of_task("n-shot")
            .cloned()
            .or_else(|| self.shots_of_group(task));
        settings::keep(&mut told, "shots", shots.as_ref());
        settings::keep(&mut told, "scorer", configured("process_results"));
        settings::keep(&mut told, "generation", configured("generation_kwargs"));
        settings::keep(&mut told, "system prompt", of_run("system_instruction"));
        settings::keep(&mut told, "chat template", of_run("chat_template_sha"));
        settings::keep(&mut told, "fewshot as chat", of_run("fewshot_as_multiturn"));
        let prompt = configured("doc_to_text").or_else(|| configured("lmms_eval_specific_kwargs"));
        settings::keep(&mut told, "prompt", prompt);
        let arguments = |key: &str| of_run("config")?.get(key);
        settings::keep(&mut told, "limit", arguments("limit"));
        settings::keep(&mut told, "generation arguments", arguments("gen_kwargs"));
        let version = of_run("lmms_eval_version").or_else(|| of_run("lm_eval_version"));
        settings::keep(&mut told, "harness version", version);
        if let Some(config) = of_run("config") {
            let arguments = config.get("model_args").unwrap_or(&Json::Null);
            told.insert("resolution", settings::resolution(arguments));
            let arguments = settings::model_arguments(arguments);
            settings::keep(&mut told, "model arguments", arguments.as_ref());
        }
        told
    }
}

/// Names under which an aggregate is published.
#[derive(Clone, Copy, Debug)]
pub struct FigureLabels<'a> {
    /// Path of the document.
    pub log: &'a Path,
    /// Name of the evaluated model.
    pub model: &'a str,
    /// Ability that the aggregate is assigned to.
    pub ability: &'a str,
}

impl Figure {
    /// Returns the name of the metric, including the filter if there is one.
    fn label(self) -> String {
        if self.filter == NO_FILTER {
            return self.metric;
        }
        format!("{},{}", self.metric, self.filter)
    }
}

/// Escapes a key for a JSON pointer (RFC 6901, section 3).
fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
