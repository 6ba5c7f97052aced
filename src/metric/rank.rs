//! Ranks of models and their uncertainty.
//!
//! Reports use competition ranks ("1, 2, 2, 4") for display and mid-ranks ("1, 2.5, 2.5, 4") for averages over
//! abilities, where ties must not favour anyone. Rank intervals come from ranking anew in every bootstrap draw. Few
//! models are compared (tens), so counting the better ones is faster than sorting.

use super::quantile::{percentile_interval, position};
use super::tails;

/// Competition ranks: 1 + the number of strictly better scores; `None` (no score, or NaN) stays unranked.
///
/// Returns one rank per score in the given order, 1 for the best.
#[must_use]
pub fn competition_ranks(scores: &[Option<f64>], higher_is_better: bool) -> Vec<Option<u32>> {
    let merits = merits(scores, higher_is_better);
    merits
        .iter()
        .map(|&merit| better(&merits, merit).map(|better| better + 1))
        .collect()
}

/// Mid-ranks: equal scores share the mean of their ranks; `None` (no score, or NaN) stays unranked.
///
/// Source: M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945).
#[must_use]
pub fn mid_ranks(scores: &[Option<f64>], higher_is_better: bool) -> Vec<Option<f64>> {
    let merits = merits(scores, higher_is_better);
    let mid_rank = |merit: f64| {
        let places = count(&merits, |other| other >= merit) + better(&merits, merit)? + 1;
        Some(0.5 * f64::from(places))
    };
    merits.iter().map(|&merit| mid_rank(merit)).collect()
}

/// Confidence interval of each column's competition rank at `level` (0.95 for 95 %) from bootstrap draws, `draws x
/// columns`, row-major.
///
/// NaN is unranked in its draw. The ends are order statistics of the ranks, the lower rounded down and the upper up,
/// so both are ranks that occurred. `None` for a column that is never ranked or unless `0 < level < 1`.
///
/// Source: Goldstein and Spiegelhalter, "League tables and their limitations", JRSS A 159 (1996), for intervals of
/// ranks by ranking within each simulated draw.
#[must_use]
pub fn rank_intervals(
    draws: &[f64],
    columns: usize,
    higher_is_better: bool,
    level: f64,
) -> Vec<Option<(u32, u32)>> {
    if columns == 0 {
        return Vec::new();
    }
    let mut times = vec![0; columns * columns];
    let mut merits = vec![0.0; columns];
    for draw in draws.chunks_exact(columns) {
        for (merit, &score) in merits.iter_mut().zip(draw) {
            *merit = if higher_is_better { score } else { -score };
        }
        for (times, &merit) in times.chunks_exact_mut(columns).zip(&merits) {
            if let Some(better) = better(&merits, merit) {
                times[better as usize] += 1;
            }
        }
    }
    times
        .chunks_exact(columns)
        .map(|times| rank_interval(times, level))
        .collect()
}

/// Tie groups of columns, numbered from 1, from bootstrap draws, `draws x columns`, row-major.
///
/// `order` lists the columns to group, best first. The best one opens group 1, which every column joins whose
/// interval at `level` of the difference from it contains 0; the best of the rest opens group 2, and so on. Members
/// are not separable from the best of their group, but may be from each other. `None` for a column that is not in
/// `order`.
///
/// Source: the percentile interval of a paired difference, as in Efron and Tibshirani, "An introduction to the
/// bootstrap" (1993), chapter 13.
#[must_use]
pub fn tie_groups(draws: &[f64], columns: usize, order: &[usize], level: f64) -> Vec<Option<u32>> {
    let mut groups = vec![None; columns];
    let alike = |one: usize, other: usize| {
        let difference = |draw: &[f64]| Some(draw.get(one)? - draw.get(other)?);
        let mut differences: Vec<f64> = draws
            .chunks_exact(columns.max(1))
            .filter_map(difference)
            .filter(|difference| !difference.is_nan())
            .collect();
        percentile_interval(&mut differences, level).is_some_and(|interval| interval.contains(0.0))
    };
    let mut left = order.to_vec();
    let mut group = 0;
    while let Some(&best) = left.first() {
        group += 1;
        left.retain(|&column| {
            let joins = column == best || alike(best, column);
            if let (true, Some(own)) = (joins, groups.get_mut(column)) {
                *own = Some(group);
            }
            !joins
        });
    }
    groups
}

