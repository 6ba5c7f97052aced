//! Why the harness's rule and Eyechart's own score one prediction differently.

use crate::Correctness;
use record::{Readings, Row, Scoring, Table, UNCOMPARED};

/// Why two rules disagree. Each disagreement has one reason: the first that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// The harness could read no answer where the strict rule reads one.
    UnreadByHarness,
    /// The strict rule could read no answer where the harness reads one.
    UnreadByStrict,
    /// One rule leaves the sample out of its mean.
    LeftOut,
    /// Each read another answer.
    Misread,
    /// Both read the same answer but for letter case, spacing and punctuation, and only one accepts it.
    Format,
    /// Both read the same answer and score it differently.
    Judged,
    /// The log does not say what its harness read.
    Untold,
}

impl Class {
    /// Every class, in the order in which they are tried.
    pub const ALL: [Self; 7] = [
        Self::UnreadByHarness,
        Self::UnreadByStrict,
        Self::LeftOut,
        Self::Misread,
        Self::Format,
        Self::Judged,
        Self::Untold,
    ];

    /// The word behind `scorers:` in a filter.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UnreadByHarness => "unread_by_harness",
            Self::UnreadByStrict => "unread_by_strict",
            Self::LeftOut => "left_out",
            Self::Misread => "misread",
            Self::Format => "format",
            Self::Judged => "judged",
            Self::Untold => "untold",
        }
    }

    /// The class of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }

    /// The reason in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::UnreadByHarness => "only the strict rule could read an answer",
            Self::UnreadByStrict => "the harness scored it, the strict rule read none",
            Self::LeftOut => "only one rule counts the sample",
            Self::Misread => "each rule read another answer",
            Self::Format => "the same answer, but for case, spacing or punctuation",
            Self::Judged => "the same answer, scored differently",
            Self::Untold => "the log does not say what the harness read",
        }
    }
}

/// What both rules make of the predictions of a table: its columns, looked up once.
pub struct Rules<'a> {
    flags: &'a [u16],
    rules: [Rule<'a>; 2],
}

/// One rule's columns.
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
    /// Both rules over a table.
    #[must_use]
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

    /// Whether both rules score a prediction; false where only the log knows the score, or has none.
    #[must_use]
    pub fn compares(&self, row: Row) -> bool {
        self.flags(row) & UNCOMPARED == 0
    }

    /// Whether the harness's rule, and whether the strict one, counts a prediction as right.
    #[must_use]
    pub fn right(&self, row: Row) -> [Option<bool>; 2] {
        let [harness, strict] = &self.rules;
        [harness.right.of(row), strict.right.of(row)]
    }

    /// Why the rules disagree on a prediction; `None` where they agree. Scores under different metrics agree
    /// when both count as right or both as wrong.
    #[must_use]
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
        match (alike, scores, Readings::of(flags)) {
            (true, ..) => None,
            (_, (Some(_), None) | (None, Some(_)), _) => Some(Class::LeftOut),
            (.., Readings::Apart) => Some(Class::Misread),
            (.., Readings::Form) => Some(Class::Format),
            (.., Readings::Untold) => Some(Class::Untold),
            (.., Readings::Alike) => Some(Class::Judged),
        }
    }
}
