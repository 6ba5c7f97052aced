//! Computes rank correlations of two lists.

use statrs::distribution::{ContinuousCDF, Normal};
use thiserror::Error;

use super::{Interval, are_equal, mid_ranks, real, tails};
use record::Direction;

/// Minimum number of pairs for an interval of Spearman's rho.
const MIN_PAIRS: u64 = 10;

/// Relative differences up to this size count as rounding errors.
const ROUNDING: f64 = 1e-12;

/// Reason why a rank correlation is undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CorrelationError {
    /// Fewer than two pairs.
    #[error("fewer than two to rank")]
    TooFew,
    /// One of the lists is constant.
    #[error("all are tied")]
    AllTied,
}

/// Computes Kendall's tau-b of two lists of equal length, from -1 (opposite orders) to 1 (the
/// same order), in O(n log n).
///
/// Tied pairs are neither concordant nor discordant and shrink the denominator. Pairs with a NaN
/// are left out.
///
/// # Errors
/// Fails with fewer than two pairs or a constant list.
///
/// Source: M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945);
/// counted as in W. R. Knight, "A computer method for calculating Kendall's tau with ungrouped
/// data", JASA 61 (1966).
pub fn kendall_tau_b(first: &[f64], second: &[f64]) -> Result<f64, CorrelationError> {
    let mut pairs = complete(first, second);
    if pairs.len() < 2 {
        return Err(CorrelationError::TooFew);
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let tied_first = tied(&pairs, |a, b| same(a.0, b.0));
    let tied_both = tied(&pairs, |a, b| same(a.0, b.0) && same(a.1, b.1));
    let mut seconds: Vec<f64> = pairs.iter().map(|pair| pair.1).collect();
    let discordant = inversions(&mut seconds);
    let tied_second = tied(&seconds, |a, b| same(*a, *b));
    let all = choose_two(pairs.len());
    if tied_first == all || tied_second == all {
        return Err(CorrelationError::AllTied);
    }
    let concordant = all + tied_both - tied_first - tied_second - discordant;
    let scale = (real(all - tied_first) * real(all - tied_second)).sqrt();
    Ok(((real(concordant) - real(discordant)) / scale).clamp(-1.0, 1.0))
}

/// Computes Spearman's rho of two lists of equal length: the Pearson correlation of their
/// mid-ranks, from -1 to 1.
///
/// Pairs with a NaN are left out.
///
/// # Errors
/// Fails with fewer than two pairs or a constant list.
///
/// Source: C. Spearman, "The proof and measurement of association between two things", American
/// Journal of Psychology 15 (1904), with Kendall's mid-ranks for ties.
pub fn spearman_rho(first: &[f64], second: &[f64]) -> Result<f64, CorrelationError> {
    let pairs = complete(first, second);
    if pairs.len() < 2 {
        return Err(CorrelationError::TooFew);
    }
    let ranks = |value: fn(&(f64, f64)) -> f64| -> Vec<f64> {
        let values: Vec<Option<f64>> = pairs.iter().map(|pair| Some(value(pair))).collect();
        mid_ranks(&values, Direction::Lower)
            .into_iter()
            .flatten()
            .collect()
    };
    pearson(&ranks(|pair| pair.0), &ranks(|pair| pair.1))
}

/// Computes the interval of Spearman's rho of `n` pairs at confidence `level`, within -1 and 1.
///
/// `None` with fewer than ten pairs, if all pairs are in the same or the opposite order, or unless
/// `0 < level < 1`.
///
/// Source: D. G. Bonett and T. A. Wright, "Sample size requirements for estimating Pearson,
/// Kendall and Spearman correlations", Psychometrika 65 (2000): Fisher's transformation with the
/// variance `(1 + rho^2 / 2) / (n - 3)`.
pub fn spearman_interval(rho: f64, n: u64, level: f64) -> Option<Interval> {
    if n < MIN_PAIRS || rho.is_nan() || rho.abs() >= 1.0 {
        return None;
    }
    let error = ((1.0 + 0.5 * rho * rho) / (real(n) - 3.0)).sqrt();
    let reach = Normal::standard().inverse_cdf(tails(level)?.1) * error;
    Some(Interval {
        low: (rho.atanh() - reach).tanh(),
        high: (rho.atanh() + reach).tanh(),
    })
}

/// Computes Pearson's correlation of two lists of numbers, from -1 to 1. Pairs with a NaN are
/// left out.
///
/// # Errors
/// Fails with fewer than two pairs or a list that is constant up to rounding.
///
/// Source: K. Pearson, "Notes on regression and inheritance in the case of two parents",
/// Proceedings of the Royal Society of London 58 (1895).
pub fn pearson(first: &[f64], second: &[f64]) -> Result<f64, CorrelationError> {
    let pairs = complete(first, second);
    if pairs.len() < 2 {
        return Err(CorrelationError::TooFew);
    }
    let n = real(pairs.len() as u64);
    let centered = |value: fn(&(f64, f64)) -> f64| -> Vec<f64> {
        let mean = pairs.iter().map(value).sum::<f64>() / n;
        pairs.iter().map(|pair| value(pair) - mean).collect()
    };
    let (first, second) = (centered(|pair| pair.0), centered(|pair| pair.1));
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let scale = (product(&first, &first) * product(&second, &second)).sqrt();
    if scale > ROUNDING {
        Ok((product(&first, &second) / scale).clamp(-1.0, 1.0))
    } else {
        Err(CorrelationError::AllTied)
    }
}

fn complete(first: &[f64], second: &[f64]) -> Vec<(f64, f64)> {
    let pairs = first.iter().copied().zip(second.iter().copied());
    // Adding 0 turns -0 into 0: they sort differently, but are tied.
    let plain = |(a, b): (f64, f64)| (!a.is_nan() && !b.is_nan()).then_some((a + 0.0, b + 0.0));
    let mut pairs: Vec<(f64, f64)> = pairs.filter_map(plain).collect();
    join_equal(&mut pairs, |pair| &mut pair.0);
    join_equal(&mut pairs, |pair| &mut pair.1);
    pairs
}

/// Makes numbers equal that differ only by rounding.
fn join_equal(pairs: &mut [(f64, f64)], number: fn(&mut (f64, f64)) -> &mut f64) {
    let mut places: Vec<(f64, usize)> = pairs
        .iter_mut()
        .enumerate()
        .map(|(place, pair)| (*number(pair), place))
        .collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut last = f64::NAN;
    for (value, place) in places {
        if !are_equal(value, last) {
            last = value;
        }
        *number(&mut pairs[place]) = last;
    }
}

#[expect(clippy::float_cmp, reason = "equal numbers are the same value here")]
fn same(a: f64, b: f64) -> bool {
    a == b
}

fn choose_two(n: usize) -> u64 {
    let n = n as u64;
    n * n.saturating_sub(1) / 2
}

/// Counts the tied pairs from runs of equal neighbours.
fn tied<T>(sorted: &[T], equal: impl FnMut(&T, &T) -> bool) -> u64 {
    let runs = sorted.chunk_by(equal);
    runs.map(|run| choose_two(run.len())).sum()
}

/// Sorts and returns the number of inversions.
fn inversions(values: &mut [f64]) -> u64 {
    let middle = values.len() / 2;
    if middle == 0 {
        return 0;
    }
    let (left, right) = values.split_at_mut(middle);
    let mut count = inversions(left) + inversions(right);
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let mut waiting: &[f64] = left;
    for &value in right.iter() {
        let before = waiting.partition_point(|&other| other <= value);
        merged.extend_from_slice(&waiting[..before]);
        merged.push(value);
        waiting = &waiting[before..];
        count += waiting.len() as u64;
    }
    merged.extend_from_slice(waiting);
    values.copy_from_slice(&merged);
    count
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Computes tau-b by comparing every pair.
    fn counted(first: &[f64], second: &[f64]) -> f64 {
        let order = |a: f64, b: f64| f64::from(i8::from(a > b) - i8::from(a < b));
        let (mut agree, mut ties) = (0.0, [0.0; 2]);
        for i in 0..first.len() {
            for j in 0..i {
                let [a, b] = [order(first[i], first[j]), order(second[i], second[j])];
                agree += a * b;
                ties[0] += a.abs();
                ties[1] += b.abs();
            }
        }
        agree / (ties[0] * ties[1]).sqrt()
    }

    proptest! {
        #[test]
        fn tau_counts_pairs(pairs in prop::collection::vec((0..6_u8, 0..6_u8), 2..60)) {
            let (first, second): (Vec<f64>, Vec<f64>) = pairs.iter().map(|(a, b)| (f64::from(*a), f64::from(*b))).unzip();
            match kendall_tau_b(&first, &second) {
                Ok(tau) => prop_assert!((tau - counted(&first, &second)).abs() < 1e-12),
                Err(why) => {
                    prop_assert_eq!(why, CorrelationError::AllTied);
                    prop_assert!(counted(&first, &second).is_nan());
                }
            }
        }
    }

    #[test]
    fn the_same_order_is_one_and_the_opposite_minus_one() {
        let up = [0.1, 0.2, 0.3, 0.4];
        let down = [9.0, 5.0, 2.0, 1.0];
        assert_eq!(kendall_tau_b(&up, &up), Ok(1.0));
        assert_eq!(kendall_tau_b(&up, &down), Ok(-1.0));
        assert_eq!(spearman_rho(&up, &down), Ok(-1.0));
    }

    #[test]
    fn what_has_no_order_says_why() {
        assert_eq!(kendall_tau_b(&[], &[]), Err(CorrelationError::TooFew));
        assert_eq!(
            kendall_tau_b(&[1.0, f64::NAN], &[1.0, 2.0]),
            Err(CorrelationError::TooFew)
        );
        let (tied, order) = ([0.5; 3], [1.0, 2.0, 3.0]);
        assert_eq!(kendall_tau_b(&tied, &order), Err(CorrelationError::AllTied));
        assert_eq!(spearman_rho(&order, &tied), Err(CorrelationError::AllTied));
        assert_eq!(
            kendall_tau_b(&[0.0, -0.0], &[1.0, 2.0]),
            Err(CorrelationError::AllTied)
        );
    }

    /// Reference values were computed independently of this code.
    #[test]
    fn the_interval_of_rho_is_that_of_bonett_and_wright() {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        let found = spearman_interval(0.5, 30, 0.95).unwrap();
        assert!(near(found.low, 0.148_132_183_390_554), "{found:?}");
        assert!(near(found.high, 0.739_503_194_919_635), "{found:?}");
        let found = spearman_interval(-0.8, 12, 0.95).unwrap();
        assert!(near(found.low, -0.951_672_569_660_155), "{found:?}");
        assert!(near(found.high, -0.334_603_517_191_697), "{found:?}");
        assert_eq!(spearman_interval(0.5, 9, 0.95), None);
        assert_eq!(spearman_interval(1.0, 30, 0.95), None);
    }

    /// Reference value, computed independently of this code: 0.902244.
    #[test]
    fn pearson_follows_its_definition_and_equal_numbers_do_not_vary() {
        let found = pearson(&[1.0, 2.0, 3.0, 5.0], &[2.0, 1.0, 4.0, 6.0]).unwrap();
        assert!((found - 0.902_243_6).abs() < 1e-6, "{found}");
        let equal = [0.1 + 0.2, 0.3, 0.1 + 0.2];
        assert_eq!(
            pearson(&equal, &[1.0, 2.0, 3.0]),
            Err(CorrelationError::AllTied)
        );
        assert_eq!(pearson(&[1.0], &[2.0]), Err(CorrelationError::TooFew));
    }
}
