//! `FiftyOne`: an exported data set (`FiftyOneDataset`) with `samples.json` and `metadata.json`.
//!
//! Labels are fields of a sample; the user chooses their names. One field of detections and one
//! field of classifications are the ground truth; every other field of these kinds is a model.
//! Boxes are fractions of the picture and are scored by COCO's rules. The matches computed by
//! `FiftyOne` are shown as aggregates of the harness. Without predictions, the ground truth is read
//! as annotations. Masks and other kinds of labels are not read.

mod metadata;
mod read;
mod sample;
mod survey;
mod task;
#[cfg(test)]
mod tests;

use super::{Candidate, Context, Unit};
use metadata::Metadata;

/// Name of the format in the list of sources.
pub const FORMAT: &str = "fiftyone";

reader! {
    /// Reader of exported `FiftyOne` data sets.
    FiftyOne, FORMAT, plan, |unit, context, _, sink| {
        // `Break` means that the sink asked to stop. Reading has ended, so there is nothing to do.
        let _ = read::read(unit, context, sink);
    }
}

fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let is_samples = |file: &Candidate| is_samples(&file.head());
    let mut units = Unit::singles(files, FORMAT, context, is_samples);
    for unit in &mut units {
        let is_beside = |file: &Candidate| Some(file.folder()) == unit.path.parent();
        let is_metadata = |file: &Candidate| has(&file.head(), "sample_fields");
        let found = files.extract_if(.., |file| is_beside(file) && is_metadata(file));
        unit.companions = found.map(|file| file.path).collect();
        // Problems are reported when the samples are read.
        let read = unit.companions.first().map(|path| Metadata::read(path));
        let name = read.and_then(|read| read.ok()?.name);
        unit.dataset = name.or_else(|| unit.dataset.take());
    }
    units
}

fn has(head: &[u8], key: &str) -> bool {
    memchr::memmem::find(head, format!("\"{key}\"").as_bytes()).is_some()
}

/// True if a text starts like a JSON object whose first member is the list of samples.
fn is_samples(head: &[u8]) -> bool {
    let inner = head.trim_ascii_start().strip_prefix(b"{");
    let inner = inner.unwrap_or_default().trim_ascii_start();
    let is_ours = has(head, "_cls") || has(head, "_media_type");
    inner.starts_with(b"\"samples\"") && has(head, "filepath") && is_ours
}
