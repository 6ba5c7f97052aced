//! Shapes of the objects in one picture, for matching by shapes other than boxes.

use std::sync::Arc;

use super::Rle;

base::named_enum! {
    /// Kind of shape by which predicted and annotated objects are matched.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum ShapeKind {
        /// Boxes, by `IoU`.
        #[default]
        Boxes = "boxes",
        /// Masks, by `IoU`.
        Masks = "masks",
        /// Keypoints, by object keypoint similarity (OKS).
        Keypoints = "keypoints",
        /// Segments of panoptic segmentation, by `IoU`; unlabelled pixels are excluded.
        Segments = "segments",
    }
}

/// Shapes of the annotated and predicted objects, in the same order as their boxes.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Shapes {
    /// No other shapes: the boxes are used.
    #[default]
    Boxes,
    /// One mask per object.
    Masks {
        /// Masks of the annotated objects.
        truth: Vec<Rle>,
        /// Masks of the predicted objects.
        found: Vec<Rle>,
    },
    /// Keypoints of each object.
    Keypoints {
        /// Keypoints of the annotated objects.
        truth: Vec<Vec<Keypoint>>,
        /// Keypoints of the predicted objects, with the same number of keypoints per object.
        found: Vec<Vec<Keypoint>>,
        /// Standard deviation of each keypoint's annotated position, relative to the object's size.
        sigmas: Arc<[f64]>,
    },
    /// Precomputed overlaps of shapes that are no longer in memory.
    Overlaps {
        /// Kind of the shapes.
        kind: ShapeKind,
        /// Overlaps above 0, in ascending order of predicted object, then annotated object.
        overlaps: Vec<Overlap>,
    },
}

/// A keypoint in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Keypoint {
    /// Distance from the left edge.
    pub x: f64,
    /// Distance from the top edge.
    pub y: f64,
    /// For an annotated keypoint: its visibility, or 0 if it is not annotated. For a predicted
    /// keypoint: its confidence, which is not used.
    pub v: f64,
}

/// Overlap of a predicted and an annotated object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// Index of the predicted object.
    pub found: u32,
    /// Index of the annotated object.
    pub truth: u32,
    /// `IoU` or OKS, from 0 to 1. For a crowd, the share of the predicted object inside the crowd.
    pub value: f64,
}

base::named_enum! {
    /// Frequency group of a class in LVIS, by the number of training pictures that contain the
    /// class.
    ///
    /// The variant names are used in LVIS files.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Frequency {
        /// At most 10 pictures.
        Rare = "r",
        /// 11 to 100 pictures.
        Common = "c",
        /// More than 100 pictures.
        Frequent = "f",
    }
}

/// LVIS annotation data: in each picture, only some classes are annotated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Federation {
    /// Group of each class, indexed by class code; `None` if it is unknown.
    pub frequencies: Arc<[Option<Frequency>]>,
    /// Codes of classes whose objects in the picture are not all annotated. Unmatched detections of
    /// these classes are ignored.
    pub not_exhaustive: Vec<u32>,
}
