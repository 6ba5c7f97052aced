//! Reads one unit: the details of a task and its aggregates, or aggregates alone.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::tabular::{Batch, Damage};

use super::pair_files::task;
use super::results::{Results, Task};
use super::row::{Layout, Row, scores};
use crate::decompression_budget::DecompressionBudget;
use crate::field_presence::FieldPresence;
use crate::lm_eval::Tally;
use crate::results_document::{self, Results as _};
use crate::tables::{open, report};
use crate::{Sink, Unit};
use record::Problem;

/// Reads a unit into `sink`; returns `Break` if the sink asked to stop.
pub fn read(unit: &Unit, sink: &mut dyn Sink) -> ControlFlow<()> {
    let Some(plain) = &unit.dataset else {
        return figures_alone(unit, sink);
    };
    let companion = unit.companions.first();
    let results: Option<Results> = companion.map(|path| results_document::read(path, sink));
    let results = results.unwrap_or_default();
    let mut name = task(&unit.path, unit.length);
    name = results.task(&name).map_or(name, |task| task.name.clone());
    name.plain.clone_from(plain);
    sink.settings(results.settings(&name));
    if companion.is_none() {
        let what = "no results_*.json of its run: the model is taken from folder names";
        sink.problem(Problem::file(&unit.path, what));
    }
    let known = results.task(&name).cloned();
    let task = known.unwrap_or_else(|| Task::without_results(name));
    let mut details = Details {
        unit,
        task,
        metrics: Vec::new(),
    };
    let found = match details.survey() {
        Ok(found) => found,
        Err(what) => {
            sink.problem(Problem::file(&unit.path, what));
            return sink.progress(unit.length);
        }
    };
    if details.metrics.is_empty() && !found.is_empty() {
        let what = "no metric in the results is the mean of its values in the rows: the samples have no scores";
        sink.problem(Problem::file(&unit.path, what));
    }
    details.records(sink)?;
    for figure in details
        .task
        .figures
        .iter()
        .filter(|(metric, _)| found.contains(metric) || is_shown(&details.task, metric))
    {
        let log = companion.unwrap_or(&unit.path);
        sink.published(details.task.published(figure, log, details.model()), 1);
    }
    ControlFlow::Continue(())
}

/// Reads the aggregates of tasks that have no details.
fn figures_alone(unit: &Unit, sink: &mut dyn Sink) -> ControlFlow<()> {
    let results: Results = results_document::read(&unit.path, sink);
    let model = unit.model.as_deref().unwrap_or_default();
    let is_ours = |task: &&Task| unit.aggregates.contains(&task.name.plain);
    for task in results.described().iter().filter(is_ours) {
        for figure in task
            .figures
            .iter()
            .filter(|(metric, _)| is_shown(task, metric))
        {
            sink.published(task.published(figure, &unit.path, model), 1);
        }
    }
    sink.progress(unit.length)
}

fn is_shown(task: &Task, metric: &str) -> bool {
    task.has(metric.strip_suffix("_stderr").unwrap_or(metric)) && !metric.ends_with("_stderr")
}

/// The details of a task, and the data needed to read them.
pub struct Details<'a> {
    pub unit: &'a Unit,
    pub task: Task,
    /// Metrics whose mean over the rows equals the harness's aggregate; the headline metric comes
    /// first.
    pub metrics: Vec<String>,
}

impl Details<'_> {
    /// Returns the model's name.
    pub fn model(&self) -> &str {
        self.unit.model.as_deref().unwrap_or_default()
    }

    /// Calls `take` with each part of the file, reduced to the wanted columns. The number is the
    /// part's share of the file's bytes.
    fn each(
        &self,
        wanted: &dyn Fn(&str) -> bool,
        take: &mut dyn FnMut(Result<Batch, Damage>, u64) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, String> {
        let table = open(&self.unit.path, self.unit.length);
        let table = table.map_err(|error| format!("not a readable Parquet file: {error}"))?;
        let share = self.unit.length / (table.parts() as u64).max(1);
        let mut batches = table.batches(wanted);
        Ok(batches.try_for_each(|batch| take(batch, share)))
    }

    /// Selects the metrics that are means over the rows. Returns the names of all metrics in the
    /// rows.
    fn survey(&mut self) -> Result<Vec<String>, String> {
        let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
        let mut names: Vec<String> = Vec::new();
        let (mut rows, mut lost) = (0, 0);
        let is_metric = |name: &str| Layout::METRICS.contains(&name);
        // The closure never breaks.
        let _ = self.each(&is_metric, &mut |batch, _| {
            match batch {
                Err(damage) => lost += damage.rows.unwrap_or_default(),
                Ok(batch) => {
                    for row in 0..batch.rows() {
                        rows += 1;
                        let row = Row { batch: &batch, row };
                        for (name, value) in row.metrics().iter().flat_map(scores) {
                            if !tallies.contains_key(&name) {
                                names.push(name.clone());
                            }
                            tallies.entry(name).or_default().add(value);
                        }
                    }
                }
            }
            ControlFlow::Continue(())
        })?;
        let is_mean = |name: &&String| {
            let tally = tallies.get(*name);
            let missing = rows - tally.map_or(0, Tally::count);
            self.task.figure(name).is_none_or(|figure| {
                tally.is_some_and(|tally| tally.has_mean(figure, missing, lost))
            })
        };
        self.metrics = names.iter().filter(is_mean).cloned().collect();
        self.metrics.sort_by_key(|name| self.task.place(name));
        Ok(names)
    }

    /// Passes the records of all rows to the sink.
    fn records(&self, sink: &mut dyn Sink) -> ControlFlow<()> {
        let mut budget = DecompressionBudget::for_length(self.unit.length);
        let mut lacking = FieldPresence::default();
        let read = self.each(&Layout::is_read, &mut |batch, share| {
            let batch = match batch {
                Ok(batch) => batch,
                Err(damage) => {
                    report(&damage, self.unit, sink);
                    return sink.progress(share);
                }
            };
            for row in 0..batch.rows() {
                let line = batch.number(row);
                let records = Row { batch: &batch, row }.records(self, &mut budget, line);
                match records {
                    Ok(records) => {
                        for (at, record) in records.into_iter().enumerate() {
                            if at == 0 {
                                lacking.row(&record, record.stored, line);
                            }
                            sink.record(record, line);
                        }
                    }
                    Err(what) => sink.left_out(&self.unit.path, line, what),
                }
            }
            sink.progress(share)
        });
        match read {
            Ok(flow) => flow?,
            Err(what) => sink.problem(Problem::file(&self.unit.path, what)),
        }
        lacking.report(&self.unit.path, sink);
        ControlFlow::Continue(())
    }
}