/// The interval of one column from its counts of each rank, starting with rank 1.
fn rank_interval(times: &[usize], level: f64) -> Option<(u32, u32)> {
    let (lower, upper) = tails(level)?;
    let last = times.iter().sum::<usize>().checked_sub(1)?;
    let (high, fraction) = position(last, upper);
    let low = rank_at(times, position(last, lower).0)?;
    Some((
        low,
        rank_at(times, if fraction > 0.0 { high + 1 } else { high })?,
    ))
}

/// The rank at index `place` of all its ranks in order.
fn rank_at(times: &[usize], place: usize) -> Option<u32> {
    let mut passed = 0;
    (1..).zip(times).find_map(|(rank, times)| {
        passed += times;
        (passed > place).then_some(rank)
    })
}

/// Scores with the sign changed where lower is better; NaN where there is none.
fn merits(scores: &[Option<f64>], higher_is_better: bool) -> Vec<f64> {
    scores
        .iter()
        .map(|score| {
            score.map_or(
                f64::NAN,
                |score| if higher_is_better { score } else { -score },
            )
        })
        .collect()
}

/// Number of scores strictly better than `merit`; `None` if it is NaN.
fn better(merits: &[f64], merit: f64) -> Option<u32> {
    (!merit.is_nan()).then(|| count(merits, |other| other > merit))
}

/// Number of scores that meet the condition.
fn count(merits: &[f64], condition: impl Fn(f64) -> bool) -> u32 {
    merits
        .iter()
        .map(|&merit| u32::from(condition(merit)))
        .sum()
}

#[cfg(test)]
mod tests {
    #[test]
    fn tie_groups_are_anchored_at_their_best_column() {
        // The first two swap places in half of the draws, the third never leaves its own.
        let draws = [[0.9, 0.8, 0.1, f64::NAN], [0.7, 0.8, 0.2, 0.5]].concat();
        let groups = tie_groups(&draws.repeat(50), 4, &[0, 1, 2], 0.95);
        assert_eq!(groups, [Some(1), Some(1), Some(2), None]);
        assert_eq!(tie_groups(&[], 0, &[], 0.95), []);
    }

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
            competition_ranks(&SCORES, true),
            [Some(2), Some(1), None, Some(2), Some(4), None]
        );
        assert_eq!(
            competition_ranks(&SCORES, false),
            [Some(2), Some(4), None, Some(2), Some(1), None]
        );
    }

    #[test]
    fn mid_ranks_share_places() {
        assert_eq!(
            mid_ranks(&SCORES, true),
            [Some(2.5), Some(1.0), None, Some(2.5), Some(4.0), None]
        );
        assert_eq!(mid_ranks(&[Some(1.0); 3], false), [Some(2.0); 3]);
    }

    #[test]
    fn rank_intervals_cover_the_ranks_that_occur() {
        // Column 0 leads in 90 of 100 draws and is third in the others; column 2 has no score in
        // half of them.
        let draws: Vec<f64> = (0..100)
            .flat_map(|draw| {
                let first = if draw % 10 == 0 { 0.0 } else { 0.9 };
                [
                    first,
                    0.5,
                    if draw % 2 == 0 { 0.4 } else { f64::NAN },
                    f64::NAN,
                ]
            })
            .collect();
        let intervals = rank_intervals(&draws, 4, true, 0.95);
        assert_eq!(intervals, [Some((1, 3)), Some((1, 2)), Some((2, 3)), None]);
        assert_eq!(rank_intervals(&draws, 4, true, 0.5)[0], Some((1, 1)));
        assert_eq!(rank_intervals(&draws, 4, false, 0.5)[0], Some((2, 3)));
    }

    #[test]
    fn ends_are_order_statistics_rounded_outwards() {
        // Places 24.975 and 974.025 of a thousand: the 25th and the 976th rank in order.
        let mut times = [0; 50];
        times[0] = 25;
        times[1] = 950;
        times[2] = 25;
        assert_eq!(rank_interval(&times, 0.95), Some((1, 3)));
        times[0] = 24;
        times[1] = 952;
        times[2] = 24;
        assert_eq!(rank_interval(&times, 0.95), Some((2, 2)));
    }

    #[test]
    fn no_draws_no_intervals() {
        assert_eq!(rank_intervals(&[], 2, true, 0.95), [None, None]);
        assert_eq!(rank_intervals(&[], 0, true, 0.95), []);
    }
}
