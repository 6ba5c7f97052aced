//! Computes the two principal axes of vectors by block power iteration (N. Halko, P. Martinsson and
//! J. Tropp, "Finding structure with randomness", 2011, algorithm 4.4). It needs no matrix of all
//! pairs of columns, so codes can have thousands of values.

use nalgebra::{DMatrix, SymmetricEigen};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use crate::SEED;
use base::job::Ticket;

/// Number of directions to iterate; more than two, so that the first two converge quickly.
const BLOCK: usize = 6;
/// Number of power iterations.
const ITERATIONS: usize = 20;
/// Number of vectors per parallel task.
const CHUNK: usize = 256;

/// Projection of vectors onto their two principal axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axes {
    /// Coordinates of each vector; the mean is at the origin.
    pub places: Vec<[f64; 2]>,
    /// Share of the variance along each axis.
    pub shares: [f64; 2],
}

/// Vectors relative to their mean.
struct CenteredVectors<'a> {
    vectors: &'a [&'a [f32]],
    mean: Vec<f64>,
}

/// Computes the axes. The largest component of an axis is positive. Without any variance, all
/// vectors are at the origin.
pub fn axes(vectors: &[&[f32]], ticket: &Ticket) -> Axes {
    let width = vectors.first().map_or(0, |code| code.len());
    let block = BLOCK.min(width).min(vectors.len());
    let centered = CenteredVectors::new(vectors, width);
    let variance = centered.variance();
    let none = Axes {
        places: vec![[0.0; 2]; vectors.len()],
        shares: [0.0; 2],
    };
    if block == 0 || variance <= f64::EPSILON {
        return none;
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut basis = DMatrix::from_fn(width, block, |_, _| signed_unit(random.next_u64()))
        .qr()
        .q();
    for _ in 0..ITERATIONS {
        if !ticket.is_wanted() {
            return none;
        }
        basis = centered.times(&basis).qr().q();
    }
    // Rayleigh-Ritz: the best directions within the basis.
    let inner = SymmetricEigen::new(basis.transpose() * centered.times(&basis));
    let mut order: Vec<usize> = (0..block).collect();
    let value = |at: usize| inner.eigenvalues[at];
    order.sort_by(|a, b| value(*b).total_cmp(&value(*a)));
    let mut found = none;
    for (axis, at) in order.into_iter().take(2).enumerate() {
        let direction = &basis * inner.eigenvectors.column(at);
        let sign = direction[direction.iamax()].signum();
        found.shares[axis] = (value(at) / variance).clamp(0.0, 1.0);
        for (place, code) in found.places.iter_mut().zip(vectors) {
            place[axis] = sign * centered.coordinate(code, direction.as_slice());
        }
    }
    found
}

/// Returns a number in [-1, 1) from random bits.
#[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
fn signed_unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

impl<'a> CenteredVectors<'a> {
    #[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 samples")]
    fn new(vectors: &'a [&'a [f32]], width: usize) -> Self {
        let mut mean = vec![0.0; width];
        for code in vectors {
            for (sum, value) in mean.iter_mut().zip(*code) {
                *sum += f64::from(*value);
            }
        }
        let count = vectors.len().max(1) as f64;
        for sum in &mut mean {
            *sum /= count;
        }
        Self { vectors, mean }
    }

    /// Returns the sum of all squared values, added in order.
    fn variance(&self) -> f64 {
        let of_one = |code: &&[f32]| -> f64 {
            let values = code.iter().zip(&self.mean);
            values
                .map(|(value, mean)| (f64::from(*value) - mean).powi(2))
                .sum()
        };
        let sums: Vec<f64> = self.vectors.par_iter().map(of_one).collect();
        sums.iter().sum()
    }

    /// Returns the coordinate of a vector along a direction.
    fn coordinate(&self, code: &[f32], direction: &[f64]) -> f64 {
        let values = code.iter().zip(&self.mean).zip(direction);
        values
            .map(|((value, mean), part)| (f64::from(*value) - mean) * part)
            .sum()
    }

    /// Multiplies the scatter matrix, the sum of the outer products of all vectors with themselves,
    /// by a matrix of directions. Chunks are added in order, so that the result does not depend on
    /// the number of threads.
    fn times(&self, directions: &DMatrix<f64>) -> DMatrix<f64> {
        let of_chunk = |chunk: &[&[f32]]| {
            let mut sum = DMatrix::zeros(directions.nrows(), directions.ncols());
            for code in chunk {
                for (at, direction) in directions.column_iter().enumerate() {
                    let along = self.coordinate(code, direction.as_slice());
                    let values = code.iter().zip(&self.mean);
                    for (sum, (value, mean)) in sum.column_mut(at).iter_mut().zip(values) {
                        *sum += (f64::from(*value) - mean) * along;
                    }
                }
            }
            sum
        };
        let sums: Vec<DMatrix<f64>> = self.vectors.par_chunks(CHUNK).map(of_chunk).collect();
        let zero = DMatrix::zeros(directions.nrows(), directions.ncols());
        sums.into_iter().fold(zero, |all, sum| all + sum)
    }
}
