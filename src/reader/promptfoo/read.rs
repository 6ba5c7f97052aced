//! Reads a log of promptfoo in any layout.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use record::{Problem, PublishedScore, Settings};
use serde_json::Value as Json;

use super::layout::Layout;
use super::row::{Row, Samples, label};
use super::table;
use crate::document::{self, Part};
use crate::lines::{START, each};
use crate::open::open;
use crate::run_folder::harness_figure;
use crate::source::first_bytes;
use crate::{Context, Position, Sink, Unit, json, settings};

/// Name of the list of answers in a document. The object that contains the list has the same name.
const RESULTS: &str = "results";
/// Names of the members of a document that are read.
const WANTED: [&str; 5] = [RESULTS, "prompts", "stats", "metadata", "runtimeOptions"];
/// Ability of aggregates that cover several abilities.
const ALL: &str = "all";

/// State of reading a log.
pub struct Log<'a> {
    /// Unit of the log.
    pub unit: &'a Unit,
    context: &'a Context,
    /// Receiver of the records.
    pub sink: &'a mut dyn Sink,
    samples: Samples,
    /// Number of readable answers, by ability.
    abilities: BTreeMap<String, u64>,
    bad: u64,
}

/// Reads a log from its start or from a position.
pub fn read(unit: &Unit, context: &Context, from: Option<Position>, sink: &mut dyn Sink) {
    let layout = open(&unit.path).and_then(first_bytes);
    let layout = layout.map(|head| Layout::of(json::without_mark(&head)));
    let mut log = Log {
        unit,
        context,
        sink,
        samples: Samples::default(),
        abilities: BTreeMap::new(),
        bad: 0,
    };
    let read = match layout {
        Ok(Some(Layout::Table)) => table::read(&mut log),
        Ok(Some(Layout::Lines)) => log.lines(from).map_err(|error| error.to_string()),
        Ok(_) => log.document().map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    if let Err(why) = read {
        sink.problem(Problem::unreadable(&unit.path, why));
    }
}

impl Log<'_> {
    /// Passes an answer to the sink. If the answer is unreadable, passes its problem.
    pub fn answer(&mut self, answer: Result<Json, String>, line: u64) {
        let path = &self.unit.path;
        let read = answer.and_then(|answer| {
            let row = Row(answer);
            let record = row.record(self.unit, self.context, &mut self.samples)?;
            Ok((record, row.failure()))
        });
        match read {
            Ok((record, failure)) => {
                if let Some(why) = failure {
                    let what = format!(
                        "request failed, not scored (promptfoo's pass rate counts it as failed): {why}"
                    );
                    self.sink.problem(Problem::line(path, line, what));
                }
                match self.abilities.get_mut(&record.ability) {
                    Some(count) => *count += 1,
                    None => drop(self.abilities.insert(record.ability.clone(), 1)),
                }
                self.sink.record(record, line);
            }
            Err(what) => {
                self.bad += 1;
                self.sink.left_out(path, line, what);
            }
        }
    }

    /// Reads JSON lines. Lines before `from` are read only to continue the numbers of repeats.
    fn lines(&mut self, from: Option<Position>) -> io::Result<()> {
        let from = from.unwrap_or(START);
        let unit = self.unit;
        let read = each(&unit.path, START, &mut |line| {
            let row = match line.text {
                Ok([]) => None,
                text => Some(text.and_then(|it| json::parse(json::without_mark(it), line.number))),
            };
            match row {
                Some(Ok(row)) if line.number < from.line => {
                    // Problems of this line were reported when it was first read.
                    let _ = Row(row).record(unit, self.context, &mut self.samples);
                }
                Some(row) if line.number >= from.line => self.answer(row, line.number),
                _ => {}
            }
            if line.number < from.line {
                return ControlFlow::Continue(());
            }
            if line.unfinished {
                self.sink.unfinished(&unit.path, line.number);
            }
            self.sink.progress(line.length)
        })?;
        if let ControlFlow::Continue(end) = read {
            self.sink.stopped(end);
        }
        Ok(())
    }

    fn document(&mut self) -> io::Result<()> {
        let unit = self.unit;
        let (mut told, mut found, mut total) = (Settings::new(), Vec::new(), 0);
        let read = document::read(&unit.path, RESULTS, &WANTED, &mut |part| {
            match part {
                Part::Sample(line, text) => self.answer(json::parse(text, line), line),
                Part::Problem(line, what) => self.answer(Err(what), line),
                Part::Bytes(bytes) => return self.sink.progress(bytes),
                Part::Member(key, text) => match json::parse(text, 1) {
                    Ok(value) => match key {
                        "prompts" => {
                            let prompts = value.as_array().into_iter().flatten().zip(0..);
                            let mut columns = Samples::default();
                            found.extend(prompts.flat_map(|(prompt, column)| {
                                let text = |key: &str| prompt.get(key)?.as_str();
                                let provider = text("provider").unwrap_or_default();
                                let shown = label(text("label").unwrap_or_default());
                                let model = columns.model(provider, &shown, Some(column));
                                figures(prompt, &unit.path, &model)
                            }));
                        }
                        "stats" => total = tests(&value),
                        "metadata" => {
                            let version = value.get("promptfooVersion");
                            settings::keep(&mut told, "harness version", version);
                        }
                        _ => settings::keep(&mut told, "epochs", value.get("repeat")),
                    },
                    Err(what) => {
                        let what = format!("`{key}`: {what}");
                        self.sink.problem(Problem::file(&unit.path, what));
                    }
                },
            }
            ControlFlow::Continue(())
        })?;
        self.sink.settings(told);
        if read.is_continue() {
            self.finish(found, total);
        }
        Ok(())
    }

    /// Passes the aggregates to the sink. Reports a problem if answers are missing.
    fn finish(&mut self, figures: Vec<PublishedScore>, total: u64) {
        let count = self.abilities.values().sum::<u64>() + self.bad;
        if count < total {
            let what = format!("{count} of the evaluation's {total} answers are in the log");
            self.sink.problem(Problem::file(&self.unit.path, what));
        }
        let dataset = self.unit.dataset.clone().unwrap_or_default();
        let mut abilities = self.abilities.keys();
        let ability = match (abilities.next(), abilities.next()) {
            (Some(only), None) => only.as_str(),
            _ => ALL,
        };
        for figure in figures {
            let figure = PublishedScore {
                benchmark: dataset.clone(),
                ability: ability.to_owned(),
                ..figure
            };
            self.sink.published(figure, 1);
        }
    }
}

