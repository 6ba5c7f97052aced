//! Spherical k-means: groups unit vectors by the cosine of their angles (I. Dhillon and D. Modha,
//! "Concept decompositions for large sparse text data using clustering", 2001), with the starts of
//! k-means++ (D. Arthur and S. Vassilvitskii, 2007).

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use crate::SEED;

/// Directions of the centres, of length one.
pub type Centers = Vec<Vec<f32>>;

/// Maximum number of vectors that the centres are computed from; of a larger set, every n-th vector
/// is used.
const MOST: usize = 5_000;
/// Maximum number of iterations.
const ITERATIONS: usize = 30;

/// Nearest centre of a vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Index of the centre.
    pub at: usize,
    /// Distance to the centre: 1 minus the cosine.
    pub distance: f32,
    /// Distance to the second nearest centre; infinite if there is only one.
    pub second: f32,
}

/// Divides vectors into at most `count` groups, and returns the centres.
pub fn divide(vectors: &[&[f32]], count: usize) -> Centers {
    let step = vectors.len().div_ceil(MOST).max(1);
    let vectors: Vec<&[f32]> = vectors.iter().step_by(step).copied().collect();
    let mut centers = starts(&vectors, count);
    let mut before: Vec<usize> = Vec::new();
    for _ in 0..ITERATIONS {
        let places: Vec<usize> = vectors
            .par_iter()
            .map(|code| nearest(&centers, code).at)
            .collect();
        if places == before {
            break;
        }
        let mut sums: Centers = centers.iter().map(|it| vec![0.0; it.len()]).collect();
        for (code, place) in vectors.iter().zip(&places) {
            for (sum, value) in sums[*place].iter_mut().zip(*code) {
                *sum += value;
            }
        }
        // A centre keeps its direction if it has no vectors, or if they cancel out.
        for (center, sum) in centers.iter_mut().zip(sums) {
            let norm = dot(&sum, &sum).sqrt();
            if norm > 0.0 {
                *center = sum.iter().map(|value| value / norm).collect();
            }
        }
        before = places;
    }
    centers
}

/// Draws starts that are far from each other: each with a probability proportional to its distance
/// from the nearest earlier start. Returns fewer starts if every vector equals a start.
#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 samples")]
fn starts(vectors: &[&[f32]], count: usize) -> Centers {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut centers: Centers = vectors.first().map(|it| it.to_vec()).into_iter().collect();
    while centers.len() < count {
        let distances: Vec<f64> = vectors
            .par_iter()
            .map(|code| f64::from(nearest(&centers, code).distance))
            .collect();
        let total: f64 = distances.iter().sum();
        // Rounding leaves small distances between equal vectors.
        if total < 1e-6 * distances.len() as f64 {
            break;
        }
        let mut left = unit(random.next_u64()) * total;
        let drawn = distances.iter().position(|distance| {
            left -= distance;
            left <= 0.0 && *distance > 0.0
        });
        let Some(drawn) = drawn.and_then(|at| vectors.get(at)) else {
            break;
        };
        centers.push(drawn.to_vec());
    }
    centers
}

/// Returns a number in [0, 1) from random bits.
#[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// Finds the nearest centre; at least one centre is required.
pub fn nearest(centers: &[Vec<f32>], code: &[f32]) -> Nearest {
    let mut found = Nearest {
        at: 0,
        distance: f32::INFINITY,
        second: f32::INFINITY,
    };
    for (at, center) in centers.iter().enumerate() {
        let distance = (1.0 - dot(center, code)).max(0.0);
        if distance < found.distance {
            found.second = found.distance;
            (found.at, found.distance) = (at, distance);
        } else if distance < found.second {
            found.second = distance;
        }
    }
    found
}

/// Returns the mean silhouette of all vectors; `None` for fewer than two centres.
#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 samples")]
pub fn silhouette(vectors: &[&[f32]], centers: &[Vec<f32>]) -> Option<f64> {
    if centers.len() < 2 || vectors.is_empty() {
        return None;
    }
    let of_one = |code: &&[f32]| {
        let near = nearest(centers, code);
        let (own, other) = (f64::from(near.distance), f64::from(near.second));
        if other > 0.0 { 1.0 - own / other } else { 0.0 }
    };
    // Summed in order, so that the result does not depend on the number of threads.
    let values: Vec<f64> = vectors.par_iter().map(of_one).collect();
    Some(values.iter().sum::<f64>() / vectors.len() as f64)
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
