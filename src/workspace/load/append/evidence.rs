//! What the rows of a log lack as a whole: scores that are not possible under their metric, rows that are left out.

use super::Append;
use analysis::WhyNot;
use benchmark::{KnownMetric, SCORE};
use format::counted;
use record::Problem;

/// How the problem of a log ends of which too many rows are left out.
const NO_RANK: &str = ", too many for a rank (`left_out` of the limits): see its other problems";

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

    /// Reports what the scores of the log as a whole lack.
    pub(super) fn report_evidence(&mut self) {
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
        let of_rows = |problem: &Problem| !problem.what.ends_with(NO_RANK);
        self.source().problems.retain(of_rows);
        if let Some(WhyNot::LeftOut { n, of, .. }) = WhyNot::of_source(self.source()) {
            let what = format!("{n} of {} are left out{NO_RANK}", counted(of, "row"));
            self.problem(Problem::file(&self.path, what));
        }
    }
}
