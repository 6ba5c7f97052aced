//! Sign-flip distribution of a sum: how often random signs bring it as far from zero.
//!
//! Random signs cost one lookup per four terms: the sums of all sixteen sign patterns are precomputed, and four
//! random bits select one.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use job::Ticket;

use crate::real;

/// Maximum number of terms for full enumeration: 2^13 sums, because a sum and its mirror are equally far from zero.
const MOST_EXACT: usize = 14;
/// Terms per lookup table.
const TERMS: usize = 4;
/// Sign patterns per table.
const WAYS: usize = 1 << TERMS;
/// Draws between two looks at the ticket.
const UNLOOKED: usize = 64;
/// Tables covered by one random word.
const TABLES: usize = 64 / TERMS;
/// Sums within this share of the total magnitude are equal up to rounding.
const ROUNDING: f64 = 1e-12;

/// Two-sided p value of the sum of `terms`, none of which is 0 or NaN.
pub(super) fn p_value(terms: &[f64], draws: usize, seed: u64, ticket: &Ticket) -> f64 {
    let size: f64 = terms.iter().map(|term| term.abs()).sum();
    let far = terms.iter().sum::<f64>().abs() - ROUNDING * size;
    if terms.len() <= MOST_EXACT {
        exact(terms, far)
    } else {
        let hits = random(terms, far, draws, seed, ticket);
        (1.0 + real(hits)) / (1.0 + real(draws as u64))
    }
}

/// Share of all sign patterns whose sum is at least `far` from zero.
fn exact(terms: &[f64], far: f64) -> f64 {
    let Some((first, rest)) = terms.split_first() else {
        return 1.0;
    };
    let ways = 1_u64 << rest.len();
    let hits = (0..ways).filter(|way| (first + signed(rest, *way)).abs() >= far);
    real(hits.count() as u64) / real(ways)
}

/// The sum of the terms, negated where their bit is set.
fn signed(terms: &[f64], bits: u64) -> f64 {
    let signed = |(place, term): (usize, &f64)| if bits >> place & 1 == 1 { -term } else { *term };
    terms.iter().enumerate().map(signed).sum()
}

/// Number of draws whose sum is at least `far` from zero. A stale ticket ends the draws.
fn random(terms: &[f64], far: f64, draws: usize, seed: u64, ticket: &Ticket) -> u64 {
    let tables: Vec<[f64; WAYS]> = terms
        .chunks(TERMS)
        .map(|four| std::array::from_fn(|way| signed(four, way as u64)))
        .collect();
    let mut coins = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut draw = || -> f64 {
        let sum_of = |tables: &[[f64; WAYS]]| {
            let bytes = coins.next_u64().to_le_bytes();
            let ways = bytes.into_iter().flat_map(|byte| [byte & 15, byte >> 4]);
            let chosen = tables.iter().zip(ways);
            chosen
                .map(|(table, way)| table[usize::from(way)])
                .sum::<f64>()
        };
        tables.chunks(TABLES).map(sum_of).sum()
    };
    let wanted = |at: &usize| !at.is_multiple_of(UNLOOKED) || ticket.is_wanted();
    let draws = (0..draws).take_while(wanted);
    draws.map(|_| u64::from(draw().abs() >= far)).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use job::FOR_GOOD;

    proptest! {
        #[test]
        fn random_signs_come_near_all_signs(terms in prop::collection::vec(prop_oneof![0.1..2.0_f64, -1.0..-0.1_f64], 5..=12)) {
            let size: f64 = terms.iter().map(|term| term.abs()).sum();
            let far = terms.iter().sum::<f64>().abs() - ROUNDING * size;
            let draws = 20_000;
            let (all, some) = (exact(&terms, far), real(random(&terms, far, draws, 3, &FOR_GOOD)) / draws as f64);
            let error = (all * (1.0 - all) / draws as f64).sqrt();
            prop_assert!((all - some).abs() <= 5.0 * error + 1e-9, "{all} {some}");
        }
    }

    #[test]
    fn a_few_terms_by_hand() {
        assert_eq!(p_value(&[], 10, 1, &FOR_GOOD), 1.0);
        assert_eq!(p_value(&[0.3], 10, 1, &FOR_GOOD), 1.0);
        assert_eq!(p_value(&[1.0, 1.0, 1.0], 10, 1, &FOR_GOOD), 0.25);
        assert_eq!(p_value(&[1.0, -1.0], 10, 1, &FOR_GOOD), 1.0);
        // 0.1 + 0.2 is as far as 0.3 although floating point says otherwise.
        assert_eq!(p_value(&[0.1, 0.2, 0.3], 10, 1, &FOR_GOOD), 0.25);
        assert_eq!(p_value(&[0.1, 0.2, -0.3], 10, 1, &FOR_GOOD), 1.0);
    }

    #[test]
    fn never_zero() {
        let p = p_value(&[1.0; 100], 999, 7, &FOR_GOOD);
        assert!((p - 0.001).abs() < 1e-15, "{p}");
    }
}
