//! Scores of single samples, and aggregates of a run.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value as Json;

use super::run_folders::Specification;
use crate::json;
use crate::run_folder::harness_figure;
use record::PublishedScore;
use record::benchmark::FILTERED;

/// Statistics that describe requests instead of the quality of answers.
const NO_METRICS: [&str; 11] = [
    "batch_size",
    "logprob",
    "logprob_per_byte",
    "max_prob",
    "bits_per_byte",
    "perplexity",
    "predicted_index",
    "prompt_truncated",
    "training_co2_cost",
    "training_energy_cost",
    "inference_runtime",
];
/// Prefixes of further statistics that describe requests.
const NO_PREFIXES: [&str; 4] = ["num_", "finish_reason_", "inference_", "training_"];
/// Statistic with the index of the preferred reference, if each reference was a separate request.
const PREDICTED: &str = "predicted_index";
/// Perturbation that leaves the sample unchanged.
const IDENTITY: &str = "identity";
/// Members of a perturbation that do not describe a change.
const NO_PARAMETERS: [&str; 4] = ["name", "robustness", "fairness", "computed_on"];

/// Key of a request within a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Key {
    /// Id of the sample.
    pub id: String,
    /// Number of the trial, from 0. Trials use different few-shot examples.
    pub trial: u64,
    /// Name and parameters of the perturbation; empty for an original sample.
    pub perturbation: String,
}

impl Key {
    /// Returns the key of an entry; `None` without an id. `of` contains the id and the
    /// perturbation.
    pub fn new(entry: &Json, of: &Json, id: &str) -> Option<Self> {
        let id = of.get(id).filter(|id| id.is_string() || id.is_number())?;
        let trial = entry.get("train_trial_index").and_then(Json::as_u64);
        Some(Self {
            id: json::plain(id),
            trial: trial.unwrap_or_default(),
            perturbation: perturbation(of),
        })
    }

    /// Returns the name of the perturbation without its parameters; empty for an original sample.
    pub fn change(&self) -> &str {
        self.perturbation.split(' ').next().unwrap_or_default()
    }
}

