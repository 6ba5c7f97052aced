//! Defines the options and the result of a gate.

use std::fmt;

use super::super::{Mismatch, UnpairedCounts};
use super::margin::{Margin, MetricMargin};
use crate::OmissionReason;
use crate::metric::{Interval, RequiredSamples};
use base::format::{compact, counted};
use base::limits::Limit;
use record::Row;
use record::benchmark::Direction;

/// Options of a gate.
#[derive(Clone, Debug, PartialEq)]
pub struct GateOptions {
    /// Tolerated losses by metric.
    pub margins: Vec<MetricMargin>,
    /// Unit that must pass: each ability, or only the whole.
    pub by: GateSplit,
}

base::named_enum! {
    /// Unit that must pass for the gate to pass.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum GateSplit {
        /// Only the whole: the mean over all samples of a benchmark with the same metric.
        #[default]
        Whole = "whole",
        /// Each ability as well as the whole.
        Ability = "ability",
    }
}

base::named_enum! {
    /// Decision of a gate.
    ///
    /// The names appear in JSON.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum GateVerdict {
        /// The interval shows that the loss is smaller than the margin.
        Pass = "pass",
        /// The interval and the adjusted p value show that the loss exceeds the margin.
        Worse = "worse",
        /// Neither is shown, or no test is possible.
        #[default]
        CannotTell = "cannot_tell",
    }
}

impl GateVerdict {
    /// Combines the verdicts of rows: worse if any row is worse, pass if all rows pass, and
    /// [`Self::CannotTell`] otherwise or without rows.
    pub fn of_all(rows: impl Iterator<Item = Self>) -> Self {
        let rows: Vec<Self> = rows.collect();
        if rows.contains(&Self::Worse) {
            Self::Worse
        } else if rows.is_empty() || rows.contains(&Self::CannotTell) {
            Self::CannotTell
        } else {
            Self::Pass
        }
    }

    /// Returns the verdict as text for screens and reports.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Worse => "worse",
            Self::CannotTell => "cannot tell",
        }
    }

    /// Returns the verdict as the first words of a sentence.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Pass => "Pass",
            Self::Worse => "Worse",
            Self::CannotTell => "Cannot tell",
        }
    }
}

/// Reason why a gate cannot decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GateRefusal {
    /// The evidence of a side forbids a test.
    Evidence(OmissionReason),
    /// The logs score the ability by different metrics.
    OtherMetric {
        /// Metric in the base's logs.
        base: String,
        /// Metric in the candidate's logs.
        candidate: String,
    },
    /// No sample has a score on both sides.
    NoCommonSample,
    /// The candidate has no score for too many of the base's samples.
    Unanswered {
        /// Number of samples with a score only from the base.
        n: u64,
        /// Number of all samples of the base.
        of: u64,
    },
    /// The margin is in percentage points, which do not fit the metric; holds the metric.
    Unit(String),
    /// There is no margin for the metric; holds the metric.
    NoMargin(String),
}

impl fmt::Display for GateRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Evidence(reason) => reason.fmt(f),
            Self::OtherMetric { base, candidate } => write!(
                f,
                "the base is scored by {base}, the candidate by {candidate}"
            ),
            Self::NoCommonSample => write!(f, "no sample is scored on both sides"),
            Self::Unanswered { n, of } => {
                #[expect(clippy::cast_precision_loss, reason = "a small number")]
                let percent = Limit::LeftOut.get() as f64 / 10.0;
                write!(
                    f,
                    "{} of {} of the base have no score of the candidate, more than {percent} %; --filter selects \
                     the samples that both should have",
                    compact(*n),
                    counted(*of, "sample"),
                )
            }
            Self::Unit(metric) => write!(
                f,
                "percentage points do not fit {metric}: add --worse-by {metric}=LOSS in its own unit, or in % of the \
                 base's score"
            ),
            Self::NoMargin(metric) => {
                write!(f, "{metric} has no margin: add --worse-by {metric}=LOSS")
            }
        }
    }
}

/// Sample on which the candidate scores worse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Prediction of the base.
    pub base: Row,
    /// Prediction of the candidate.
    pub candidate: Row,
    /// Size of the loss in the metric's unit, more than 0.
    pub size: f64,
}

