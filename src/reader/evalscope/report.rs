//! Report of one model and benchmark. It contains EvalScope's own aggregates, rounded to four
//! decimals.

use std::path::Path;

use serde_json::Value as Json;

use crate::json::{parse, plain, read_bounded, without_mark};
use crate::run_folder::harness_figure;
use record::{Direction, PublishedScore};

/// Ability of aggregates over all samples.
const ALL: &str = "all";
/// Ability of means over subsets.
const AVERAGE: &str = "average";

/// A parsed report.
#[derive(Clone, Debug, Default)]
pub struct Report(Json);

/// Names under which the aggregates are published.
#[derive(Clone, Debug)]
pub struct FigureLabels<'a> {
    pub log: &'a Path,
    /// Model that was evaluated.
    pub model: &'a str,
    /// Benchmark of the report.
    pub benchmark: &'a str,
    /// Meaning of the abilities in the log.
    pub abilities: Abilities,
}

/// Meaning of the abilities of a benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abilities {
    Subsets,
    /// The abilities are values of a tag, for which a report has no aggregates.
    Tag,
}

impl Report {
    /// Reads a report.
    ///
    /// # Errors
    /// If it cannot be read or has no metrics.
    pub fn read(path: &Path) -> Result<Self, String> {
        let bytes = read_bounded(path).map_err(|error| format!("cannot be read: {error}"))?;
        let document = parse(without_mark(&bytes), 1)?;
        match document.get("metrics") {
            Some(Json::Array(_)) => Ok(Self(document)),
            _ => Err("`metrics` is missing".to_owned()),
        }
    }

    fn metrics(&self) -> impl Iterator<Item = &Json> {
        list(&self.0, "metrics")
    }

    /// Returns the number of scored samples in a subset; `None` if the report does not contain the
    /// subset.
    pub fn scored(&self, subset: &str) -> Option<u64> {
        let first = self.metrics().take(1);
        let categories = first.flat_map(|metric| list(metric, "categories"));
        let mut subsets = categories.flat_map(|category| list(category, "subsets"));
        let found = subsets.find(|found| text(found, "name") == subset)?;
        found.get("num")?.as_u64()
    }

    /// True if the report counts failed requests, as in newer versions.
    pub fn counts_failures(&self) -> bool {
        self.0.get("execution_summary").is_some_and(Json::is_object)
    }

    /// Returns one message per subset with failed requests.
    pub fn failures(&self) -> Vec<String> {
        let summary = self.0.get("execution_summary");
        let subsets = summary.and_then(|summary| summary.get("subsets")?.as_object());
        let failed = |(subset, counts): (&String, &Json)| {
            let failed = counts
                .get("errored")?
                .as_u64()
                .filter(|failed| *failed > 0)?;
            let all = counts.get("requested")?.as_u64()?;
            let requests = base::format::counted(all, "request");
            Some(format!(
                "{failed} of {requests} of `{subset}` failed: these samples have no answer and no score"
            ))
        };
        subsets.into_iter().flatten().filter_map(failed).collect()
    }

    /// Returns the direction of a metric, given its name in reviews. `None` if the report does not
    /// contain the metric.
    pub fn direction(&self, metric: &str) -> Option<Direction> {
        let mut all = self.metrics().filter_map(direction);
        let first = all.next()?;
        if all.all(|other| other == first) {
            return Some(first);
        }
        // Names can differ: `Rouge-L-R` in a review is `rouge` in the report.
        let plain = letters(metric);
        let is_same = |entry: &&Json| plain.starts_with(&letters(text(entry, "identity/name")));
        self.metrics().find(is_same).and_then(direction)
    }

