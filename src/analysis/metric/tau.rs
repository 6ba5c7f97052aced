//! Computes the interval of the rank correlation of two sets of uncertain scores.
//!
//! Noise swaps models with similar scores. Tau of two sets of observed scores is therefore nearer
//! to 0 than tau of the true scores, and resampling adds the noise a second time. Here the noise is
//! removed: the covariance of the true scores is the covariance of the observed scores minus the
//! noise. Tau is computed from draws of the true scores given the observed scores.

use super::normal::Normals;
use super::{ClusterSums, Interval, kendall_tau_b, percentile_interval, real};

/// Symmetric 2 x 2 matrix, by row.
type Symmetric = [[f64; 2]; 2];
/// Ratios below this count as zero.
const ROUNDING: f64 = 1e-9;

/// Computes the means of each model in two sets of runs, and the noise: the mean covariance of the
/// errors of a model's two means, without errors that all models share. The columns of `sums` are
/// all models in the first set, followed by the same models in the second. `None` with fewer than
/// two clusters or models, or if a column has no values.
pub fn means_in_two_sets(sums: &ClusterSums) -> Option<(Vec<[f64; 2]>, Symmetric)> {
    let (clusters, models) = (sums.clusters(), sums.columns() / 2);
    if clusters < 2 || models < 2 {
        return None;
    }
    let totals = (0..2 * models).map(|column| {
        sums.column(column).fold((0.0, 0.0), |total, (sum, n)| {
            (total.0 + sum, total.1 + f64::from(n))
        })
    });
    let totals: Vec<(f64, f64)> = totals.collect();
    if totals.iter().any(|(_, n)| *n <= 0.0) {
        return None;
    }
    let means: Vec<f64> = totals.iter().map(|(sum, n)| sum / n).collect();
    // Influence of each cluster on each mean, by column.
    let moves: Vec<Vec<f64>> = (0..2 * models)
        .map(|column| {
            let own = sums.column(column);
            own.map(|(sum, n)| (sum - means[column] * f64::from(n)) / totals[column].1)
                .collect()
        })
        .collect();
    let (clusters, columns) = (real(clusters as u64), real(models as u64));
    let mut noise = [[0.0; 2]; 2];
    for cluster in 0..sums.clusters() {
        let side = |side: usize| -> Vec<f64> {
            let own = moves[side * models..(side + 1) * models].iter();
            let own: Vec<f64> = own.map(|moves| moves[cluster]).collect();
            let mean = own.iter().sum::<f64>() / columns;
            own.into_iter().map(|one| one - mean).collect()
        };
        let apart = [side(0), side(1)];
        for (row, noise) in noise.iter_mut().enumerate() {
            for (column, noise) in noise.iter_mut().enumerate() {
                let pairs = apart[row].iter().zip(&apart[column]);
                *noise += pairs.map(|(one, other)| one * other).sum::<f64>();
            }
        }
    }
    let scale = clusters / (clusters - 1.0) / (columns - 1.0);
    let means = (0..models).map(|model| [means[model], means[models + model]]);
    Some((
        means.collect(),
        noise.map(|row| row.map(|cell| cell * scale)),
    ))
}

/// Number and seed of the draws from a posterior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    /// Number of draws.
    pub count: usize,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// Computes the two-sided interval at `level` of Kendall's tau-b of the true scores of models in
