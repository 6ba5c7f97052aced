//! Computes percentile intervals of bootstrap draws.
//!
//! A report has thousands of intervals with a thousand draws each. Each interval needs only two
//! order statistics, so the draws are partitioned instead of sorted.

use super::{Interval, tails};

/// Computes the percentile bootstrap interval at `level` (0.95 for 95 %): the `(1 - level) / 2`
/// and `(1 + level) / 2` quantiles.
///
/// Quantiles between two draws are interpolated linearly, as by default in `numpy.percentile`
/// (definition 7 of Hyndman and Fan, "Sample quantiles in statistical packages", The American
/// Statistician 50, 1996). The interval is that of Efron and Tibshirani, "An introduction to the
/// bootstrap" (1993), chapter 13, in the unit of the draws.
///
/// The draws are reordered and must not contain NaN. `None` without a draw or unless
/// `0 < level < 1`.
pub fn percentile_interval(draws: &mut [f64], level: f64) -> Option<Interval> {
    let (lower, upper) = tails(level)?;
    Some(Interval {
        low: quantile(draws, lower)?,
        high: quantile(draws, upper)?,
    })
}

/// Returns the `share` quantile of the draws; `None` without a draw.
fn quantile(draws: &mut [f64], share: f64) -> Option<f64> {
    let (below, fraction) = position(draws.len().checked_sub(1)?, share);
    let (_, &mut low, rest) = draws.select_nth_unstable_by(below, f64::total_cmp);
    let next = rest.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
    // Interpolated from the nearer end, so that a fraction of 1 gives `next` exactly.
    Some(if fraction < 0.5 {
        low + (next - low) * fraction
    } else {
        next - (next - low) * (1.0 - fraction)
    })
}

/// Splits `share * last`, the position of a quantile among draws `0..=last`, into integer and
/// fraction.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a position between 0 and the number of draws"
)]
fn position(last: usize, share: f64) -> (usize, f64) {
    let place = share * last as f64;
    (place as usize, place.fract())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Computes the quantile by sorting.
    fn sorted_quantile(draws: &[f64], share: f64) -> f64 {
        let mut sorted = draws.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (below, fraction) = position(sorted.len() - 1, share);
        let next = sorted[(below + 1).min(sorted.len() - 1)];
        sorted[below] + (next - sorted[below]) * fraction
    }

    proptest! {
        #[test]
        fn selection_equals_sorting(
            mut draws in prop::collection::vec(-5.0..5.0_f64, 1..200),
            level in 0.01..0.99_f64,
        ) {
            let (lower, upper) = tails(level).unwrap();
            let expected = (sorted_quantile(&draws, lower), sorted_quantile(&draws, upper));
            let interval = percentile_interval(&mut draws, level).unwrap();
            prop_assert!((interval.low - expected.0).abs() < 1e-12);
            prop_assert!((interval.high - expected.1).abs() < 1e-12);
        }
    }

    #[test]
    fn interpolates_between_neighbours() {
        let mut draws = [4.0, 0.0, 3.0, 1.0, 2.0];
        assert_eq!(
            percentile_interval(&mut draws, 0.75),
            Some(Interval {
                low: 0.5,
                high: 3.5
            })
        );
    }

    #[test]
    fn one_draw_is_its_own_interval_and_none_has_none() {
        assert_eq!(
            percentile_interval(&mut [2.0], 0.95),
            Some(Interval {
                low: 2.0,
                high: 2.0
            })
        );
        assert_eq!(percentile_interval(&mut [], 0.95), None);
        assert_eq!(percentile_interval(&mut [1.0, 2.0], 1.5), None);
    }
}
