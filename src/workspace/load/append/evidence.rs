//! What the rows of a log lack as a whole: scores that are not possible under their metric.

use super::Append;
use benchmark::{KnownMetric, SCORE};
use format::counted;

/// Scores of a log that are not possible under their metric.
#[derive(Clone, Debug)]
pub(super) struct Outside {
    metric: String,
    /// The first of them, and its line.
    first: (f64, u64),
    count: u64,
}

impl Append<'_> {
    /// Counts a score that is not possible under its metric.
    pub(super) fn count_outside(&mut self, known: KnownMetric, score: f64, metric: u16, line: u64) {
        let metric = self.builder.metric_name(metric).to_owned();
        // Of a score that nobody names only its range tells whether it is a share.
        if known.name == SCORE {
            return;
        }
        match self.outside.iter_mut().find(|it| it.metric == metric) {
            Some(found) => found.count += 1,
            None => self.outside.push(Outside {
                metric,
                first: (score, line),
                count: 1,
            }),
        }
    }

    /// Reports the scores of the log that are not possible under their metrics.
    pub(super) fn report_outside(&mut self) {
        for Outside {
            metric,
            first: (score, line),
            count,
        } in std::mem::take(&mut self.outside)
        {
            let what = format!(
                "{} of {metric} lie outside its range, such as {score}: no rank; percent beside fractions?",
                counted(count, "score")
            );
            self.note(line, what);
        }
    }
}
