//! Tests average ranks over several abilities: Friedman's test and Nemenyi's critical difference.

use statrs::distribution::{ChiSquared, Continuous, ContinuousCDF, Normal};

use super::{mid_ranks, real};
use record::Direction;

/// Statistic and p value of Friedman's test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friedman {
    /// Chi-squared statistic, corrected for ties.
    pub statistic: f64,
    /// Probability of a statistic this large or larger if all models are equal.
    pub p_value: f64,
}

/// Tests by Friedman's test whether all columns are equal; each block holds one score per column.
///
/// Returns `None` with fewer than two columns or blocks, with blocks of different lengths, or if
/// all blocks are completely tied.
///
/// Source: M. Friedman, JASA 32 (1937); the correction for ties is that of W. J. Conover,
/// "Practical nonparametric statistics" (1999), section 5.8, as in
/// `scipy.stats.friedmanchisquare`.
pub fn friedman(blocks: &[Vec<f64>]) -> Option<Friedman> {
    let columns = blocks.first()?.len();
    let is_whole = |block: &Vec<f64>| block.len() == columns && block.iter().all(|x| !x.is_nan());
    if columns < 2 || blocks.len() < 2 || !blocks.iter().all(is_whole) {
        return None;
    }
    let (k, n) = (real(columns as u64), real(blocks.len() as u64));
    let middle = 0.5 * (k + 1.0);
    let (mut sums, mut spread) = (vec![0.0; columns], 0.0);
    for block in blocks {
        let scores: Vec<Option<f64>> = block.iter().copied().map(Some).collect();
        for (sum, rank) in sums.iter_mut().zip(mid_ranks(&scores, Direction::Higher)) {
            let place = rank? - middle;
            *sum += place;
            spread += place * place;
        }
    }
    let between: f64 = sums.iter().map(|sum| sum * sum).sum::<f64>() / n;
    if spread <= 0.0 {
        return None;
    }
    let statistic = n * (k - 1.0) * between / spread;
    let p_value = ChiSquared::new(k - 1.0).ok()?.sf(statistic);
    Some(Friedman { statistic, p_value })
}

/// Computes Nemenyi's critical difference: a smaller difference of the average ranks of `models`
/// over `blocks` is not significant at `level` (0.95 for a 5 % family-wise error rate).
///
/// Returns `None` with fewer than two models, without blocks, or unless `0 < level < 1`.
///
/// Source: J. Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7
/// (2006), section 3.2.2.
pub fn critical_difference(models: usize, blocks: usize, level: f64) -> Option<f64> {
    if blocks == 0 {
        return None;
    }
    let (k, n) = (real(models as u64), real(blocks as u64));
    let q = studentized_range(models, level)?;
    Some(q / std::f64::consts::SQRT_2 * (k * (k + 1.0) / (6.0 * n)).sqrt())
}

/// Returns the `level` quantile of the range of `groups` standard normal numbers: the studentized
/// range with infinite degrees of freedom.
///
/// Returns `None` with fewer than two groups or unless `0 < level < 1`. Accurate to 1e-8.
pub fn studentized_range(groups: usize, level: f64) -> Option<f64> {
    if groups < 2 || level.is_nan() || level <= 0.0 || level >= 1.0 {
        return None;
    }
    let (mut low, mut high) = (0.0, 40.0);
    while high - low > 1e-10 {
        let middle = 0.5 * (low + high);
        if range_below(groups, middle) < level {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(0.5 * (low + high))
}

/// Returns the probability that the range of `groups` standard normal numbers is below `range`:
/// `k ∫ φ(z) (Φ(z) - Φ(z - range))^(k - 1) dz` (H. L. Harter, "Tables of range and studentized
/// range", Annals of Mathematical Statistics 31, 1960). The trapezoidal rule converges faster
/// than any power of the step here.
fn range_below(groups: usize, range: f64) -> f64 {
    const STEPS: i32 = 600;
    const WIDTH: f64 = 9.0;
    let normal = Normal::standard();
    let step = 2.0 * WIDTH / f64::from(STEPS);
    let power = i32::try_from(groups - 1).unwrap_or(i32::MAX);
    let height = |at: i32| {
        let z = f64::from(at) * step - WIDTH;
        normal.pdf(z) * (normal.cdf(z) - normal.cdf(z - range)).powi(power)
    };
    real(groups as u64) * step * (0..=STEPS).map(height).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference: Demšar 2006, table 5 (a), `q_0.05 / sqrt(2)`.
    #[test]
    fn the_printed_table_comes_out() {
        let printed = [
            1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164,
        ];
        for (groups, printed) in (2..).zip(printed) {
            let found = studentized_range(groups, 0.95).unwrap() / std::f64::consts::SQRT_2;
            assert!(
                (found - printed).abs() < 1e-3,
                "{groups}: {found}, {printed}"
            );
        }
    }

    #[test]
    fn nothing_to_compare_gives_none() {
        assert_eq!(studentized_range(1, 0.95), None);
        assert_eq!(studentized_range(3, 1.0), None);
        assert_eq!(critical_difference(3, 0, 0.95), None);
        assert_eq!(friedman(&[]), None);
        assert_eq!(friedman(&[vec![0.5, 0.5], vec![0.1, 0.1]]), None);
        assert_eq!(friedman(&[vec![0.5, f64::NAN], vec![0.1, 0.2]]), None);
    }

    #[test]
    fn an_order_that_repeats_is_no_chance() {
        let blocks = vec![vec![3.0, 2.0, 1.0]; 8];
        let found = friedman(&blocks).unwrap();
        assert!((found.statistic - 16.0).abs() < 1e-12 && found.p_value < 4e-4);
    }
}
