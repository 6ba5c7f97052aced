//! Classifies files as results or annotations, and finds the annotations for each result file.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::Path;

use serde_json::Value as Json;

use super::captions::{self, CaptionFiles};
use super::fit::{Files, Fit, Rows, is_lvis};
use super::task::Task;
use super::{Annotations, FORMAT, LVIS, panoptic};
use crate::run_folder::{file_name as name, files_above, shared};
use crate::{Candidate, Context, Unit, find, json};

/// Maximum number of annotation files listed in a message.
const NAMED: usize = 5;
/// Usual endings of result file names. Files with these names are recognised even if they contain
/// no rows.
const ENDINGS: [&str; 7] = [
    "_bbox_results.json",
    "_segm_results.json",
    "instances_results.json",
    "keypoints_results.json",
    ".bbox.json",
    ".segm.json",
    ".keypoints.json",
];
/// File and folder names that are not names of a model.
const NO_MODEL: [&str; 12] = [
    "results",
    "coco_instances",
    "lvis_instances",
    "instances",
    "bbox",
    "segm",
    "keypoints",
    "panoptic",
    "predictions",
    "captions",
    "inference",
    "coco_results",
];

pub fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let mut panoptic = panoptic::units(files, context);
    let is_ours = |file: &Candidate| is_results(file) || captions::is_results(file);
    let mut results: Vec<_> = files.extract_if(.., |file| is_ours(file)).collect();
    // A document alone is opened for an audit, even if its annotations are predictions.
    let documents = files.iter().filter(|file| is_annotations(file)).count();
    if documents > 1 {
        results.extend(files.extract_if(.., |file| is_annotations(file) && has_scores(&file.path)));
    }
    if results.is_empty() {
        // Annotations without results are not read here; they can belong to another format.
        return panoptic;
    }
    let truths = files.extract_if(.., |file| is_annotations(file)).collect();
    let scores = CaptionFiles::take(files, &results);
    let mut units = units(results, truths, context);
    for unit in &mut units {
        let scores = scores.of(&unit.path);
        unit.companions.extend(scores);
    }
    units.append(&mut panoptic);
    units
}

/// Returns one unit per result file, with the best fitting annotations. They come from `truths`,
/// from folders near the results, or from folders given with `--data`.
pub fn units(results: Vec<Candidate>, mut truths: Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let mut elsewhere = files_above(results.iter(), 3, &["", "annotations"], &["json"]);
    elsewhere.extend(context.data.iter().cloned());
    truths.extend(find(&elsewhere).0.into_iter().filter(is_annotations));
    let mut seen: HashSet<_> = results.iter().map(|file| file.real.clone()).collect();
    truths.retain(|truth| seen.insert(truth.real.clone()));
    let choices = choose(&results, &truths);
    results
        .into_iter()
        .zip(choices)
        .map(|(file, (truth, problem))| Unit {
            problem,
            ..unit(truth, file, context)
        })
        .collect()
}

/// Annotations for a result file, and a problem if the choice is doubtful.
type Choice = (Option<Candidate>, Option<String>);

/// Chooses annotations for each result file: the only annotation file, or the one that fits most
/// rows.
fn choose(results: &[Candidate], truths: &[Candidate]) -> Vec<Choice> {
    if let [] | [_] = truths {
        return vec![(truths.first().cloned(), None); results.len()];
    }
    let rows: Vec<Rows> = results.iter().map(|file| Rows::read(&file.path)).collect();
    let mut fits: Vec<Vec<Fit>> = vec![Vec::new(); results.len()];
    for truth in truths {
        // Ignore problems with rows here; they are reported when the annotations are read.
        let Ok(annotations) = Annotations::read(&truth.path, &[], &mut |_| {}) else {
            continue;
        };
        if annotations.are_predictions() {
            continue;
        }
        for ((results, rows), fits) in results.iter().zip(&rows).zip(&mut fits) {
            fits.extend(Fit::of(rows, &annotations, Files { results, truth }));
        }
    }
    let of_path = |path: &Path| truths.iter().find(|truth| truth.path == path).cloned();
    let choice = |((file, rows), mut fits): ((&Candidate, &Rows), Vec<Fit>)| -> Choice {
        fits.sort_by(|a, b| b.cmp(a));
        match fits.as_slice() {
            // Results without rows fit all annotations equally.
            [] if rows.is_empty() => {
                let near = |truth: &&Candidate| {
                    (shared(&file.real, &truth.real), Reverse(truth.path.clone()))
                };
                (truths.iter().max_by_key(near).cloned(), None)
            }
            [] => (None, Some(none_fits(truths))),
            [best, others @ ..] => {
                let rival = others.iter().find(|other| other.is_like(best));
                let told = rival.map(|rival| {
                    let why = if best.boxes > rival.boxes {
                        "it has more boxes"
                    } else {
                        "its name comes first"
                    };
                    let [one, other] = distinct_names(best.path(), rival.path());
                    format!(
                        "{one} and {other} fit its rows equally: the first is used, because {why}"
                    )
                });
                (of_path(best.path()), told)
            }
        }
    };
    results.iter().zip(&rows).zip(fits).map(choice).collect()
}

/// Returns the names of two files, with their folders if the names are equal.
fn distinct_names(one: &Path, other: &Path) -> [String; 2] {
    let is_same = name(one) == name(other);
    [one, other].map(|path| match path.parent().filter(|_| is_same) {
        Some(folder) => format!("{}/{}", name(folder), name(path)),
        None => name(path),
    })
}

