//! Aggregates computed by Inspect: every metric of every score and reducer.

use std::path::Path;

use serde_json::Value as Json;

use super::header::Header;
use super::scores::Names;
use crate::run_folder::harness_figure;
use record::PublishedScore;

/// Ability of aggregates over samples of several abilities.
const ALL: &str = "all";

/// Labels for a log's aggregates.
#[derive(Clone, Debug)]
pub struct FigureLabels<'a> {
    /// Path of the log.
    pub log: &'a Path,
    /// Task of the run; becomes the benchmark.
    pub task: &'a str,
    /// Model that was evaluated.
    pub model: &'a str,
    /// True if samples have their own abilities.
    pub divided: bool,
}

/// Returns the aggregates in a header. A metric without value is `NaN`.
pub fn figures(header: &Header, names: &Names, labels: &FigureLabels<'_>) -> Vec<PublishedScore> {
    let of_entry = |entry: &Json| -> Vec<PublishedScore> {
        let text = |key: &str| entry.get(key).and_then(Json::as_str);
        let name = text("name").unwrap_or_default();
        let label = names.label(text("scorer").unwrap_or(name), name);
        let metrics = entry.get("metrics").and_then(Json::as_object);
        let figure = |(metric, value): (&String, &Json)| {
            let score = score(value.get("value").unwrap_or(value))?;
            let metric = if names.is_sole() {
                metric.clone()
            } else {
                format!("{label}/{metric}")
            };
            Some(labels.figure(metric, text("reducer"), score))
        };
        metrics.into_iter().flatten().filter_map(figure).collect()
    };
    header.scores().iter().flat_map(of_entry).collect()
}

impl FigureLabels<'_> {
    fn figure(&self, metric: String, reducer: Option<&str>, score: f64) -> PublishedScore {
        let ability = if self.divided { ALL } else { self.task };
        let split = match reducer {
            Some(reducer) => format!("{}, {reducer}", PublishedScore::HARNESS),
            None => PublishedScore::HARNESS.to_owned(),
        };
        PublishedScore {
            benchmark: self.task.to_owned(),
            ability: ability.to_owned(),
            split: Some(split),
            metric,
            score,
            ..harness_figure(self.log, self.model)
        }
    }
}

/// Returns a metric's value; a bare `NaN` was parsed as null.
fn score(value: &Json) -> Option<f64> {
    match value {
        Json::Number(number) => number.as_f64(),
        Json::Null => Some(f64::NAN),
        _ => None,
    }
}
