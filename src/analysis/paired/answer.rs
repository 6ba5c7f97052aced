//! What a comparison is asked with, and what it says.

use super::Mismatch;
use crate::WhyNot;
use benchmark::{Direction, Right};
use format::compact;
use metric::Interval;
use record::Ability;

/// Bootstrap draws behind an answer that is wanted at once.
pub const QUICK_DRAWS: usize = 100;
/// Bootstrap draws behind the difference of a figure of the whole set, such as AP.
pub const PAIRED_DRAWS: usize = 2_000;
/// The share of false findings that a family of conclusions may hold.
pub const FALSE_FINDINGS: f64 = 0.05;
/// Fewest pairs of a subgroup that get a conclusion; below, counts are shown.
pub const FEWEST: u64 = 10;

/// From which score on an answer counts as right where scores are graded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Threshold {
    /// Graded scores are not cut.
    #[default]
    None,
    /// The metric's usual one.
    Usual,
    /// This one, in the metric's own unit.
    At(f64),
}

/// How a comparison is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// The metrics beside the headline too.
    pub all: bool,
    /// Bootstrap draws behind each figure of the whole set, such as AP.
    pub draws: usize,
    /// From which graded score on an answer counts as right.
    pub threshold: Threshold,
    /// Leave out splits that do not tell the samples of an ability apart.
    pub telling: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            all: false,
            draws: PAIRED_DRAWS,
            threshold: Threshold::None,
            telling: true,
        }
    }
}

impl Terms {
    /// The terms of a screen, for a first answer or the final one.
    #[must_use]
    pub fn of(threshold: Threshold, quick: bool) -> Self {
        let draws = if quick { QUICK_DRAWS } else { PAIRED_DRAWS };
        Self {
            draws,
            threshold,
            ..Self::default()
        }
    }
}

/// Which test a p value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Right or wrong, one pair a cluster.
    McNemarExact,
    /// Graded scores, several pairs in one cluster, or a figure of the whole set: Student's t, corrected for skewness.
    PairedT,
}

impl Test {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::McNemarExact => "mcnemar_exact",
            Self::PairedT => "paired_t",
        }
    }
}

/// What a comparison says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Conclusion {
    /// A is better.
    A,
    /// B is better.
    B,
    /// The samples do not tell.
    #[default]
    NotSeparable,
}

impl Conclusion {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
            Self::NotSeparable => "not_separable",
        }
    }

    /// The words for people.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::A => "A better",
            Self::B => "B better",
            Self::NotSeparable => "no clear difference",
        }
    }
}

/// Samples by who gets them right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// Both.
    pub both: u64,
    /// A alone.
    pub only_a: u64,
    /// B alone.
    pub only_b: u64,
    /// Neither.
    pub neither: u64,
}

/// One compared number: an ability's, or a subgroup's.
#[derive(Clone, Debug, PartialEq)]
pub struct Paired {
    /// Benchmark and ability.
    pub ability: Ability,
    /// What is split by, and the bin; `None` for the whole ability.
    pub bin: Option<(String, String)>,
    /// Where the bin stands among its split's.
    pub order: u16,
    /// Metric name.
    pub metric: String,
    /// Which way is better.
    pub direction: Direction,
    /// True if it is the metric that ranks.
    pub headline: bool,
    /// True if a pair is a question at all its rotations, not a sample under one condition.
    pub by_question: bool,
    /// Pairs: samples under one condition that both answered, or questions at all their rotations.
    pub n: u64,
    /// Source images behind them.
    pub clusters: u64,
    /// A's score over the pairs.
    pub a_score: Option<f64>,
    /// B's score over the pairs.
    pub b_score: Option<f64>,
    /// A minus B.
    pub difference: Option<f64>,
    /// 95 % interval of the difference; `None` where pairs do not say how much they differ.
    pub ci: Option<Interval>,
    /// Which test.
    pub test: Test,
    /// Its two-sided p value; `None` without a pair.
    pub p_value: Option<f64>,
    /// The same over the family; `None` for a subgroup that is too small to belong to it.
    pub p_adjusted: Option<f64>,
    /// How many tests the family holds.
    pub family: u64,
    /// Who gets what right, if scores are right or wrong or were cut.
    pub cells: Option<Cells>,
    /// When a graded score counted as right; `None` where scores are themselves right or wrong, or nothing was cut.
    pub right: Option<Right>,
    /// Pairs in which A scores better.
    pub a_better: u64,
    /// Pairs in which B scores better.
    pub b_better: u64,
    /// Pairs with equal scores.
    pub equal: u64,
    /// What it says.
    pub conclusion: Conclusion,
    /// The smallest difference that as many such pairs show with 80 % power.
    pub detectable: Option<f64>,
    /// Why nothing is tested; `None` where a test is valid.
    pub why_not: Option<WhyNot>,
}

