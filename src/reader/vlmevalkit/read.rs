//! Reads one unit: predictions, which are joined by index with stored hits and the data set.

use std::collections::BTreeMap;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use super::ability::Task;
use super::dataset::DataSet;
use super::figures::Figures;
use super::join::Join;
use super::names::{RESULT, ROTATIONS, judge, stem};
use super::results::Results;
use super::rows::Source;
use super::status::Status;
use super::table::{self, Step};
use crate::open::open;
use crate::{Sink, Unit, has_ending};
use record::{Problem, Rule};

/// Files of a unit, by role.
#[derive(Default)]
struct Parts<'a> {
    status: Option<&'a Path>,
    data: Option<&'a Path>,
    aggregates: Vec<&'a Path>,
    rotations: Option<&'a Path>,
    results: Option<&'a Path>,
}

impl<'a> Parts<'a> {
    fn of(unit: &'a Unit) -> Self {
        let mut parts = Self::default();
        for path in &unit.companions {
            let (stem, place) = (stem(path), path.as_path());
            if path.ends_with("status.json") {
                parts.status = Some(place);
            } else if unit.dataset.as_deref() == Some(stem) {
                parts.data = Some(place);
            } else if table::is_small(path) {
                parts.aggregates.push(place);
            } else if stem.ends_with(ROTATIONS) {
                parts.rotations = Some(place);
            } else {
                parts.results = Some(place);
            }
        }
        parts
    }
}

/// Reads a unit into `sink`; returns `Break` if the sink asked to stop.
pub fn read(unit: &Unit, sink: &mut dyn Sink) -> ControlFlow<()> {
    if has_ending(&unit.path, &["pkl"]) {
        let what = "a Python pickle: set PRED_FORMAT=xlsx, tsv or json";
        sink.problem(Problem::file(&unit.path, what));
        publish(unit, &Parts::of(unit), &BTreeMap::new(), sink);
        return sink.progress(unit.length);
    }
    let mut parts = Parts::of(unit);
    if table::is_small(&unit.path) {
        parts.aggregates.push(&unit.path);
        publish(unit, &parts, &BTreeMap::new(), sink);
        return sink.progress(unit.length);
    }
    let dataset = unit.dataset.as_deref().unwrap_or_default();
    if let Some(path) = parts.status {
        report_failure(path, dataset, sink);
    }
    let data = match parts.data {
        Some(path) => DataSet::read(path, &mut |step| pass(step, sink))?,
        None => None,
    };
    let results = match parts.results {
        Some(path) => Some(Results::read(path, &mut |step| pass(step, sink))?),
        None => None,
    };
    let judged = parts.results.unwrap_or(&unit.path);
    let judge = judge(stem(judged), dataset);
    let judge = judge.map(|judge| ("judge", judge.to_owned()));
    sink.settings(judge.into_iter().collect());
    let source = Source {
        model: unit.model.as_deref().unwrap_or_default(),
        dataset,
        task: Task::of(dataset),
        box_rule: box_rule(unit, &parts),
        data: data.as_ref(),
        image_roots: &unit.image_roots,
    };
    let mut join = Join::new(&unit.path, source, results);
    if parts.results.is_none() && !stem(&unit.path).ends_with(dataset) {
        // All scores must be read to know whether they are graded.
        let scores = Results::read(&unit.path, &mut |step| match step {
            Step::Bytes(_) => sink.progress(0),
            _ => ControlFlow::Continue(()),
        })?;
        join.is_judged(scores.metric());
    }
    table::read(&unit.path, &mut |step| match step {
        Step::Row(row) => join.prediction(&row, sink),
        other => pass(other, sink),
    })?;
    join.left_over(parts.results, sink)?;
    join.tell_orders(sink);
    publish(unit, &parts, join.abilities(), sink);
    ControlFlow::Continue(())
}

/// Publishes the aggregates written by the harness. `abilities` contains the number of samples by
/// ability.
fn publish(unit: &Unit, parts: &Parts<'_>, abilities: &BTreeMap<String, u64>, sink: &mut dyn Sink) {
    let dataset = unit.dataset.as_deref().unwrap_or_default();
    let figures = |path| Figures {
        path,
        model: unit.model.as_deref().unwrap_or_default(),
        dataset,
        task: Task::of(dataset),
    };
    for path in &parts.aggregates {
        figures(path).of_data_set(abilities, sink);
    }
    if let Some(path) = parts.rotations {
        figures(path).of_rotations(sink);
    }
}

/// Passes a problem or a number of bytes to the sink; ignores rows.
fn pass(step: Step, sink: &mut dyn Sink) -> ControlFlow<()> {
    match step {
        Step::Row(_) => ControlFlow::Continue(()),
        Step::Problem(problem) => {
            sink.problem(problem);
            ControlFlow::Continue(())
        }
        Step::Bytes(bytes) => sink.progress(bytes),
    }
}

fn report_failure(path: &Path, dataset: &str, sink: &mut dyn Sink) {
    match Status::read(path) {
        Err(what) => sink.problem(Problem::file(path, what)),
        Ok(status) => {
            if let Some(error) = status
                .datasets
                .get(dataset)
                .and_then(|state| state.error.as_ref())
            {
                sink.problem(Problem::file(
                    path,
                    format!("the harness failed to evaluate {dataset}: {error}"),
                ));
            }
        }
    }
}

/// Returns the rule by which boxes were scored. It is determined from the name of the result file,
/// or else from the aggregates.
fn box_rule(unit: &Unit, parts: &Parts<'_>) -> Rule {
    let results = stem(parts.results.unwrap_or(&unit.path));
    let is_iou = if results.ends_with(RESULT) {
        results.ends_with(&format!("_iou{RESULT}"))
    } else {
        let mut aggregate = Vec::new();
        for path in &parts.aggregates {
            // If the file cannot be read, the default of the harness is used.
            let _ = open(path).and_then(|file| file.take(1 << 16).read_to_end(&mut aggregate));
        }
        memchr::memmem::find(&aggregate, b"Average IoU").is_some()
    };
    if is_iou {
        Rule::BoxIou
    } else {
        Rule::BoxCentroid
    }
}
