//! Draws the samples of a spot check: random, stratified by ability and data set, reproducible by
//! seed.

use std::collections::{BTreeMap, BTreeSet};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::{Stratum, members};
use crate::Selection;
use record::Row;

/// Draws `size` samples of a selection that are not among the `audited` sample codes. Returns the
/// first selected prediction of each, in random order: a reviewer who stops early has judged a
/// random part.
///
/// Strata are ability and data set. Each gets its share of the draw, rounded, and at least one
/// sample if the draw has room for all strata. Within a stratum every sample is equally likely,
/// and none is drawn twice. The draw depends on the samples and the seed, not on the order in
/// which logs were opened.
pub fn spot_check(
    selection: Selection<'_>,
    audited: &BTreeSet<u32>,
    size: usize,
    seed: u64,
) -> Vec<Row> {
    let table = selection.table;
    let mut strata: BTreeMap<Stratum, Vec<u32>> = BTreeMap::new();
    for member in members(selection) {
        if !audited.contains(&member.sample) {
            strata.entry(member.stratum).or_default().push(member.row);
        }
    }
    let mut strata: Vec<Vec<u32>> = strata.into_values().collect();
    let key = |row: &u32| {
        let item = table.item(Row(*row));
        (table.ability(item), table.sample_id(item))
    };
    for stratum in &mut strata {
        stratum.sort_by(|a, b| key(a).cmp(&key(b)));
    }
    // Stratum codes follow the order of the logs; the key of the first sample does not.
    strata.sort_by(|a, b| a.first().map(key).cmp(&b.first().map(key)));
    let sizes: Vec<usize> = strata.iter().map(Vec::len).collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut drawn = Vec::new();
    for (mut stratum, count) in strata.into_iter().zip(allocation(&sizes, size)) {
        shuffle(&mut stratum, count, &mut random);
        drawn.extend(stratum.into_iter().take(count));
    }
    let all = drawn.len();
    shuffle(&mut drawn, all, &mut random);
    drawn.into_iter().map(Row).collect()
}

/// Splits a draw among strata: each gets its share, rounded to sum to `size`, and at least one
/// where there is room.
#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 samples")]
fn allocation(sizes: &[usize], size: usize) -> Vec<usize> {
    let all: usize = sizes.iter().sum();
    let size = size.min(all);
    let least = usize::from(size >= sizes.len());
    let share = |stratum: usize| size as f64 * stratum as f64 / all.max(1) as f64;
    // Rounded down: the sum can exceed `size` only through strata that were raised to one.
    let mut counts: Vec<usize> = sizes
        .iter()
        .map(|&stratum| (size * stratum / all.max(1)).max(least))
        .collect();
    loop {
        let sum: usize = counts.iter().sum();
        let lack = |(&stratum, &count): (&usize, &usize)| share(stratum) - count as f64;
        let lacks = sizes
            .iter()
            .zip(&counts)
            .map(lack)
            .zip(sizes.iter().zip(&counts))
            .enumerate();
        let changed = match sum.cmp(&size) {
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => lacks
                .filter(|(_, (_, (stratum, count)))| count < stratum)
                .max_by(|a, b| a.1.0.total_cmp(&b.1.0).then(b.0.cmp(&a.0)))
                .map(|(at, _)| (at, 1)),
            std::cmp::Ordering::Greater => lacks
                .filter(|(_, (_, (_, count)))| **count > least)
                .min_by(|a, b| a.1.0.total_cmp(&b.1.0))
                .map(|(at, _)| (at, -1)),
        };
        let Some((at, step)) = changed else {
            return counts;
        };
        if let Some(count) = counts.get_mut(at) {
            *count = count.saturating_add_signed(step);
        }
    }
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

    #[test]
    fn shares_are_kept_and_small_strata_are_not_forgotten() {
        assert_eq!(allocation(&[900, 90, 10], 50), [45, 4, 1]);
        assert_eq!(allocation(&[1000, 1, 1, 1], 10), [7, 1, 1, 1]);
        assert_eq!(allocation(&[10, 10, 10], 2).iter().sum::<usize>(), 2);
        assert_eq!(allocation(&[3, 4], 50), [3, 4]);
        assert_eq!(allocation(&[], 5), Vec::<usize>::new());
    }

    proptest! {
        #[test]
        fn allocations_sum_up_and_fit(sizes in prop::collection::vec(1_usize..400, 0..30), size in 0_usize..500) {
            let counts = allocation(&sizes, size);
            let all: usize = sizes.iter().sum();
            prop_assert_eq!(counts.iter().sum::<usize>(), size.min(all));
            let room = size.min(all) >= sizes.len();
            for (count, stratum) in counts.iter().zip(&sizes) {
                prop_assert!(count <= stratum && (!room || *count >= 1));
            }
        }
    }
}
