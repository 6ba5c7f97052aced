//! Tests each checkpoint of a model against the earlier checkpoints. The claims about a whole curve
//! hold together, however often a new checkpoint is added and tested.
//!
//! A checkpoint is worse than the best earlier checkpoint if it is worse than the mean of several
//! earlier checkpoints: their best is at least as good as their mean. The means of the last 1, 2,
//! 4, ... and of all earlier checkpoints are tested. A mean is not selected for a lucky score, and
//! has less noise than one checkpoint.
//!
//! A checkpoint is better than the best earlier checkpoint if it is better than each of them
//! (intersection-union test). Each step spends a fixed part of the error, independent of later
//! steps.
//!
//! Sources: K. K. G. Lan and D. L. `DeMets`, "Discrete sequential boundaries for clinical trials",
//! Biometrika 70 (1983), for spending the error step by step; R. L. Berger, "Multiparameter
//! hypothesis testing and acceptance sampling", Technometrics 24 (1982), theorem 1, for the
//! intersection-union test; Bonferroni's bound over the means of one step.

use super::{DifferenceTest, real};
use crate::LEVEL;

/// Number of steps that share the first half of the error.
const FIRST_STEPS: usize = 20;

/// Result of a checkpoint's test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepVerdict {
    /// Significantly worse than the best earlier checkpoint.
    Worse,
    /// Significantly better than the best earlier checkpoint.
    Better,
    /// Neither is significant.
    #[default]
    Unclear,
}

impl StepVerdict {
    /// Returns the verdict's name in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Better => "better",
            Self::Unclear => "unclear",
        }
    }
}

/// Change at a checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepChange {
    /// Verdict of the tests.
    pub verdict: StepVerdict,
    /// p value of a significant change, adjusted over all curves, steps and means: at most 0.05.
    pub p_adjusted: Option<f64>,
    /// Number of previous checkpoints whose mean a worse checkpoint is compared with.
    pub window: Option<usize>,
    /// Difference from that mean if worse, from the best earlier checkpoint if better; positive is
    /// better.
    pub difference: Option<f64>,
}

/// Values of one curve's checkpoints in order, for tests.
#[derive(Clone, Debug)]
pub struct StepTests {
    /// One row for each checkpoint with a value for each sample; higher is better, and `NaN` is
    /// missing.
    rows: Vec<Vec<f64>>,
    /// Cluster of each sample, numbered from 0.
    clusters: Vec<usize>,
    /// Number of clusters.
    count: usize,
    /// Number of curves whose claims hold together.
    curves: usize,
}

impl StepTests {
    /// Creates the tests of one of `curves` curves. `clusters` holds the cluster of each sample,
    /// numbered from 0; rows of other lengths are cut to the common length.
    pub fn new(rows: Vec<Vec<f64>>, clusters: Vec<usize>, curves: usize) -> Self {
        Self {
            count: clusters.iter().max().map_or(0, |most| most + 1),
            rows,
            clusters,
            curves,
        }
    }

    /// Tests the checkpoint at a position; the first checkpoint has no change.
    pub fn change(&self, at: usize) -> StepChange {
        let share = step_level(at, 1.0 - LEVEL) / 2.0;
        // Factor that adjusts p values for steps and curves, for comparison with 5 %.
        let scale = (1.0 - LEVEL) / share * real(self.curves as u64);
        let (earlier, Some(own)) = (self.rows.get(..at).unwrap_or_default(), self.rows.get(at))
        else {
            return StepChange::default();
        };
        let worse = self.worse(earlier, own, scale);
        let is_sure = |change: &StepChange| change.p_adjusted.is_some_and(|p| p <= 1.0 - LEVEL);
        let change = worse.filter(is_sure);
        let change = change.or_else(|| self.better(earlier, own, scale).filter(is_sure));
        change.unwrap_or_default()
    }

