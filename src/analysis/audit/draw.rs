//! Draws the samples of a spot check: random, stratified by ability and data set, reproducible by
//! seed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::{Stratum, members};
use crate::Selection;
use record::Row;

/// Samples of a stratum.
#[derive(Clone, Debug, Default)]
struct Share {
    /// First selected prediction of each sample that is not judged.
    left: Vec<u32>,
    /// Number of samples that were judged in a spot check.
    drawn: usize,
}

/// Draws `size` samples of a selection that are not in `judged`, and returns the first selected
/// prediction of each. The values of `judged` are true for samples that were drawn at random. The
/// order is random, so that a reviewer who stops early has judged a random part.
///
/// Strata are ability and data set. Their sizes are chosen so that this draw and the earlier draws
/// together give the narrowest interval of the rate over all samples. Within a stratum every sample
/// is equally likely, and no sample is drawn twice. The draw depends on the samples and the seed,
/// not on the order in which logs were opened.
pub fn spot_check(
    selection: Selection<'_>,
    judged: &BTreeMap<u32, bool>,
    size: usize,
    seed: u64,
) -> Vec<Row> {
    let table = selection.table;
    let mut strata: BTreeMap<Stratum, Share> = BTreeMap::new();
    for member in members(selection) {
        let share = strata.entry(member.stratum).or_default();
        match judged.get(&member.sample) {
            None => share.left.push(member.row),
            Some(is_drawn) => share.drawn += usize::from(*is_drawn),
        }
    }
    let mut strata: Vec<Share> = strata.into_values().collect();
    let key = |row: &u32| {
        let item = table.item(Row(*row));
        (table.ability(item), table.sample_id(item))
    };
    for share in &mut strata {
        share.left.sort_by(|a, b| key(a).cmp(&key(b)));
    }
    // Stratum codes follow the order of the logs; the key of the first sample does not.
    strata.sort_by(|a, b| a.left.first().map(key).cmp(&b.left.first().map(key)));
    let sizes: Vec<(usize, usize)> = strata.iter().map(|it| (it.left.len(), it.drawn)).collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut drawn = Vec::new();
    for (mut share, count) in strata.into_iter().zip(allocation(&sizes, size)) {
        shuffle(&mut share.left, count, &mut random);
        drawn.extend(share.left.into_iter().take(count));
    }
    let all = drawn.len();
    shuffle(&mut drawn, all, &mut random);
    drawn.into_iter().map(Row).collect()
}

/// Splits a draw of `size` samples among strata so that `sum(W_h^2 / n_h)` is smallest. Each
/// stratum is a pair of counts: samples left, and samples drawn before. `W_h` is its share of all
/// samples, and `n_h` its number of drawn samples, including the new draw. This minimizes the width
/// of the intervals of the label error rate and of a corrected score.
///
/// Adding a sample to a stratum reduces the sum by `W^2 / (n (n + 1))`. Each sample goes to the
/// stratum with the largest reduction; strata without drawn samples come first.
///
/// Source: T. Wright, "The equivalence of Neyman optimum allocation for sampling and equal
/// proportions for apportioning the U.S. House of Representatives", The American Statistician 66
/// (2012), for equal spreads.
#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 samples")]
fn allocation(strata: &[(usize, usize)], size: usize) -> Vec<usize> {
    let mut counts = vec![0; strata.len()];
    let step = |(at, (&(left, drawn), &count)): (usize, (&(usize, usize), &usize))| {
        let (all, n) = (left + drawn, (drawn + count) as f64);
        // The bits of floats above zero have the floats' order.
        let gain = ((all as f64).powi(2) / (n * (n + 1.0))).to_bits();
        (count < left).then_some((gain, all, Reverse(at)))
    };
    let mut steps: BinaryHeap<_> = (strata.iter().zip(&counts).enumerate())
        .filter_map(step)
        .collect();
    for _ in 0..size {
        let Some((_, _, Reverse(at))) = steps.pop() else {
            break;
        };
        if let (Some(stratum), Some(count)) = (strata.get(at), counts.get_mut(at)) {
            *count += 1;
            steps.extend(step((at, (stratum, &*count))));
        }
    }
    counts
}

/// Moves `count` random rows to the front (Fisher and Yates).
fn shuffle(rows: &mut [u32], count: usize, random: &mut Xoshiro256PlusPlus) {
    for at in 0..count.min(rows.len()) {
        let left = (rows.len() - at) as u64;
        // The high half of the product is below `left`; the bias is below 2^-32 for any log.
        let step = (u128::from(random.next_u64()) * u128::from(left)) >> 64;
        rows.swap(at, at + usize::try_from(step).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Allocates a draw among strata without earlier draws.
    fn fresh(sizes: &[usize], size: usize) -> Vec<usize> {
        let strata: Vec<(usize, usize)> = sizes.iter().map(|&left| (left, 0)).collect();
        allocation(&strata, size)
    }

    #[test]
    fn shares_are_kept_and_small_strata_are_not_forgotten() {
        assert_eq!(fresh(&[900, 90, 10], 50), [45, 4, 1]);
        assert_eq!(fresh(&[1000, 1, 1, 1], 10), [7, 1, 1, 1]);
        assert_eq!(fresh(&[10, 10, 10], 2), [1, 1, 0]);
        assert_eq!(fresh(&[3, 4], 50), [3, 4]);
        assert_eq!(fresh(&[], 5), Vec::<usize>::new());
    }

    #[test]
    fn what_was_drawn_before_is_made_even() {
        assert_eq!(allocation(&[(160, 40), (200, 0)], 60), [10, 50]);
        assert_eq!(allocation(&[(160, 40), (200, 0)], 20), [0, 20]);
        assert_eq!(allocation(&[(0, 40), (200, 0), (400, 0)], 30), [0, 10, 20]);
    }

    proptest! {
        /// Moving a sample to another stratum never narrows the intervals.
        #[test]
        fn no_exchange_of_two_samples_narrows_the_interval(
            strata in prop::collection::vec((0_usize..400, 0_usize..50), 0..30),
            size in 0_usize..500,
        ) {
            let counts = allocation(&strata, size);
            let all: usize = strata.iter().map(|(left, _)| left).sum();
            prop_assert_eq!(counts.iter().sum::<usize>(), size.min(all));
            let part = |at: usize, count: usize| {
                let (left, drawn) = strata[at];
                ((left + drawn) as f64).powi(2) / (drawn + count) as f64
            };
            for (at, &count) in counts.iter().enumerate() {
                prop_assert!(count <= strata[at].0);
                for (to, &other) in counts.iter().enumerate() {
                    if at != to && count > 0 && other < strata[to].0 {
                        let (now, then) = (
                            part(at, count) + part(to, other),
                            part(at, count - 1) + part(to, other + 1),
                        );
                        prop_assert!(now <= then * (1.0 + 1e-12));
                    }
                }
            }
        }
    }
}
