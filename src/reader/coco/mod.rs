//! COCO results of one model: boxes, masks, keypoints, captions or panoptic segments. They are
//! joined with annotations by picture.
//!
//! Results are a list of rows with `image_id`. Detections have `category_id`, `score` and `bbox`
//! (`[x, y, w, h]` in pixels), `segmentation` or `keypoints`; captions have `caption`. A file with
//! several of them is scored once per kind. The model's name is the stem of the file, or the
//! folder's name if the stem names no model.
//!
//! Annotation files are searched in the opened folders, next to and above the results, and in
//! folders given with `--data`; the file that matches most rows is used. Every annotated picture is
//! a sample, even without detections. Annotations of LVIS (`neg_category_ids`) are scored by LVIS's
//! federated rule.

mod annotations;
mod captions;
mod find_annotations;
mod fit;
mod mask;
mod objects;
mod panoptic;
mod repeated_ids;
mod results;
mod skipped_rows;
mod task;
#[cfg(test)]
mod tests;
mod value;

pub use annotations::{Annotations, Picture};
pub use find_annotations::{is_annotations, is_named_results};
pub use value::Id;

pub(crate) use annotations::{Lines, bounds, stem};
pub(crate) use find_annotations::{is_results, units};
pub(crate) use fit::Rows;
pub(crate) use mask::PictureSize;
pub(crate) use results::{Row, join, read, rows};
pub(crate) use value::Number;

/// Name of the format, in the list of sources, and benchmark name.
pub const FORMAT: &str = "coco";
/// Benchmark name of results scored by LVIS's rule.
pub(crate) const LVIS: &str = "lvis";

reader! {
    /// Reader of COCO results.
    Coco, FORMAT, find_annotations::plan, |unit, context, _, sink| {
        if panoptic::is_panoptic(unit) {
            panoptic::read(unit, context, sink);
        } else if captions::is_captions(unit) {
            captions::read(unit, sink);
        } else {
            results::read(unit, sink);
        }
    }
}
