//! Samples against models: which prediction is whose answer to what, the samples first on which models differ most.

use std::collections::HashMap;

use super::direction_in;
use super::{Correctness, Selection};
use benchmark::Direction;
use record::{ItemId, Row};

/// A cell without an answer.
const NONE: u32 = u32::MAX;

/// Samples against models, or against the conditions under which one model was asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerMatrix {
    /// The names of the columns: models, or conditions as `rotation=90`.
    pub columns: Vec<String>,
    /// The samples, those first on which the columns differ most, then as the logs have them.
    pub rows: Vec<AnsweredSample>,
}

/// A sample and its answers.
#[derive(Clone, Debug, PartialEq)]
pub struct AnsweredSample {
    /// One of its items.
    pub item: ItemId,
    /// The share of the answers that are right; `NaN` where none is right or wrong.
    pub right: f64,
    /// Mean squared deviation of the scores from their mean, in the metric's unit squared; 0 for fewer than two.
    pub variance: f64,
    /// Mean score, turned so that more is better; `NaN` without one.
    pub merit: f64,
    cells: Vec<u32>,
}

impl AnsweredSample {
    /// The prediction in a column, if there is one.
    #[must_use]
    pub fn cell(&self, column: usize) -> Option<Row> {
        let row = *self.cells.get(column)?;
        (row != NONE).then_some(Row(row))
    }

    /// The predictions of all columns that have one.
    pub fn answers(&self) -> impl Iterator<Item = Row> {
        let rows = self.cells.iter().filter(|row| **row != NONE);
        rows.map(|row| Row(*row))
    }

    /// How much the columns differ in being right: 0 where all are or none is, 1 where half of them are.
    #[must_use]
    pub fn disagreement(&self) -> f64 {
        if self.right.is_nan() {
            return 0.0;
        }
        4.0 * self.right * (1.0 - self.right)
    }
}

impl AnswerMatrix {
    /// The samples that are answered worst first: those that the fewest have right, of equals those of the lowest
    /// scores, then as the logs have them. Samples without a score come last.
    #[must_use]
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

/// What stands in a column of a matrix.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Beside {
    /// These models, in this order; samples under different conditions are different rows.
    Models(Vec<String>),
    /// The conditions under which this model was asked.
    Conditions(String),
}

/// The answers to the samples of a selection, side by side.
#[must_use]
pub fn answer_matrix(selection: Selection<'_>, beside: &Beside) -> AnswerMatrix {
    let table = selection.table;
    let models = table.names().models.values();
    let conditions = &table.names().conditions;
    let mut columns: Vec<String> = match beside {
        Beside::Models(models) => models.clone(),
        Beside::Conditions(_) => Vec::new(),
    };
    let of_model: Vec<Option<usize>> = models
        .iter()
        .map(|model| match beside {
            Beside::Models(shown) => shown.iter().position(|name| name == model),
            Beside::Conditions(name) => (name == model).then_some(0),
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
            Beside::Models(_) => (column, u64::from(item.0)),
            Beside::Conditions(_) => {
                let condition = table.condition_of()[at];
                let next = of_condition.len();
                let column = *of_condition.entry(condition).or_insert(next);
                if column == next {
                    let labels = conditions.get(usize::from(condition)).into_iter().flatten();
                    let words = labels.map(|(name, value)| format!("{name}={value}"));
                    columns.push(words.collect::<Vec<_>>().join(" "));
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
        // Of repeats the first stands for all.
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
            .filter_map(|row| correctness.of(row))
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