/// two sets. `scores` holds each model's scores in both sets. `noise` is the mean covariance of
/// the errors of a model's two scores, without errors that all models share.
///
/// True scores are normal about a common mean with an unknown covariance. Each draw takes a
/// covariance from its posterior (inverse Wishart, minus the noise), then true scores given the
/// observed scores. `None` with fewer than three models, if a set has no spread, if tau is
/// undefined in more than half of the draws, or unless `0 < level < 1`.
///
/// Source: B. Efron and C. Morris, "Data analysis using Stein's estimator and its
/// generalizations", JASA 70 (1975), for scores given their spread; A. Gelman et al., "Bayesian
/// data analysis" (2013), section 3.6, for the draws of a covariance.
pub fn tau_interval(
    scores: &[[f64; 2]],
    noise: [[f64; 2]; 2],
    draws: Draws,
    level: f64,
) -> Option<Interval> {
    let Draws { count, seed } = draws;
    let models = scores.len();
    if models < 3 {
        return None;
    }
    let freedom = real(models as u64 - 1);
    let mean = [0, 1].map(|side| scores.iter().map(|own| own[side]).sum::<f64>() / (freedom + 1.0));
    let apart: Vec<[f64; 2]> = scores
        .iter()
        .map(|own| [own[0] - mean[0], own[1] - mean[1]])
        .collect();
    let mut observed_spread = [[0.0; 2]; 2];
    for own in &apart {
        for (row, cells) in observed_spread.iter_mut().enumerate() {
            for (column, cell) in cells.iter_mut().enumerate() {
                *cell += own[row] * own[column] / freedom;
            }
        }
    }
    if observed_spread[0][0] <= 0.0 || observed_spread[1][1] <= 0.0 {
        return None;
    }
    let root = cholesky(observed_spread);
    let mut normals = Normals::new(seed);
    let mut taus = Vec::with_capacity(count);
    for _ in 0..count {
        let all = covariance(root, models - 1, &mut normals);
        let own =
            positive([0, 1].map(|row| [0, 1].map(|column| all[row][column] - noise[row][column])));
        let gain = times(own, inverse(plus(own, noise)));
        let rest = positive(minus(own, times(gain, own)));
        let spread = cholesky(rest);
        let mut truth = [Vec::with_capacity(models), Vec::with_capacity(models)];
        for apart in &apart {
            let moved = [normals.draw(), normals.draw()];
            for (row, scores) in truth.iter_mut().enumerate() {
                let known = gain[row][0] * apart[0] + gain[row][1] * apart[1];
                scores.push(known + spread[row][0] * moved[0] + spread[row][1] * moved[1]);
            }
        }
        let [one, other] = truth;
        taus.extend(kendall_tau_b(&one, &other));
    }
    if 2 * taus.len() < count {
        return None;
    }
    let found = percentile_interval(&mut taus, level)?;
    let [one, other] = [0, 1].map(|side| scores.iter().map(|own| own[side]).collect::<Vec<_>>());
    let observed = kendall_tau_b(&one, &other).ok()?;
    Some(Interval {
        low: found.low.min(observed),
        high: found.high.max(observed),
    })
}

/// Draws a covariance from its posterior. `root` is the lower triangular root of the estimate,
/// which has `freedom` degrees of freedom.
fn covariance(root: Symmetric, freedom: usize, normals: &mut Normals) -> Symmetric {
    let [first, second] = [freedom, freedom - 1].map(|count| normals.squares(count).sqrt());
    let across = normals.draw();
    let freedom = real(freedom as u64);
    // Wishart matrix by Bartlett's decomposition, divided by its mean.
    let wishart = [
        [first * first / freedom, first * across / freedom],
        [
            first * across / freedom,
            (across * across + second * second) / freedom,
        ],
    ];
    let turned = times(root, inverse(wishart));
    times(turned, [[root[0][0], root[1][0]], [root[0][1], root[1][1]]])
}

/// Returns the lower triangular root of a matrix without negative eigenvalues (up to rounding).
fn cholesky(of: Symmetric) -> Symmetric {
    let first = of[0][0].max(0.0).sqrt();
    let across = if first > 0.0 { of[1][0] / first } else { 0.0 };
    let least = ROUNDING * of[1][1].max(0.0);
    let second = (of[1][1] - across * across).max(least).sqrt();
    [[first, 0.0], [across, second]]
}

