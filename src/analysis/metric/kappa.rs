//! Computes inter-annotator agreement: Cohen's kappa.

use statrs::distribution::{ContinuousCDF, Normal};

use super::{Interval, real, tails};

/// Variances below this count as zero; they are rounding errors.
const POINT: f64 = 1e-12;

/// Agreement of two annotators.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Number of items that both annotators labelled.
    pub n: u64,
    /// Observed share of agreement; `None` without items.
    pub observed: Option<f64>,
    /// Share of agreement expected by chance, from each annotator's use of the classes; `None`
    /// without items.
    pub expected: Option<f64>,
    /// Cohen's kappa: `(observed - expected) / (1 - expected)`. `None` without items, or if both
    /// annotators used one and the same class for all items.
    pub kappa: Option<f64>,
    /// Confidence interval of kappa. `None` without kappa, or if the large-sample variance is
    /// zero, as with complete agreement: the interval would be a point even with few items.
    pub interval: Option<Interval>,
}

impl Agreement {
    /// Returns the reason why there is no kappa.
    pub fn why_not(&self) -> Option<&'static str> {
        match (self.kappa, self.n) {
            (Some(_), _) => None,
            (None, 0) => Some("no sample was judged by both"),
            (None, _) => Some("both gave every sample the same verdict: kappa is undefined"),
        }
    }
}

/// Computes unweighted Cohen's kappa of pairs of classes, with its large-sample interval at
/// `level` (0.95 for 95 %), clipped to `[-1, 1]`.
///
/// Source: J. Cohen, "A coefficient of agreement for nominal scales", Educational and
/// Psychological Measurement 20 (1960); variance: Fleiss, Cohen and Everitt, "Large sample
/// standard errors of kappa and weighted kappa", Psychological Bulletin 72 (1969), equation 13.
pub fn cohen_kappa<C: Ord + Copy>(pairs: &[(C, C)], level: f64) -> Agreement {
    let mut classes: Vec<C> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    classes.sort_unstable();
    classes.dedup();
    let shares = Shares::new(pairs, &classes);
    let n = pairs.len() as u64;
    if n == 0 {
        return Agreement::default();
    }
    let (observed, expected) = (shares.observed(), shares.expected());
    // With one class the shares are exact, so kappa would be 0 / 0.
    let kappa = (classes.len() > 1).then(|| (observed - expected) / (1.0 - expected));
    let interval = kappa.zip(tails(level)).and_then(|(kappa, (_, upper))| {
        let variance = Some(shares.variance(kappa)).filter(|variance| *variance > POINT)?;
        let reach = Normal::standard().inverse_cdf(upper) * (variance / real(n)).sqrt();
        Some(Interval {
            low: (kappa - reach).max(-1.0),
            high: (kappa + reach).min(1.0),
        })
    });
    Agreement {
        n,
        observed: Some(observed),
        expected: Some(expected),
        kappa,
        interval,
    }
}

/// Joint and marginal shares of the classes.
struct Shares {
    cells: Vec<Vec<f64>>,
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Shares {
    fn new<C: Ord + Copy>(pairs: &[(C, C)], classes: &[C]) -> Self {
        let n = real(pairs.len() as u64);
        let share = |wanted: &dyn Fn(&(C, C)) -> bool| {
            real(pairs.iter().filter(|pair| wanted(pair)).count() as u64) / n
        };
        let row = |&a: &C| {
            classes
                .iter()
                .map(|&b| share(&|pair| *pair == (a, b)))
                .collect()
        };
        Self {
            cells: classes.iter().map(row).collect(),
            first: classes
                .iter()
                .map(|&a| share(&|pair| pair.0 == a))
                .collect(),
            second: classes
                .iter()
                .map(|&b| share(&|pair| pair.1 == b))
                .collect(),
        }
    }

    /// Iterates over the joint table: row, column, share.
    fn cells(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let of_row = |(i, row): (usize, &'_ Vec<f64>)| {
            let cells = row.iter().enumerate().map(move |(j, &share)| (i, j, share));
            cells.collect::<Vec<_>>()
        };
        self.cells.iter().enumerate().flat_map(of_row)
    }

    fn observed(&self) -> f64 {
        self.cells()
            .filter(|(i, j, _)| i == j)
            .map(|(_, _, share)| share)
            .sum()
    }

    fn expected(&self) -> f64 {
        self.first
            .iter()
            .zip(&self.second)
            .map(|(a, b)| a * b)
            .sum()
    }

    /// Returns the variance of kappa multiplied by the number of items.
    fn variance(&self, kappa: f64) -> f64 {
        let rest = 1.0 - kappa;
        let term = |(i, j, share): (usize, usize, f64)| {
            let both = self.second[i] + self.first[j];
            share
                * if i == j {
                    1.0 - both * rest
                } else {
                    both * rest
                }
                .powi(2)
        };
        let expected = self.expected();
        let spread = self.cells().map(term).sum::<f64>() - (kappa - expected * rest).powi(2);
        spread.max(0.0) / (1.0 - expected).powi(2)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_cannot_be_told_is_said_in_words() {
        let nothing = cohen_kappa::<u8>(&[], 0.95);
        assert_eq!(
            (nothing.kappa, nothing.why_not()),
            (None, Some("no sample was judged by both"))
        );
        let same = cohen_kappa(&[(1, 1); 9], 0.95);
        assert_eq!(
            (same.n, same.observed, same.kappa, same.interval),
            (9, Some(1.0), None, None)
        );
        assert!(same.why_not().is_some_and(|why| why.contains("undefined")));
        let never = cohen_kappa(&[(1, 2); 9], 0.95);
        assert_eq!((never.kappa, never.why_not()), (Some(0.0), None));
    }

    proptest! {
        #[test]
        fn kappa_is_symmetric_and_one_only_for_agreement(pairs in prop::collection::vec((0_u8..4, 0_u8..4), 1..60)) {
            let swapped: Vec<(u8, u8)> = pairs.iter().map(|&(a, b)| (b, a)).collect();
            let (one, other) = (cohen_kappa(&pairs, 0.95), cohen_kappa(&swapped, 0.95));
            match (one.kappa, other.kappa) {
                (Some(one), Some(other)) => prop_assert!((one - other).abs() < 1e-12),
                (one, other) => prop_assert_eq!(one, other),
            }
            if let (Some(kappa), Some(interval)) = (one.kappa, one.interval) {
                prop_assert!(kappa <= 1.0 + 1e-12 && interval.low <= kappa + 1e-12 && kappa <= interval.high + 1e-12);
                prop_assert_eq!(kappa > 1.0 - 1e-12, pairs.iter().all(|(a, b)| a == b));
            }
        }
    }
}
