//! Defines the options and the results of a comparison.

use super::Mismatch;
use crate::OmissionReason;
use crate::metric::Interval;
use base::format::compact;
use record::Ability;
use record::benchmark::{Direction, RightThreshold};

/// Number of bootstrap draws for a quick first result.
pub const QUICK_DRAWS: usize = 100;
/// Number of bootstrap draws for the difference of a pooled figure, for example AP.
pub const PAIRED_DRAWS: usize = 2_000;
/// False discovery rate of the conclusions in a family.
pub const FALSE_FINDINGS: f64 = 0.05;
/// Minimum number of pairs for a conclusion about a subgroup; smaller subgroups show only counts.
pub const MIN_PAIRS: u64 = 10;

/// Score from which a graded answer counts as right; for errors, up to which.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Threshold {
    /// No threshold: graded scores are not split into right and wrong.
    #[default]
    None,
    /// Usual threshold of the metric.
    Usual,
    /// Given threshold, in the metric's unit.
    At(f64),
}

/// Options of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparisonOptions {
    /// Whether to include metrics other than the headline.
    pub all: bool,
    /// Number of bootstrap draws for each pooled figure, for example AP.
    pub draws: usize,
    /// Score from which a graded answer counts as right; for errors, up to which.
    pub threshold: Threshold,
    /// Whether to leave out splits that put all samples of an ability into one bin.
    pub skip_single_bins: bool,
}

impl Default for ComparisonOptions {
    fn default() -> Self {
        Self {
            all: false,
            draws: PAIRED_DRAWS,
            threshold: Threshold::None,
            skip_single_bins: true,
        }
    }
}

impl ComparisonOptions {
    /// Returns the default options, with a threshold.
    pub fn with_threshold(threshold: Threshold) -> Self {
        Self {
            threshold,
            ..Self::default()
        }
    }

    /// Returns the options of a quick first result, with few draws.
    pub fn quick(threshold: Threshold) -> Self {
        Self {
            draws: QUICK_DRAWS,
            ..Self::with_threshold(threshold)
        }
    }
}

base::named_enum! {
    /// Test that a p value comes from.
    ///
    /// The names appear in JSON.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Test {
        /// Exact `McNemar` test: scores are right or wrong, one pair in each cluster.
        McNemarExact = "mcnemar_exact",
        /// Student's t, corrected for skewness: for graded scores, several pairs in a cluster, or a
        /// pooled figure.
        #[default]
        PairedT = "paired_t",
    }
}

base::named_enum! {
    /// Conclusion of a comparison.
    ///
    /// The names appear in JSON.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Conclusion {
        /// A is significantly better.
        A = "a",
        /// B is significantly better.
        B = "b",
        /// The samples show no clear difference.
        #[default]
        NotSeparable = "not_separable",
    }
}

impl Conclusion {
    /// Returns the text for screens and reports.
    pub const fn words(self) -> &'static str {
        match self {
            Self::A => "A better",
            Self::B => "B better",
            Self::NotSeparable => "no clear difference",
        }
    }
}

/// Two-by-two table: number of samples by which side is right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    /// Number of samples that both sides have right.
    pub both: u64,
    /// Number of samples that only A has right.
    pub only_a: u64,
    /// Number of samples that only B has right.
    pub only_b: u64,
    /// Number of samples that neither side has right.
    pub neither: u64,
}

/// Difference of two sides in one metric of an ability or a subgroup.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairedDifference {
    /// Benchmark and ability.
    pub ability: Ability,
    /// Name of the split and label of the bin; `None` for the whole ability.
    pub bin: Option<(String, String)>,
    /// Position of the bin in its split.
    pub order: u16,
    /// Metric of both scores, as named in the logs.
    pub metric: String,
    /// Whether higher or lower values are better.
    pub direction: Direction,
    /// True if models are ranked by this metric.
    pub headline: bool,
    /// True if a pair is a question at all its rotations instead of a sample under one condition.
    pub by_question: bool,
    /// Number of pairs: samples under one condition that both sides answered, or questions at all
    /// rotations.
    pub n: u64,
    /// Number of source images of the pairs.
    pub clusters: u64,
    /// Score of A over the pairs; `None` without a pair.
    pub a_score: Option<f64>,
    /// Score of B over the pairs; `None` without a pair.
    pub b_score: Option<f64>,
    /// Score of A minus score of B, in the metric's unit.
    pub difference: Option<f64>,
    /// 95 % interval of the difference; `None` if it cannot be estimated.
    pub ci: Option<Interval>,
    /// Test that the p value comes from.
    pub test: Test,
    /// Two-sided p value; `None` without a pair.
    pub p_value: Option<f64>,
    /// p value adjusted over the family; `None` for a subgroup too small to be tested.
    pub p_adjusted: Option<f64>,
    /// Number of tests in the family.
    pub family: u64,
    /// Number of samples by which side is right; `None` for graded scores without a threshold.
    pub cells: Option<Cells>,
    /// Rule by which a graded score counts as right; `None` if scores are 0 or 1, or there is no
    /// threshold.
    pub right: Option<RightThreshold>,
    /// Number of pairs in which A scores better.
    pub a_better: u64,
    /// Number of pairs in which B scores better.
    pub b_better: u64,
    /// Number of pairs with equal scores.
    pub equal: u64,
    /// Conclusion from the adjusted p value.
    pub conclusion: Conclusion,
    /// Smallest difference that this number of pairs detects with 80 % power.
    pub detectable: Option<f64>,
    /// Reason why no test was made; `None` if a test is valid.
    pub why_not: Option<OmissionReason>,
}

