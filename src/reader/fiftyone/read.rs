//! Reads a data set in two passes: first the label fields, then the records.

use std::ops::ControlFlow;

use serde_json::Value as Json;

use super::metadata::Metadata;
use super::sample::{Answer, DataSet, size};
use super::survey::{Field, Kind, Matches, Survey};
use super::task::Task;
use crate::annotations::MODEL;
use crate::document::{self, Part};
use crate::run_folder::harness_figure;
use crate::{Context, Sink, Unit, json};
use record::{Problem, PublishedScore};

/// Name of the member with the samples.
const SAMPLES: &str = "samples";
/// Maximum number of line numbers stored for a problem.
const KEPT: usize = 8;

/// Samples that have the same problem.
#[derive(Debug, Default)]
struct Affected {
    count: u64,
    /// Line numbers of the first [`KEPT`] samples.
    lines: Vec<u64>,
}

impl Affected {
    fn add(&mut self, line: u64) {
        self.count += 1;
        if self.lines.len() < KEPT {
            self.lines.push(line);
        }
    }

    fn problem(&self, unit: &Unit, what: &str) -> Option<Problem> {
        let problem = || Problem::of_rows(&unit.path, what, self.count, &self.lines);
        (self.count > 0).then(problem)
    }

    fn report(&self, unit: &Unit, what: &str, sink: &mut dyn Sink) {
        if let Some(problem) = self.problem(unit, what) {
            sink.problem(problem);
        }
    }
}

/// Reads a unit into `sink`; returns `Break` if the sink asked to stop.
pub fn read(unit: &Unit, context: &Context, sink: &mut dyn Sink) -> ControlFlow<()> {
    let metadata = metadata(unit, sink);
    let mut survey = Survey::default();
    let first = document::read(&unit.path, SAMPLES, &[SAMPLES], &mut |part| {
        // Problems are reported when the samples are read again.
        if let Part::Sample(line, text) = part
            && let Ok(sample) = json::parse(text, line)
        {
            survey.add(&sample);
        }
        ControlFlow::Continue(())
    });
    let tasks = if first.is_ok() {
        tasks(unit, &survey, &metadata, sink)
    } else {
        Vec::new()
    };
    let mut log = Log {
        unit,
        context,
        data: DataSet::new(&survey, &metadata),
        tasks: &tasks,
        sizeless: Affected::default(),
        unannotated: Affected::default(),
        unpredicted: Affected::default(),
    };
    let second = document::read(&unit.path, SAMPLES, &[SAMPLES], &mut |part| {
        match part {
            Part::Sample(line, text) => match json::parse(text, line) {
                Ok(sample) => log.sample(&sample, line, sink),
                Err(what) => sink.left_out(&unit.path, line, what),
            },
            Part::Problem(line, what) => sink.left_out(&unit.path, line, what),
            Part::Bytes(bytes) => return sink.progress(bytes),
            Part::Member(..) => {}
        }
        ControlFlow::Continue(())
    });
    match second {
        Ok(flow) => flow?,
        Err(error) => {
            sink.problem(Problem::unreadable(&unit.path, error));
        }
    }
    log.finish(sink);
    for task in tasks.iter().filter(|task| task.kind == Kind::Detections) {
        publish(unit, task, &survey, sink);
    }
    ControlFlow::Continue(())
}

fn metadata(unit: &Unit, sink: &mut dyn Sink) -> Metadata {
    let Some(path) = unit.companions.first() else {
        let what = "no metadata.json next to it: the data set is named after its folder, \
                    and the ground truth is found by field names";
        sink.problem(Problem::file(&unit.path, what));
        return Metadata::default();
    };
    Metadata::read(path).unwrap_or_else(|what| {
        sink.problem(Problem::file(path, what));
        Metadata::default()
    })
}

/// Returns the tasks. Reports fields that are not read.
fn tasks(unit: &Unit, survey: &Survey, metadata: &Metadata, sink: &mut dyn Sink) -> Vec<Task> {
    let mut problem = |what: String| sink.problem(Problem::file(&unit.path, what));
    let mut tasks = Vec::new();
    for kind in [Kind::Detections, Kind::Classification] {
        let (task, problems) = Task::of(kind, survey, metadata);
        problems.into_iter().for_each(&mut problem);
        tasks.extend(task);
    }
    // If there are no predictions at all, the annotations are read.
    if tasks.iter().any(|task: &Task| !task.models.is_empty()) {
        for task in tasks.iter().filter(|task| task.models.is_empty()) {
            problem(format!("only `{}`, no predictions: no score", task.truth));
        }
    }
    for (name, field) in &survey.fields {
        if let Some(Kind::Other(kind)) = field.kind {
            problem(format!("`{name}`: {kind} is not supported yet; left out"));
        }
        if field.masks > 0 && field.kind == Some(Kind::Detections) {
            problem(format!(
                "`{name}`: masks are not supported yet; {} with a mask scored by {}",
                base::format::counted(field.masks, "object"),
                if field.masks == 1 {
                    "its box"
                } else {
                    "their boxes"
                },
            ));
        }
    }
    if survey.fields.is_empty() {
        problem("no sample has detections or a classification".to_owned());
    }
    tasks
}

