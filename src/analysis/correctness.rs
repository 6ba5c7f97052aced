//! Which predictions count as right.

use benchmark::{Direction, Metric, direction_of};
use record::{Row, Scoring, Table};

/// Which predictions count as right: the columns that tell it, looked up once.
#[derive(Clone, Debug)]
pub struct Correctness<'a> {
    scores: &'a [f64],
    seconds: &'a [f64],
    metrics: &'a [u16],
    rules: Vec<Right>,
}

/// When an answer counts as right.
#[derive(Clone, Copy, Debug)]
enum Right {
    /// Right or wrong is stored beside the error; else the error is 0.
    NoError,
    /// The score is at least this.
    AtLeast(f64),
    /// The score is at most this.
    AtMost(f64),
}

impl Right {
    /// A score of 1 for shares, at least 0.5 for ANLS, IoU and GIoU, no error, a colour difference that the
    /// eye cannot see (at most 1).
    fn of(metric: &str) -> Self {
        match Metric::from_name(metric) {
            Some(Metric::MaeOverGt) => Self::NoError,
            Some(Metric::Anls | Metric::Iou | Metric::Giou) => Self::AtLeast(0.5),
            Some(Metric::Ciede2000) => Self::AtMost(1.0),
            None if direction_of(metric) == Direction::Lower => Self::AtMost(0.0),
            _ => Self::AtLeast(1.0),
        }
    }
}

impl<'a> Correctness<'a> {
    /// By the rules of a scoring.
    #[must_use]
    pub fn new(table: &'a Table, scoring: Scoring) -> Self {
        let metrics = table.names().metrics.values().iter();
        Self {
            scores: table.scores(scoring),
            seconds: table.seconds(scoring),
            metrics: table.metric_of(scoring),
            rules: metrics.map(|metric| Right::of(metric)).collect(),
        }
    }

    /// From one score on, whatever the metric.
    #[must_use]
    pub fn from_score(table: &'a Table, scoring: Scoring, score: f64) -> Self {
        let names = table.names().metrics.values().iter();
        let rule = |name: &String| match direction_of(name) {
            Direction::Higher => Right::AtLeast(score),
            Direction::Lower => Right::AtMost(score),
        };
        Self {
            rules: names.map(rule).collect(),
            ..Self::new(table, scoring)
        }
    }

    /// Whether a prediction counts as right; `None` when it has no score.
    #[must_use]
    pub fn of(&self, Row(row): Row) -> Option<bool> {
        let row = row as usize;
        let known = |scores: &[f64]| scores.get(row).copied().filter(|score| !score.is_nan());
        let rule = self.rules.get(usize::from(*self.metrics.get(row)?))?;
        match *rule {
            Right::NoError => {
                let told = known(self.seconds).map(|right| right >= 1.0);
                told.or_else(|| known(self.scores).map(|error| error <= 0.0))
            }
            Right::AtLeast(least) => known(self.scores).map(|score| score >= least),
            Right::AtMost(most) => known(self.scores).map(|score| score <= most),
        }
    }
}
