//! Which predictions count as right.

use benchmark::{Right, direction_of};
use record::{Row, Scoring, Table};

/// Which predictions count as right: the columns that tell it, looked up once.
#[derive(Clone, Debug)]
pub struct Correctness<'a> {
    scores: &'a [f64],
    /// Empty when no prediction has a second score.
    seconds: &'a [f64],
    metrics: &'a [u16],
    /// By metric code.
    right: Vec<Right>,
}

impl<'a> Correctness<'a> {
    /// By the usual thresholds.
    #[must_use]
    pub fn new(table: &'a Table, scoring: Scoring) -> Self {
        Self::with(table, scoring, Right::of)
    }

    /// From one score on, whatever the metric.
    #[must_use]
    pub fn from_score(table: &'a Table, scoring: Scoring, score: f64) -> Self {
        Self::with(table, scoring, |metric| {
            Right::from_score(direction_of(metric), score)
        })
    }

    fn with(table: &'a Table, scoring: Scoring, right: impl Fn(&str) -> Right) -> Self {
        let metrics = table.names().metrics.values().iter();
        Self {
            scores: table.scores(scoring),
            seconds: table.seconds(scoring),
            metrics: table.metric_of(scoring),
            right: metrics.map(|metric| right(metric)).collect(),
        }
    }

    /// Returns true if a prediction counts as right; `None` when it has no score.
    #[must_use]
    pub fn of(&self, Row(row): Row) -> Option<bool> {
        let row = row as usize;
        let second = self.seconds.get(row).copied().unwrap_or(f64::NAN);
        self.right[usize::from(self.metrics[row])].judge(self.scores[row], second)
    }
}
