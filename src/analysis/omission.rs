//! Reasons why a score has no rank, verdict or interval.

use std::fmt;

use crate::metric::ROTATIONS;
use base::format::{compact, counted};
use base::limits::Limit;
use record::Source;

/// Reason for samples without a usable target.
pub(crate) const NO_USABLE_TARGET: &str = "no target to compare answers with";

/// Reason why a score has no rank, verdict or interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OmissionReason {
    /// The filter selects samples by their outcome; holds its terms.
    Selected(String),
    /// The run sent no more requests once its comparison was clear (`rerun --until-clear`). The
    /// answers decided the number of samples.
    UntilClear,
    /// Too many rows of a source were left out.
    LeftOut {
        /// Path of the source.
        source: String,
        /// Number of rows left out.
        n: u64,
        /// Number of rows in the source.
        of: u64,
    },
    /// Too many samples lack a target to compare answers with.
    NoTarget {
        /// Number of samples without a usable target.
        n: u64,
        /// Number of all samples.
        of: u64,
    },
    /// The direction of the metric is unknown; holds the metric.
    Direction(String),
    /// Some scores lie outside the metric's range.
    Range {
        /// Metric of the scores.
        metric: String,
        /// Number of scores outside the range.
        n: u64,
        /// Number of all scores.
        of: u64,
        /// Range of the metric, as text.
        range: String,
    },
    /// Most samples have a different question than samples with the same ids in other logs.
    OtherQuestions {
        /// Number of samples with a different question.
        n: u64,
        /// Number of all samples.
        of: u64,
    },
    /// Too many answers are to questions that were not answered at all four rotations.
    Rotations {
        /// Number of answers to such questions.
        n: u64,
        /// Number of all answers.
        of: u64,
    },
    /// The token limit of a rerun or an exam cut too many answers: the score measures the limit,
    /// not the model.
    Cut {
        /// Number of cut answers.
        n: u64,
        /// Number of all samples.
        of: u64,
    },
    /// Too many of the samples that both sides were asked have a score on only one side.
    OneSided {
        /// Number of samples with one score.
        n: u64,
        /// Number of samples with one or two scores.
        of: u64,
    },
    /// No sample has a score.
    NothingScored,
    /// No answer of any model could be read: the scores measure the form of the answers.
    NothingRead {
        /// Number of answers.
        answers: u64,
    },
}

impl OmissionReason {
    /// Returns true if the samples are not a random part of the benchmark, so that no interval or
    /// test is valid.
    pub const fn forbids_intervals(&self) -> bool {
        matches!(self, Self::Selected(_) | Self::UntilClear)
    }

    /// Returns true if the reason concerns the metric and not the samples.
    pub const fn is_of_metric(&self) -> bool {
        matches!(
            self,
            Self::Direction(_)
                | Self::Range { .. }
                | Self::NothingScored
                | Self::NothingRead { .. }
        )
    }

    /// Returns true if no score may be shown: every row was left out, or rotations are missing.
    pub const fn forbids_scores(&self) -> bool {
        match self {
            Self::LeftOut { n, of, .. } => *n >= *of,
            Self::Rotations { .. } => true,
            _ => false,
        }
    }

    /// Returns a short form of the reason that fits on one line of a screen.
    pub fn brief(&self) -> String {
        match self {
            Self::Selected(filter) => format!("selected by {filter}"),
            Self::UntilClear => "asked until clear".to_owned(),
            Self::LeftOut { n, of, .. } => {
                format!("{} of {} left out", compact(*n), counted(*of, "row"))
            }
            Self::NoTarget { n, of } => {
                format!(
                    "{} of {} without a target",
                    compact(*n),
                    counted(*of, "sample")
                )
            }
            Self::Direction(metric) => format!("--lower or --higher {metric}?"),
            Self::Range { n, range, .. } => format!("{} outside {range}", counted(*n, "score")),
            Self::OtherQuestions { .. } => "different questions".to_owned(),
            Self::Rotations { .. } => "rotations missing".to_owned(),
            Self::Cut { n, .. } => format!("{} cut", counted(*n, "answer")),
            Self::OneSided { .. } => "scores missing".to_owned(),
            Self::NothingScored => "nothing scored".to_owned(),
            Self::NothingRead { .. } => "no answer read".to_owned(),
        }
    }

