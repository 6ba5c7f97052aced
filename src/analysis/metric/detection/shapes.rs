//! Computes the overlaps of masks and of keypoints.
//!
//! Masks as in `maskApi.c` (`rleIou`), keypoints as in `cocoeval.py` (`computeOks`) of
//! `pycocotools` 2.0.

use std::borrow::Cow;

use super::{iou, share_in_crowd};
use record::{Detections, Keypoint, Overlap, Rle, Shapes, TrueBox};

/// Replaces masks or keypoints by their overlaps, which are much smaller.
pub fn condense(detections: &mut Detections) {
    let kind = detections.kind();
    if let Cow::Owned(overlaps) = overlaps(detections) {
        detections.shapes = Shapes::Overlaps { kind, overlaps };
    }
}

/// Overlaps of predicted and annotated objects in one picture.
pub(super) struct Overlaps<'a> {
    pub detections: &'a Detections,
    overlaps: Cow<'a, [Overlap]>,
}

impl<'a> Overlaps<'a> {
    pub fn new(detections: &'a Detections) -> Self {
        Self {
            detections,
            overlaps: overlaps(detections),
        }
    }

    /// Returns the overlap of a predicted and an annotated object, by their indices.
    pub fn of(&self, found: usize, truth: usize) -> f64 {
        if let Shapes::Boxes = self.detections.shapes {
            let boxes = self.detections.found.get(found);
            let boxes = boxes.zip(self.detections.truth.get(truth));
            return boxes.map_or(0.0, |(found, truth)| {
                let overlap = if truth.crowd { share_in_crowd } else { iou };
                overlap(found.xywh, truth.xywh)
            });
        }
        let key = |overlap: &Overlap| (overlap.found as usize, overlap.truth as usize);
        let place = self.overlaps.binary_search_by_key(&(found, truth), key);
        let known = place.ok().and_then(|at| self.overlaps.get(at));
        known.map_or(0.0, |known| known.value)
    }
}

/// Returns the overlaps of masks or keypoints; empty for boxes.
fn overlaps(detections: &Detections) -> Cow<'_, [Overlap]> {
    let annotated = &detections.truth;
    match &detections.shapes {
        Shapes::Boxes => Cow::Borrowed(&[]),
        Shapes::Overlaps { overlaps, .. } => Cow::Borrowed(overlaps),
        Shapes::Masks { truth, found } => {
            let boxes: Vec<_> = truth.iter().map(Rle::bbox).collect();
            let truth: Vec<_> = truth.iter().zip(boxes).zip(annotated).collect();
            pairs(found, &truth, |found| {
                let own = found.bbox();
                move |((mask, bbox), truth)| {
                    let overlap = if truth.crowd { share_in_crowd } else { iou };
                    let is_near = overlap(own, *bbox) > 0.0;
                    is_near.then(|| mask_overlap(found, mask, truth)).flatten()
                }
            })
        }
        Shapes::Keypoints {
            truth,
            found,
            sigmas,
        } => {
            let truth: Vec<_> = truth.iter().zip(annotated).collect();
            pairs(found, &truth, |found| {
                move |(points, truth)| similarity(found, points, truth, sigmas)
            })
        }
    }
}

/// Computes the overlap of every pair; overlaps of 0 are left out.
fn pairs<'a, F, T, C: Fn(&T) -> Option<f64>>(
    found: &'a [F],
    truth: &[T],
    overlap: impl Fn(&'a F) -> C,
) -> Cow<'a, [Overlap]> {
    let mut overlaps = Vec::new();
    for (found, shape) in (0_u32..).zip(found) {
        let overlap = overlap(shape);
        for (truth, shape) in (0_u32..).zip(truth) {
            let value = overlap(shape).filter(|value| *value > 0.0);
            overlaps.extend(value.map(|value| Overlap {
                found,
                truth,
                value,
            }));
        }
    }
    Cow::Owned(overlaps)
}

/// Computes the overlap of two masks; `None` if the sizes of their pictures differ.
fn mask_overlap(found: &Rle, mask: &Rle, truth: &TrueBox) -> Option<f64> {
    if (found.height, found.width) != (mask.height, mask.width) {
        return None;
    }
    let (mut shared, mut either) = (0_u32, 0_u32);
    found.walk(mask, |length, [a, b]| {
        either += if a || b { length } else { 0 };
        shared += if a && b { length } else { 0 };
    });
    let whole = if truth.crowd {
        u32::try_from(found.area()).unwrap_or(u32::MAX)
    } else {
        either
    };
    (shared > 0).then(|| f64::from(shared) / f64::from(whole))
}

