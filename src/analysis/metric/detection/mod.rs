//! Computes average precision and recall of detections as defined by COCO, panoptic quality of
//! segments, and causes of errors.
//!
//! Source: T.-Y. Lin et al., "Microsoft COCO: common objects in context", ECCV 2014, with the rules
//! of `pycocotools` 2.0 (`cocoeval.py`, `maskApi.c`): 101 recall points, at most 100 detections
//! (keypoints: 20; LVIS: 300) in a picture and class, greedy matching by score, crowds and boxes
//! outside the size range ignored. Average precision is pooled over a set of pictures instead of
//! averaged: [`match_boxes`] works picture by picture, [`Pool`] combines the pictures.

mod cause;
mod detection_metric;
mod matching;
mod overlap;
mod panoptic;
mod pool;
mod shapes;

pub use cause::{Cause, Causes, causes};
pub use detection_metric::{DetectionMetric, NamedMetrics, PrecisionOrRecall, image_ap50};
pub use matching::{MatchedDetection, MatchedPicture, match_boxes};
pub use overlap::{iou, share_in_crowd};
pub use panoptic::{ClassKind, PanopticPart, SegmentCounts, image_pq, segment_counts};
pub use pool::{ClassFigures, Pool};
pub use shapes::condense;

/// Returns the `IoU` thresholds: .50 to .95 in steps of .05, then .1, which only fm-vision-evals
/// uses.
pub fn thresholds() -> [f64; THRESHOLDS] {
    // Equal to numpy's `linspace(.5, .95, 10)` to the last bit.
    let step = (0.95 - 0.5) / 9.0;
    [
        0.5,
        0.5 + step,
        0.5 + 2.0 * step,
        0.5 + 3.0 * step,
        0.5 + 4.0 * step,
        0.5 + 5.0 * step,
        0.5 + 6.0 * step,
        0.5 + 7.0 * step,
        0.5 + 8.0 * step,
        0.95,
        0.1,
    ]
}

/// Number of `IoU` thresholds.
pub const THRESHOLDS: usize = 11;

/// Box sizes that are counted, by area in square pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// Any area.
    All,
    /// Up to 32 x 32.
    Small,
    /// From 32 x 32 to 96 x 96.
    Medium,
    /// At least 96 x 96.
    Large,
}

impl Size {
    /// All variants, [`Size::All`] first.
    pub const EACH: [Self; 4] = [Self::All, Self::Small, Self::Medium, Self::Large];

    /// Returns true if an area lies outside the range; both ends are inside, as in `pycocotools`.
    pub fn excludes(self, area: f64) -> bool {
        let (low, high) = match self {
            Self::All => (0.0, 1e10),
            Self::Small => (0.0, 1024.0),
            Self::Medium => (1024.0, 9216.0),
            Self::Large => (9216.0, 1e10),
        };
        area < low || area > high
    }
}
