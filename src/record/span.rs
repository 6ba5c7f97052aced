//! Range of the scores of each metric, computed once per table.

use super::{Scoring, Table};

/// Range of the scores of one metric.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    low: f64,
    high: f64,
    /// True if any score is neither 0 nor 1.
    is_graded: bool,
}

impl Default for Span {
    fn default() -> Self {
        Self {
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            is_graded: false,
        }
    }
}

impl Table {
    /// True if any score of a metric is neither 0 nor 1. Includes predictions that are not loaded,
    /// as far as their scores are known.
    pub fn is_graded(&self, metric: &str) -> bool {
        self.span(metric).is_graded || self.names.whole.graded.contains(metric)
    }

    /// Returns the smallest and largest score of a metric over both scorings; `(inf, -inf)` without
    /// scores.
    pub fn range_of(&self, metric: &str) -> (f64, f64) {
        let Span { low, high, .. } = self.span(metric);
        (low, high)
    }

    /// Returns the range of a metric's scores over both scorings.
    #[expect(clippy::float_cmp, reason = "a right answer scores exactly 1")]
    fn span(&self, metric: &str) -> Span {
        let by_metric = self.spans.get_or_init(|| {
            let mut found = vec![Span::default(); self.names.metrics.values().len()];
            for scoring in [Scoring::Harness, Scoring::Strict] {
                let rows = self.metric_of(scoring).iter().zip(self.scores(scoring));
                for (metric, &score) in rows {
                    let span = &mut found[usize::from(*metric)];
                    (span.low, span.high) = (span.low.min(score), span.high.max(score));
                    span.is_graded |= score != 0.0 && score != 1.0 && !score.is_nan();
                }
            }
            found
        });
        let code = self.names.metrics.find(metric);
        code.map_or_else(Span::default, |code| by_metric[code as usize])
    }
}
