//! Classifies files as results or annotations, and finds the annotations of each result file.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::fit::{self, Fit, Rows};
use super::{Annotations, FORMAT};
use crate::open::{is_file, paths_in};
use crate::{Candidate, Context, Unit, find};

/// Number of annotation files listed in a message.
const NAMED: usize = 5;

pub fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let results: Vec<_> = files.extract_if(.., |file| is_results(file)).collect();
    if results.is_empty() {
        // Annotations without results are no log and may belong to another format.
        return Vec::new();
    }
    let truths = files.extract_if(.., |file| is_annotations(file)).collect();
    units(results, truths, context)
}

/// Returns the units of result files, with the annotations that fit best: one
/// of `truths`, or one near the results or under `--data`.
pub fn units(results: Vec<Candidate>, mut truths: Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let mut elsewhere: Vec<PathBuf> = results.iter().flat_map(json_above).collect();
    elsewhere.extend(context.data.iter().cloned());
    truths.extend(find(&elsewhere).0.into_iter().filter(is_annotations));
    let mut seen = HashSet::new();
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

/// Annotations of a result file, and a problem with the choice, if any.
type Choice = (Option<Candidate>, Option<String>);

/// Chooses the annotations of each result file: the only ones, or those that fit its rows best.
fn choose(results: &[Candidate], truths: &[Candidate]) -> Vec<Choice> {
    if let [] | [_] = truths {
        return vec![(truths.first().cloned(), None); results.len()];
    }
    let rows: Vec<Rows> = results.iter().map(|file| fit::rows(&file.path)).collect();
    let mut fits: Vec<Vec<Fit>> = vec![Vec::new(); results.len()];
    for truth in truths {
        // Problems with rows are reported when the annotations are read.
        let Ok(annotations) = Annotations::read(&truth.path, &mut |_| {}) else {
            continue;
        };
        for ((file, rows), fits) in results.iter().zip(&rows).zip(&mut fits) {
            let shared = shared(file, truth);
            fits.extend(Fit::of(rows, &annotations, &truth.path, shared));
        }
    }
    let of_path = |path: &Path| truths.iter().find(|truth| truth.path == path).cloned();
    let choice = |((file, rows), mut fits): ((&Candidate, &Rows), Vec<Fit>)| -> Choice {
        fits.sort_by(|a, b| b.cmp(a));
        match fits.as_slice() {
            // Results without detections fit all annotations equally.
            [] if rows.is_empty() => {
                let near = |truth: &&Candidate| (shared(file, truth), Reverse(truth.path.clone()));
                (truths.iter().max_by_key(near).cloned(), None)
            }
            [] => (None, Some(none_fits(truths))),
            [best, others @ ..] => {
                let rival = others.iter().find(|other| other.is_like(best));
                let told = rival.map(|rival| {
                    format!(
                        "{} and {} fit its rows equally: the first is used, as it has more boxes",
                        name(best.path()),
                        name(rival.path()),
                    )
                });
                (of_path(best.path()), told)
            }
        }
    };
    results.iter().zip(&rows).zip(fits).map(choice).collect()
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

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Returns the number of shared folders.
fn shared(results: &Candidate, truth: &Candidate) -> usize {
    let pairs = results.real.components().zip(truth.real.components());
    pairs.take_while(|(a, b)| a == b).count()
}

/// Returns the JSON files in the folder of a file, in the two above it,
/// and in their `annotations` folders.
fn json_above(file: &Candidate) -> Vec<PathBuf> {
    let folders = file.real.ancestors().skip(1).take(3);
    let folders = folders.flat_map(|folder| [folder.to_path_buf(), folder.join("annotations")]);
    folders
        .flat_map(|folder| paths_in(&folder))
        .filter(|path| path.extension().is_some_and(|ending| ending == "json") && is_file(path))
        .collect()
}

fn unit(truth: Option<Candidate>, file: Candidate, context: &Context) -> Unit {
    let mut image_roots = vec![file.folder().to_path_buf(), file.folder().join("images")];
    let folders = truth.iter().flat_map(|truth| {
        let folder = truth.folder();
        [Some(folder), folder.parent()].into_iter().flatten()
    });
    image_roots.extend(folders.flat_map(|folder| [folder.to_path_buf(), folder.join("images")]));
    image_roots.extend(context.data.iter().cloned());
    image_roots.dedup();
    Unit {
        model: Some(model(&file.path)),
        dataset: Some(FORMAT.to_owned()),
        length: file.length + truth.as_ref().map_or(0, |truth| truth.length),
        companions: truth.into_iter().map(|truth| truth.path).collect(),
        path: file.path,
        format: FORMAT,
        image_roots,
        superseded: false,
        ..Unit::default()
    }
}

/// Returns the file's stem without the toolboxes' suffixes.
fn model(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let endings = ["_bbox_results", "_results", ".bbox"];
    let bare = endings.iter().find_map(|ending| stem.strip_suffix(ending));
    bare.filter(|name| !name.is_empty())
        .unwrap_or(&stem)
        .to_owned()
}

/// True for a list whose first object has a picture, a class, a score, and a box or mask. Also
/// true for an empty list with the usual file name.
pub fn is_results(file: &Candidate) -> bool {
    let text = file.head_text();
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let Some(first) = text.strip_prefix('[') else {
        return false;
    };
    if first.trim() == "]" {
        // Without detections, only the file name identifies the format.
        return file.name().ends_with("_bbox_results.json");
    }
    let has = |key: &str| first.contains(key);
    has("\"image_id\"")
        && has("\"category_id\"")
        && has("\"score\"")
        && (has("\"bbox\"") || has("\"segmentation\""))
}

/// True for an object that lists annotated pictures. If its keys come
/// after long lists, the rows decide.
#[must_use]
pub fn is_annotations(file: &Candidate) -> bool {
    let text = file.head_text();
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if !text.starts_with('{') {
        return false;
    }
    let has = |key: &str| text.contains(key);
    let rows = has("\"file_name\"") && has("\"height\"") && has("\"width\"");
    let boxes = has("\"bbox\"") && has("\"image_id\"") && has("\"category_id\"");
    has("\"images\"") && rows || has("\"annotations\"") && boxes
}
