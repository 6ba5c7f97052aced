//! Ultralytics: boxes of one model (`predictions.json`, or a label file with confidence for each
//! picture) and the figures of a training (`results.csv`).
//!
//! The folder's name serves as model name, because the files are called the same in every run.
//! The truth is a data set in YOLO's form near the run, else COCO annotations. Both meet the boxes
//! in the reader of COCO results.

pub(crate) mod data_set;
mod figures;
pub(crate) mod label;
mod plan;
mod read;
pub(crate) mod sample;
#[cfg(test)]
mod tests;

/// Name of the format, as listed under `sources`.
pub const FORMAT: &str = "ultralytics";

/// Setting with the split of the data set.
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