/// Computes the object keypoint similarity; `None` if the numbers of keypoints differ.
fn similarity(
    found: &[Keypoint],
    points: &[Keypoint],
    truth: &TrueBox,
    sigmas: &[f64],
) -> Option<f64> {
    if found.len() != sigmas.len() || points.len() != sigmas.len() {
        return None;
    }
    let annotated = points.iter().filter(|point| point.v > 0.0).count();
    let [x, y, width, height] = truth.xywh;
    let beyond = |at: f64, low: f64, length: f64| {
        // If no keypoint is annotated, only the distance outside the threefold enlarged box counts.
        (low - length - at).max(0.0) + (at - (low + length * 2.0)).max(0.0)
    };
    let mut sum = 0.0;
    for ((found, point), sigma) in found.iter().zip(points).zip(sigmas) {
        let (dx, dy) = if annotated == 0 {
            (beyond(found.x, x, width), beyond(found.y, y, height))
        } else if point.v > 0.0 {
            (found.x - point.x, found.y - point.y)
        } else {
            continue;
        };
        let variance = (sigma * 2.0).powi(2);
        let error = (dx.powi(2) + dy.powi(2)) / variance / (truth.area + f64::EPSILON) / 2.0;
        sum += (-error).exp();
    }
    let count = if annotated == 0 {
        sigmas.len()
    } else {
        annotated
    };
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    Some(sum / f64::from(count)).filter(|value| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::detection::{DetectionMetric, MatchedPicture, Pool, image_ap50};
    use record::{Federation, Frequency, PredictedBox};

    fn truth(area: f64, crowd: bool) -> TrueBox {
        TrueBox {
            class: 0,
            xywh: [0.0, 0.0, 10.0, 10.0],
            area,
            crowd,
            id: 1,
        }
    }

    fn found(score: f64) -> PredictedBox {
        PredictedBox {
            class: 0,
            xywh: [0.0, 0.0, 10.0, 10.0],
            score,
        }
    }

    fn rle(runs: &[u32]) -> Rle {
        Rle {
            height: 10,
            width: 10,
            runs: runs.to_vec(),
        }
    }

    #[test]
    fn masks_overlap_by_pixels() {
        let mut detections = Detections {
            truth: vec![truth(30.0, false), truth(30.0, true)],
            found: vec![found(0.9), found(0.8)],
            shapes: Shapes::Masks {
                truth: vec![rle(&[10, 30, 60]); 2],
                found: vec![rle(&[20, 40, 40]), rle(&[60, 40])],
            },
            ..Detections::default()
        };
        let of = |detections: &Detections, at| Overlaps::new(detections).of(0, at);
        assert_eq!(
            [0, 1].map(|at| of(&detections, at)),
            [20.0 / 50.0, 20.0 / 40.0]
        );
        assert_eq!(Overlaps::new(&detections).of(1, 0), 0.0);
        condense(&mut detections);
        assert!(
            matches!(&detections.shapes, Shapes::Overlaps { overlaps, .. } if overlaps.len() == 2)
        );
        assert_eq!(of(&detections, 1), 0.5);
    }

    #[test]
    fn only_annotated_keypoints_count() {
        let point = |x, v| Keypoint { x, y: 5.0, v };
        let similar = |points: &[Keypoint]| {
            let found = [point(1.0, 0.3), point(30.0, 0.3)];
            similarity(&found, points, &truth(2.0, false), &[0.5, 0.5])
        };
        let near = (-0.25_f64).exp();
        assert_eq!(similar(&[point(0.0, 2.0), point(0.0, 0.0)]), Some(near));
        // 30 lies 10 pixels outside the box that ends at 20.
        let far = (-25.0_f64).exp();
        assert_eq!(similar(&[point(0.0, 0.0); 2]), Some((1.0 + far) / 2.0));
        assert_eq!(similar(&[point(0.0, 2.0)]), None);
    }

    #[test]
    fn classes_that_are_not_exhaustive_have_no_wrong_detections() {
        let mut detections = Detections {
            truth: vec![truth(100.0, false)],
            found: vec![
                PredictedBox {
                    xywh: [50.0; 4],
                    ..found(0.9)
                },
                found(0.8),
            ],
            ..Detections::default()
        };
        let ap50 = |detections: &Detections, frequency| {
            let metric = DetectionMetric {
                frequency,
                ..DetectionMetric::AP.at(0)
            };
            let matched: MatchedPicture = metric.matched(detections);
            let value = metric.value(&Pool::new([&matched]), None);
            value.map(|value| (value * 1e9).round() / 1e9)
        };
        assert_eq!(image_ap50(&detections), Some(0.5));
        detections.federation = Some(Federation {
            frequencies: [Some(Frequency::Rare)].into(),
            not_exhaustive: vec![0],
        });
        assert_eq!(ap50(&detections, None), Some(1.0));
        assert_eq!(ap50(&detections, Some(Frequency::Rare)), Some(1.0));
        assert_eq!(ap50(&detections, Some(Frequency::Common)), None);
    }
}
