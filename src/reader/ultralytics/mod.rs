//! Ultralytics: boxes of one model (`predictions.json`, or a label file with confidence for each
//! picture) and the figures of a training (`results.csv`).
//!
//! The folder's name serves as model name, because every run uses the same file names. The truth is
//! a data set in YOLO's format near the run, or else COCO annotations. The reader of COCO results
//! joins it with the boxes.

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

/// Name of the setting that holds the split.
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
