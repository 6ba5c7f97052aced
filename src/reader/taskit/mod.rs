//! fm-vision-evals (`taskit`): one output file per task and run. It contains the harness's
//! aggregates as Python text.
//!
//! The log contains neither model nor ground truth. The model is the log's name without task and
//! time. The ground truth is a separate JSON file, recognised by its content; it lies near the log
//! or in a folder given with `--data`. Classes, boxes and grouping masks are scored with it.
//! Segmentation, depth and normals are predicted for superpixels, which no file contains. For these
//! tasks, only the harness's aggregates are available.

mod classify_files;
mod figures;
mod maps;
mod names;
pub(crate) mod python;
mod read;
mod samples;
mod truth;

pub use truth::imagenet_classes;

/// Name of the format in the list of sources.
pub const FORMAT: &str = "taskit";
/// Benchmark name of all records.
const BENCHMARK: &str = "fm-vision-evals";

reader! {
    /// Reader of fm-vision-evals logs.
    Taskit, FORMAT, classify_files::plan, |unit, _, _, sink| read::read(unit, sink)
}
