//! Aggregates written by the harness: `Overall` for each split of a data set, and `Average` over
//! the categories of a rotational evaluation.

use std::collections::BTreeMap;
use std::path::Path;

use super::ability::Task;
use super::aggregate::{Line, lines};
use super::names::stem;
use crate::Sink;
use crate::run_folder::harness_figure;
use record::{Problem, PublishedScore};

/// Ability of aggregates that cover several abilities.
const ALL: &str = "all";
/// Ability of means over abilities.
const AVERAGE: &str = "average";
/// Column with the split that an aggregate belongs to. It is not a group of samples.
const SPLIT: &str = "split";
const OVERALL: &str = "Overall";
/// Metric of multiple-choice data sets.
const ACCURACY: &str = "accuracy";
/// Names of grounding aggregates, each with the prefix of its metric's name.
const GROUNDING: [(&str, &str); 2] = [
    ("Average Centroid Containment", "ve_rot"),
    ("Average IoU", "iou_rot"),
];
/// Columns of a rotational evaluation, each with its metric.
const ROTATIONS: [(&str, &str); 4] = [
    ("rot0", "ve_rot0"),
    ("rot90", "ve_rot90"),
    ("rot180", "ve_rot180"),
    ("rot270", "ve_rot270"),
];

/// Columns with counts, which are not scores.
const COUNTS: [&str; 9] = [
    "tot",
    "total",
    "Total",
    "count",
    "n",
    "hit",
    "prefetch",
    "prefetch_rate",
    "num",
];
/// Columns whose values are percent if any of them is greater than 1.
const PERCENT: [&str; 10] = [
    "Overall",
    "acc",
    "Acc",
    "aAcc",
    "fAcc",
    "qAcc",
    "precision",
    "recall",
    "Avg ACC",
    "accuracy",
];
/// Names of columns with the share of correct answers.
const ACCURACIES: [&str; 4] = ["acc", "Acc", "aAcc", "accuracy"];
/// Labels of rows about all samples.
const WHOLE: [&str; 5] = ["", "Overall", "overall", "none", "all"];
/// A file with aggregates, and the names under which they are published.
#[derive(Clone, Debug)]
pub struct Figures<'a> {
    /// Path of the file, also named in problems.
    pub path: &'a Path,
    /// Name of the evaluated model.
    pub model: &'a str,
    /// Name of the evaluated data set.
    pub dataset: &'a str,
    /// Task of the data set.
    pub task: Task,
}

