//! Sums scores by cluster, and bootstraps their means.
//!
//! Questions about one image share its difficulty. Whole images (clusters) are therefore resampled,
//! not questions. All columns use the same resampled images, so that their means are comparable
//! within a draw.
//!
//! [`picker`] chooses the clusters.

mod picker;

use super::real;
use base::job::Ticket;
use picker::Picker;

/// Sum and number of scores per cluster (image) and column (model).
#[derive(Clone, Debug)]
pub struct ClusterSums {
    columns: usize,
    /// Sums as `clusters x columns`, row-major, in the unit of the scores.
    sums: Vec<f64>,
    /// Numbers of scores as `clusters x columns`, row-major.
    counts: Vec<u32>,
}

impl ClusterSums {
    /// Creates sums with `columns` columns and no clusters.
    pub fn new(columns: usize) -> Self {
        Self {
            columns,
            sums: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// Adds a cluster without scores and returns its index.
    pub fn push_cluster(&mut self) -> usize {
        let cluster = self.clusters();
        self.sums.resize(self.sums.len() + self.columns, 0.0);
        self.counts.resize(self.counts.len() + self.columns, 0);
        cluster
    }

    /// Adds a finite score to an existing cluster and column.
    pub fn add(&mut self, cluster: usize, column: usize, score: f64) {
        self.add_sum(cluster, column, score, 1);
    }

    /// Adds `count` finite scores with the given sum to an existing cluster and column.
    pub fn add_sum(&mut self, cluster: usize, column: usize, sum: f64, count: u32) {
        debug_assert!(column < self.columns, "column {column} of {}", self.columns);
        let cell = cluster * self.columns + column;
        self.sums[cell] += sum;
        self.counts[cell] += count;
    }

    /// Returns the number of clusters added.
    pub fn clusters(&self) -> usize {
        self.sums.len().checked_div(self.columns).unwrap_or(0)
    }

    /// Returns the number of columns (models).
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// Iterates over the columns of a cluster: sum and number of scores.
    pub(super) fn row(&self, cluster: usize) -> impl Iterator<Item = (f64, u32)> {
        let start = cluster * self.columns;
        let counts = self.counts[start..start + self.columns].iter().copied();
        self.sums[start..start + self.columns]
            .iter()
            .copied()
            .zip(counts)
    }

    /// Iterates over the clusters of a column: sum and number of scores.
    pub fn column(&self, column: usize) -> impl Iterator<Item = (f64, u32)> + Clone {
        let sums = self.sums.iter().skip(column).step_by(self.columns);
        let counts = self.counts.iter().skip(column).step_by(self.columns);
        sums.copied().zip(counts.copied())
    }
}

/// Computes the mean of each column in `draws` resamples of the clusters with replacement:
/// `draws x columns`, row-major.
///
/// A mean is the sum of the drawn scores divided by their number, NaN if a draw has no score of
/// the column. All columns of a draw use the same clusters. The result depends only on `data`,
/// `draws` and `seed`. All means are NaN without clusters, with more than 2^32 - 1, and for draws
/// after `ticket` became stale.
///
/// Source: Davison and Hinkley, "Bootstrap methods and their application" (1997), section 3.8,
/// for resampling whole clusters; E. Miller, "Adding error bars to evals", arXiv:2411.00640
/// (2024), for why evaluations need it.
pub fn bootstrap_means(data: &ClusterSums, draws: usize, seed: u64, ticket: &Ticket) -> Vec<f64> {
    let Some(mut picker) = u32::try_from(data.clusters())
        .ok()
        .and_then(|clusters| Picker::new(clusters, seed))
    else {
        return vec![f64::NAN; draws * data.columns];
    };
    let mut picks = vec![0; data.clusters()];
    let mut means = Vec::with_capacity(draws * data.columns);
    for _ in (0..draws).take_while(|_| ticket.is_wanted()) {
        picker.fill(&mut picks);
        let mut totals = vec![(0.0, 0_u64); data.columns];
        for &pick in &picks {
            for (total, (sum, n)) in totals.iter_mut().zip(data.row(pick as usize)) {
                *total = (total.0 + sum, total.1 + u64::from(n));
            }
        }
        means.extend(totals.into_iter().map(|(sum, n)| sum / real(n)));
    }
    means.resize(draws * data.columns, f64::NAN);
    means
}

/// Resamples clusters as weights, for statistics that are not means.
pub struct Resamples {
    picker: Picker,
    picks: Vec<u32>,
    times: Vec<u32>,
}

impl Resamples {
    /// Prepares resamples of `clusters` clusters, equal for equal seeds; `None` without clusters
    /// or with more than 2^32 - 1.
    pub fn new(clusters: usize, seed: u64) -> Option<Self> {
        let picker = Picker::new(u32::try_from(clusters).ok()?, seed)?;
        Some(Self {
            picker,
            picks: vec![0; clusters],
            times: vec![0; clusters],
        })
    }

    /// Draws the next resample and returns the weight of each cluster; the sum is the number of
    /// clusters.
    pub fn draw(&mut self) -> &[u32] {
        self.picker.fill(&mut self.picks);
        self.times.fill(0);
        for &pick in &self.picks {
            if let Some(times) = self.times.get_mut(pick as usize) {
                *times += 1;
            }
        }
        &self.times
    }
}

#[cfg(test)]
mod tests;
