//! Reads one unit: samples with their aggregate document, or an aggregate document alone.

use std::ops::ControlFlow;
use std::path::Path;

use super::aggregate::{Aggregate, SampleFile};
use super::instance::Instance;
use crate::lines::{self, START};
use crate::own::Line;
use crate::{Context, Sink, Unit, has_ending};
use record::Problem;

/// Reads a unit into `sink`; returns `Break` if the sink asked to stop.
pub fn read(unit: &Unit, context: &Context, sink: &mut dyn Sink) -> ControlFlow<()> {
    if unit.companions.is_empty() && has_ending(&unit.path, &["json"]) {
        scores(&unit.path, SampleFile::Absent, sink);
        return sink.progress(unit.length);
    }
    let companion = unit.companions.first();
    let aggregate = companion.map(|path| scores(path, SampleFile::Present, sink));
    if companion.is_none() {
        let what = "no aggregate document next to it: the metrics of its scores are unknown";
        sink.problem(Problem::file(&unit.path, what));
    }
    samples(unit, &aggregate.unwrap_or_default(), context, sink)
}

/// Reads an aggregate document. Passes its scores and settings to the sink.
fn scores(path: &Path, samples: SampleFile, sink: &mut dyn Sink) -> Aggregate {
    let aggregate = Aggregate::read(path).unwrap_or_else(|what| {
        sink.problem(Problem::file(path, what));
        Aggregate::default()
    });
    let lines = aggregate.figures(path, samples).into_iter();
    for line in lines.chain(aggregate.runs()) {
        match line {
            Ok(line @ Line::Metadata(_)) => sink.line(line, 1),
            Ok(Line::Record(_) | Line::Records(_) | Line::Scores(_)) => {}
            Err(what) => sink.problem(Problem::file(path, what)),
        }
    }
    aggregate
}

/// Passes the records of all samples to the sink. A line can contain an additional score of the
/// answer in the line before.
fn samples(
    unit: &Unit,
    aggregate: &Aggregate,
    context: &Context,
    sink: &mut dyn Sink,
) -> ControlFlow<()> {
    let mut waiting: Option<(Instance, u64)> = None;
    let read = lines::each(&unit.path, START, &mut |line| {
        let number = line.number;
        match line.text {
            Ok([]) => {}
            text => match text.and_then(|text| Instance::parse(text, aggregate, context)) {
                Ok(found) => {
                    let joined = waiting
                        .as_mut()
                        .is_some_and(|(first, _)| first.join(&found));
                    if !joined {
                        pass(waiting.replace((found, number)), unit, sink);
                    }
                }
                Err(what) => sink.left_out(&unit.path, number, what),
            },
        }
        sink.progress(line.length)
    });
    pass(waiting, unit, sink);
    match read {
        Ok(ControlFlow::Break(())) => return ControlFlow::Break(()),
        Ok(ControlFlow::Continue(_)) => {}
        Err(error) => sink.problem(Problem::unreadable(&unit.path, error)),
    }
    ControlFlow::Continue(())
}

fn pass(found: Option<(Instance, u64)>, unit: &Unit, sink: &mut dyn Sink) {
    if let Some((instance, number)) = found {
        if let Some(what) = instance.problem {
            sink.problem(Problem::line(&unit.path, number, what));
        }
        sink.record(instance.record, number);
    }
}
