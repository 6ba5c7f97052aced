//! Ridge regression with the penalty chosen by leave-one-out cross-validation.
//!
//! There are far more features than examples, so the dual form is used: with `K = X X'` of
//! standardised features and `A = K + lambda I`, the coefficients are `X' A^-1 y`, and the
//! leave-one-out error of an example is `lambda (A^-1 y)_i / (lambda (A^-1)_ii - 1/n)` (T. Hastie
//! et al., "The Elements of Statistical Learning", 7.10, with an unpenalised intercept).

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

/// Candidate penalties, as multiples of the mean of K's diagonal.
const PENALTIES: [f64; 7] = [1e-4, 1e-3, 1e-2, 3e-2, 0.1, 1.0, 10.0];
/// Standard deviation below which a feature is constant.
const CONSTANT: f64 = 1e-7;

/// A fitted ridge regression.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ridge {
    scaler: Scaler,
    /// Matrix of features x outputs.
    weights: DMatrix<f64>,
    /// Mean of each output.
    offset: DVector<f64>,
}

/// Standardises features: subtracts the mean and divides by the standard deviation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scaler {
    mean: DVector<f64>,
    /// Inverse of the standard deviation of each feature; 0 for constant features.
    scale: DVector<f64>,
}

impl Scaler {
    /// Fits a scaler to features of equal length and returns the standardised features, one example
    /// per row.
    pub fn of(features: &[Vec<f32>]) -> (Self, DMatrix<f64>) {
        let width = features.iter().map(Vec::len).min().unwrap_or(0);
        let mut rows = DMatrix::from_fn(features.len(), width, |row, column| {
            f64::from(features[row][column])
        });
        let mean = rows.row_mean().transpose();
        for (mut column, mean) in rows.column_iter_mut().zip(mean.iter()) {
            column.add_scalar_mut(-mean);
        }
        let count = length(features.len());
        let spread =
            |column: nalgebra::DVectorView<'_, f64>| (column.norm_squared() / count).sqrt();
        let scale = DVector::from_iterator(
            width,
            rows.column_iter().map(|column| match spread(column) {
                spread if spread > CONSTANT => 1.0 / spread,
                _ => 0.0,
            }),
        );
        for (mut column, scale) in rows.column_iter_mut().zip(scale.iter()) {
            column *= *scale;
        }
        (Self { mean, scale }, rows)
    }

    /// Standardises one example's features.
    pub fn scaled(&self, features: &[f32]) -> DVector<f64> {
        DVector::from_fn(self.mean.len(), |at, _| {
            (f64::from(features[at]) - self.mean[at]) * self.scale[at]
        })
    }
}

fn length(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

impl Ridge {
    /// Fits outputs, one row per example, to features of equal length. Returns `None` without
    /// examples.
    pub fn fit(features: &[Vec<f32>], outputs: &DMatrix<f64>) -> Option<Self> {
        if features.is_empty() || outputs.nrows() != features.len() {
            return None;
        }
        let (scaler, rows) = Scaler::of(features);
        let offset = outputs.row_mean().transpose();
        let mut centred = outputs.clone();
        for (mut column, offset) in centred.column_iter_mut().zip(offset.iter()) {
            column.add_scalar_mut(-offset);
        }
        let products = &rows * rows.transpose();
        let unit = (products.trace() / length(features.len())).max(CONSTANT);
        let tried = PENALTIES
            .iter()
            .filter_map(|penalty| solve(&products, &centred, penalty * unit));
        let (_, solution) = tried.min_by(|(error, _), (other, _)| error.total_cmp(other))?;
        Some(Self {
            weights: rows.transpose() * solution,
            scaler,
            offset,
        })
    }

    /// Predicts the outputs for one example's features.
    pub fn predict(&self, features: &[f32]) -> Vec<f64> {
        let scaled = self.scaler.scaled(features);
        let outputs = self.weights.tr_mul(&scaled) + &self.offset;
        outputs.iter().copied().collect()
    }
}

/// The leave-one-out squared error, and `A^-1 y`.
fn solve(
    products: &DMatrix<f64>,
    outputs: &DMatrix<f64>,
    penalty: f64,
) -> Option<(f64, DMatrix<f64>)> {
    let mut penalised = products.clone();
    for at in 0..penalised.nrows() {
        penalised[(at, at)] += penalty;
    }
    let inverse = penalised.cholesky()?.inverse();
    let solution = &inverse * outputs;
    let share = 1.0 / length(outputs.nrows());
    let error = solution.row_iter().enumerate().map(|(at, row)| {
        let free = (penalty * inverse[(at, at)] - share).max(1e-9);
        row.norm_squared() * (penalty / free).powi(2)
    });
    Some((error.sum(), solution))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(count: usize) -> (Vec<Vec<f32>>, DMatrix<f64>) {
        let features: Vec<Vec<f32>> = (0..count)
            .map(|at| vec![at as f32, ((at * 7) % 11) as f32, 3.0])
            .collect();
        let outputs = DMatrix::from_fn(count, 1, |row, _| {
            2.0 * f64::from(features[row][0]) - f64::from(features[row][1]) + 5.0
        });
        (features, outputs)
    }

    #[test]
    fn a_straight_line_is_found() {
        let (features, outputs) = line(40);
        let ridge = Ridge::fit(&features, &outputs).unwrap();
        for (row, output) in features.iter().zip(outputs.iter()) {
            assert!((ridge.predict(row)[0] - output).abs() < 0.1);
        }
        assert!(Ridge::fit(&[], &DMatrix::zeros(0, 1)).is_none());
    }

    /// Compares the closed formula with fits that leave out one example, at the same scaling and
    /// penalty.
    #[test]
    fn leaving_one_out_is_exact() {
        let (mut features, mut outputs) = line(12);
        for (at, output) in outputs.iter_mut().enumerate() {
            *output += f64::from((at * 5 % 7) as u8);
            features[at][2] = (at * at % 5) as f32;
        }
        let (_, rows) = Scaler::of(&features);
        let mean = outputs.row_mean()[0];
        let penalty = 3.0;
        let (error, _) = solve(
            &(&rows * rows.transpose()),
            &outputs.add_scalar(-mean),
            penalty,
        )
        .unwrap();
        let mut expected = 0.0;
        for out in 0..12 {
            let kept = rows.clone().remove_row(out);
            let wanted = outputs.clone().remove_row(out);
            let (x, y) = (kept.row_mean(), wanted.row_mean()[0]);
            let centred = DMatrix::from_fn(11, 3, |row, column| kept[(row, column)] - x[column]);
            let normal = centred.tr_mul(&centred) + DMatrix::identity(3, 3) * penalty;
            let weights = normal
                .cholesky()
                .unwrap()
                .solve(&centred.tr_mul(&wanted.add_scalar(-y)));
            let guess = ((rows.row(out) - x) * weights)[0] + y;
            expected += (outputs[out] - guess).powi(2);
        }
        assert!(
            (error - expected).abs() < 1e-6 * expected,
            "{error} {expected}"
        );
    }
}
