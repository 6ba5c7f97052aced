//! Shapes of the objects of one picture: what is compared where it is not boxes.

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
        /// Segments of panoptic segmentation, by `IoU` outside of unlabelled pixels.
        Segments = "segments",
    }
}

/// Shapes of the annotated and predicted objects, in the order of their boxes.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Shapes {
    /// The boxes themselves.
    #[default]
    Boxes,
    /// A mask for each object.
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
        /// Keypoints of the predicted objects, as many for each.
        found: Vec<Vec<Keypoint>>,
        /// Standard deviation of each keypoint's annotation, relative to the object's size.
        sigmas: Arc<[f64]>,
    },
    /// Overlaps, computed before from shapes that are not kept.
    Overlaps {
        /// Kind of the shapes.
        kind: ShapeKind,
        /// Overlaps above 0, in ascending order of predicted and then annotated object.
        overlaps: Vec<Overlap>,
    },
}

/// A keypoint in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Keypoint {
    /// Distance from the left.
    pub x: f64,
    /// Distance from the top.
    pub y: f64,
    /// Visibility of an annotated keypoint: 0 if it is not annotated. Of a predicted one:
    /// confidence, which is not used.
    pub v: f64,
}

/// Overlap of a predicted and an annotated object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// Index of the predicted object.
    pub found: u32,
    /// Index of the annotated object.
    pub truth: u32,
    /// `IoU` or OKS, up to 1; for a crowd the share of the predicted object inside it.
    pub value: f64,
}

base::named_enum! {
    /// Number of training pictures that contain a class, as LVIS groups classes.
    /// Names are those in LVIS files.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Frequency {
        /// Up to 10.
        Rare = "r",
        /// Up to 100.
        Common = "c",
        /// More than 100.
        Frequent = "f",
    }
}

/// Facts of LVIS, in whose pictures only some classes are annotated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Federation {
    /// Group of each class by code; `None` if it is unknown.
    pub frequencies: Arc<[Option<Frequency>]>,
    /// Codes of classes of which the picture may hold further objects: their unmatched
    /// detections are ignored.
    pub not_exhaustive: Vec<u32>,
}