/// Decision about one score: of an ability, or of all abilities of a benchmark with the same
/// metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GateRow {
    /// Name of the benchmark.
    pub benchmark: String,
    /// Abilities whose samples are included.
    pub abilities: Vec<String>,
    /// Metric of both scores.
    pub metric: String,
    /// Whether higher or lower values are better.
    pub direction: Direction,
    /// Number of pairs.
    pub n: u64,
    /// Number of source images of the pairs.
    pub clusters: u64,
    /// Number of samples with a score only from the base.
    pub unanswered: u64,
    /// Score of the base over the pairs; `None` without a pair.
    pub base: Option<f64>,
    /// Score of the candidate over the pairs; `None` without a pair.
    pub candidate: Option<f64>,
    /// Candidate minus base, in the metric's unit.
    pub change: Option<f64>,
    /// 95 % interval of the change; `None` if it cannot be estimated.
    pub ci: Option<Interval>,
    /// Tolerated loss as written; `None` if no margin fits the metric.
    pub worse_by: Option<Margin>,
    /// Tolerated loss in the metric's unit, 0 or more.
    pub margin: Option<f64>,
    /// Number of pairs in which the candidate scores better.
    pub better: u64,
    /// Number of pairs in which the candidate scores worse.
    pub worse: u64,
    /// Number of pairs with equal scores.
    pub equal: u64,
    /// One-sided p value of "not worse by more than the margin"; `None` unless the whole interval
    /// lies beyond the margin.
    pub p_worse: Option<f64>,
    /// p value adjusted over all rows by Holm's method.
    pub p_adjusted: Option<f64>,
    /// Decision from the interval and the adjusted p value.
    pub verdict: GateVerdict,
    /// Reason why no decision is possible; `None` if a decision is possible.
    pub why_not: Option<GateRefusal>,
    /// Ability that the reason applies to.
    pub refused: Option<String>,
    /// Number of samples needed for a decision; empty unless the interval contains the margin.
    pub required: RequiredSamples,
    /// Samples with the largest losses, largest first, at most one per picture.
    pub losses: Vec<Loss>,
}

impl GateRow {
    /// Returns the change as a gain: positive values are better.
    pub fn gain(&self) -> Option<f64> {
        self.change.map(|change| change * self.direction.sign())
    }

    /// Returns the interval of the gain.
    pub fn gain_interval(&self) -> Option<Interval> {
        self.ci.map(|ci| oriented(ci, self.direction.sign()))
    }

    /// Returns the change at the margin, in the metric's unit; beyond it the candidate is worse.
    pub fn limit(&self) -> Option<f64> {
        self.margin.map(|margin| -margin * self.direction.sign())
    }

    /// Returns true if the row has an interval and no reason forbids a decision.
    pub const fn is_tested(&self) -> bool {
        self.why_not.is_none() && self.ci.is_some()
    }

    /// Returns the ability's name, or the number of abilities and their benchmark.
    pub fn name(&self) -> String {
        match self.abilities.as_slice() {
            [ability] => ability.clone(),
            abilities => format!("{} abilities of {}", abilities.len(), self.benchmark),
        }
    }
}

/// Negates and swaps the ends of an interval if the sign is negative.
pub(super) const fn oriented(interval: Interval, sign: f64) -> Interval {
    if sign < 0.0 {
        Interval {
            low: -interval.high,
            high: -interval.low,
        }
    } else {
        interval
    }
}

/// Result of a gate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gate {
    /// Decision about all rows.
    pub verdict: GateVerdict,
    /// Rows in the papers' order of abilities; whole benchmarks come first.
    pub rows: Vec<GateRow>,
    /// Reasons why the two sides are hard to compare.
    pub mismatches: Vec<Mismatch>,
    /// Number of samples of the base without a partner.
    pub only_in_base: UnpairedCounts,
    /// Number of samples of the candidate without a partner.
    pub only_in_candidate: UnpairedCounts,
}

impl Gate {
    /// Returns the number of tested rows; the p values of "worse" are adjusted over these.
    pub fn family(&self) -> usize {
        self.rows.iter().filter(|row| row.is_tested()).count()
    }

    /// Iterates over the rows with this verdict.
    pub fn rows_with(&self, verdict: GateVerdict) -> impl Iterator<Item = &GateRow> {
        self.rows.iter().filter(move |row| row.verdict == verdict)
    }
}
