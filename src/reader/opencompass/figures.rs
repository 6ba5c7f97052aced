//! Publishes the aggregates in results documents and summaries.

use std::ops::ControlFlow;

use csv::StringRecord;

use super::details::{Results, scaled};
use super::plan::RESULTS;
use crate::csv_file::CsvFile;
use crate::run_folder::{RunFile, harness_figure};
use crate::{Sink, Unit};
use record::benchmark::{Direction, known_direction};
use record::{Problem, PublishedScore};

/// Number of columns in a summary before the columns of models.
const COLUMNS: usize = 4;

/// Sets data set, metric and score of an aggregate.
fn labelled(figure: PublishedScore, dataset: &str, metric: &str, score: f64) -> PublishedScore {
    PublishedScore {
        benchmark: dataset.to_owned(),
        ability: dataset.to_owned(),
        metric: metric.to_owned(),
        higher_is_better: known_direction(metric).map(|direction| direction == Direction::Higher),
        score,
        ..figure
    }
}

/// Passes the aggregates in a results document to the sink.
pub fn of_results(results: &Results, unit: &Unit, sink: &mut dyn Sink) {
    let model = unit.model.as_deref().unwrap_or_default();
    let dataset = unit.dataset.as_deref().unwrap_or_default();
    let log = unit.companions.last().unwrap_or(&unit.path);
    for (metric, value) in &results.figures {
        let figure = PublishedScore {
            n: results.details.len() as u64,
            ..harness_figure(log, model)
        };
        let value = results.scaled(metric, *value);
        sink.published(labelled(figure, dataset, metric, value), 1);
    }
}

/// Passes the aggregates in a summary to the sink. Aggregates that are also in a results document
/// are skipped, because the summary rounds to two decimals.
pub fn of_summary(unit: &Unit, sink: &mut dyn Sink) -> ControlFlow<()> {
    let path = &unit.path;
    let file = match CsvFile::open(path, b',') {
        Ok(file) => file,
        Err(what) => {
            sink.problem(Problem::line(path, 1, what));
            return sink.progress(unit.length);
        }
    };
    let known = unit.companions.iter();
    let summary = Summary {
        unit,
        header: file.header().clone(),
        known: known.map(|path| RunFile::new(path, RESULTS)).collect(),
    };
    file.each(path, sink, |row, line, sink| summary.row(row, line, sink));
    sink.progress(unit.length)
}

/// A summary: one row per data set and metric, one column per model.
struct Summary<'a> {
    unit: &'a Unit,
    header: StringRecord,
    /// Results documents of the run.
    known: Vec<RunFile>,
}

impl Summary<'_> {
    /// Passes the aggregates in a row to the sink.
    fn row(&self, row: &StringRecord, line: u64, sink: &mut dyn Sink) {
        let path = &self.unit.path;
        let cell = |at: usize| row.get(at).unwrap_or_default().trim();
        let (dataset, metric) = (cell(0), cell(2));
        for column in COLUMNS..row.len() {
            let (model, printed) = (self.header.get(column).unwrap_or_default(), cell(column));
            let is_known =
                |file: &RunFile| file.model.as_deref() == Some(model) && file.name == dataset;
            if matches!(printed, "" | "-") || model.is_empty() || self.known.iter().any(is_known) {
                continue;
            }
            let value = printed
                .parse::<f64>()
                .ok()
                .filter(|value| value.is_finite());
            let Some(value) = value else {
                let what = format!("the score of {model} is not a number");
                sink.problem(Problem::line(path, line, what));
                continue;
            };
            let (figure, value) = (harness_figure(path, model), scaled(metric, value));
            sink.published(labelled(figure, dataset, metric, value), line);
        }
    }
}
