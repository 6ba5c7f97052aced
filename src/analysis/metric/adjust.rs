//! Adjusts p values for multiple testing.

use rayon::prelude::*;

use super::real;

/// Computes Benjamini-Hochberg adjusted p values. Rejecting all values up to `q` bounds the
/// expected share of false discoveries by `q`.
///
/// Returns one adjusted value for each p value, in the given order; it is never below the p value
/// and never above 1. The family is the whole slice. NaN (an impossible test) counts as 1 and still
/// belongs to the family.
///
/// Source: Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", JRSS B 57
/// (1995); adjusted values as by Yekutieli and Benjamini, Journal of Statistical Planning and
/// Inference 82 (1999), definition 2.4.
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![0.0; p_values.len()];
    raise_to_benjamini_hochberg(&mut adjusted, p_values);
    adjusted
}

/// Computes p values adjusted by Holm's method. Rejecting all values up to `alpha` bounds the
/// probability of any wrong rejection by `alpha`, for any dependence between the tests.
///
/// Returns one adjusted value for each p value, in the given order. NaN (an impossible test)
/// counts as 1, and still belongs to the family.
///
/// Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian
/// Journal of Statistics 6 (1979).
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    step_down(p_values, |before| real((p_values.len() - before) as u64))
}

/// Multiplies each p value, in rising order, by the number of hypotheses left, and keeps the
/// results monotone. `left` returns that number, given how many smaller p values there are. NaN
/// counts as 1.
pub(super) fn step_down(p_values: &[f64], left: impl Fn(usize) -> f64) -> Vec<f64> {
    let clean = |at: &usize| {
        p_values
            .get(*at)
            .map_or(1.0, |p| if p.is_nan() { 1.0 } else { *p })
    };
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|one, other| clean(one).total_cmp(&clean(other)));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut most = 0.0_f64;
    for (before, at) in order.into_iter().enumerate() {
        most = most.max(clean(&at) * left(before)).min(1.0);
        adjusted[at] = most;
    }
    adjusted
}

/// Raises each value of `adjusted` to the Benjamini-Hochberg adjusted value of its p value, where
/// that is larger. Needs 4 bytes per value, because families of many models have tens of millions.
pub(super) fn raise_to_benjamini_hochberg(adjusted: &mut [f64], p_values: &[f64]) {
    let clean = |p: f64| if p.is_nan() { 1.0 } else { p.clamp(0.0, 1.0) };
    let p_value = |&index: &u32| clean(p_values[index as usize]);
    let mut falling: Vec<u32> = (0..).zip(p_values).map(|(index, _)| index).collect();
    // Equal p values get equal results in any order.
    falling.par_sort_unstable_by(|a, b| p_value(b).total_cmp(&p_value(a)));
    let family = real(p_values.len() as u64);
    let (mut least, mut rank) = (1.0_f64, family);
    for index in falling {
        least = least.min(p_value(&index) * family / rank);
        rank -= 1.0;
        let cell = &mut adjusted[index as usize];
        *cell = cell.max(least);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Computes the definition directly: the minimum of `p_(k) m / k` over all places `k` from
    /// the value's own place on.
    fn by_definition(p_values: &[f64]) -> Vec<f64> {
        let mut sorted = p_values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let m = sorted.len() as f64;
        let adjusted = |&p: &f64| {
            let from = sorted.partition_point(|other| *other < p);
            (from..sorted.len())
                .map(|k| sorted[k] * m / (k + 1) as f64)
                .fold(1.0, f64::min)
        };
        p_values.iter().map(adjusted).collect()
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(p_values in prop::collection::vec(0.0..=1.0_f64, 0..60)) {
            for (found, expected) in benjamini_hochberg(&p_values).iter().zip(by_definition(&p_values)) {
                prop_assert!((found - expected).abs() < 1e-12);
            }
        }
    }

    /// Reference: `statsmodels.stats.multitest.multipletests(..., method="holm")`.
    #[test]
    fn holm_steps_down_from_the_smallest() {
        let found = holm(&[0.03, 0.01, f64::NAN, 0.04]);
        let expected = [0.09, 0.04, 1.0, 0.09];
        let is_near = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-12;
        assert!(found.iter().zip(&expected).all(is_near), "{found:?}");
        assert_eq!(holm(&[]), [0.0; 0]);
    }

    /// With two directions for each of three pairs, six hypotheses are left, then five, then four.
    #[test]
    fn holm_of_pairs_steps_down_by_one_direction() {
        let found = crate::metric::holm_pairs(&[0.02, 0.01, f64::NAN]);
        let expected = [0.02 * 5.0 / 2.0, 0.01 * 6.0 / 2.0, 1.0];
        let is_near = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-12;
        assert!(found.iter().zip(&expected).all(is_near), "{found:?}");
    }

    #[test]
    fn ties_share_and_nan_counts_as_one() {
        assert_eq!(benjamini_hochberg(&[0.02, 0.02]), [0.02, 0.02]);
        assert_eq!(benjamini_hochberg(&[f64::NAN, 0.01]), [1.0, 0.02]);
        assert_eq!(benjamini_hochberg(&[]), [0.0; 0]);
    }
}
