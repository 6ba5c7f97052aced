//! Boxes of one picture: the annotated ones and the ones a model predicted.

use std::sync::Arc;

/// An annotated box: ground truth of one object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrueBox {
    /// Index into [`Detections::classes`].
    pub class: u32,
    /// `[x, y, width, height]` in pixels.
    pub xywh: [f64; 4],
    /// Annotated area in square pixels; COCO's size classes (small, medium, large) use it.
    pub area: f64,
    /// A crowd box, which covers many objects. Detections that match it are not counted.
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
    /// Confidence of the model; only the order of the values matters.
    pub score: f64,
}

/// Boxes of one picture for one model, each list in file order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detections {
    /// Class names by code, shared by all pictures of a log.
    pub classes: Arc<[String]>,
    /// The annotated boxes.
    pub truth: Vec<TrueBox>,
    /// The predicted boxes.
    pub found: Vec<PredictedBox>,
}

impl Detections {
    /// Returns the name of a class; empty for an unknown code.
    #[must_use]
    pub fn class(&self, code: u32) -> &str {
        self.classes.get(code as usize).map_or("", String::as_str)
    }
}
