//! Counts the segments of panoptic segmentation, and computes panoptic quality.
//!
//! Source: A. Kirillov et al., "Panoptic Segmentation", CVPR 2019, equations 1 and 2, with the
//! rules of `panopticapi` (`evaluation.py`): segments of one class match if their `IoU` exceeds .5;
//! every class with a right, wrong or missed segment has the same weight.

use std::collections::BTreeMap;

use crate::metric::{average, real};
use record::{Detections, Shapes};

/// `IoU` that matched segments must exceed.
const OVERLAP: f64 = 0.5;

/// Panoptic quality (PQ) or one of its two factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanopticPart {
    /// Panoptic quality (PQ).
    Quality,
    /// Segmentation quality (SQ): mean `IoU` of the matched segments.
    Segmentation,
    /// Recognition quality (RQ): F1 score of the segments.
    Recognition,
}

/// Kind of a class in panoptic segmentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassKind {
    /// Countable objects.
    Things,
    /// Amorphous regions, such as sky.
    Stuff,
}

/// Counts of the segments of one class, in one or more pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SegmentCounts {
    /// Number of matched pairs.
    pub right: u64,
    /// Number of predicted segments without a match.
    pub wrong: u64,
    /// Number of annotated segments without a match.
    pub missed: u64,
    /// Sum of the `IoU`s of matched pairs.
    pub overlap: f64,
}

impl SegmentCounts {
    /// Adds other counts `times` times.
    pub(super) fn add(&mut self, other: &Self, times: u64) {
        self.right += times * other.right;
        self.wrong += times * other.wrong;
        self.missed += times * other.missed;
        self.overlap += real(times) * other.overlap;
    }

    /// Returns a part of panoptic quality, 0 to 1; `None` without segments.
    pub fn part(&self, part: PanopticPart) -> Option<f64> {
        let whole = real(self.right) + 0.5 * real(self.wrong) + 0.5 * real(self.missed);
        let ratio = |value: f64, of: f64| if of > 0.0 { value / of } else { 0.0 };
        (whole > 0.0).then(|| match part {
            PanopticPart::Quality => self.overlap / whole,
            PanopticPart::Segmentation => ratio(self.overlap, real(self.right)),
            PanopticPart::Recognition => real(self.right) / whole,
        })
    }
}

/// Counts the segments of a picture by class. Annotated crowds are never matched or missed.
pub fn segment_counts(detections: &Detections) -> BTreeMap<u32, SegmentCounts> {
    let mut counts: BTreeMap<u32, SegmentCounts> = BTreeMap::new();
    let Shapes::Overlaps { overlaps, .. } = &detections.shapes else {
        return counts;
    };
    for truth in detections.truth.iter().filter(|truth| !truth.crowd) {
        counts.entry(truth.class).or_default().missed += 1;
    }
    for found in &detections.found {
        counts.entry(found.class).or_default().wrong += 1;
    }
    for overlap in overlaps.iter().filter(|it| it.value > OVERLAP) {
        let (found, truth) = (overlap.found as usize, overlap.truth as usize);
        let pair = detections.found.get(found).zip(detections.truth.get(truth));
        let Some((found, truth)) = pair else { continue };
        if found.class == truth.class && !truth.crowd {
            let count = counts.entry(truth.class).or_default();
            count.right += 1;
            count.wrong = count.wrong.saturating_sub(1);
            count.missed = count.missed.saturating_sub(1);
            count.overlap += overlap.value;
        }
    }
    counts
}

/// Computes the panoptic quality of a single picture, averaged over its classes; `None` without
/// segments.
pub fn image_pq(detections: &Detections) -> Option<f64> {
    let counts = segment_counts(detections);
    let parts = counts.values();
    average(parts.filter_map(|counts| counts.part(PanopticPart::Quality)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Overlap, PredictedBox, ShapeKind, TrueBox};

    fn truth(class: u32, crowd: bool) -> TrueBox {
        TrueBox {
            class,
            xywh: [0.0; 4],
            area: 1.0,
            crowd,
            id: 1,
        }
    }

    fn found(class: u32) -> PredictedBox {
        PredictedBox {
            class,
            xywh: [0.0; 4],
            score: 1.0,
        }
    }

    fn picture(overlaps: &[[u32; 2]], values: &[f64]) -> Detections {
        let overlaps = overlaps.iter().zip(values);
        let overlaps = overlaps.map(|([found, truth], value)| Overlap {
            found: *found,
            truth: *truth,
            value: *value,
        });
        Detections {
            truth: vec![truth(0, false), truth(0, false), truth(1, true)],
            found: vec![found(0), found(0), found(1)],
            shapes: Shapes::Overlaps {
                kind: ShapeKind::Segments,
                overlaps: overlaps.collect(),
            },
            ..Detections::default()
        }
    }

    #[test]
    fn half_an_overlap_another_class_and_a_crowd_do_not_match() {
        let counts = segment_counts(&picture(&[[0, 0], [1, 1], [2, 2]], &[0.8, 0.5, 0.9]));
        let of_class = counts[&0];
        assert_eq!((of_class.right, of_class.wrong, of_class.missed), (1, 1, 1));
        assert_eq!(of_class.part(PanopticPart::Quality), Some(0.4));
        assert_eq!(of_class.part(PanopticPart::Segmentation), Some(0.8));
        assert_eq!(of_class.part(PanopticPart::Recognition), Some(0.5));
        // The segment on the crowd has its class but is wrong, and the crowd is not missed.
        assert_eq!((counts[&1].wrong, counts[&1].missed), (1, 0));
        assert_eq!(counts[&1].part(PanopticPart::Segmentation), Some(0.0));
        let whole = picture(&[[0, 0], [1, 1]], &[0.75, 1.0]);
        assert_eq!(image_pq(&whole), Some(f64::midpoint(0.875, 0.0)));
    }
}