    /// Returns the aggregates of each subset. With several subsets, also returns aggregates over
    /// all samples (`all`), the mean over subsets (`average`), and aggregates by category.
    pub fn figures(&self, labels: &FigureLabels<'_>) -> Vec<PublishedScore> {
        let of_metric = |metric: &Json| -> Vec<PublishedScore> {
            let higher = direction(metric).map(|direction| direction == Direction::Higher);
            let groups = groups(metric, labels.abilities).into_iter();
            let scored =
                groups.filter_map(|group| Some((group.score.filter(|_| group.n != 0)?, group)));
            let figure = |(score, group): (f64, Group)| PublishedScore {
                benchmark: labels.benchmark.to_owned(),
                ability: group.ability,
                metric: metric_name(metric),
                higher_is_better: higher,
                score,
                n: group.n,
                ..harness_figure(labels.log, labels.model)
            };
            scored.map(figure).collect()
        };
        self.metrics().flat_map(of_metric).collect()
    }
}

/// A group of samples and its score.
struct Group {
    ability: String,
    score: Option<f64>,
    n: u64,
}

impl Group {
    fn new(ability: &str, group: &Json, key: &str) -> Self {
        Self {
            ability: ability.to_owned(),
            score: group.get(key).and_then(Json::as_f64),
            n: group.get("num").and_then(Json::as_u64).unwrap_or(1),
        }
    }
}

/// Returns the groups of samples for which a metric has a score.
fn groups(metric: &Json, abilities: Abilities) -> Vec<Group> {
    let of = |ability: &str, group: &Json| Group::new(ability, group, "score");
    let all = of(ALL, metric);
    let categories: Vec<&Json> = list(metric, "categories").collect();
    let subsets = categories
        .iter()
        .flat_map(|category| list(category, "subsets"));
    let mut found: Vec<Group> = subsets
        .map(|subset| of(text(subset, "name"), subset))
        .collect();
    if abilities == Abilities::Tag || found.is_empty() {
        return vec![all];
    }
    if found.len() == 1 {
        return found;
    }
    let known: Vec<String> = found.iter().map(|group| group.ability.clone()).collect();
    let (whole, divisions) = match categories.as_slice() {
        [only] => (*only, &[][..]),
        // The mean stored with the metric is the mean over categories.
        several => (metric, several),
    };
    found.extend([all, Group::new(AVERAGE, whole, "macro_score")]);
    let category = |category: &&Json| {
        let parts = list(category, "name").map(plain).collect::<Vec<_>>();
        of(&parts.join("/"), category)
    };
    let is_new = |group: &Group| !known.contains(&group.ability);
    found.extend(divisions.iter().map(category).filter(is_new));
    found
}

/// Returns the name of a metric. It is built from `identity`; older versions store the name as a
/// text.
fn metric_name(metric: &Json) -> String {
    let Some(identity) = metric.get("identity") else {
        return text(metric, "name").to_owned();
    };
    let mut parts = vec![text(identity, "name").to_owned()];
    let aggregation = Some(text(identity, "aggregation"));
    parts.extend(
        aggregation
            .filter(|name| !["", "mean", "identity"].contains(name))
            .map(str::to_owned),
    );
    let dimensions = identity.get("dimensions").and_then(Json::as_object);
    parts.extend(
        dimensions
            .into_iter()
            .flatten()
            .map(|(_, value)| plain(value)),
    );
    parts.join("_")
}

fn direction(metric: &Json) -> Option<Direction> {
    let name = text(metric, "semantics/direction");
    Direction::from_name(name.strip_suffix("_is_better")?)
}

fn letters(text: &str) -> String {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns the text at a slash-separated path; empty if there is none. Called for every row, so it
/// avoids allocations.
fn text<'a>(object: &'a Json, path: &str) -> &'a str {
    let found = path
        .split('/')
        .try_fold(object, |inner, name| inner.get(name));
    found.and_then(Json::as_str).unwrap_or_default()
}

fn list<'a>(object: &'a Json, key: &str) -> impl Iterator<Item = &'a Json> {
    let list = object.get(key).and_then(Json::as_array);
    list.into_iter().flatten()
}
