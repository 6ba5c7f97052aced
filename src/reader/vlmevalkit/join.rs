//! Joins predictions with stored hits by index, and decides which rows are counted.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;

use super::results::{Hit, Results};
use super::rows::Source;
use super::table::{self, Row, Step};
use crate::Sink;
use record::Problem;

/// Parts of the names of data sets with circular evaluation. It asks each question once for every
/// order of its options.
const CIRCULAR: [&str; 4] = ["mmbench", "ccbench", "circular", "mmcr"];
/// In data sets with circular evaluation, the index of a question's first order is below this
/// number.
const FIRST_ORDER: u64 = 1_000_000;

/// Joins a prediction table with its stored hits and its data set.
pub struct Join<'a> {
    /// Path of the prediction table.
    path: &'a Path,
    source: Source<'a>,
    results: Option<Results>,
    /// Model and index of the rows, if there is a column with the model.
    seen: HashSet<(Option<String>, String)>,
    abilities: BTreeMap<String, u64>,
    /// Number of rows with reordered options that are counted as separate answers.
    other_orders: u64,
    /// `Some` if the main table was written by a judge; contains the metric of the judge's scores.
    judged: Option<JudgeMetric>,
}

/// Metric of a judge's scores; `None` if it is the metric of the data set.
type JudgeMetric = Option<&'static str>;

impl<'a> Join<'a> {
    /// Creates the join of the prediction table at `path`.
    pub fn new(path: &'a Path, source: Source<'a>, results: Option<Results>) -> Self {
        Self {
            path,
            source,
            results,
            seen: HashSet::new(),
            abilities: BTreeMap::new(),
            other_orders: 0,
            judged: None,
        }
    }

    /// Marks the main table as a judge's table. `metric` is the metric of the judge's scores, if it
    /// differs from that of the data set.
    pub const fn is_judged(&mut self, metric: Option<&'static str>) {
        self.judged = Some(metric);
    }

    /// Processes a row of the prediction table.
    pub fn prediction(&mut self, row: &Row, sink: &mut dyn Sink) -> ControlFlow<()> {
        let problem = |what: &str| Problem::line(self.path, row.line, what);
        let Some(index) = row.index() else {
            sink.problem(problem("a row without an index").leaving_out(1));
            return ControlFlow::Continue(());
        };
        if !self.seen.insert((row.text("model"), index.clone())) {
            sink.problem(problem(&format!("index {index} occurs twice")));
        }
        if !self.counts(row, &index, self.path, sink) {
            return ControlFlow::Continue(());
        }
        let own = self.own(row).unwrap_or_else(|what| {
            sink.problem(problem(&what));
            None
        });
        let hit = match &mut self.results {
            None => {
                let is_other = is_other_order(self.source.dataset, &index);
                self.other_orders += u64::from(is_other);
                own
            }
            Some(results) => match results.take(&index) {
                Some(hit) if hit.is_of_other_response(row) => {
                    let what = "the harness's result scores another response than this one; evaluate again";
                    sink.left_out(self.path, row.line, what.to_owned());
                    return ControlFlow::Continue(());
                }
                Some(hit) => Some(hit),
                None if is_other_order(self.source.dataset, &index) => {
                    return ControlFlow::Continue(());
                }
                None if results.has_lost() => {
                    sink.problem(problem(&format!(
                        "index {index} is not among the harness's results; some of those cannot be read"
                    )));
                    own
                }
                None => {
                    let what =
                        format!("index {index} is not among the harness's results and is left out");
                    sink.left_out(self.path, row.line, what);
                    return ControlFlow::Continue(());
                }
            },
        };
        self.emit(row, index, hit, self.path, sink);
        ControlFlow::Continue(())
    }

    /// Returns the hit in a row of the main table; `None` if the row contains none.
    fn own(&self, row: &Row) -> Result<Option<Hit>, String> {
        let Some(metric) = self.judged else {
            return Hit::own(row);
        };
        let hit = Hit::of(row)?;
        Ok(hit.map(|hit| Hit { metric, ..hit }))
    }

    /// Returns the number of counted rows, by ability.
    pub const fn abilities(&self) -> &BTreeMap<String, u64> {
        &self.abilities
    }

    /// Reports the rows in the result table that have no prediction.
    pub fn left_over(&mut self, path: Option<&Path>, sink: &mut dyn Sink) -> ControlFlow<()> {
        let (Some(results), Some(path)) = (self.results.take(), path) else {
            return ControlFlow::Continue(());
        };
        if !results.has_left() {
            return ControlFlow::Continue(());
        }
        table::read(path, &mut |step| {
            if let Step::Row(row) = step
                && let Some(index) = row.index().filter(|index| results.is_left(index))
            {
                let what = format!(
                    "index {index} has a result but no prediction; the result's row is used"
                );
                sink.problem(Problem::line(path, row.line, what));
                if self.counts(&row, &index, path, sink) {
                    let hit = Hit::of(&row).unwrap_or_default().map(|hit| Hit {
                        metric: results.metric(),
                        ..hit
                    });
                    self.emit(&row, index, hit, path, sink);
                }
            }
            ControlFlow::Continue(())
        })
    }

    /// Warns that rows with reordered options are counted as separate answers, because the
    /// harness's result file is missing.
    pub fn tell_orders(&self, sink: &mut dyn Sink) {
        if self.other_orders == 0 {
            return;
        }
        let what = format!(
            "{} repeat a question with its options in another order: each counts separately here, \
             because the harness's result file is missing; the harness counts a question as right \
             only if it is right in every order",
            base::format::counted(self.other_orders, "row")
        );
        sink.problem(Problem::file(self.path, what));
    }

    /// True if the row is counted: the data set contains it. The harness skips other rows.
    fn counts(&self, row: &Row, index: &str, path: &Path, sink: &mut dyn Sink) -> bool {
        let counts = self
            .source
            .data
            .is_none_or(|data| data.get(index).is_some());
        if !counts {
            let what = format!("index {index} is not in the data set and is left out");
            sink.left_out(path, row.line, what);
        }
        counts
    }

    fn emit(
        &mut self,
        row: &Row,
        index: String,
        hit: Option<Hit>,
        path: &Path,
        sink: &mut dyn Sink,
    ) {
        let (record, problems) = self.source.record(row, index, hit);
        for what in problems {
            sink.problem(Problem::line(path, row.line, what));
        }
        match self.abilities.get_mut(&record.ability) {
            Some(rows) => *rows += 1,
            None => drop(self.abilities.insert(record.ability.clone(), 1)),
        }
        sink.record(record, row.line);
    }
}

/// True for a row with reordered options. The harness merges it into the hit of the question's
/// first order.
fn is_other_order(dataset: &str, index: &str) -> bool {
    let dataset = dataset.to_lowercase();
    CIRCULAR.iter().any(|part| dataset.contains(part))
        && index.parse().is_ok_and(|index: u64| index >= FIRST_ORDER)
}