/// Formats the perturbation of an entry as text; empty if the sample is unchanged.
fn perturbation(of: &Json) -> String {
    let Some(change) = of.get("perturbation").filter(|change| change.is_object()) else {
        return String::new();
    };
    let name = change.get("name").map(json::plain).unwrap_or_default();
    if name == IDENTITY {
        return String::new();
    }
    let members = change.as_object().into_iter().flatten();
    let members = members
        .filter(|(key, value)| !NO_PARAMETERS.contains(&key.as_str()) && !value.is_null())
        .map(|(key, value)| format!("{key}={}", json::plain(value)));
    std::iter::once(name.replace(' ', "_"))
        .chain(members)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Scores of one sample.
#[derive(Clone, Debug, Default)]
pub struct SampleScores {
    /// Metrics with their values; the headline metric comes first.
    pub metrics: Vec<(String, f64)>,
    /// Index of the preferred reference, if each reference was a separate request.
    pub predicted: Option<usize>,
}

/// Scores of all samples of a run.
pub type Scores = HashMap<Key, SampleScores>;

/// Reads `per_instance_stats.json`. Lines that cannot be parsed are added to `bad`.
///
/// # Errors
/// If the file cannot be read.
pub fn scores(
    path: &Path,
    specification: &Specification,
    bad: &mut dyn FnMut(u64, String),
) -> Result<Scores, String> {
    let bytes = json::read_bounded(path).map_err(|error| format!("cannot be read: {error}"))?;
    let mut found = Scores::new();
    for (line, element) in json::elements(&bytes) {
        let entry = element.and_then(|text| json::parse(text, line));
        let keyed = entry.and_then(|entry| {
            let key = Key::new(&entry, &entry, "instance_id").ok_or("`instance_id` is missing")?;
            Ok((key, entry))
        });
        match keyed {
            Ok((key, entry)) => {
                let known = found.entry(key).or_default();
                for stat in entry
                    .get("stats")
                    .and_then(Json::as_array)
                    .into_iter()
                    .flatten()
                {
                    known.add(stat);
                }
                let place = |(name, _): &(String, f64)| place(name, specification.method());
                known.metrics.sort_by_key(place);
            }
            Err(what) => bad(line, what),
        }
    }
    Ok(found)
}

impl SampleScores {
    fn add(&mut self, stat: &Json) {
        let name = stat.pointer("/name/name").and_then(Json::as_str);
        let (Some(name), Some(mean)) = (name, mean(stat)) else {
            return;
        };
        if name == PREDICTED {
            // Indices are written as floats. A value with a fraction is not an index.
            self.predicted = format!("{mean}").parse().ok();
        }
        if is_metric(name) && self.metrics.iter().all(|(known, _)| known != name) {
            self.metrics.push((name.to_owned(), mean));
        }
    }
}

/// Returns the mean of a statistic; `None` if it has no values.
fn mean(stat: &Json) -> Option<f64> {
    let count = stat.get("count")?.as_f64()?;
    let sum = || Some(stat.get("sum")?.as_f64()? / count);
    if count > 0.0 {
        stat.get("mean").and_then(Json::as_f64).or_else(sum)
    } else {
        None
    }
}

fn is_metric(name: &str) -> bool {
    !NO_METRICS.contains(&name) && !NO_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Returns the rank of a metric. As in HELM's tables, exact match comes first for multiple choice,
/// and the tolerant comparison for free text. Other metrics follow in file order.
fn place(name: &str, method: &str) -> usize {
    let order = if method.starts_with("multiple_choice") {
        ["exact_match", "quasi_exact_match"]
    } else {
        ["quasi_exact_match", "exact_match"]
    };
    order
        .iter()
        .position(|known| *known == name)
        .unwrap_or(order.len())
}

/// Reads the aggregates in `stats.json`: means over the original samples, and means over the
/// samples of each perturbation. Worst cases over perturbations are skipped.
///
/// # Errors
/// If the file cannot be read.
pub fn figures(
    path: &Path,
    specification: &Specification,
    model: &str,
) -> Result<Vec<PublishedScore>, String> {
    let bytes = json::read_bounded(path).map_err(|error| format!("cannot be read: {error}"))?;
    let mut found = Vec::new();
    for (line, element) in json::elements(&bytes) {
        let stat = json::parse(element?, line)?;
        let empty = Json::Null;
        let label = stat.get("name").unwrap_or(&empty);
        let name = label.get("name").and_then(Json::as_str).unwrap_or_default();
        let computed = label
            .pointer("/perturbation/computed_on")
            .and_then(Json::as_str);
        let is_shown = is_metric(name) && computed.is_none_or(|on| on == "perturbed");
        let Some(score) = mean(&stat).filter(|_| is_shown) else {
            continue;
        };
        let change = perturbation(label);
        let change = change.split(' ').next().unwrap_or_default();
        found.push(PublishedScore {
            benchmark: specification.benchmark().to_owned(),
            ability: specification.ability(),
            split: Some(split(label)),
            metric: named(name, change),
            score,
            ..harness_figure(path, model)
        });
    }
    Ok(found)
}

/// Returns the split of an aggregate. It consists of the harness's name and, unless it is `test`,
/// the split of the samples.
fn split(label: &Json) -> String {
    let split = label
        .get("split")
        .and_then(Json::as_str)
        .filter(|split| *split != "test");
    split.map_or(PublishedScore::HARNESS.to_owned(), |split| {
        format!("{}, {split}", PublishedScore::HARNESS)
    })
}

/// Returns the name of a metric for samples with the perturbation `change`, which can be empty.
pub fn named(metric: &str, change: &str) -> String {
    if change.is_empty() {
        metric.to_owned()
    } else {
        format!("{metric}{FILTERED}{change}")
    }
}