fn none_fits(truths: &[Candidate]) -> String {
    let mut names: Vec<String> = truths
        .iter()
        .take(NAMED)
        .map(|truth| name(&truth.path))
        .collect();
    names.extend((truths.len() > NAMED).then(|| "…".to_owned()));
    format!(
        "none of {} annotation files has its pictures and categories: no score; name the right ones with --data: {}",
        truths.len(),
        names.join(", "),
    )
}

/// Returns the unit of a result file.
pub fn unit(truth: Option<Candidate>, file: Candidate, context: &Context) -> Unit {
    let mut image_roots = vec![file.folder().to_path_buf(), file.folder().join("images")];
    let folders = truth.iter().flat_map(|truth| {
        let folder = truth.folder();
        [Some(folder), folder.parent()].into_iter().flatten()
    });
    // COCO's picture folders lie next to `annotations`: `val2017` for `instances_val2017.json`.
    let split = truth.as_ref().and_then(|truth| truth.path.file_stem());
    let split = split.and_then(|stem| stem.to_str()?.rsplit('_').next());
    let names = ["images"].into_iter().chain(split);
    let names: Vec<&str> = names.collect();
    image_roots.extend(folders.flat_map(|folder| {
        let inner = names.iter().map(move |name| folder.join(name));
        std::iter::once(folder.to_path_buf()).chain(inner)
    }));
    image_roots.extend(context.data.iter().cloned());
    image_roots.dedup();
    let is_lvis = is_lvis(&file) || truth.as_ref().is_some_and(is_lvis);
    let benchmark = if is_lvis { LVIS } else { FORMAT };
    // A file with rows for different tasks has one data set per task.
    let mut datasets = Task::of_text(&file.head_text(), file.name())
        .into_iter()
        .map(|task| match task.ability() {
            "detection" => benchmark.to_owned(),
            ability => format!("{benchmark} {ability}"),
        });
    Unit {
        model: Some(model(&file)),
        dataset: datasets.next(),
        aggregates: datasets.collect(),
        length: file.length + truth.as_ref().map_or(0, |truth| truth.length),
        companions: truth.into_iter().map(|truth| truth.path).collect(),
        path: file.path,
        format: FORMAT,
        image_roots,
        ..Unit::default()
    }
}

/// Returns the stem of the file name without suffixes of toolboxes. If it does not name a model,
/// returns the name of a folder.
fn model(file: &Candidate) -> String {
    let stem = file.path.file_stem().unwrap_or_default().to_string_lossy();
    let endings = [
        "_bbox_results",
        "_segm_results",
        "_keypoints_results",
        "_panoptic",
        "_results",
        ".bbox",
        ".segm",
        ".keypoints",
    ];
    let bare = endings.iter().find_map(|ending| stem.strip_suffix(ending));
    let bare = bare.filter(|name| !name.is_empty()).unwrap_or(&stem);
    let names_model = |name: &String| !NO_MODEL.contains(&name.as_str());
    let folders = file.real.ancestors().skip(1);
    let folders = folders.filter_map(|folder| Some(folder.file_name()?.to_str()?.to_owned()));
    let mut names = std::iter::once(bare.to_owned()).chain(folders.take(2));
    names.find(names_model).unwrap_or_else(|| bare.to_owned())
}

/// True for a result file: a list, or JSON lines, whose first object has a picture, a class, a
/// score, and a box or mask. An empty list is a result file if it has a usual name.
pub fn is_results(file: &Candidate) -> bool {
    let text = file.head_text();
    let text = text.trim_start();
    // A list, or an object on each line.
    let is_row = |line: &&str| {
        let fields = serde_json::from_str::<serde_json::Map<String, Json>>(line);
        fields.is_ok_and(|fields| fields.contains_key("image_id"))
    };
    let line = text.lines().next().filter(is_row);
    let Some(first) = text.strip_prefix('[').or(line) else {
        return false;
    };
    if first.trim() == "]" {
        // A file without detections is recognised only by its name.
        return is_named_results(&file.path);
    }
    let has = |key: &str| first.contains(key);
    has("\"image_id\"")
        && has("\"category_id\"")
        && has("\"score\"")
        && (has("\"bbox\"") || has("\"segmentation\"") || has("\"keypoints\""))
}

/// True if each box of a document has a score, as predictions have.
fn has_scores(path: &Path) -> bool {
    let bytes = json::read_bounded(path).unwrap_or_default();
    let count = |key: &[u8]| memchr::memmem::find_iter(&bytes, key).count();
    let scores = count(b"\"score\"");
    scores > 0 && scores >= count(b"\"bbox\"")
}

/// True for a file with a usual name of a result file.
pub fn is_named_results(path: &Path) -> bool {
    let name = name(path);
    let name = name.strip_suffix('l').unwrap_or(&name);
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// True for an object that lists annotated pictures. If its keys come after long lists, the first
/// rows decide.
pub fn is_annotations(file: &Candidate) -> bool {
    let text = file.head_text();
    let text = text.trim_start();
    if !text.starts_with('{') || is_named_results(&file.path) {
        return false;
    }
    let has = |key: &str| text.contains(key);
    let file = has("\"file_name\"") || has("\"coco_url\"");
    let rows = file && has("\"height\"") && has("\"width\"");
    let boxes = has("\"bbox\"") && has("\"image_id\"") && has("\"category_id\"");
    has("\"images\"") && rows || has("\"annotations\"") && boxes
}
