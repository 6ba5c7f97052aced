//! Reads one run: its requests, the scores of their samples, and its aggregates.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use super::run_folders::{FileKind, STATES, Specification};
use super::sample::Sample;
use super::stats::{Scores, figures, scores};
use crate::document::{self, Part};
use crate::field_presence::FieldPresence;
use crate::open::open;
use crate::source::first_bytes;
use crate::{Sink, Unit};
use record::Problem;

/// Reads a unit into `sink`; returns `Break` if the sink asked to stop.
pub fn read(unit: &Unit, sink: &mut dyn Sink) -> ControlFlow<()> {
    let paths = std::iter::once(&unit.path).chain(&unit.companions);
    let kinds = paths.filter_map(|path| {
        let head = first_bytes(open(path).ok()?).ok()?;
        Some((
            FileKind::of(crate::json::without_mark(&head))?,
            path.as_path(),
        ))
    });
    let files: BTreeMap<FileKind, &Path> = kinds.collect();
    let described = files.get(&FileKind::Specification).copied();
    let (specification, problem) = Specification::read(described, &unit.path);
    if let Some(what) = problem {
        sink.problem(Problem::file(described.unwrap_or(&unit.path), what));
    }
    sink.settings(specification.settings());
    let scores = run_scores(unit, &files, &specification, sink);
    let firsts = scores.values().filter_map(|sample| sample.metrics.first());
    let run = Run {
        unit,
        specification,
        usual: firsts.map(|(metric, _)| metric.clone()).min(),
        scores,
    };
    if let Some(path) = files.get(&FileKind::Aggregates) {
        let model = unit.model.as_deref().unwrap_or_default();
        match figures(path, &run.specification, model) {
            Ok(found) => found
                .into_iter()
                .for_each(|figure| sink.published(figure, 1)),
            Err(what) => sink.problem(Problem::file(*path, what)),
        }
    }
    if let Some(path) = files.get(&FileKind::States) {
        return run.samples(path, sink);
    }
    let what = "the run has no scenario_state.json: its samples are not shown";
    sink.problem(Problem::file(&unit.path, what));
    sink.progress(unit.length)
}

/// Reads the scores of a run's samples; reports a problem if there are none.
fn run_scores(
    unit: &Unit,
    files: &BTreeMap<FileKind, &Path>,
    specification: &Specification,
    sink: &mut dyn Sink,
) -> Scores {
    let Some(path) = files.get(&FileKind::Scores) else {
        let what = "no per_instance_stats.json next to it: its answers have no scores";
        sink.problem(Problem::file(&unit.path, what));
        return Scores::new();
    };
    let mut bad = |line, what| sink.problem(Problem::line(*path, line, what));
    scores(path, specification, &mut bad).unwrap_or_else(|what| {
        sink.problem(Problem::file(*path, what));
        Scores::new()
    })
}

/// State of reading a run.
struct Run<'a> {
    unit: &'a Unit,
    specification: Specification,
    scores: Scores,
    /// Metric of samples without scores.
    usual: Option<String>,
}

impl Run<'_> {
    fn samples(&self, path: &Path, sink: &mut dyn Sink) -> ControlFlow<()> {
        let mut lacking = FieldPresence::default();
        let mut last: Option<Sample> = None;
        let read = document::read(path, STATES, &[STATES], &mut |part| {
            match part {
                Part::Sample(line, text) => match Sample::new(text, line) {
                    Ok(sample) => match &mut last {
                        Some(last) if last.is_same(&sample) => {
                            last.failure = last.failure.take().or(sample.failure);
                        }
                        _ => {
                            let before = last.replace(sample);
                            self.pass(before, &mut lacking, sink);
                        }
                    },
                    Err(what) => sink.left_out(path, line, what),
                },
                Part::Problem(line, what) => sink.left_out(path, line, what),
                Part::Bytes(bytes) => return sink.progress(bytes),
                Part::Member(..) => {}
            }
            ControlFlow::Continue(())
        });
        match read {
            Ok(flow) => flow?,
            Err(error) => {
                sink.problem(Problem::unreadable(path, error));
            }
        }
        self.pass(last, &mut lacking, sink);
        lacking.report(path, sink);
        ControlFlow::Continue(())
    }

    fn pass(&self, sample: Option<Sample>, lacking: &mut FieldPresence, sink: &mut dyn Sink) {
        let Some(sample) = sample else { return };
        let scores = self.scores.get(&sample.key);
        let record = sample.record(&self.specification, scores, self.usual.as_deref());
        if let Some(what) = &sample.failure {
            sink.problem(Problem::line(&self.unit.path, sample.line, what.clone()));
        } else {
            lacking.row(&record, record.stored, sample.line);
        }
        sink.record(record, sample.line);
    }
}