    /// Tests a checkpoint against the means of earlier checkpoints.
    fn worse(&self, earlier: &[Vec<f64>], own: &[f64], scale: f64) -> Option<StepChange> {
        let is_tested = |window: usize| window.is_power_of_two() || window == earlier.len();
        let windows = (1..=earlier.len())
            .filter(|window| is_tested(*window))
            .count();
        let mut sums = vec![0.0; own.len()];
        let mut found: Option<StepChange> = None;
        for (window, row) in (1..).zip(earlier.iter().rev()) {
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum += value;
            }
            if !is_tested(window) {
                continue;
            }
            let mean = sums.iter().map(|sum| sum / real(window as u64));
            let (difference, p_value) = self.test(own, mean);
            let p_adjusted = (p_value / 2.0 * real(windows as u64) * scale).min(1.0);
            let is_less = found
                .and_then(|it| it.p_adjusted)
                .is_none_or(|p| p_adjusted < p);
            if difference < 0.0 && is_less {
                found = Some(StepChange {
                    verdict: StepVerdict::Worse,
                    p_adjusted: Some(p_adjusted),
                    window: Some(window),
                    difference: Some(difference),
                });
            }
        }
        found
    }

    /// Tests a checkpoint against each of the earlier checkpoints.
    fn better(&self, earlier: &[Vec<f64>], own: &[f64], scale: f64) -> Option<StepChange> {
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for row in earlier {
            let (difference, p_value) = self.test(own, row.iter().copied());
            most = most.max(p_value / 2.0 * scale);
            if difference <= 0.0 || most > 1.0 - LEVEL {
                return None;
            }
            least = least.min(difference);
        }
        (!earlier.is_empty()).then_some(StepChange {
            verdict: StepVerdict::Better,
            p_adjusted: Some(most),
            window: None,
            difference: Some(least),
        })
    }

    /// Returns the mean difference of two checkpoints over their common samples, and its two-sided
    /// p value; no difference without a common sample.
    fn test(&self, own: &[f64], other: impl Iterator<Item = f64>) -> (f64, f64) {
        let mut sums = vec![(0.0, 0.0); self.count];
        let (mut total, mut n) = (0.0, 0.0);
        for ((one, other), cluster) in own.iter().zip(other).zip(&self.clusters) {
            let difference = one - other;
            if let Some((sum, size)) = sums.get_mut(*cluster).filter(|_| !difference.is_nan()) {
                (*sum, *size) = (*sum + difference, *size + 1.0);
                (total, n) = (total + difference, n + 1.0);
            }
        }
        if n < 1.0 {
            return (0.0, 1.0);
        }
        (total / n, DifferenceTest::new(sums.into_iter()).p_value())
    }
}

/// Returns the part of an error `level` that the `step`-th comparison (from 1) of a curve can
/// spend. The first 20 steps share half of the error, the next 40 a quarter, the next 80 an eighth,
/// and so on. All steps together spend at most `level`, so their number need not be known.
pub fn step_level(step: usize, level: f64) -> f64 {
    let (mut size, mut share, mut end) = (FIRST_STEPS, level / 2.0, FIRST_STEPS);
    while step > end {
        size = size.saturating_mul(2);
        share /= 2.0;
        end = end.saturating_add(size);
    }
    share / real(size as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_steps_spend_at_most_the_level() {
        assert!((step_level(1, 0.05) - 0.001_25).abs() < 1e-15);
        assert!((step_level(20, 0.05) - 0.001_25).abs() < 1e-15);
        assert!((step_level(21, 0.05) - 0.000_312_5).abs() < 1e-15);
        let spent: f64 = (1..=60).map(|step| step_level(step, 0.05)).sum();
        assert!((spent - 0.037_5).abs() < 1e-12, "{spent}");
        let spent: f64 = (1..=5_000).map(|step| step_level(step, 0.05)).sum();
        assert!(spent < 0.05, "{spent}");
    }

    /// Creates rows of 400 samples; the given number of first samples is right.
    fn rows(right: &[usize]) -> Vec<Vec<f64>> {
        let row = |count: &usize| {
            (0..400)
                .map(|at| f64::from(u8::from(at < *count)))
                .collect()
        };
        right.iter().map(row).collect()
    }

    #[test]
    fn a_step_down_and_up_is_sure_and_a_small_one_is_not() {
        let tests = StepTests::new(rows(&[280, 281, 240, 330, 329]), (0..400).collect(), 1);
        let changes: Vec<StepChange> = (0..5).map(|at| tests.change(at)).collect();
        let verdicts: Vec<StepVerdict> = changes.iter().map(|it| it.verdict).collect();
        let expected = [
            StepVerdict::Unclear,
            StepVerdict::Unclear,
            StepVerdict::Worse,
            StepVerdict::Better,
            StepVerdict::Unclear,
        ];
        assert_eq!(verdicts, expected);
        assert_eq!(changes[2].window, Some(1));
        assert!((changes[2].difference.unwrap() + 41.0 / 400.0).abs() < 1e-12);
        assert!((changes[3].difference.unwrap() - 49.0 / 400.0).abs() < 1e-12);
        // The same drop among many curves, or on few pictures, is not significant.
        let many = StepTests::new(rows(&[280, 281, 262]), (0..400).collect(), 1_000);
        assert_eq!(many.change(2), StepChange::default());
        let few = StepTests::new(rows(&[280, 240]), (0..400).map(|at| at / 80).collect(), 1);
        assert_eq!(few.change(1), StepChange::default());
    }

    #[test]
    fn missing_samples_are_left_out() {
        let mut missing = rows(&[280, 240]);
        for value in &mut missing[1][240..280] {
            *value = f64::NAN;
        }
        let tests = StepTests::new(missing, (0..400).collect(), 1);
        assert_eq!(tests.change(1), StepChange::default());
    }
}
