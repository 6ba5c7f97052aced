//! Reports scores that are outside the range of their metric.

use super::{Appender, Codes};
use base::format::counted;

/// Impossible scores of one metric in a log.
#[derive(Clone, Debug)]
pub(super) struct ImpossibleScores {
    metric: u16,
    /// First such score, and its line.
    first: (f64, u64),
    count: u64,
}

impl Appender<'_> {
    /// Counts a score that is outside its metric's range.
    pub(super) fn count_outside(&mut self, codes: &Codes, score: f64, line: u64) {
        let range = codes.range.as_ref();
        if !range.is_some_and(|range| range.excludes(score)) {
            return;
        }
        let [metric, _] = codes.metrics;
        match self.outside.iter_mut().find(|it| it.metric == metric) {
            Some(found) => found.count += 1,
            None => self.outside.push(ImpossibleScores {
                metric,
                first: (score, line),
                count: 1,
            }),
        }
    }

    /// Reports the scores counted in the log.
    pub(super) fn report_outside(&mut self) {
        for ImpossibleScores {
            metric,
            first: (score, line),
            count,
        } in std::mem::take(&mut self.outside)
        {
            let metric = self.builder.metric_name(metric);
            let what = format!(
                "{} of {metric} lie outside its range, such as {score}: not ranked; check for percent \
                 mixed with fractions",
                counted(count, "score")
            );
            self.note(line, what);
        }
    }
}
