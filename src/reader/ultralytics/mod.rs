//! Ultralytics: boxes predicted by one model, and the metrics of a training run (`results.csv`).
//! The boxes are in `predictions.json`, or in one label file per picture with confidences.
//!
//! The folder's name is the model's name, because all runs use the same file names. The ground
//! truth is a data set in YOLO's format near the run, or else COCO annotations. The reader of COCO
//! results joins it with the boxes.

pub(crate) mod data_set;
mod figures;
pub(crate) mod label;
mod plan;
mod read;
pub(crate) mod sample;
#[cfg(test)]
mod tests;

/// Name of the format in the list of sources.
pub const FORMAT: &str = "ultralytics";

/// Name of the setting that contains the split.
const SPLIT: &str = "split";

reader! {
    /// Reader of Ultralytics runs.
    Ultralytics, FORMAT, plan::plan, |unit, _, _, sink| {
        if sample::has_ending(&unit.path, &["csv"]) {
            figures::read(unit, sink);
        } else {
            read::read(unit, sink);
        }
    }
}
