//! Seeded random numbers; each part of a set has its own stream.

use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// Creates the stream at a path such as `[FIGURES, 17]`. Streams of different paths are
    /// independent.
    pub fn new(seed: u64, place: &[u64]) -> Self {
        let mixed = place.iter().fold(seed, |mixed, &part| {
            let mut mix = SplitMix64::seed_from_u64(mixed);
            mix.next_u64() ^ SplitMix64::seed_from_u64(!part).next_u64()
        });
        Self(Xoshiro256PlusPlus::seed_from_u64(mixed))
    }

    /// A uniform integer in `0..count`; 0 if `count` is 0.
    ///
    /// Source: D. Lemire, "Fast random integer generation in an interval" (2019), without its
    /// rejection step; the remaining bias is at most `count / 2^64`.
    pub fn below(&mut self, count: usize) -> usize {
        let product = u128::from(self.0.next_u64()) * count as u128;
        usize::try_from(product >> 64).unwrap_or(0)
    }

    /// A uniform number in `low..high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        // 53 bits, the precision of a double.
        #[expect(clippy::cast_precision_loss, reason = "53 bits")]
        let share = (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        low + share * (high - low)
    }

    /// Returns true with the given probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.between(0.0, 1.0) < probability
    }

    /// A uniformly chosen element; `None` if the slice is empty.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    /// A uniformly chosen element of a slice that is not empty.
    pub fn choose<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Shuffles a slice in place.
    ///
    /// Source: R. Durstenfeld, "Algorithm 235: random permutation", CACM 7 (1964).
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for at in (1..things.len()).rev() {
            let other = self.below(at + 1);
            things.swap(at, other);
        }
    }

    /// A standard normal number (mean 0, standard deviation 1).
    ///
    /// Source: G. Box, M. Muller, "A note on the generation of random normal deviates" (1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.between(f64::MIN_POSITIVE, 1.0).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.between(0.0, 1.0)).cos()
    }

    /// Sixty-four random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_their_own_streams() {
        let bits = |place: &[u64]| Rng::new(7, place).bits();
        let places: [&[u64]; 6] = [&[], &[0], &[1], &[0, 1], &[1, 0], &[0, 0]];
        for (at, one) in places.iter().enumerate() {
            assert_eq!(bits(one), bits(one));
            for other in &places[..at] {
                assert_ne!(bits(one), bits(other), "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn numbers_are_fair() {
        let mut rng = Rng::new(1, &[]);
        let mut seen = [0_u32; 4];
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..20_000 {
            seen[rng.below(4)] += 1;
            assert!((2.0..3.0).contains(&rng.between(2.0, 3.0)));
            let normal = rng.normal();
            sum += normal;
            squares += normal * normal;
        }
        assert!(
            seen.iter().all(|times| (4_700..5_300).contains(times)),
            "{seen:?}"
        );
        assert!((sum / 20_000.0).abs() < 0.03);
        assert!((squares / 20_000.0 - 1.0).abs() < 0.05);
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.pick::<u8>(&[]), None);
    }

    #[test]
    fn a_shuffle_keeps_everything() {
        let mut things: Vec<u32> = (0..50).collect();
        Rng::new(3, &[]).shuffle(&mut things);
        assert_ne!(things, (0..50).collect::<Vec<_>>());
        things.sort_unstable();
        assert_eq!(things, (0..50).collect::<Vec<_>>());
    }
}
