//! Draws seeded normal numbers.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Standard normal numbers, equal for equal seeds.
pub struct Normals(Xoshiro256PlusPlus);

impl Normals {
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Draws the next number.
    ///
    /// Source: G. E. P. Box and M. E. Muller, "A note on the generation of random normal
    /// deviates", Annals of Mathematical Statistics 29 (1958).
    pub fn draw(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// Draws `count` numbers and returns the sum of their squares.
    pub fn squares(&mut self, count: usize) -> f64 {
        (0..count).map(|_| self.draw().powi(2)).sum()
    }

    /// Draws a uniform number in [0, 1).
    #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_mean_zero_and_variance_one() {
        let mut normals = Normals::new(4);
        let numbers: Vec<f64> = (0..20_000).map(|_| normals.draw()).collect();
        let mean = numbers.iter().sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.025, "{mean}");
        let squares = normals.squares(20_000) / 20_000.0;
        assert!((squares - 1.0).abs() < 0.04, "{squares}");
    }
}
