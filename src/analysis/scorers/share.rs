//! Computes shares of predictions, clustered by image.

use std::collections::BTreeMap;

use super::PredictionShare;
use crate::LEVEL;
use crate::metric::wilson_of_share;
use record::{Row, Table};

/// Number of predictions by image: the denominator of shares.
pub struct ImageCounts<'a> {
    table: &'a Table,
    clusters: BTreeMap<u32, u64>,
    n: u64,
}

impl<'a> ImageCounts<'a> {
    /// Counts the rows of each image.
    pub fn of(table: &'a Table, rows: &[Row]) -> Self {
        let mut counts = Self {
            table,
            clusters: BTreeMap::new(),
            n: rows.len() as u64,
        };
        for row in rows {
            *counts.clusters.entry(counts.cluster(*row)).or_default() += 1;
        }
        counts
    }

    fn cluster(&self, row: Row) -> u32 {
        let item = self.table.item(row).0 as usize;
        let cluster = self.table.cluster_of().get(item);
        cluster.copied().unwrap_or_default()
    }

    /// Returns the share of the counted rows that are in `rows`, with its interval.
    pub fn share(&self, rows: impl Iterator<Item = Row>) -> PredictionShare {
        let mut found: BTreeMap<u32, u64> = BTreeMap::new();
        for row in rows {
            *found.entry(self.cluster(row)).or_default() += 1;
        }
        let count = found.values().sum();
        let share = (self.n > 0).then(|| real(count) / real(self.n));
        let ci =
            share.and_then(|share| wilson_of_share(share, self.effective(share, &found), LEVEL));
        PredictionShare { count, share, ci }
    }

    /// Returns the size of the simple random sample with the same precision: the variance of a
    /// ratio over clusters (Cochran, Sampling Techniques, 1977, section 9A.2) compared with
    /// `p (1 - p) / n`. If the share is 0 or 1, each image counts once.
    fn effective(&self, share: f64, found: &BTreeMap<u32, u64>) -> f64 {
        let (clusters, n) = (real(self.clusters.len() as u64), real(self.n));
        let squares = self.clusters.iter().map(|(cluster, size)| {
            let found = found.get(cluster).copied().unwrap_or_default();
            (real(found) - share * real(*size)).powi(2)
        });
        let variance = squares.sum::<f64>() / (n * n) * clusters / (clusters - 1.0).max(1.0);
        if variance > 0.0 {
            (share * (1.0 - share) / variance).min(n)
        } else {
            clusters
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 samples")]
fn real(count: u64) -> f64 {
    count as f64
}
