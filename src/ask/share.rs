//! Shares of samples or answers. Samples of the same picture are not independent.

use std::collections::BTreeMap;
use std::fmt;

use analysis::metric::{Interval, share_interval};
use base::format::fixed;

/// Confidence level of the interval.
const LEVEL: f64 = 0.95;

/// A share of samples or answers, counted by cluster.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Share {
    /// By cluster: number of samples or answers that count, and total number.
    clusters: BTreeMap<usize, (f64, u32)>,
}

impl Share {
    /// Adds one sample or answer; `is_meant` is true if it counts for the share.
    pub(super) fn add(&mut self, is_meant: bool, cluster: usize) {
        let sums = self.clusters.entry(cluster).or_default();
        sums.0 += f64::from(u8::from(is_meant));
        sums.1 += 1;
    }

    /// Total number, over all clusters.
    pub fn whole(&self) -> u32 {
        self.clusters.values().map(|(_, count)| count).sum()
    }

    /// The share, from 0 to 1; `None` if the total is 0.
    pub fn value(&self) -> Option<f64> {
        let sum: f64 = self.clusters.values().map(|(sum, _)| sum).sum();
        let whole = self.whole();
        (whole > 0).then(|| sum / f64::from(whole))
    }

    /// Returns the 95 % interval ([`analysis::metric::share_interval`]); `None` for too few
    /// clusters.
    pub fn interval(&self) -> Option<Interval> {
        let clusters: Vec<(f64, u32)> = self.clusters.values().copied().collect();
        share_interval(&clusters, LEVEL)
    }
}

impl FromIterator<(bool, usize)> for Share {
    fn from_iter<T: IntoIterator<Item = (bool, usize)>>(all: T) -> Self {
        let mut share = Self::default();
        for (is_meant, cluster) in all {
            share.add(is_meant, cluster);
        }
        share
    }
}

/// Formats like `0.312 [0.230, 0.408] of 96`.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.whole();
        let value = fixed(self.value(), 3);
        match self.interval() {
            Some(Interval { low, high, .. }) => {
                write!(f, "{value} [{low:.3}, {high:.3}] of {whole}")
            }
            None if whole > 0 => write!(f, "{value} of {whole}, too few pictures for an interval"),
            None => f.write_str("– of 0"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_about_few_pictures_are_known_less_well() {
        let of = |pictures: usize| -> Share {
            (0..100)
                .map(|at| (at % pictures < pictures / 2, at % pictures))
                .collect()
        };
        let width = |share: &Share| share.interval().map(|range| range.high - range.low);
        let (apart, together) = (of(100), of(10));
        assert_eq!([apart.value(), together.value()], [Some(0.5); 2]);
        assert!(
            width(&together) > width(&apart).map(|width| 2.0 * width),
            "{together}"
        );
        assert_eq!(apart.to_string(), "0.500 [0.404, 0.596] of 100");
        assert_eq!(
            of(4).to_string(),
            "0.500 of 100, too few pictures for an interval"
        );
        assert_eq!(Share::default().to_string(), "– of 0");
    }
}