impl Paired {
    /// The row without test and verdict, and without an interval where none is valid.
    pub(super) fn unless(mut self, why_not: Option<WhyNot>) -> Self {
        if let Some(why_not) = &why_not {
            (self.p_value, self.detectable) = (None, None);
            if why_not.forbids_intervals() {
                self.ci = None;
            }
        }
        self.why_not = why_not;
        self
    }

    /// Returns true if a test could say that the sides differ: the row is in a family, and has so many images that all in
    /// favour of one side would be a finding.
    #[must_use]
    pub fn is_tested(&self) -> bool {
        self.p_adjusted.is_some() && self.can_reject(1)
    }

    /// What it says, in words for people.
    #[must_use]
    pub fn words(&self) -> &'static str {
        if self.why_not.is_some() {
            "not tested"
        } else if self.is_tested() {
            self.conclusion.words()
        } else {
            "too few to test"
        }
    }

    /// The score at which graded scores were cut; `None` where nothing was, or a second score says who is right.
    #[must_use]
    pub fn threshold(&self) -> Option<f64> {
        self.right.and_then(Right::threshold)
    }

    /// Returns true if a test of this row can say at all that the sides differ: with all clusters in favour of one
    /// side, as one of `tests` in the family.
    #[expect(clippy::cast_precision_loss, reason = "few tests")]
    pub(super) fn can_reject(&self, tests: u64) -> bool {
        let clusters = i32::try_from(self.clusters).unwrap_or(i32::MAX);
        let least = 2.0 * 0.5_f64.powi(clusters);
        least * (tests.max(1) as f64) < FALSE_FINDINGS
    }
}

/// What only one side has, and why it was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// All that has no partner.
    pub total: u64,
    /// Of these, samples that the other side answered only under another condition.
    pub other_condition: u64,
    /// Of these, samples that the other side answered without a score, or not at all rotations.
    pub unscored: u64,
    /// Of these, samples that the other side's log scores by another metric.
    pub other_metric: u64,
}

/// Everything that is said of two sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// What makes the two hard to compare.
    pub mismatches: Vec<Mismatch>,
    /// Conditions in which the sides differ and which therefore pair nothing.
    pub told_by: Vec<String>,
    /// Samples of A without a partner, counted by the metrics that rank.
    pub only_in_a: Dropped,
    /// Samples of B without a partner.
    pub only_in_b: Dropped,
    /// One row an ability and metric.
    pub abilities: Vec<Paired>,
    /// One row a bin.
    pub subgroups: Vec<Paired>,
}

impl Comparison {
    /// Over how many tests the p values of some rows are adjusted: `10`, or `10 and 4` with further metrics.
    #[must_use]
    pub fn families(rows: &[Paired]) -> String {
        let mut sizes: Vec<u64> = Vec::new();
        for headline in [true, false] {
            let known = |row: &&Paired| row.headline == headline && row.p_adjusted.is_some();
            sizes.extend(rows.iter().find(known).map(|row| row.family));
        }
        let sizes: Vec<String> = sizes.into_iter().map(compact).collect();
        sizes.join(" and ")
    }
}

impl Conclusion {
    /// What an adjusted p value and a difference say.
    pub(super) fn of(p: f64, difference: Option<f64>, direction: Direction) -> Self {
        let gain = match direction {
            Direction::Higher => difference,
            Direction::Lower => difference.map(|difference| -difference),
        };
        match gain.filter(|_| p < FALSE_FINDINGS) {
            Some(gain) if gain > 0.0 => Self::A,
            Some(gain) if gain < 0.0 => Self::B,
            _ => Self::NotSeparable,
        }
    }
}

impl std::ops::AddAssign for Dropped {
    fn add_assign(&mut self, more: Self) {
        self.total += more.total;
        self.other_condition += more.other_condition;
        self.unscored += more.unscored;
        self.other_metric += more.other_metric;
    }
}