/// Replaces negative eigenvalues of a matrix by 0.
fn positive(of: Symmetric) -> Symmetric {
    let (mean, half) = (0.5 * (of[0][0] + of[1][1]), 0.5 * (of[0][0] - of[1][1]));
    let reach = half.hypot(of[0][1]);
    if mean - reach >= 0.0 {
        return of;
    }
    if mean + reach <= 0.0 {
        return [[0.0; 2]; 2];
    }
    // Projection on the eigenvector of the positive eigenvalue.
    let scale = (mean + reach) / (2.0 * reach);
    let across = scale * of[0][1];
    [
        [scale * (reach + half), across],
        [across, scale * (reach - half)],
    ]
}

fn inverse(of: Symmetric) -> Symmetric {
    let least = ROUNDING * ROUNDING * of[0][0] * of[1][1];
    let size = (of[0][0] * of[1][1] - of[0][1] * of[1][0]).max(least);
    if size <= 0.0 {
        return [0, 1].map(|row| {
            [0, 1].map(|column| {
                if row == column && of[row][row] > 0.0 {
                    1.0 / of[row][row]
                } else {
                    0.0
                }
            })
        });
    }
    [
        [of[1][1] / size, -of[0][1] / size],
        [-of[1][0] / size, of[0][0] / size],
    ]
}

fn times(one: Symmetric, other: Symmetric) -> Symmetric {
    [0, 1].map(|row| {
        [0, 1].map(|column| one[row][0] * other[0][column] + one[row][1] * other[1][column])
    })
}

fn plus(one: Symmetric, other: Symmetric) -> Symmetric {
    [0, 1].map(|row| [0, 1].map(|column| one[row][column] + other[row][column]))
}

fn minus(one: Symmetric, other: Symmetric) -> Symmetric {
    [0, 1].map(|row| [0, 1].map(|column| one[row][column] - other[row][column]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn draws(count: usize) -> Draws {
        Draws { count, seed: 1 }
    }

    #[test]
    fn scores_without_noise_have_their_own_tau() {
        let scores = [[0.1, 0.2], [0.2, 0.1], [0.5, 0.4], [0.7, 0.9]];
        let found = tau_interval(&scores, [[0.0; 2]; 2], draws(200), 0.95).unwrap();
        assert!((found.low - 2.0 / 3.0).abs() < 1e-12 && (found.high - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn noise_allows_for_the_same_order() {
        let scores = [[0.1, 0.2], [0.2, 0.1], [0.5, 0.4], [0.7, 0.9], [0.4, 0.6]];
        let found = tau_interval(&scores, [[0.02, 0.0], [0.0, 0.02]], draws(500), 0.95).unwrap();
        assert_eq!(found.high, 1.0);
        assert!(found.low < 0.6, "{found:?}");
    }

    #[test]
    fn two_models_or_equal_ones_have_no_interval() {
        assert_eq!(
            tau_interval(&[[0.1, 0.2], [0.2, 0.1]], [[0.0; 2]; 2], draws(99), 0.95),
            None
        );
        assert_eq!(
            tau_interval(&[[0.1, 0.2]; 4], [[0.0; 2]; 2], draws(99), 0.95),
            None
        );
    }

    #[test]
    fn a_matrix_times_its_inverse_is_one_and_projections_are_positive() {
        let one = [[2.0, 0.6], [0.6, 1.0]];
        let found = times(one, inverse(one));
        assert!((found[0][0] - 1.0).abs() < 1e-12 && found[0][1].abs() < 1e-12);
        // Eigenvalues 3 and -1; the eigenvector of the positive one is (1, 1).
        let found = positive([[1.0, 2.0], [2.0, 1.0]]);
        assert!(
            found
                .iter()
                .flatten()
                .all(|cell| (cell - 1.5).abs() < 1e-12)
        );
        assert_eq!(positive([[-1.0, 0.0], [0.0, -2.0]]), [[0.0; 2]; 2]);
    }
}
