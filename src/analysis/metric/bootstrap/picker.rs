//! Chooses clusters at random.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Unbiased random indices below a bound.
///
/// Source: D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019),
/// algorithm 5, applied to both halves of each random word. The high half of `word * bound` is
/// the index; the few words that would bias it are redrawn.
pub(super) struct Picker {
    random: Xoshiro256PlusPlus,
    bound: u32,
    /// Products whose low half is below this are redrawn: 2^32 mod `bound`.
    threshold: u32,
}

impl Picker {
    /// Creates a picker of indices below `bound`; `None` if `bound` is 0.
    pub(super) fn new(bound: u32, seed: u64) -> Option<Self> {
        let threshold = bound.wrapping_neg().checked_rem(bound)?;
        Some(Self {
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            bound,
            threshold,
        })
    }

    /// Fills `picks` with independent indices.
    pub(super) fn fill(&mut self, picks: &mut [u32]) {
        let (pairs, rest) = picks.as_chunks_mut();
        for [first, second] in pairs {
            let (high, low) = halves(self.random.next_u64());
            *first = self.scale(high);
            *second = self.scale(low);
        }
        for pick in rest {
            let word = self.random.next_u32();
            *pick = self.scale(word);
        }
    }

    #[inline]
    fn scale(&mut self, mut word: u32) -> u32 {
        loop {
            let (index, fraction) = halves(u64::from(word) * u64::from(self.bound));
            if fraction >= self.threshold {
                return index;
            }
            word = self.random.next_u32();
        }
    }
}

/// Splits a word into its high and low half.
#[expect(
    clippy::cast_possible_truncation,
    reason = "splits a number into its halves"
)]
fn halves(word: u64) -> (u32, u32) {
    ((word >> 32) as u32, word as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_are_uniform() {
        let mut picker = Picker::new(7, 11).unwrap();
        let mut picks = vec![0; 70_000];
        picker.fill(&mut picks);
        for index in 0..7 {
            let times = picks.iter().filter(|&&pick| pick == index).count();
            assert!(
                (9_600..10_400).contains(&times),
                "{index} picked {times} times"
            );
        }
    }

    #[test]
    fn words_that_favour_an_index_are_drawn_again() {
        let mut picker = Picker::new(3, 1).unwrap();
        assert_eq!(picker.threshold, 1);
        let before = picker.random.clone();
        picker.scale(u32::MAX);
        assert_eq!(picker.random, before, "accepted as it is");
        picker.scale(0);
        assert_ne!(picker.random, before, "0 is the one word too many");
    }

    #[test]
    fn nothing_to_pick_from() {
        assert!(Picker::new(0, 1).is_none());
    }
}
