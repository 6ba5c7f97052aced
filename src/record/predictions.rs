//! Prediction columns of a finished table.

use std::sync::Arc;

use super::Rule;
use super::growing::PredictionColumns;
use super::names::Names;

/// A shared column with one value per row.
pub(super) type Column<T> = Arc<Vec<T>>;

/// Columns of the predictions, one value per row unless noted.
#[derive(Clone, Debug, Default)]
pub(super) struct Predictions {
    pub item: Column<u32>,
    pub model: Column<u16>,
    pub metric: Column<u16>,
    pub strict_metric: Column<u16>,
    pub score: Column<f64>,
    pub strict: Column<f64>,
    /// Empty if no prediction has a second score.
    pub second: Column<f64>,
    /// Empty if no prediction has a second score.
    pub strict_second: Column<f64>,
    pub flags: Column<u16>,
    /// Empty if no log states a rule.
    pub rule: Column<Rule>,
    pub unit: Column<u32>,
    pub offset: Column<u64>,
    pub length: Column<u32>,
    pub line: Column<u32>,
    /// Empty if there are no repeats.
    pub answer: Column<u32>,
    /// Further scores by metric name, one value per row.
    pub beside: Arc<Vec<(String, Vec<f64>)>>,
}

impl Predictions {
    /// Builds the columns. A strict column without differences shares
    /// the memory of its harness column.
    pub(super) fn new(mut filled: PredictionColumns, names: &Names) -> Self {
        let rows = filled.item.len();
        if !filled.second.is_empty() || !filled.strict_second.is_empty() {
            filled.second.resize(rows, f64::NAN);
        }
        let (metric, score) = (column(filled.metric), column(filled.score));
        let second = column(filled.second);
        let beside = filled.beside.into_iter().map(|(code, mut scores)| {
            scores.resize(rows, f64::NAN);
            let metric = names.metrics.values()[usize::from(code)].clone();
            (metric, fitted(scores))
        });
        Self {
            item: column(filled.item),
            model: column(filled.model),
            strict_metric: own_or_shared(filled.strict_metric, &metric),
            metric,
            strict: own_or_shared(filled.strict, &score),
            score,
            strict_second: own_or_shared(filled.strict_second, &second),
            second,
            flags: column(filled.flags),
            rule: column(filled.rule),
            answer: column(filled.answer),
            unit: column(filled.unit),
            offset: column(filled.offset),
            length: column(filled.length),
            line: column(filled.line),
            beside: Arc::new(beside.collect()),
        }
    }
}

/// Wraps `values` in a column, or shares `other` if `values` is empty.
fn own_or_shared<T>(values: Vec<T>, other: &Column<T>) -> Column<T> {
    if values.is_empty() {
        return Arc::clone(other);
    }
    assert_eq!(values.len(), other.len());
    column(values)
}

pub(super) fn column<T>(values: Vec<T>) -> Column<T> {
    Arc::new(fitted(values))
}

/// Returns the values without spare capacity.
fn fitted<T>(mut values: Vec<T>) -> Vec<T> {
    values.shrink_to_fit();
    values
}
