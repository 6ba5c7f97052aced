//! Reads one unit: the answers to a subset, or a report.

use std::cell::OnceCell;
use std::ops::ControlFlow;

use super::config::TaskConfig;
use super::line::{Log, first_metric};
use super::plan::{predictions_of, report_of};
use super::report::{Abilities, FigureLabels, Report};
use crate::lines::{self, START};
use crate::{Context, Position, Sink, Unit};
use record::{Direction, Problem};

/// Reads a unit from its start, or from the position `from` at which an earlier read stopped.
pub fn read(unit: &Unit, context: &Context, from: Option<Position>, sink: &mut dyn Sink) {
    let Some(dataset) = unit.dataset.as_deref() else {
        return figures(unit, context, sink);
    };
    let config = TaskConfig::read(&unit.companions);
    // The unit of a damaged report reports the damage.
    let report = report_of(&unit.companions).and_then(|path| Report::read(path).ok());
    let direction = |metric: &str| -> Option<Direction> { report.as_ref()?.direction(metric) };
    let first = OnceCell::new();
    let usual_metric = || first.get_or_init(|| first_metric(&unit.path)).clone();
    let (benchmark, subset) = dataset.split_once('/').unwrap_or((dataset, dataset));
    let log = Log {
        benchmark,
        subset,
        usual_metric: &usual_metric,
        model: unit.model.as_deref().unwrap_or_default(),
        repeats: config.repeats.unwrap_or(1.0),
        direction: &direction,
        context,
    };
    if from.is_none() {
        sink.settings(config.settings_of(benchmark));
    }
    let Some(read) = answers(unit, &log, from, sink) else {
        return;
    };
    if let Some(problem) = read.unreviewed(unit).filter(|_| from.is_none()) {
        sink.problem(problem);
    }
    let scored = report.as_ref().and_then(|report| report.scored(subset));
    let is_cut = |scored: &u64| from.is_none() && read.rows < *scored;
    if let Some(scored) = scored.filter(is_cut) {
        let samples = base::format::counted(scored, "sample");
        let what = format!("{} of the report's {samples} are in the log", read.rows);
        sink.problem(Problem::file(&unit.path, what));
    }
    // Only newer versions count failed requests in the report.
    let is_uncounted = report.is_some_and(|report| !report.counts_failures());
    if let Some(what) = read.missing().filter(|_| is_uncounted && from.is_none()) {
        sink.problem(Problem::file(&unit.path, what));
    }
}

/// Number of rows read, and highest sample index.
#[derive(Default)]
struct Tally {
    rows: u64,
    /// Highest sample index plus one; the run had at least this number of samples.
    asked: u64,
}

impl Tally {
    /// Returns the problem of predictions without a review.
    fn unreviewed(&self, unit: &Unit) -> Option<Problem> {
        let predictions = predictions_of(&unit.companions)?;
        let mut all = 0;
        // An unreadable file only lacks this check.
        let _ = lines::each(predictions, START, &mut |line| {
            all += u64::from(!line.text.is_ok_and(<[u8]>::is_empty));
            ControlFlow::Continue(())
        });
        let left = all.checked_sub(self.rows).filter(|left| *left > 0)?;
        let all = base::format::counted(all, "prediction");
        let what = format!("{left} of {all} have no review and no score");
        Some(Problem::file(&unit.path, what).leaving_out(left))
    }

    /// Returns the problem of missing samples; EvalScope numbers samples without gaps.
    fn missing(&self) -> Option<String> {
        let missing = self
            .asked
            .checked_sub(self.rows)
            .filter(|missing| *missing > 0)?;
        let asked = base::format::counted(self.asked, "sample");
        Some(format!(
            "at least {missing} of {asked} not in the log: requests or reviews failed"
        ))
    }
}

/// Reads the answers; `None` if reading was cancelled or failed.
fn answers(
    unit: &Unit,
    log: &Log<'_>,
    from: Option<Position>,
    sink: &mut dyn Sink,
) -> Option<Tally> {
    let mut tally = Tally::default();
    let read = lines::each(&unit.path, from.unwrap_or(START), &mut |line| {
        let number = line.number;
        match line.text {
            Ok([]) => {}
            text => {
                tally.rows += 1;
                match text.and_then(|text| log.row(text, number)) {
                    Ok(row) => {
                        tally.asked = tally
                            .asked
                            .max(row.index.map_or(0, |index| index.saturating_add(1)));
                        if let Some(what) = row.problem {
                            sink.problem(Problem::line(&unit.path, number, what));
                        }
                        sink.record(row.record, number);
                    }
                    Err(what) => sink.left_out(&unit.path, number, what),
                }
            }
        }
        if line.unfinished {
            sink.unfinished(&unit.path, number);
        }
        sink.progress(line.length)
    });
    match read {
        Ok(ControlFlow::Continue(end)) => sink.stopped(end),
        Ok(ControlFlow::Break(())) => return None,
        Err(error) => {
            sink.problem(Problem::unreadable(&unit.path, error));
            return None;
        }
    }
    Some(tally)
}

fn figures(unit: &Unit, context: &Context, sink: &mut dyn Sink) {
    let report = match Report::read(&unit.path) {
        Ok(report) => report,
        Err(what) => return sink.problem(Problem::file(&unit.path, what)),
    };
    let labels = FigureLabels {
        log: &unit.path,
        model: unit.model.as_deref().unwrap_or_default(),
        benchmark: unit.aggregates.first().map_or("", String::as_str),
        abilities: if context.picks_tag() {
            Abilities::Tag
        } else {
            Abilities::Subsets
        },
    };
    for figure in report.figures(&labels) {
        sink.published(figure, 1);
    }
    for what in report.failures() {
        sink.problem(Problem::file(&unit.path, what));
    }
    // `Break` means that the sink asked to stop. Reading has ended, so there is nothing to do.
    let _ = sink.progress(unit.length);
}
