//! Annotated and predicted boxes of one picture.

use std::sync::Arc;

use super::{Federation, ShapeKind, Shapes};

/// Annotated box of one object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrueBox {
    /// Index into [`Detections::classes`].
    pub class: u32,
    /// `[x, y, width, height]` in pixels.
    pub xywh: [f64; 4],
    /// Annotated area in square pixels; COCO's size classes (small, medium, large) use it.
    pub area: f64,
    /// True for a crowd box, which covers many objects. Detections that match a crowd are not
    /// counted.
    pub crowd: bool,
    /// Id of the annotation.
    pub id: i64,
}

/// A box predicted by a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictedBox {
    /// Index into [`Detections::classes`].
    pub class: u32,
    /// `[x, y, width, height]` in pixels.
    pub xywh: [f64; 4],
    /// Confidence of the model; only the order of values matters.
    pub score: f64,
}

/// Annotated and predicted boxes of one picture for one model, each in file order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detections {
    /// Class names, indexed by class code; shared by all pictures of a log.
    pub classes: Arc<[String]>,
    /// The annotated boxes.
    pub truth: Vec<TrueBox>,
    /// The predicted boxes.
    pub found: Vec<PredictedBox>,
    /// Shapes by which predicted and annotated objects are matched.
    pub shapes: Shapes,
    /// Areas of the predicted objects in square pixels, which determine their size class. If the
    /// list is empty, the areas of the boxes are used.
    pub areas: Vec<f64>,
    /// Indices of annotated objects that are ignored. Unlike a crowd, such an object matches only
    /// one prediction.
    pub ignored: Vec<u32>,
    /// True for things, false for stuff, indexed by class code. Empty unless the shapes are
    /// panoptic segments.
    pub things: Arc<[bool]>,
    /// LVIS annotation data; `None` if every class is annotated in every picture.
    pub federation: Option<Federation>,
}

impl Detections {
    /// Returns the name of a class; empty for an unknown code.
    pub fn class(&self, code: u32) -> &str {
        self.classes.get(code as usize).map_or("", String::as_str)
    }

    /// Returns the kind of shape used to match objects.
    pub const fn kind(&self) -> ShapeKind {
        match &self.shapes {
            Shapes::Boxes => ShapeKind::Boxes,
            Shapes::Masks { .. } => ShapeKind::Masks,
            Shapes::Keypoints { .. } => ShapeKind::Keypoints,
            Shapes::Overlaps { kind, .. } => *kind,
        }
    }

    /// Returns the area of a predicted object in square pixels; 0 for an unknown index.
    pub fn area(&self, found: usize) -> f64 {
        let of_box = || {
            let [_, _, width, height] = self.found.get(found)?.xywh;
            Some(width * height)
        };
        let area = self.areas.get(found).copied().or_else(of_box);
        area.unwrap_or_default()
    }

    /// True if an annotated object is ignored or a crowd.
    pub fn is_ignored(&self, truth: usize) -> bool {
        let is_listed = u32::try_from(truth).is_ok_and(|truth| self.ignored.contains(&truth));
        is_listed || self.truth.get(truth).is_some_and(|truth| truth.crowd)
    }
}