impl Figures<'_> {
    /// Passes the aggregates of a data set to the sink. Aggregates of single abilities are skipped
    /// if they can be computed from the samples.
    pub fn of_data_set(&self, abilities: &BTreeMap<String, u64>, sink: &mut dyn Sink) {
        let lines = lines(self.path, sink);
        if let Task::Grounding(angle) = self.task {
            return self.of_grounding(angle, &lines, sink);
        }
        let metric = match self.task {
            Task::Rotation(angle) => format!("ve_rot{angle}"),
            _ => ACCURACY.to_owned(),
        };
        let is_multiple_choice =
            |line: &Line| line.get(SPLIT).is_some() && line.get(OVERALL).is_some();
        if stem(self.path).ends_with("_score") || !lines.iter().all(is_multiple_choice) {
            return self.of_other(abilities, &lines, sink);
        }
        for line in &lines {
            let Some(split) = line.get(SPLIT).filter(|_| line.get(OVERALL).is_some()) else {
                continue;
            };
            let split = Some(split.to_owned()).filter(|_| lines.len() > 1);
            let whole = self.task.ability(self.dataset, None, None);
            // The majority of rows decides whether the data set has a single ability.
            let rows: u64 = abilities.values().sum();
            let of_whole = abilities.get(whole).copied().unwrap_or_default();
            let has_one = rows > 0 && 2 * of_whole >= rows;
            let figure = if has_one || matches!(self.task, Task::Case(_)) {
                PublishedScore {
                    ability: whole.to_owned(),
                    split,
                    ..self.figure(&metric)
                }
            } else {
                PublishedScore {
                    ability: ALL.to_owned(),
                    split: split.or_else(|| Some(PublishedScore::HARNESS.to_owned())),
                    ..self.figure(&metric)
                }
            };
            self.pass(line, OVERALL, &figure, sink);
            // A category group can contain several abilities.
            let is_group = |name: &&str| {
                ![SPLIT, OVERALL, ACCURACY].contains(name) && !abilities.contains_key(*name)
            };
            let has_groups = self.task == Task::Other && figure.ability == ALL;
            for name in line.names().filter(is_group).filter(|_| has_groups) {
                let figure = if abilities.is_empty() {
                    PublishedScore {
                        ability: name.to_owned(),
                        ..figure.clone()
                    }
                } else {
                    PublishedScore {
                        metric: name.to_owned(),
                        ..figure.clone()
                    }
                };
                self.pass(line, name, &figure, sink);
            }
        }
    }

    /// Passes the aggregates in any other table of a data set to the sink. The table has one row
    /// per group of samples, or a single row. Each column is an aggregate.
    fn of_other(&self, abilities: &BTreeMap<String, u64>, lines: &[Line], sink: &mut dyn Sink) {
        let is_percent = |name: &str| PERCENT.contains(&name);
        let above_one =
            |line: &Line| (line.names()).any(|name| is_percent(name) && line.is_above_one(name));
        let are_percents = lines.iter().any(above_one);
        let whole = self.task.ability(self.dataset, None, None);
        for line in lines {
            let label = line.label();
            let group = Some(label.as_str()).filter(|label| !WHOLE.contains(label));
            let ability = match group {
                Some(group) if abilities.contains_key(group) => group,
                None if abilities.len() == 1 && abilities.contains_key(whole) => whole,
                _ => ALL,
            };
            let columns = line.names().filter(|name| !COUNTS.contains(name));
            let figures: Vec<&str> = columns.filter(|name| line.is_number(name)).collect();
            let count = COUNTS.iter().find_map(|name| line.value(name).ok()?);
            for name in &figures {
                // The accuracy of a group can be computed from the samples.
                if ability != ALL && group.is_some() && ACCURACIES.contains(name) {
                    continue;
                }
                let metric = match group.filter(|_| ability == ALL) {
                    Some(group) if figures.len() == 1 => group.to_owned(),
                    Some(group) => format!("{group} {name}"),
                    None => (*name).to_owned(),
                };
                let figure = PublishedScore {
                    ability: ability.to_owned(),
                    split: Some(PublishedScore::HARNESS.to_owned()),
                    n: count.map_or(0, self::whole),
                    ..self.figure(&metric)
                };
                let unit = if are_percents && is_percent(name) {
                    100.0
                } else {
                    1.0
                };
                self.pass_scaled(line, name, &figure, unit, sink);
            }
        }
    }

    /// Passes the grounding aggregates to the sink. The table is about a single ability and has one
    /// row per aggregate.
    fn of_grounding(&self, angle: f64, lines: &[Line], sink: &mut dyn Sink) {
        let named = |name: &str| {
            let mut lines = lines.iter();
            lines.find(|line| line.get("Metric") == Some(name))
        };
        let count = named("Total Samples").and_then(|line| line.value("Score").ok().flatten());
        for (name, metric) in GROUNDING {
            let Some(line) = named(name) else { continue };
            let figure = PublishedScore {
                ability: self.task.ability(self.dataset, None, None).to_owned(),
                n: count.map_or(0, whole),
                ..self.figure(&format!("{metric}{angle}"))
            };
            self.pass(line, "Score", &figure, sink);
        }
    }

    /// Passes the averages of a rotational evaluation to the sink.
    pub fn of_rotations(&self, sink: &mut dyn Sink) {
        let split = match self.task {
            Task::Rotation(_) => PublishedScore::HARNESS.to_owned(),
            Task::Grounding(_) => format!("{}, grounding", PublishedScore::HARNESS),
            Task::Case(_) | Task::Other => return,
        };
        let lines = lines(self.path, sink);
        let average = lines
            .iter()
            .find(|line| line.get("category") == Some("Average"));
        let Some(line) = average else { return };
        let is_asked = |(column, _): &(&str, &str)| matches!(line.value(column), Ok(Some(_)));
        // If a rotation is missing, being right at all present rotations is not the same as at all
        // four.
        let [all, none] = if ROTATIONS.iter().all(is_asked) {
            ["re", "ma"]
        } else {
            ["hit_all", "miss_all"]
        };
        let shares = [("hit_all", all), ("miss_all", none)];
        for (column, metric) in shares.into_iter().chain(ROTATIONS) {
            let figure = PublishedScore {
                ability: AVERAGE.to_owned(),
                split: Some(split.clone()),
                higher_is_better: Some(column != "miss_all"),
                ..self.figure(metric)
            };
            self.pass(line, column, &figure, sink);
        }
    }

    fn figure(&self, metric: &str) -> PublishedScore {
        PublishedScore {
            benchmark: self.task.benchmark(self.dataset).to_owned(),
            split: None,
            metric: metric.to_owned(),
            higher_is_better: Some(true),
            ..harness_figure(self.path, self.model)
        }
    }

    /// Passes the number in a column to the sink, as an aggregate.
    fn pass(&self, line: &Line, column: &str, figure: &PublishedScore, sink: &mut dyn Sink) {
        self.pass_scaled(line, column, figure, 1.0, sink);
    }

    /// Passes the number in a column to the sink, as an aggregate. The number is divided by `unit`.
    fn pass_scaled(
        &self,
        line: &Line,
        column: &str,
        figure: &PublishedScore,
        unit: f64,
        sink: &mut dyn Sink,
    ) {
        match line.value(column) {
            Ok(None) => {}
            Ok(Some(score)) => {
                let figure = PublishedScore {
                    score: score / unit,
                    ..figure.clone()
                };
                sink.published(figure, line.number);
            }
            Err(what) => sink.problem(Problem::line(self.path, line.number, what)),
        }
    }
}

/// Converts a count, which the harness writes as `10.0`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number of samples; other values become 0"
)]
fn whole(number: f64) -> u64 {
    number as u64
}
