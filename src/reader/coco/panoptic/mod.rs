//! Panoptic segmentation: one PNG with the segments of each picture, and a JSON file that lists all
//! segments.
//!
//! The JSON file is an object. Its `annotations` have `image_id`, `file_name` (of the PNG) and
//! `segments_info` with the `id` and `category_id` of each segment; annotated segments also have
//! `iscrowd`. The PNGs are in a folder with the same name as the JSON file, or next to it. The
//! colour of a pixel is the id of its segment: `R + 256 G + 256^2 B`; 0 is unlabelled (void).
//!
//! The rules are those of `panopticapi` (`evaluation.py`). The union of two segments excludes
//! unlabelled pixels of the predicted segment, and uses the annotated `area`. An unmatched
//! predicted segment is not counted if more than half of it is unlabelled, or belongs to a crowd of
//! the same class.

mod document;
mod pair;
mod segments;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::annotations::find as look_up;
use super::task::Task;
use super::value::Id;
use super::{FORMAT, Picture};
use crate::run_folder::{file_name, files_above, shared};
use crate::{Candidate, Context, Sink, Unit, find};
use document::{Classes, Document, Entry};
use pair::Pair;
use record::{Problem, Settings, ShapeKind};

/// Ability name in the records.
const ABILITY: &str = Task::Shapes(ShapeKind::Segments).ability();

/// True for a file that can list segments. The list can come after a long list of pictures.
fn may_list_segments(file: &Candidate) -> bool {
    let text = file.head_text();
    let name = file.name();
    let is_named = name.contains("panoptic") || name == "predictions.json";
    text.trim_start().starts_with('{')
        && (text.contains("\"segments_info\"") || is_named && text.contains("\"images\""))
}

/// Moves predicted segments and their annotations out of `files`, and groups them into units.
pub fn units(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let listing: Vec<Candidate> = files
        .extract_if(.., |file| may_list_segments(file))
        .collect();
    let read = |file: &Candidate| Document::read(&file.path).ok();
    let (mut results, mut truths, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for file in listing {
        match read(&file) {
            Some(document) if document.is_truth() => truths.push((file, document)),
            Some(document) => results.push((file, document)),
            None => others.push(file),
        }
    }
    if results.is_empty() {
        // Annotations without results are not read here; they can belong to another format.
        files.extend(truths.into_iter().map(|(file, _)| file));
        files.extend(others);
        return Vec::new();
    }
    files.extend(others);
    let opened = results.iter().map(|(file, _)| file);
    let mut elsewhere = files_above(opened, 3, &["", "annotations"], &["json"]);
    elsewhere.extend(context.data.iter().cloned());
    let near = find(&elsewhere).0.into_iter().filter(may_list_segments);
    for file in near {
        let is_known = |(known, _): &(Candidate, Document)| known.real == file.real;
        if !truths.iter().any(is_known)
            && let Some(document) = read(&file).filter(Document::is_truth)
        {
            truths.push((file, document));
        }
    }
    let unit = |(file, document): (Candidate, Document)| {
        let truth = best(&file, &document, &truths).cloned();
        Unit {
            dataset: Some(format!("{FORMAT} {ABILITY}")),
            aggregates: Vec::new(),
            ..super::find_annotations::unit(truth, file, context)
        }
    };
    results.into_iter().map(unit).collect()
}

/// Returns the annotations that share the most pictures with a file. Of several such annotations,
/// returns the nearest.
fn best<'a>(
    file: &Candidate,
    document: &Document,
    truths: &'a [(Candidate, Document)],
) -> Option<&'a Candidate> {
    let own = document.pictures();
    let fit = |(truth, annotated): &'a (Candidate, Document)| {
        let common = annotated.pictures().intersection(&own).count();
        (common > 0).then(|| ((common, shared(&file.real, &truth.real)), truth))
    };
    let fits = truths.iter().filter_map(fit);
    fits.max_by_key(|(key, _)| *key).map(|(_, truth)| truth)
}

