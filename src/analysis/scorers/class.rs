//! Classifies why the harness's rule and Eyechart's own rule score a prediction differently.

use crate::Correctness;
use record::{ReadingComparison, Row, Scoring, Table, UNCOMPARED};

base::named_enum! {
    /// Reason why two rules disagree; the first reason that applies counts.
    ///
    /// Names are the values of `scorers:` in a filter, in the order in which they are tested.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Class {
        /// The strict rule read an answer, the harness did not.
        UnreadByHarness = "unread_by_harness",
        /// The harness read an answer, the strict rule did not.
        UnreadByStrict = "unread_by_strict",
        /// Only one rule includes the sample in its mean.
        LeftOut = "left_out",
        /// The rules read different answers.
        Misread = "misread",
        /// The rules read the same answer apart from letter case, spacing and punctuation, and only
        /// one rule accepts it.
        Format = "format",
        /// The rules read the same answer and score it differently.
        Judged = "judged",
        /// The log does not contain the answer that the harness read.
        Untold = "untold",
    }
}

impl Class {
    /// Returns the reason as text.
    pub const fn words(self) -> &'static str {
        match self {
            Self::UnreadByHarness => "only the strict rule could read an answer",
            Self::UnreadByStrict => "only the harness's rule could read an answer",
            Self::LeftOut => "only one rule counts the sample",
            Self::Misread => "the rules read different answers",
            Self::Format => "the same answer except for case, spacing or punctuation",
            Self::Judged => "the same answer, scored differently",
            Self::Untold => "the log lacks the answer that the harness read",
        }
    }
}

/// Scores of both rules for the predictions of a table.
pub struct Rules<'a> {
    flags: &'a [u16],
    rules: [Rule<'a>; 2],
}

/// Columns of one rule.
struct Rule<'a> {
    right: Correctness<'a>,
    metrics: &'a [u16],
    scores: &'a [f64],
    invalid: u16,
}

impl Rule<'_> {
    fn score(&self, row: usize) -> Option<f64> {
        let score = self.scores.get(row).copied();
        score.filter(|score| !score.is_nan())
    }
}

impl<'a> Rules<'a> {
    /// Creates both rules for a table.
    pub fn new(table: &'a Table) -> Self {
        Self {
            flags: table.flags(),
            rules: [Scoring::Harness, Scoring::Strict].map(|scoring| Rule {
                right: Correctness::new(table, scoring),
                metrics: table.metric_of(scoring),
                scores: table.scores(scoring),
                invalid: scoring.invalid_flag(),
            }),
        }
    }

    fn flags(&self, Row(row): Row) -> u16 {
        self.flags.get(row as usize).copied().unwrap_or_default()
    }

    /// Returns true if both rules score a prediction; false if only the log has a score, or no
    /// score exists.
    pub fn compares(&self, row: Row) -> bool {
        self.flags(row) & UNCOMPARED == 0
    }

    /// Returns whether the prediction counts as right by the harness's rule and by the strict rule.
    pub fn right(&self, row: Row) -> [Option<bool>; 2] {
        let [harness, strict] = &self.rules;
        [harness.right.is_right(row), strict.right.is_right(row)]
    }

    /// Returns the reason why the rules disagree on a prediction; `None` if they agree. Scores
    /// under different metrics agree if both count as right or both as wrong.
    pub fn class(&self, row: Row) -> Option<Class> {
        let [harness, strict] = &self.rules;
        let (at, flags) = (row.0 as usize, self.flags(row));
        if !self.compares(row) {
            return None;
        }
        match (flags & harness.invalid != 0, flags & strict.invalid != 0) {
            (true, false) => return Some(Class::UnreadByHarness),
            (false, true) => return Some(Class::UnreadByStrict),
            _ => {}
        }
        let scores = (harness.score(at), strict.score(at));
        let alike = if harness.metrics.get(at) == strict.metrics.get(at) {
            scores.0 == scores.1
        } else {
            let [by_harness, strictly] = self.right(row);
            by_harness == strictly
        };
        match (alike, scores, ReadingComparison::of(flags)) {
            (true, ..) => None,
            (_, (Some(_), None) | (None, Some(_)), _) => Some(Class::LeftOut),
            (.., ReadingComparison::Apart) => Some(Class::Misread),
            (.., ReadingComparison::Form) => Some(Class::Format),
            (.., ReadingComparison::Untold) => Some(Class::Untold),
            (.., ReadingComparison::Alike) => Some(Class::Judged),
        }
    }
}
