//! COCO detection results: boxes of one model, joined with annotations by picture.
//!
//! Results are a list of `{"image_id", "category_id", "bbox": [x, y, w, h], "score"}` in pixels.
//! The file's stem serves as model name. Annotation files are searched in the opened folders,
//! next to and above the results, and in folders given with `--data`; the one that matches most
//! rows is used. Every annotated picture is a sample, even without detections.

mod annotations;
mod find_annotations;
mod fit;
mod results;
mod skipped_rows;
mod value;

pub use annotations::{Annotations, Picture};
pub use find_annotations::is_annotations;
pub use value::Id;

pub(crate) use annotations::stem;
pub(crate) use find_annotations::{is_results, units};
pub(crate) use fit::rows as count_rows;
pub(crate) use results::{Row, join, read, rows};
pub(crate) use value::Number;

use super::{Candidate, Context, Reader, Sink, Unit};

/// Name of the format, as listed under `sources`, and benchmark name.
pub const FORMAT: &str = "coco";

/// Reader of COCO detection results.
#[derive(Clone, Copy, Debug, Default)]
pub struct Coco;

impl Reader for Coco {
    fn format(&self) -> &'static str {
        FORMAT
    }

    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
        find_annotations::plan(files, context)
    }

    fn read(&self, unit: &Unit, _context: &Context, sink: &mut dyn Sink) {
        results::read(unit, sink);
    }
}
