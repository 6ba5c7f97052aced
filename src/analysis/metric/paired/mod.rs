//! Computes the difference between two sides on the same samples.
//!
//! Subtracting within pairs removes the shared difficulty of a sample. Pairs that share an image,
//! for example the rotations of a question, are not independent, so whole clusters are counted.

use statrs::distribution::{ContinuousCDF, Normal};

use super::clustered::ClusteredMean;
use super::{ClusterSums, DifferenceTest};

/// Power of the detectable difference: probability that a test finds a true difference of that
/// size.
const POWER: f64 = 0.8;
/// Significance level of the detectable difference: probability of a false positive.
const ALPHA: f64 = 0.05;

/// Differences of paired scores, A minus B in the metric's unit, summed within clusters.
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

    /// Returns the number of clusters added.
    pub fn clusters(&self) -> usize {
        self.0.clusters()
    }

    /// Returns true if some cluster has more than one pair.
    pub fn has_shared_clusters(&self) -> bool {
        self.0.column(0).any(|(_, pairs)| pairs > 1)
    }

    /// Iterates over the clusters: sum of the differences and number of pairs.
    pub fn sums(&self) -> impl Iterator<Item = (f64, u32)> {
        self.0.column(0)
    }

    /// Returns the mean difference; `None` without a pair.
    pub fn mean(&self) -> Option<f64> {
        let (sum, pairs) = self.clustered().fold((0.0, 0.0), |total, (sum, pairs)| {
            (total.0 + sum, total.1 + pairs)
        });
        (pairs > 0.0).then(|| sum / pairs)
    }

    /// Iterates over the clusters: sum of the differences and number of pairs, both as floats.
    fn clustered(&self) -> impl Iterator<Item = (f64, f64)> + Clone {
        self.0.column(0).map(|(sum, pairs)| (sum, f64::from(pairs)))
    }

    /// Returns the clustered standard error of the mean difference, bias-reduced (CR2); `None`
    /// with fewer than two clusters.
    ///
    /// Source: E. Miller, "Adding error bars to evals", arXiv:2411.00640 (2024), section 4, for
    /// paired and clustered errors; the correction is that of R. M. Bell and D. F. `McCaffrey`,
    /// Survey Methodology 28 (2002).
    pub fn standard_error(&self) -> Option<f64> {
        ClusteredMean::new(self.clustered()).map(|found| found.error)
    }

    /// Tests the mean difference; the result can also compute its interval.
    pub fn test(&self) -> DifferenceTest {
        DifferenceTest::new(self.clustered())
    }

    /// Returns the minimum detectable difference: the smallest true difference that a two-sided
    /// test at `ALPHA` finds with probability `POWER` on these samples,
    /// `(z_(1 - alpha / 2) + z_power) SE`.
    ///
    /// Returns `None` if the standard error is 0 or unknown.
    ///
    /// Source: E. Miller, arXiv:2411.00640 (2024), section 5, solved for the effect.
    pub fn detectable(&self) -> Option<f64> {
        let error = self.standard_error()?;
        (error > 0.0).then(|| detectable(error))
    }
}

/// Returns the minimum detectable difference of an estimate with this standard error, at `ALPHA`
/// and `POWER`.
///
/// Source: E. Miller, arXiv:2411.00640 (2024), section 5, solved for the effect.
pub fn detectable(error: f64) -> f64 {
    let normal = Normal::standard();
    (normal.inverse_cdf(1.0 - 0.5 * ALPHA) + normal.inverse_cdf(POWER)) * error
}

#[cfg(test)]
mod tests;
