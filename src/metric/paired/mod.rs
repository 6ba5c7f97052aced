//! The difference between two sides on the same samples.
//!
//! Subtracting within pairs removes the shared difficulty of a sample. Pairs that share an image, such as the
//! rotations of a question, are not independent, so whole clusters are resampled and whole clusters change sides.

mod sign_flips;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use statrs::distribution::{ContinuousCDF, Normal};

use job::Ticket;

use super::{ClusterSums, real};

/// Power: probability that a test finds a true difference of the detectable size.
pub const POWER: f64 = 0.8;
/// Significance level: probability that a test finds a difference where there is none.
pub const ALPHA: f64 = 0.05;

/// Differences of paired scores, A minus B in the metric's own unit, summed within clusters.
#[derive(Clone, Debug)]
pub struct Differences(ClusterSums);

impl Default for Differences {
    fn default() -> Self {
        Self(ClusterSums::new(1))
    }
}

impl Differences {
    /// Adds a cluster without pairs and returns its index.
    pub fn push_cluster(&mut self) -> usize {
        self.0.push_cluster()
    }

    /// Adds one pair's finite difference to an existing cluster.
    pub fn add(&mut self, cluster: usize, difference: f64) {
        self.0.add(cluster, 0, difference);
    }

    /// Number of clusters.
    #[must_use]
    pub fn clusters(&self) -> usize {
        self.0.clusters()
    }

    /// Returns true if some cluster holds more than one pair.
    #[must_use]
    pub fn has_shared_clusters(&self) -> bool {
        self.0.column(0).any(|(_, pairs)| pairs > 1)
    }

    /// Sum of the differences and number of pairs of each cluster.
    pub fn sums(&self) -> impl Iterator<Item = (f64, u32)> {
        self.0.column(0)
    }

    /// Sum of all differences and number of pairs.
    fn total(&self) -> (f64, f64) {
        self.0.column(0).fold((0.0, 0.0), |total, (sum, pairs)| {
            (total.0 + sum, total.1 + f64::from(pairs))
        })
    }

    /// The mean difference; `None` without a pair.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let (sum, pairs) = self.total();
        (pairs > 0.0).then(|| sum / pairs)
    }

    /// The clustered standard error of the mean difference; `None` with fewer than two clusters.
    ///
    /// `sqrt(G / (G - 1) sum_g (sum_i (d_gi - mean))^2) / n` over `G` clusters with `n` pairs.
    ///
    /// Source: E. Miller, "Adding error bars to evals", arXiv:2411.00640 (2024), equation 4 on paired differences
    /// (section 4); the factor `G / (G - 1)` as in Cameron and Miller, "A practitioner's guide to cluster-robust
    /// inference", Journal of Human Resources 50 (2015), section II.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        let (sum, pairs) = self.total();
        let clusters = real(self.clusters() as u64);
        if clusters < 2.0 || pairs < 2.0 {
            return None;
        }
        let mean = sum / pairs;
        let squares: f64 = self
            .0
            .column(0)
            .map(|(sum, pairs)| (sum - mean * f64::from(pairs)).powi(2))
            .sum();
        Some((clusters / (clusters - 1.0) * squares).sqrt() / pairs)
    }

    /// The minimum detectable difference: the smallest true difference that a two-sided test at [`ALPHA`] finds with
    /// probability [`POWER`] on these samples, `(z_(1 - alpha / 2) + z_power) SE`.
    ///
    /// Returns `None` if the standard error is 0 or unknown.
    ///
    /// Source: E. Miller, arXiv:2411.00640 (2024), section 5, solved for the effect.
    #[must_use]
    pub fn detectable(&self) -> Option<f64> {
        let error = self.standard_error()?;
        let (sum, pairs) = self.total();
        (error > ROUNDING * (sum / pairs).abs()).then(|| detectable(error))
    }

    /// Two-sided permutation p value of the mean difference with the signs of whole clusters flipped: over all flips
    /// if they are few, otherwise over `draws` random ones.
    ///
    /// Lies in (0, 1]; 1 if no cluster has a difference.
    ///
    /// Sources: R. A. Fisher, "The design of experiments" (1935), section 21; Phipson and Smyth, "Permutation
    /// p-values should never be zero", SAGMB 9 (2010), for `(1 + k) / (1 + draws)`.
    #[must_use]
    pub fn permutation_p_value(&self, draws: usize, seed: u64, ticket: &Ticket) -> f64 {
        let sums: Vec<f64> = self
            .0
            .column(0)
            .map(|(sum, _)| sum)
            .filter(|sum| *sum != 0.0)
            .collect();
        sign_flips::p_value(&sums, draws, seed, ticket)
    }
}

/// The minimum detectable difference of an estimate with this standard error, at [`ALPHA`] and [`POWER`].
///
/// Source: E. Miller, arXiv:2411.00640 (2024), section 5, solved for the effect.
#[must_use]
pub fn detectable(error: f64) -> f64 {
    let normal = Normal::standard();
    (normal.inverse_cdf(1.0 - 0.5 * ALPHA) + normal.inverse_cdf(POWER)) * error
}

/// The clusters that change sides in random draw number `draw`.
#[must_use]
pub fn coins(clusters: usize, seed: u64, draw: usize) -> Vec<bool> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(draw as u64));
    let mut word = 0;
    let coin = |at: usize| {
        if at.is_multiple_of(64) {
            word = random.next_u64();
        }
        word >> (at % 64) & 1 == 1
    };
    (0..clusters).map(coin).collect()
}

/// A spread below this share of the mean is rounding.
const ROUNDING: f64 = 1e-12;

#[cfg(test)]
mod tests;
