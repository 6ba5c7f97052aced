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
    /// Second score; empty if no prediction has one.
    pub second: Column<f64>,
    /// Strict second score; empty if no prediction has one.
    pub strict_second: Column<f64>,
    pub flags: Column<u16>,
    /// Scoring rule; empty if no log names a rule.
    pub rule: Column<Rule>,
    pub unit: Column<u32>,
    pub offset: Column<u64>,
    pub length: Column<u32>,
    pub line: Column<u32>,
    /// Hash of the answer; empty if no answer is repeated.
    pub answer: Column<u32>,
    /// Additional scores as pairs of metric name and column.
    pub beside: Arc<Vec<(String, Vec<f64>)>>,
}

impl Predictions {
    /// Builds the columns. A strict column that equals its harness column shares the memory.
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

/// Shrinks the spare capacity to the size that [`room`] allows.
fn fitted<T>(mut values: Vec<T>) -> Vec<T> {
    values.shrink_to(room(values.len()));
    values
}

/// Copies a column, with spare capacity for some more rows.
pub(super) fn copied<T: Clone>(column: &[T]) -> Vec<T> {
    let mut values = Vec::with_capacity(room(column.len()));
    values.extend_from_slice(column);
    values
}

/// Returns the capacity of a column for `rows` values. Capacities grow in steps and exceed `rows`
/// by at most an eighth. While a log is followed, a new table is built every few seconds, and
/// columns of equal capacity reuse the memory of earlier tables.
const fn room(rows: usize) -> usize {
    let step = 1_usize << (rows / 8 + 1).ilog2();
    (rows / step + 1) * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_that_grows_keeps_its_capacity_for_a_while() {
        for (rows, capacity) in [(0, 1), (1, 2), (100, 104), (263_144, 294_912)] {
            assert_eq!(room(rows), capacity);
        }
        for rows in 1..10_000 {
            assert!(
                rows < room(rows) && room(rows) <= rows + rows / 8 + 1,
                "{rows}"
            );
        }
        let mut column = copied(&[0_u8; 1000]);
        let place = column.as_ptr();
        column.push(0);
        let column = fitted(column);
        assert_eq!(column.as_ptr(), place);
    }
}
