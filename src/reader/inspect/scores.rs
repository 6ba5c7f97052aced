//! Scores of samples: their names, and the main one.

use std::collections::HashSet;

use serde_json::Value as Json;

use super::header::Header;
use crate::json;
use record::Direction;
use record::benchmark::known_direction;

/// Key of a score: the scorer, and the name of the value.
type Key = (String, String);

/// Names of a log's scores.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Keys of all scores, in the order of the results.
    known: Vec<Key>,
    /// Key of the task's headline score.
    headline: Option<Key>,
    /// Metric of the only score. It is used as name, because it is clearer than the scorer's name.
    sole: Option<String>,
    /// Names of values that several scorers return.
    shared: HashSet<String>,
}

/// Main score and other scores of one sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScoreSet {
    /// Metric of the main score.
    pub metric: String,
    /// Direction of the metric, if known. For letter grades, higher is better.
    pub direction: Option<Direction>,
    /// Main score; `NaN` if the harness skipped the sample.
    pub score: f64,
    /// Additional scores, as pairs of metric and score.
    pub beside: Vec<(String, f64)>,
    /// Answer extracted by the main scorer; empty if it found no answer.
    pub answer: Option<String>,
}

impl Names {
    /// Collects the scores listed in the results of a header. Without results, uses the configured
    /// scorers.
    pub fn of(header: &Header) -> Self {
        let mut names = Self::default();
        for entry in header.scores() {
            let name = text(entry, "name");
            let scorer = entry.get("scorer").and_then(Json::as_str).unwrap_or(name);
            let metrics = entry.get("metrics").and_then(Json::as_object);
            let metrics = metrics.into_iter().flatten().map(|(name, _)| name.as_str());
            names.add((scorer.to_owned(), name.to_owned()), metrics);
        }
        if names.known.is_empty() {
            header
                .scorers()
                .iter()
                .for_each(|scorer| names.add_asked(scorer));
        }
        let headline = header.headline();
        names.headline = headline.map(|(scorer, name)| (scorer.to_owned(), name.to_owned()));
        names
    }

    /// Adds a configured scorer. Its metrics are one list, or one list per score.
    fn add_asked(&mut self, scorer: &Json) {
        let name = text(scorer, "name");
        let metrics = |list: &Json| -> Vec<String> {
            let names = list
                .as_array()
                .into_iter()
                .flatten()
                .map(|metric| text(metric, "name"));
            names
                .map(|name| name.rsplit('/').next().unwrap_or(name).to_owned())
                .collect()
        };
        match scorer.get("metrics") {
            Some(Json::Object(lists)) => {
                for (score, list) in lists {
                    let metrics = metrics(list);
                    let metrics = metrics.iter().map(String::as_str);
                    self.add((name.to_owned(), score.clone()), metrics);
                }
            }
            list => {
                let metrics = list.map(metrics).unwrap_or_default();
                let metrics = metrics.iter().map(String::as_str);
                self.add((name.to_owned(), name.to_owned()), metrics);
            }
        }
    }

