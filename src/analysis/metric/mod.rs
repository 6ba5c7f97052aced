//! Computes statistics from scores: aggregates with confidence intervals, ranks, paired tests and
//! the reliability mixture.
//!
//! All functions are pure: the same input and seed give the same output on every machine and with
//! any number of threads. Each public item cites its source. This module does not use tables,
//! files, the clock or the terminal.

pub mod acuity;
mod adjust;
mod agreement;
mod bootstrap;
mod clustered;
mod contrast;
mod critical;
pub mod dense;
pub mod detection;
mod draw;
mod error_rates;
mod family;
mod global_order;
mod kappa;
mod logit;
mod mcnemar;
mod mean;
mod memory;
mod mixture;
mod normal;
mod paired;
mod paired_spread;
mod paired_t;
mod permuted;
mod powered;
mod quantile;
mod rank;
mod rank_set;
mod rotation;
mod sequential;
mod share;
#[cfg(test)]
mod simulations;
mod step_test;
mod student;
mod tango;
mod tau;
mod wilson;

pub use adjust::{benjamini_hochberg, holm};
pub use agreement::{CorrelationError, kendall_tau_b, pearson, spearman_interval, spearman_rho};
pub use bootstrap::{ClusterSums, Resamples, bootstrap_means};
pub use contrast::{Contrast, Moments, RightCount, Tally, clustered_contrast, share_contrast};
pub use critical::{Friedman, critical_difference, friedman, studentized_range};
pub use draw::{prefix_means, random_order};
pub use error_rates::{ByErrorRates, mean_by_error_rates};
pub use family::{adjust_family, are_sure};
pub use global_order::{Order, global_order};
pub use kappa::{Agreement, cohen_kappa};
pub use logit::{Spread, logit_interval};
pub use mcnemar::mcnemar_exact;
pub use mean::{Range, mean_interval};
pub use memory::{Memory, MemoryTest, TwinAnswers};
pub use mixture::{Mixture, Unsolved, re_ve_ma, solve_mixture};
pub use paired::{Differences, detectable};
pub use paired_spread::{ClusteredPairs, PairedSpread, RequiredSamples};
pub use paired_t::{DifferenceTest, error_interval, error_t_test, paired_t_test};
pub use permuted::correlation_with_p_less;
pub use powered::{PoweredMean, Truth, VerifiableScore, powered_mean};
pub use quantile::percentile_interval;
pub use rank::{are_equal, competition_ranks, mid_ranks};
pub use rank_set::{PairTests, holm_pairs, rank_sets, tie_groups_of};
pub use rotation::{MixtureIntervals, ROTATIONS, Rotations, pattern_name};
pub use sequential::{SequentialTest, expected_until_clear};
pub use share::{MIN_CLUSTERS, is_few, share_interval};
pub use step_test::{StepChange, StepTests, StepVerdict, step_level};
pub use tango::paired_share_interval;
pub use tau::{Draws, means_in_two_sets, tau_interval};
pub use wilson::{needed_for_reach, wilson, wilson_of_share};

/// Closed interval `[low, high]`, in the unit of its estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end, included.
    pub low: f64,
    /// Upper end, included.
    pub high: f64,
}

impl Interval {
    /// Returns true if the interval contains `value`, ends included.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Makes an interval at confidence `level` consistent with a test of 0: widens it to contain
    /// 0 if the test does not reject.
    fn consistent_with_test(self, p_value: f64, level: f64) -> Self {
        if p_value <= 1.0 - level {
            return self;
        }
        Self {
            low: self.low.min(0.0),
            high: self.high.max(0.0),
        }
    }
}

/// Returns the two tail probabilities of a two-sided interval at `level`; `None` unless
/// `0 < level < 1`.
fn tails(level: f64) -> Option<(f64, f64)> {
    let lower = 0.5 * (1.0 - level);
    (level > 0.0 && level < 1.0).then_some((lower, 1.0 - lower))
}

/// Converts a count to a float, exact up to 2^53.
#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
pub(crate) fn real(count: u64) -> f64 {
    count as f64
}

/// Returns the mean of some values; `None` without values.
pub(crate) fn average(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0.0), |(sum, n), value| (sum + value, n + 1.0));
    (n > 0.0).then(|| sum / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_contains_its_ends_and_no_nan() {
        let interval = Interval {
            low: 0.25,
            high: 0.5,
        };
        assert!(interval.contains(0.25) && interval.contains(0.5));
        assert!(!interval.contains(0.51) && !interval.contains(f64::NAN));
    }

    #[test]
    fn only_levels_between_zero_and_one_have_tails() {
        assert_eq!(tails(0.5), Some((0.25, 0.75)));
        assert!(
            [0.0, 1.0, -0.5, f64::NAN]
                .iter()
                .all(|&level| tails(level).is_none())
        );
    }
}