    /// Returns the reason not to rank if too many samples lack a usable target.
    pub fn of_targets(without: u64, samples: u64) -> Option<Self> {
        is_too_many(without, samples).then_some(Self::NoTarget {
            n: without,
            of: samples,
        })
    }

    /// Returns the reason not to score a model's questions at all four rotations together, if too
    /// many of its answers are to questions without all rotations. `complete` is the number of
    /// questions with all four rotations.
    pub fn of_rotations(complete: u64, answers: u64) -> Option<Self> {
        let n = answers.saturating_sub(complete.saturating_mul(ROTATIONS.len() as u64));
        is_too_many(n, answers).then_some(Self::Rotations { n, of: answers })
    }

    /// Returns the reason not to rank or test if the token limit cut too many of the answers.
    pub fn of_cut(n: u64, of: u64) -> Option<Self> {
        is_too_many(n, of).then_some(Self::Cut { n, of })
    }

    /// Returns the reason for a source with too many rows left out; `None` otherwise.
    pub fn of_source(source: &Source) -> Option<Self> {
        let (n, of) = (source.left_out(), source.entries());
        is_too_many(n, of).then(|| Self::LeftOut {
            source: base::format::path(&source.path),
            n,
            of,
        })
    }
}

impl fmt::Display for OmissionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Selected(filter) => write!(
                f,
                "the filter selects samples by their outcome ({filter}): scores are shown, but not ranked or tested"
            ),
            Self::UntilClear => write!(
                f,
                "asked until clear (rerun --until-clear): the answers decided how many samples there are, so scores \
                 are shown, but not ranked or tested; rerun --resume prints the difference with its valid interval"
            ),
            Self::LeftOut { source, n, of } => write!(
                f,
                "{} of {} in {source} are left out, more than {} %: see the problems of that file",
                compact(*n),
                counted(*of, "row"),
                percent(Limit::LeftOut.get()),
            ),
            Self::NoTarget { n, of } => write!(
                f,
                "{} of {} have {NO_USABLE_TARGET}, more than {} %",
                compact(*n),
                counted(*of, "sample"),
                percent(Limit::LeftOut.get()),
            ),
            Self::Direction(metric) => write!(
                f,
                "unknown whether higher or lower {metric} is better: add --higher {metric} or --lower {metric}, or \
                 set it under [metrics] in the settings"
            ),
            Self::Range {
                metric,
                n,
                of,
                range,
            } => write!(
                f,
                "{} of {} lie outside the range of {metric}, {range}; check for percentages mixed \
                 with fractions",
                compact(*n),
                counted(*of, "score"),
            ),
            Self::OtherQuestions { n, of } => write!(
                f,
                "{} of {} ask a different question than the samples with the same ids in other logs",
                compact(*n),
                counted(*of, "sample"),
            ),
            Self::Rotations { n, of } => write!(
                f,
                "{} of {} are to questions that were not asked at all four rotations, more than {} %",
                compact(*n),
                counted(*of, "answer"),
                percent(Limit::LeftOut.get()),
            ),
            Self::Cut { n, of } => write!(
                f,
                "{} of {} were cut at the token limit, more than {} %; allow more tokens",
                compact(*n),
                counted(*of, "answer"),
                percent(Limit::LeftOut.get()),
            ),
            Self::OneSided { n, of } => write!(
                f,
                "{} of {} have a score on only one side: too many for a comparison",
                compact(*n),
                counted(*of, "sample"),
            ),
            Self::NothingScored => write!(f, "no sample has a score"),
            Self::NothingRead { answers } => write!(
                f,
                "none of the {} of all models could be read as an answer of the expected kind; check the \
                 columns and the answers",
                counted(*answers, "answer"),
            ),
        }
    }
}

/// Returns true if `n` of `of` rows exceed the limit of rows left out.
pub(crate) fn is_too_many(n: u64, of: u64) -> bool {
    n > 0 && n.saturating_mul(1000) > Limit::LeftOut.get().saturating_mul(of)
}

/// Converts thousandths to percent.
#[expect(clippy::cast_precision_loss, reason = "a small number")]
fn percent(thousandths: u64) -> f64 {
    thousandths as f64 / 10.0
}