    fn add<'a>(&mut self, key: Key, metrics: impl Iterator<Item = &'a str>) {
        if self.known.contains(&key) {
            return;
        }
        if self.known.iter().any(|(_, name)| *name == key.1) {
            self.shared.insert(key.1.clone());
        }
        // Only these two metrics of Inspect are plain means. Other metrics can transform the
        // values.
        let mut means = metrics.filter(|name| ["accuracy", "mean"].contains(name));
        let sole = means.next().filter(|_| self.known.is_empty());
        // `f1` says more than `mean`: whether higher is better.
        let sole = sole.filter(|metric| *metric != "mean" || known_direction(&key.1).is_none());
        self.sole = sole.map(str::to_owned);
        self.known.push(key);
    }

    /// Returns the scorer that computed the first score.
    pub fn first_scorer(&self) -> Option<&str> {
        self.known.first().map(|(scorer, _)| scorer.as_str())
    }

    /// Returns the name of a score as a metric.
    pub fn label(&self, scorer: &str, name: &str) -> String {
        let is = |(known, score): &Key| known == scorer && score == name;
        match &self.sole {
            Some(metric) if self.known.iter().any(is) => metric.clone(),
            _ if self.shared.contains(name) => format!("{scorer}/{name}"),
            _ => name.to_owned(),
        }
    }

    /// True if the log has only one score, which is named after its metric.
    pub const fn is_sole(&self) -> bool {
        self.sole.is_some()
    }

    /// True if a sample has no score although the log has scores. An explicit `NaN` counts as a
    /// score.
    pub fn lacks(&self, scores: &Json) -> bool {
        let says = |score: &Json| score.get("value").is_some();
        !self.known.is_empty()
            && !scores.as_object().is_some_and(|all| all.values().any(says))
            && values(scores).iter().all(|(_, _, number)| number.is_nan())
    }

    /// Returns the scores of a sample; the main score comes first.
    pub fn of_sample(&self, scores: &Json) -> ScoreSet {
        let found = values(scores);
        let place = |(scorer, name, _): &(&str, String, f64)| {
            let is = |key: &Key| key.0 == *scorer && key.1 == *name;
            let known = self.known.iter().position(is).unwrap_or(usize::MAX);
            (!self.headline.as_ref().is_some_and(is), known)
        };
        let mut ordered = found;
        ordered.sort_by_key(place);
        let mut ordered = ordered.into_iter();
        let Some((first, name, score)) = ordered.next() else {
            return self.unscored();
        };
        let beside = |(scorer, name, score): (&str, String, f64)| {
            (!score.is_nan()).then(|| (self.label(scorer, &name), score))
        };
        let whole = scores.get(first);
        let answer = whole.and_then(|score| score.get("answer"));
        // Logs of killed runs and old logs do not list their metrics.
        let is_sole = self.known.is_empty() && ordered.len() == 0;
        let metric = match whole {
            Some(score) if is_sole && is_grade(score) => "accuracy".to_owned(),
            _ => self.label(first, &name),
        };
        ScoreSet {
            metric,
            direction: whole.is_some_and(is_grade).then_some(Direction::Higher),
            score,
            beside: ordered.filter_map(beside).collect(),
            answer: answer.and_then(Json::as_str).map(str::to_owned),
        }
    }

    /// Returns a score set without scores. Its metric is the main metric of the log.
    fn unscored(&self) -> ScoreSet {
        let first = self.headline.as_ref().or_else(|| self.known.first());
        let metric = first.map(|(scorer, name)| self.label(scorer, name));
        ScoreSet {
            metric: metric.unwrap_or_else(|| "accuracy".to_owned()),
            score: f64::NAN,
            ..ScoreSet::default()
        }
    }
}

/// Returns the scorer, name and number of each value of a sample.
fn values(scores: &Json) -> Vec<(&str, String, f64)> {
    let mut found = Vec::new();
    for (scorer, score) in scores.as_object().into_iter().flatten() {
        match score.get("value").unwrap_or(score) {
            Json::Object(values) => {
                let values = values.iter();
                found.extend(
                    values.map(|(name, value)| (scorer.as_str(), name.clone(), number(value))),
                );
            }
            Json::Array(values) => {
                let values = (0..).zip(values);
                let value = |(index, value): (usize, &Json)| {
                    (scorer.as_str(), format!("{scorer}.{index}"), number(value))
                };
                found.extend(values.map(value));
            }
            value => found.push((scorer, scorer.clone(), number(value))),
        }
    }
    found
}

/// True for a letter grade of Inspect's own scorers: correct, partial, incorrect, or no answer.
fn is_grade(score: &Json) -> bool {
    let value = score.get("value").unwrap_or(score);
    matches!(value.as_str(), Some("C" | "P" | "I" | "N"))
}

/// Converts a value to a number like Inspect's `value_to_float`. Returns `NaN` (not scored) if this
/// fails.
fn number(value: &Json) -> f64 {
    match value {
        Json::Number(number) => number.as_f64().unwrap_or(f64::NAN),
        Json::Bool(flag) => f64::from(u8::from(*flag)),
        Json::String(text) => match text.as_str() {
            "C" => 1.0,
            "P" => 0.5,
            "I" | "N" => 0.0,
            text => match text.to_lowercase().as_str() {
                "yes" | "true" => 1.0,
                "no" | "false" => 0.0,
                json::INFINITY => f64::INFINITY,
                json::MINUS_INFINITY => f64::NEG_INFINITY,
                number => number
                    .parse()
                    .ok()
                    .filter(|n: &f64| n.is_finite())
                    .unwrap_or(f64::NAN),
            },
        },
        _ => f64::NAN,
    }
}

fn text<'a>(object: &'a Json, key: &str) -> &'a str {
    object.get(key).and_then(Json::as_str).unwrap_or_default()
}