/// Returns the number of tests in an evaluation.
fn tests(stats: &Json) -> u64 {
    let counts = ["successes", "failures", "errors"].into_iter();
    let counts = counts.filter_map(|key| stats.get(key)?.as_u64());
    counts.fold(0, u64::saturating_add)
}

/// Metric for the share of passed tests. Failed requests count as failed tests.
const PASS_RATE: &str = "pass_rate";
/// Keys with the numbers of passed tests, failed tests and errors.
const COUNTS: [&str; 3] = ["testPassCount", "testFailCount", "testErrorCount"];

/// Returns the aggregates of one provider and prompt: the pass rate, and the named metrics.
fn figures(prompt: &Json, log: &Path, model: &str) -> Vec<PublishedScore> {
    let text = |key: &str| prompt.get(key).and_then(Json::as_str).unwrap_or_default();
    let empty = Json::Null;
    let metrics = prompt.get("metrics").unwrap_or(&empty);
    let count = |key: &str| metrics.get(key).and_then(Json::as_u64).unwrap_or_default();
    let total: u64 = COUNTS.into_iter().map(count).fold(0, u64::saturating_add);
    let figure = |metric: &str, score: f64, n: u64| PublishedScore {
        split: Some(match label(text("label")) {
            label if label.is_empty() => PublishedScore::HARNESS.to_owned(),
            label => format!("{}, {label}", PublishedScore::HARNESS),
        }),
        metric: metric.to_owned(),
        higher_is_better: Some(true),
        score,
        n,
        ..harness_figure(log, model)
    };
    let mut found = Vec::new();
    if model.is_empty() {
        return found;
    }
    if total > 0 {
        found.push(figure(PASS_RATE, share(count(COUNTS[0]), total), total));
    }
    let named = metrics.get("namedScores").and_then(Json::as_object);
    for (name, sum) in named.into_iter().flatten() {
        let part = |key: &str| metrics.get(key)?.get(name);
        let count = part("namedScoresCount").and_then(Json::as_u64);
        // Versions that store weights also weight the sums.
        let weight = part("namedScoreWeights").and_then(Json::as_f64);
        let weight = weight.or_else(|| part("namedScoresCount")?.as_f64());
        let value = sum.as_f64().map(|sum| sum / weight.unwrap_or(1.0));
        if let Some(value) = value.filter(|value| value.is_finite()) {
            found.push(figure(name, value, count.unwrap_or_default()));
        }
    }
    found
}

#[expect(
    clippy::cast_precision_loss,
    reason = "numbers of tests are far smaller"
)]
fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}