/// True for a unit of panoptic segmentation.
pub fn is_panoptic(unit: &Unit) -> bool {
    unit.dataset.as_ref() == Some(&format!("{FORMAT} {ABILITY}"))
}

/// Reads a file of predicted segments. The first companion contains the annotations.
pub fn read(unit: &Unit, context: &Context, sink: &mut dyn Sink) {
    let Some(path) = unit.companions.first() else {
        let what = "no panoptic annotations with its pictures found next to it: no score; name their folder with --data";
        return sink.problem(Problem::file(&unit.path, what));
    };
    let documents = Document::read(&unit.path)
        .map_err(|what| Problem::file(&unit.path, what))
        .and_then(|found| {
            let truth = Document::read(path).map_err(|what| Problem::file(path, what))?;
            Ok((found, truth))
        });
    let (found, truth) = match documents {
        Ok(documents) => documents,
        Err(problem) => return sink.problem(problem),
    };
    sink.settings(Settings::from([("annotations", file_name(path))]));
    let classes = Classes::of(&truth.categories);
    // Annotated PNGs in the `--data` folders must not be used as predicted PNGs.
    let folders = [folders(&unit.path, &[]), folders(path, &context.data)];
    let predicted: HashMap<&Id, &Entry> = (found.annotations.iter())
        .map(|entry| (&entry.image_id, entry))
        .collect();
    let names: HashMap<&Id, &String> = (truth.images.iter())
        .map(|image| (&image.id, &image.file_name))
        .collect();
    sink.entries(truth.annotations.len() as u64);
    for annotated in &truth.annotations {
        let id = &annotated.image_id;
        let pair = Pair {
            found: look_up(id, |id| predicted.get(id).copied()),
            truth: annotated,
            folders: &folders,
        };
        let read = pair.detections(&classes);
        match read.and_then(|it| Ok((it, pair.maps(&classes)?))) {
            Ok((detections, maps)) => {
                let picture = Picture {
                    file: names
                        .get(id)
                        .map(|name| (*name).clone())
                        .unwrap_or_default(),
                    ..Picture::default()
                };
                let mut record = super::results::record(unit, FORMAT, id, &picture, detections);
                record.content.maps = maps;
                sink.record(record, 1);
            }
            Err(what) => {
                let what = format!("picture {id}: {what}; it is left out");
                sink.problem(Problem::file(&unit.path, what).leaving_out(1));
            }
        }
        if sink.progress(0).is_break() {
            return;
        }
    }
    for problem in gaps(unit, &found, &truth) {
        sink.problem(problem);
    }
    let _ = sink.progress(unit.length);
}

/// Returns problems for pictures that occur in only one of the two files.
fn gaps(unit: &Unit, found: &Document, truth: &Document) -> Vec<Problem> {
    let count = |own: &Document, others: &Document| {
        let others = others.pictures();
        let is_missing = |id: &&&Id| look_up(id, |id| others.get(id).copied()).is_none();
        own.pictures().iter().filter(is_missing).count() as u64
    };
    let (unanswered, foreign) = (count(truth, found), count(found, truth));
    let unanswered = (unanswered > 0).then(|| {
        let what = format!(
            "{} without prediction: all of their segments count as missed; panopticapi fails on them",
            base::format::counted(unanswered, "annotated picture"),
        );
        Problem::file(&unit.path, what)
    });
    let foreign = (foreign > 0).then(|| {
        let pictures = base::format::counted(foreign, "picture");
        let what = format!("{pictures} not in the annotations");
        Problem::file(&unit.path, what).leaving_out(foreign)
    });
    unanswered.into_iter().chain(foreign).collect()
}

/// Returns the folders that can contain the PNGs of a JSON file.
fn folders(path: &Path, data: &[PathBuf]) -> Vec<PathBuf> {
    let beside = path.parent().map(Path::to_path_buf);
    let own = [path.with_extension("")].into_iter().chain(beside);
    own.chain(data.iter().cloned()).collect()
}