/// State of reading a data set.
struct Log<'a> {
    unit: &'a Unit,
    context: &'a Context,
    data: DataSet<'a>,
    tasks: &'a [Task],
    /// Samples without the size of their picture.
    sizeless: Affected,
    /// Samples with predictions but without ground truth.
    unannotated: Affected,
    /// Samples with ground truth for which a model has neither a prediction nor an evaluation.
    unpredicted: Affected,
}

impl Log<'_> {
    /// Passes the records of a sample to the sink, one per model.
    fn sample(&mut self, sample: &Json, line: u64, sink: &mut dyn Sink) {
        let path = &self.unit.path;
        let mut bad: Option<String> = None;
        let is_unanswered = self.tasks.iter().all(|task| task.models.is_empty());
        for task in self.tasks.iter().filter(|_| is_unanswered) {
            match self.data.annotated(task, sample) {
                Ok(Some(answer)) => self.pass(answer, MODEL, line, sink),
                Ok(None) => {}
                Err(what) => drop(bad.get_or_insert(what)),
            }
        }
        for task in self.tasks {
            for model in &task.models {
                match self.data.answer(task, model, sample) {
                    Ok(Some(answer)) => {
                        if task.kind == Kind::Detections && size(sample).is_none() {
                            self.sizeless.add(line);
                        }
                        self.pass(answer, model, line, sink);
                    }
                    Ok(None) => match [&task.truth, model].map(|field| has_label(sample, field)) {
                        [false, true] => self.unannotated.add(line),
                        [true, false] => self.unpredicted.add(line),
                        _ => {}
                    },
                    Err(what) => drop(bad.get_or_insert(what)),
                }
            }
        }
        if let Some(what) = bad {
            sink.left_out(path, line, what);
        }
    }

    fn pass(&self, answer: Answer, model: &str, line: u64, sink: &mut dyn Sink) {
        let Answer { record, problems } = answer;
        for what in problems {
            sink.left_out(&self.unit.path, line, format!("`{model}`: {what}"));
        }
        let tagged = self.context.tagged_ability(&record.content.tags);
        let record = record::Record {
            benchmark: self.unit.dataset.clone().unwrap_or_default(),
            model: model.to_owned(),
            ability: tagged.unwrap_or(record.ability),
            ..record
        };
        sink.record(record, line);
    }

    fn finish(&self, sink: &mut dyn Sink) {
        let what = "no `width` and `height` in the metadata of the sample: boxes stay fractions \
                    of the picture, so metrics by size are meaningless";
        self.sizeless.report(self.unit, what, sink);
        let what = "predictions without ground truth: no score";
        self.unannotated.report(self.unit, what, sink);
        let what = "ground truth without a prediction, and not evaluated: not counted";
        if let Some(problem) = self.unpredicted.problem(self.unit, what) {
            sink.problem(problem.leaving_out(self.unpredicted.count));
        }
    }
}

fn has_label(sample: &Json, field: &str) -> bool {
    sample.get(field).is_some_and(|label| !label.is_null())
}

/// Publishes aggregates of the matches in `FiftyOne`'s evaluations, by model.
fn publish(unit: &Unit, task: &Task, survey: &Survey, sink: &mut dyn Sink) {
    let truth = survey.fields.get(&task.truth);
    let missed = |key: &str| truth.and_then(|field| field.matches.get(key));
    let fields = survey.of_kind(task.kind);
    let is_model = |(name, _): &(&String, &Field)| **name != task.truth;
    for (model, field) in fields.filter(is_model) {
        for (key, matches) in &field.matches {
            let matches = Matches {
                missed: missed(key).map_or(0, |truth| truth.missed),
                ..*matches
            };
            for (metric, score) in figures(matches) {
                let figure = PublishedScore {
                    benchmark: unit.dataset.clone().unwrap_or_default(),
                    ability: "detection".to_owned(),
                    split: Some(format!("{}, {key}", PublishedScore::HARNESS)),
                    metric: metric.to_owned(),
                    higher_is_better: Some(!["fp", "fn"].contains(&metric)),
                    score,
                    ..harness_figure(&unit.path, model)
                };
                sink.published(figure, 1);
            }
        }
    }
}

/// Computes precision, recall and similar metrics from match counts, under the names used by
/// `FiftyOne`.
#[expect(
    clippy::cast_precision_loss,
    reason = "numbers of objects are far smaller"
)]
fn figures(matches: Matches) -> Vec<(&'static str, f64)> {
    let [right, wrong, missed] = [matches.right, matches.wrong, matches.missed].map(|n| n as f64);
    let all = [
        ("f1", 2.0 * right / (2.0 * right + wrong + missed)),
        ("precision", right / (right + wrong)),
        ("recall", right / (right + missed)),
        ("tp", right),
        ("fp", wrong),
        ("fn", missed),
    ];
    let known = all.into_iter().filter(|(_, score)| score.is_finite());
    known.collect()
}
