//! Scores dense predictions: agreement of masks, label maps, depth maps and surface normals with
//! their annotations.
//!
//! Each function follows the definition in the evaluators of fm-vision-evals
//! (`taskit/eval/eval_*.py`).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::{average, real};

/// Label of ignored pixels.
pub const IGNORED: u16 = 255;

/// Computes the intersection over union of two masks, 0 to 1. `None` if their sizes differ or
/// both are empty (the harness divides by zero there).
pub fn mask_iou(found: &[bool], truth: &[bool]) -> Option<f64> {
    if found.len() != truth.len() {
        return None;
    }
    let (mut shared, mut union) = (0_u64, 0_u64);
    for (&found, &truth) in found.iter().zip(truth) {
        shared += u64::from(found && truth);
        union += u64::from(found || truth);
    }
    (union > 0).then(|| real(shared) / real(union))
}

/// Pixel counts per class, pooled over pictures: true positives, predicted, annotated.
#[derive(Clone, Debug, Default)]
pub struct Segmentation {
    classes: BTreeMap<u16, [u64; 3]>,
}

impl Segmentation {
    /// Adds one picture's labels. Pixels whose true label is [`IGNORED`] are skipped. A predicted
    /// label of 255 is a class that is never right.
    pub fn add(&mut self, found: &[u16], truth: &[u16]) {
        for (&found, &truth) in found.iter().zip(truth) {
            if truth == IGNORED {
                continue;
            }
            let [shared, _, area] = self.classes.entry(truth).or_default();
            *area += 1;
            *shared += u64::from(found == truth);
            if found != IGNORED {
                let [_, area, _] = self.classes.entry(found).or_default();
                *area += 1;
            }
        }
    }

    /// Returns the share of counted pixels with the right label; `None` if no pixel was counted.
    pub fn pixel_accuracy(&self) -> Option<f64> {
        let sums = self.classes.values();
        let (right, all) = sums.fold((0, 0), |(right, all), [s, _, t]| (right + s, all + t));
        (all > 0).then(|| real(right) / real(all))
    }

    /// Returns the mean intersection over union over the classes that occur, predicted or
    /// annotated.
    pub fn mean_iou(&self) -> Option<f64> {
        let ious = self.classes.values().filter_map(|[shared, found, truth]| {
            let union = found + truth - shared;
            (union > 0).then(|| real(*shared) / real(union))
        });
        average(ious)
    }
}

/// Returns the scale and shift that bring a prediction closest to the truth by least squares,
/// over all pixels of one picture. A negative scale becomes 0, with the truth's mean as the
/// shift.
///
/// Source: R. Ranftl et al., "Towards robust monocular depth estimation", TPAMI 2022, section 5
/// (`compute_scale_and_shift`). Both are 0 for a constant prediction, as in the harness.
pub fn scale_and_shift(prediction: &[f64], truth: &[f64]) -> (f64, f64) {
    let (mut pp, mut p, mut pt, mut t, mut n) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (&x, &y) in prediction.iter().zip(truth) {
        pp += x * x;
        p += x;
        pt += x * y;
        t += y;
        n += 1.0;
    }
    let determinant = pp * n - p * p;
    if determinant == 0.0 {
        return (0.0, 0.0);
    }
    let scale = (n * pt - p * t) / determinant;
    if scale < 0.0 {
        return (0.0, t / n);
    }
    (scale, (pp * t - p * pt) / determinant)
}

/// Depth errors over the pixels of many pictures; all pixels have the same weight.
#[derive(Clone, Copy, Debug, Default)]
pub struct DepthErrors {
    within: [u64; 3],
    relative: f64,
    pixels: u64,
}

impl DepthErrors {
    /// Adds one picture; `depth` is in the unit of the truth, after scale and shift.
    pub fn add(&mut self, depth: &[f64], truth: &[f64]) {
        for (&depth, &truth) in depth.iter().zip(truth) {
            let ratio = (depth / truth).max(truth / depth);
            for (within, power) in self.within.iter_mut().zip(1..) {
                *within += u64::from(ratio < 1.25_f64.powi(power));
            }
            self.relative += (depth - truth).abs() / truth;
            self.pixels += 1;
        }
    }

    /// Returns the shares of pixels with `max(p / t, t / p)` below 1.25, 1.25^2 and 1.25^3; `None`
    /// without pixels.
    pub fn deltas(&self) -> Option<[f64; 3]> {
        (self.pixels > 0).then(|| self.within.map(|within| real(within) / real(self.pixels)))
    }

    /// Returns the mean of the absolute error divided by the truth (AbsRel); `None` without pixels.
    pub fn abs_rel(&self) -> Option<f64> {
        (self.pixels > 0).then(|| self.relative / real(self.pixels))
    }
}

/// Computes Spearman's rank correlation with mid-ranks for ties. `None` for fewer than two
/// values, a constant list, or a value that is not finite. fm-vision-evals computes it for each
/// picture, for depth and for each axis of the normals (right, up, out), and averages over
/// pictures.
///
/// Source: C. Spearman, "The proof and measurement of association between two things", 1904.
pub fn spearman(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.len() != b.len() {
        return None;
    }
    if a.iter().chain(b).any(|value| !value.is_finite()) {
        return None;
    }
    let (a, b) = (ranks(a), ranks(b));
    let (mean_a, mean_b) = (average(a.iter().copied())?, average(b.iter().copied())?);
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(&b) {
        let (a, b) = (a - mean_a, b - mean_b);
        ab += a * b;
        aa += a * a;
        bb += b * b;
    }
    (aa > 0.0 && bb > 0.0).then(|| ab / (aa * bb).sqrt())
}

/// Returns mid-ranks, starting at 1. Sorts instead of comparing pairs, because pictures have many
/// pixels.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<(f64, usize)> = values.iter().copied().zip(0..).collect();
    order.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0_u64;
    for equal in order.chunk_by(|(a, _), (b, _)| a.partial_cmp(b) == Some(Ordering::Equal)) {
        let count = equal.len() as u64;
        let rank = real(before) + real(count + 1) / 2.0;
        before += count;
        for (_, at) in equal {
            if let Some(place) = ranks.get_mut(*at) {
                *place = rank;
            }
        }
    }
    ranks
}
