//! Pseudo-random numbers that depend only on a target's name and a case's number.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A random number generator.
pub struct Dice(Xoshiro256PlusPlus);

impl Dice {
    /// Generator for one case.
    pub fn new(target: &str, case: u64) -> Self {
        // FNV-1a hash, so that cases do not change with the version of the compiler.
        let name = target
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        Self(Xoshiro256PlusPlus::seed_from_u64(
            name ^ case.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        ))
    }

    /// A random number below `count`; 0 if `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        let product = u128::from(self.0.next_u64()) * (count as u128);
        usize::try_from(product >> 64).unwrap()
    }

    /// Returns true with probability 1/`count`.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// A random byte.
    pub fn byte(&mut self) -> u8 {
        self.0.next_u64().to_le_bytes()[0]
    }

    /// A random element.
    pub fn pick<'a, T: ?Sized>(&mut self, things: &[&'a T]) -> &'a T {
        things[self.below(things.len())]
    }

    /// A random range within a text of this length, usually short.
    pub fn stretch(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let most = if self.one_in(4) { length } else { 24 };
        let end = start + self.below(most.min(length - start) + 1);
        start..end
    }
}
