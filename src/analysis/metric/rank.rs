//! Ranks models by score.
//!
//! Reports use competition ranks ("1, 2, 2, 4") for display. Averages over abilities use mid-ranks
//! ("1, 2.5, 2.5, 4"), because ties must not favour any model there. Only tens of models are
//! compared, so counting the better models is faster than sorting.

use record::Direction;

/// Relative difference below which scores count as equal, because the same values can be summed in
/// another order.
const ROUNDING: f64 = 1e-12;

/// Returns true if two numbers differ by at most the rounding error of sums.
pub fn are_equal(one: f64, other: f64) -> bool {
    #[expect(clippy::float_cmp, reason = "infinite numbers may be equal")]
    let is_same = one == other;
    is_same || (one - other).abs() <= ROUNDING * one.abs().max(other.abs())
}

/// Computes competition ranks: 1 + the number of strictly better scores. `None` (no score, or
/// NaN) stays unranked.
///
/// Returns one rank for each score in the given order, 1 for the best. Scores that differ only by
/// rounding tie.
pub fn competition_ranks(scores: &[Option<f64>], direction: Direction) -> Vec<Option<u32>> {
    let merits = merits(scores, direction);
    merits
        .iter()
        .map(|&merit| better(&merits, merit).map(|better| better + 1))
        .collect()
}

/// Computes mid-ranks: equal scores share the mean of their ranks. `None` (no score, or NaN)
/// stays unranked.
///
/// Source: M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945).
pub fn mid_ranks(scores: &[Option<f64>], direction: Direction) -> Vec<Option<f64>> {
    let merits = merits(scores, direction);
    let mid_rank = |merit: f64| {
        let at_least = |other: f64| other >= merit || are_equal(other, merit);
        let places = count(&merits, at_least) + better(&merits, merit)? + 1;
        Some(0.5 * f64::from(places))
    };
    merits.iter().map(|&merit| mid_rank(merit)).collect()
}

/// Negates the scores if lower is better; missing scores become NaN.
fn merits(scores: &[Option<f64>], direction: Direction) -> Vec<f64> {
    let merit = |score: f64| match direction {
        Direction::Higher => score,
        Direction::Lower => -score,
    };
    let merits = scores.iter().map(|score| score.map_or(f64::NAN, merit));
    merits.collect()
}

/// Returns the number of scores strictly better than `merit`; `None` if it is NaN.
fn better(merits: &[f64], merit: f64) -> Option<u32> {
    let is_better = |other: f64| other > merit && !are_equal(other, merit);
    (!merit.is_nan()).then(|| count(merits, is_better))
}

/// Counts the scores that meet a condition.
fn count(merits: &[f64], condition: impl Fn(f64) -> bool) -> u32 {
    merits
        .iter()
        .map(|&merit| u32::from(condition(merit)))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: [Option<f64>; 6] = [
        Some(0.5),
        Some(0.9),
        None,
        Some(0.5),
        Some(0.1),
        Some(f64::NAN),
    ];

    #[test]
    fn competition_ranks_skip_after_ties() {
        assert_eq!(
            competition_ranks(&SCORES, Direction::Higher),
            [Some(2), Some(1), None, Some(2), Some(4), None]
        );
        assert_eq!(
            competition_ranks(&SCORES, Direction::Lower),
            [Some(2), Some(4), None, Some(2), Some(1), None]
        );
    }

    /// Means of the same 200 scores summed in three orders.
    #[test]
    fn rounding_breaks_no_tie() {
        let means = [
            0.545_714_156_648_506_2,
            0.545_714_156_648_506_3,
            0.545_714_156_648_506_6,
        ];
        let scores = means.map(Some);
        assert_eq!(competition_ranks(&scores, Direction::Higher), [Some(1); 3]);
        assert_eq!(mid_ranks(&scores, Direction::Lower), [Some(2.0); 3]);
        assert!(are_equal(f64::INFINITY, f64::INFINITY) && are_equal(0.0, -0.0));
        assert!(!are_equal(1.0, 1.0 + 1e-11) && !are_equal(0.0, 1e-300));
    }

    #[test]
    fn mid_ranks_share_places() {
        assert_eq!(
            mid_ranks(&SCORES, Direction::Higher),
            [Some(2.5), Some(1.0), None, Some(2.5), Some(4.0), None]
        );
        assert_eq!(mid_ranks(&[Some(1.0); 3], Direction::Lower), [Some(2.0); 3]);
    }
}
