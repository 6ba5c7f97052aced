//! A head for questions about which object is most like the one in the red box. The options are the
//! objects outside the box, in reading order.
//!
//! Features that vary between similar objects (tilt, colour) get little weight: distances are
//! scaled by the scatter of known pairs (N. Shental et al., "Adjustment learning and relevant
//! component analysis", 2002).

use image::RgbaImage;
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::options::right_option;
use super::ridge::Scaler;
use super::things::{Thing, marked_and_others};
use super::{Encoder, Example};

/// Candidate weights for directions without scatter, as multiples of the mean squared difference.
const SHARES: [f64; 4] = [0.003, 0.03, 0.3, 3.0];
/// One in this many examples is held out to choose the weight.
const HELD_OUT: usize = 4;

/// Trained head that picks the most similar object.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SimilarityHead {
    scaler: Scaler,
    /// Directions in which similar objects differ; they are ignored.
    idle: DMatrix<f64>,
}

/// Features of the object in the red box, and of the options' objects.
type RegionFeatures = (Vec<f32>, Vec<Vec<f32>>);

impl SimilarityHead {
    /// Trains a head. Returns `None` if questions have different options, or too few objects are
    /// found.
    pub fn train(encoder: Encoder, examples: &[Example<'_>]) -> Option<Self> {
        let texts = |example: &Example<'_>| -> Vec<String> {
            let choices = example.content.choices.iter();
            choices.map(|choice| choice.text.clone()).collect()
        };
        let first = texts(examples.first()?);
        if first.len() < 3 || examples.iter().any(|example| texts(example) != first) {
            return None;
        }
        let known: Vec<(usize, RegionFeatures)> = examples
            .par_iter()
            .filter_map(|example| {
                let right = right_option(example.content)?;
                Some((right, shown(encoder, example.picture, first.len())?))
            })
            .collect();
        // A match in fewer than half of the pictures is chance.
        if 2 * known.len() < examples.len() {
            return None;
        }
        let all = known
            .iter()
            .flat_map(|(_, (own, others))| others.iter().chain([own]));
        let (scaler, _) = Scaler::of(&all.cloned().collect::<Vec<_>>());
        let (held, kept): (Vec<usize>, Vec<usize>) =
            (0..known.len()).partition(|at| at.is_multiple_of(HELD_OUT));
        let of =
            |at: &[usize], share: f64| Self::of(&scaler, at.iter().map(|at| &known[*at]), share);
        let tried = SHARES.iter().filter_map(|share| {
            let trial = of(&kept, *share)?;
            let right = held.iter().filter(|at| {
                let (right, shown) = &known[**at];
                trial.nearest(shown) == Some(*right)
            });
            Some((right.count(), *share))
        });
        let (_, share) = tried.max_by_key(|(right, _)| *right)?;
        of(&(0..known.len()).collect::<Vec<_>>(), share)
    }

    fn of<'a>(
        scaler: &Scaler,
        known: impl Iterator<Item = &'a (usize, RegionFeatures)>,
        share: f64,
    ) -> Option<Self> {
        let differences: Vec<DVector<f64>> = known
            .filter_map(|(right, (own, others))| Some(apart(scaler, own, others.get(*right)?)))
            .collect();
        let first = differences.first()?;
        let rows = DMatrix::from_fn(differences.len(), first.len(), |row, column| {
            differences[row][column]
        });
        let mut products = &rows * rows.transpose();
        let count = f64::from(u32::try_from(differences.len()).unwrap_or(u32::MAX));
        let penalty = (share * products.trace() / count).max(1e-9);
        for at in 0..products.nrows() {
            products[(at, at)] += penalty;
        }
        let idle = products.cholesky()?.l().solve_lower_triangular(&rows)?;
        Some(Self {
            scaler: scaler.clone(),
            idle,
        })
    }

    /// Index of the most similar option; `None` if fewer objects than options are found.
    pub fn choose(&self, encoder: Encoder, picture: &RgbaImage, options: usize) -> Option<usize> {
        self.nearest(&shown(encoder, picture, options)?)
    }

    fn nearest(&self, (own, others): &RegionFeatures) -> Option<usize> {
        let distance = |other: &Vec<f32>| {
            let apart = apart(&self.scaler, own, other);
            apart.norm_squared() - (&self.idle * apart).norm_squared()
        };
        let distances = others.iter().map(distance).enumerate();
        let nearest = distances.min_by(|(_, one), (_, other)| one.total_cmp(other));
        nearest.map(|(at, _)| at)
    }
}

/// Difference of two objects' scaled features.
fn apart(scaler: &Scaler, own: &[f32], other: &[f32]) -> DVector<f64> {
    scaler.scaled(own) - scaler.scaled(other)
}

fn shown(encoder: Encoder, picture: &RgbaImage, options: usize) -> Option<RegionFeatures> {
    let (marked, mut others) = marked_and_others(picture)?;
    others.truncate(options);
    if others.len() < options {
        return None;
    }
    let features = |thing: Thing| Some(encoder.of_view(&thing.view(picture)?));
    let others = in_reading_order(others).into_iter().map(features);
    Some((features(marked)?, others.collect::<Option<_>>()?))
}

/// Sorts objects row by row, each row from left to right. An object belongs to a row if its centre
/// is above the bottom edge of another object in the row.
fn in_reading_order(mut things: Vec<Thing>) -> Vec<Thing> {
    things.sort_by(|one, other| one.middle().1.total_cmp(&other.middle().1));
    let mut rows: Vec<Vec<Thing>> = Vec::new();
    for thing in things {
        match rows.last_mut() {
            Some(row) if row.iter().any(|other| thing.middle().1 < other.xyxy[3]) => {
                row.push(thing);
            }
            _ => rows.push(vec![thing]),
        }
    }
    for row in &mut rows {
        row.sort_by(|one, other| one.middle().0.total_cmp(&other.middle().0));
    }
    rows.concat()
}
