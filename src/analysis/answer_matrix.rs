//! Arranges predictions as a matrix of samples against models, samples with the most disagreement
//! first.

use std::collections::HashMap;

use super::direction_in;
use super::{Correctness, Selection};
use record::benchmark::Direction;
use record::{ItemId, Row, label_words};

/// Marks a cell without an answer.
const NONE: u32 = u32::MAX;

/// Matrix of samples against models, or against the conditions of one model's answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerMatrix {
    /// Names of the columns: models, or conditions in the form `rotation=90`.
    pub columns: Vec<String>,
    /// Samples by falling disagreement, then by falling variance, then in log order.
    pub rows: Vec<AnsweredSample>,
}

/// One row of the matrix: a sample and its answers.
#[derive(Clone, Debug, PartialEq)]
pub struct AnsweredSample {
    /// One item of the sample; a sample asked under several conditions has several items.
    pub item: ItemId,
    /// Share of right answers; `NaN` if no answer counts as right or wrong.
    pub right: f64,
    /// Mean squared deviation of the scores from their mean, in squared units of the metric; 0
    /// for fewer than two scores.
    pub variance: f64,
    /// Mean score, negated where lower is better; `NaN` without a score.
    pub merit: f64,
    cells: Vec<u32>,
}

impl AnsweredSample {
    /// Returns the prediction in a column; `None` for an empty cell.
    pub fn cell(&self, column: usize) -> Option<Row> {
        let row = *self.cells.get(column)?;
        (row != NONE).then_some(Row(row))
    }

    /// Iterates over the predictions in the cells that are not empty.
    pub fn answers(&self) -> impl Iterator<Item = Row> {
        let rows = self.cells.iter().filter(|row| **row != NONE);
        rows.map(|row| Row(*row))
    }

    /// Measures disagreement about right and wrong: 0 if all answers are right or all wrong, 1 if
    /// half are right.
    pub fn disagreement(&self) -> f64 {
        if self.right.is_nan() {
            return 0.0;
        }
        4.0 * self.right * (1.0 - self.right)
    }
}

impl AnswerMatrix {
    /// Returns the samples, worst answered first: by share of right answers, then by mean score,
    /// then in log order. Samples without a score come last.
    pub fn worst_first(&self) -> Vec<&AnsweredSample> {
        let mut rows: Vec<&AnsweredSample> = self.rows.iter().collect();
        let first = |value: f64| if value.is_nan() { f64::INFINITY } else { value };
        rows.sort_by(|a, b| {
            let by_right = first(a.right).total_cmp(&first(b.right));
            let by_merit = || first(a.merit).total_cmp(&first(b.merit));
            by_right
                .then_with(by_merit)
                .then_with(|| a.item.0.cmp(&b.item.0))
        });
        rows
    }
}

/// Choice of the columns of a matrix.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnswerColumns {
    /// These models, in this order; each condition of a sample is a separate row.
    Models(Vec<String>),
    /// The conditions under which this model answered.
    Conditions(String),
}

/// Builds the matrix of the answers to a selection's samples.
pub fn answer_matrix(selection: Selection<'_>, beside: &AnswerColumns) -> AnswerMatrix {
    let table = selection.table;
    let models = table.names().models.values();
    let conditions = &table.names().conditions;
    let mut columns: Vec<String> = match beside {
        AnswerColumns::Models(models) => models.clone(),
        AnswerColumns::Conditions(_) => Vec::new(),
    };
    let of_model: Vec<Option<usize>> = models
        .iter()
        .map(|model| match beside {
            AnswerColumns::Models(shown) => shown.iter().position(|name| name == model),
            AnswerColumns::Conditions(name) => (name == model).then_some(0),
        })
        .collect();
    let mut of_condition: HashMap<u16, usize> = HashMap::new();
    let mut places: HashMap<u64, usize> = HashMap::new();
    let mut rows: Vec<AnsweredSample> = Vec::new();
    for row in selection.rows() {
        let code = usize::from(table.model(Row(row)).0);
        let Some(column) = of_model.get(code).copied().flatten() else {
            continue;
        };
        let item = table.item(Row(row));
        let at = item.0 as usize;
        let (column, sample) = match beside {
            AnswerColumns::Models(_) => (column, u64::from(item.0)),
            AnswerColumns::Conditions(_) => {
                let condition = table.condition_of()[at];
                let next = of_condition.len();
                let column = *of_condition.entry(condition).or_insert(next);
                if column == next {
                    let labels = conditions.get(usize::from(condition)).into_iter().flatten();
                    columns.push(label_words(labels));
                }
                let sample = u64::from(table.sample_of()[at]);
                (column, sample << 16 | u64::from(table.ability_of()[at]))
            }
        };
        let place = *places.entry(sample).or_insert(rows.len());
        if place == rows.len() {
            rows.push(AnsweredSample {
                item,
                right: f64::NAN,
                variance: 0.0,
                merit: f64::NAN,
                cells: Vec::new(),
            });
        }
        let cells = &mut rows[place].cells;
        if cells.len() <= column {
            cells.resize(column + 1, NONE);
        }
        // Shows the first of several answers to a sample.
        if cells[column] == NONE {
            cells[column] = row;
        }
    }
    summarize(selection, &mut rows);
    rows.sort_by(|a, b| {
        let by_score = || b.variance.total_cmp(&a.variance);
        let by_right = b.disagreement().total_cmp(&a.disagreement());
        by_right.then_with(by_score)
    });
    AnswerMatrix { columns, rows }
}

#[expect(clippy::cast_precision_loss, reason = "counts of models are small")]
fn summarize(selection: Selection<'_>, rows: &mut [AnsweredSample]) {
    let correctness = Correctness::new(selection.table, selection.scoring);
    let scores = selection.table.scores(selection.scoring);
    let metric_of = selection.table.metric_of(selection.scoring);
    let metrics = selection.table.names().metrics.values().iter();
    let lower: Vec<bool> = metrics
        .map(|metric| direction_in(selection.table, metric).0 == Direction::Lower)
        .collect();
    for sample in rows {
        let judged: Vec<bool> = sample
            .answers()
            .filter_map(|row| correctness.is_right(row))
            .collect();
        let right = judged.iter().filter(|right| **right).count();
        sample.right = right as f64 / judged.len() as f64;
        let known = sample.answers().map(|row| scores[row.0 as usize]);
        let known: Vec<f64> = known.filter(|score| !score.is_nan()).collect();
        let count = known.len().max(1) as f64;
        let mean = known.iter().sum::<f64>() / count;
        let deviations = known.iter().map(|score| (score - mean) * (score - mean));
        sample.variance = deviations.sum::<f64>() / count;
        let is_lower = sample.answers().next().is_some_and(|row| {
            let code = usize::from(metric_of[row.0 as usize]);
            lower.get(code).copied().unwrap_or_default()
        });
        if !known.is_empty() {
            sample.merit = if is_lower { -mean } else { mean };
        }
    }
}