impl PairedDifference {
    /// Removes test and conclusion if there is a reason against them, and also the interval if the
    /// reason forbids it.
    pub(super) fn unless(mut self, why_not: Option<OmissionReason>) -> Self {
        if let Some(why_not) = &why_not {
            (self.p_value, self.detectable) = (None, None);
            if why_not.forbids_intervals() {
                self.ci = None;
            }
        }
        self.why_not = why_not;
        self
    }

    /// Returns true if the row belongs to a family and has enough images for a unanimous result to
    /// be significant.
    pub fn is_tested(&self) -> bool {
        self.p_adjusted.is_some() && self.can_reject(1)
    }

    /// Returns the conclusion as text for screens and reports.
    pub fn words(&self) -> &'static str {
        if self.why_not.is_some() {
            "not tested"
        } else if self.is_tested() {
            self.conclusion.words()
        } else {
            "too few to test"
        }
    }

    /// Returns the score from which a graded score counts as right; `None` without a threshold, or
    /// if a second score decides.
    pub fn threshold(&self) -> Option<f64> {
        self.right.and_then(RightThreshold::threshold)
    }

    /// Returns true if the row can become significant: if all clusters favour one side, and the
    /// family has `tests` tests.
    #[expect(clippy::cast_precision_loss, reason = "few tests")]
    pub(super) fn can_reject(&self, tests: u64) -> bool {
        let clusters = i32::try_from(self.clusters).unwrap_or(i32::MAX);
        let least = 2.0 * 0.5_f64.powi(clusters);
        least * (tests.max(1) as f64) < FALSE_FINDINGS
    }
}

/// Counts of the samples of one side without a partner on the other side, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnpairedCounts {
    /// Number of all samples without a partner.
    pub total: u64,
    /// Number of samples that the other side answered only under another condition; part of
    /// `total`.
    pub other_condition: u64,
    /// Number of samples whose id has another question on the other side; part of `total`.
    pub other_question: u64,
    /// Number of samples that the other side answered without a score, or not at all rotations;
    /// part of `total`.
    pub unscored: u64,
    /// Number of samples that the other side's log scores by another metric; part of `total`.
    pub other_metric: u64,
}

/// Result of comparing two sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Reasons why the sides are hard to compare.
    pub mismatches: Vec<Mismatch>,
    /// Conditions that differ between the sides and are ignored when samples are paired.
    pub differ_in: Vec<String>,
    /// Number of samples of A without a partner, for the headline metrics.
    pub only_in_a: UnpairedCounts,
    /// Number of samples of B without a partner, for the headline metrics.
    pub only_in_b: UnpairedCounts,
    /// One row for each ability and metric.
    pub abilities: Vec<PairedDifference>,
    /// One row for each bin, ability and metric.
    pub subgroups: Vec<PairedDifference>,
}

impl Comparison {
    /// Returns the numbers of tests that the p values are adjusted over: `10`, or `10 and 4` with
    /// further metrics.
    pub fn families(rows: &[PairedDifference]) -> String {
        let mut sizes: Vec<u64> = Vec::new();
        for headline in [true, false] {
            let known =
                |row: &&PairedDifference| row.headline == headline && row.p_adjusted.is_some();
            sizes.extend(rows.iter().find(known).map(|row| row.family));
        }
        let sizes: Vec<String> = sizes.into_iter().map(compact).collect();
        sizes.join(" and ")
    }
}

impl Conclusion {
    /// Derives the conclusion from an adjusted p value and a difference.
    pub(super) fn from_p_value(p: f64, difference: Option<f64>, direction: Direction) -> Self {
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

impl std::ops::AddAssign for UnpairedCounts {
    fn add_assign(&mut self, more: Self) {
        self.total += more.total;
        self.other_condition += more.other_condition;
        self.unscored += more.unscored;
        self.other_metric += more.other_metric;
    }
}
