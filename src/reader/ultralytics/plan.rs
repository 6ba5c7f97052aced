//! Finds the runs in a folder, and the ground truth of each.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::data_set::{DataSet, SPLITS, id_of};
use super::label::{Purpose, are_labels, are_oriented};
use super::sample::{LABELS, is_labels, stem_of};
use super::{FORMAT, SPLIT, figures};
use crate::coco::{self, Id};
use crate::run_folder::shared;
use crate::{Candidate, Context, Unit};

/// File name of predictions.
const PREDICTIONS: &str = "predictions.json";
/// Number of folders above a run that are searched for a data set.
const ABOVE: usize = 4;

pub fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let runs: Vec<_> = files.extract_if(.., |file| is_predictions(file)).collect();
    let epochs: Vec<_> = files
        .extract_if(.., |file| figures::is_figures(file))
        .collect();
    let labels = label_folders(files, &runs);
    if runs.is_empty() && epochs.is_empty() && labels.is_empty() {
        return Vec::new();
    }
    let sets = data_sets(runs.iter().chain(&epochs), &labels, files, context);
    let splits = Splits::new(&sets);
    let (mut units, mut others) = (Vec::new(), Vec::new());
    for run in runs {
        // Without data sets, the predictions need not be read here.
        let best = || splits.best(coco::Rows::read(&run.path).into_pictures(), &run);
        let split = (!sets.is_empty()).then(best).flatten();
        match split {
            Some(split) => units.push(unit(&run, Some(split), context)),
            None => others.push(run),
        }
    }
    let truths = files.iter().filter(|file| coco::is_annotations(file));
    let truths = truths.cloned().collect();
    units.extend(
        coco::units(others, truths, context)
            .into_iter()
            .map(|unit| Unit {
                model: model(&unit.path),
                format: FORMAT,
                ..unit
            }),
    );
    for files in labels {
        let pictures = files.iter().map(|file| id_of(&stem_of(&file.path)));
        let Some(first) = files.first() else { continue };
        let has_confidence = are_labels(&files, Purpose::Results);
        let (is_scored, reason) = match (has_confidence, are_oriented(&files)) {
            (true, true) => (false, ORIENTED),
            (true, false) => (true, NO_TRUTH),
            (false, _) => (false, NO_CONFIDENCE),
        };
        let split = is_scored.then(|| splits.best(pictures, first)).flatten();
        units.push(Unit {
            length: files.iter().map(|file| file.length).sum(),
            problem: split.is_none().then(|| reason.to_owned()),
            ..unit(first, split, context)
        });
    }
    for epoch in epochs {
        let mut unit = unit(&epoch, None, context);
        let near = || Some(splits.nearest(&epoch)?.name());
        unit.dataset = figures::trained_on(&unit).or_else(near).or(unit.dataset);
        units.push(unit);
    }
    units
}

/// Problem of label files without ground truth.
const NO_TRUTH: &str = "no data set (YAML file with `names` and `val`) with these pictures found near it; name its folder with --data";

/// Problem of predicted boxes without confidence, which average precision needs.
const NO_CONFIDENCE: &str = "the predicted boxes have no confidence, so no score can be computed; predict again with save_conf=True";

/// Problem of oriented boxes.
const ORIENTED: &str = "oriented boxes (four points each) are not scored: Eyechart compares only boxes that are parallel to the edges of the picture";

fn is_predictions(file: &Candidate) -> bool {
    coco::is_results(file)
        && (file.name() == PREDICTIONS || file.head_text().contains("\"file_name\""))
}

/// Moves the label files of predictions out of `files`, and returns them by folder. Folders next to
/// a file of predictions of the same run are left out.
fn label_folders(files: &mut Vec<Candidate>, runs: &[Candidate]) -> Vec<Vec<Candidate>> {
    let is_label = |file: &Candidate| {
        let folder = file.folder().file_name();
        is_labels(&file.path) && folder.is_some_and(|name| name == LABELS)
    };
    let mut folders: BTreeMap<PathBuf, Vec<Candidate>> = BTreeMap::new();
    for file in files.iter().filter(|file| is_label(file)) {
        folders
            .entry(file.folder().to_path_buf())
            .or_default()
            .push(file.clone());
    }
    folders.retain(|folder, files| {
        are_labels(files, Purpose::Results)
            || is_run(folder)
                && [Purpose::Truth(0), Purpose::Tracks]
                    .iter()
                    .any(|purpose| are_labels(files, *purpose))
    });
    files.retain(|file| !(is_label(file) && folders.contains_key(file.folder())));
    let has_results = |folder: &Path| runs.iter().any(|run| Some(run.folder()) == folder.parent());
    folders.retain(|folder, _| !has_results(folder));
    folders.into_values().collect()
}

/// True if the parent of a folder of labels is written by prediction (`predict`, `predict2`) or
/// lies below a folder named `runs`. A data set has a folder `images` next to its labels.
fn is_run(labels: &Path) -> bool {
    if labels.with_file_name("images").is_dir() {
        return false;
    }
    let mut above = labels.ancestors().skip(1).filter_map(Path::file_name);
    let run = above.next().and_then(OsStr::to_str);
    run.is_some_and(|name| name.starts_with("predict")) || above.any(|name| name == "runs")
}

/// Returns the data sets near the runs, above label files, and in the folders given with `--data`.
fn data_sets<'a>(
    runs: impl Iterator<Item = &'a Candidate>,
    labels: &'a [Vec<Candidate>],
    files: &[Candidate],
    context: &Context,
) -> Vec<DataSet> {
    let firsts = labels.iter().filter_map(|files| files.first());
    let runs = runs.chain(firsts);
    let above = runs.flat_map(|run| run.real.ancestors().skip(1).take(ABOVE));
    let texts = files.iter().filter(|file| is_labels(&file.path));
    // Folders above the `labels` folders that contain annotations.
    let of_labels = texts.flat_map(|file| {
        let above = file.real.ancestors().find(|path| path.ends_with(LABELS));
        above
            .into_iter()
            .flat_map(|labels| labels.ancestors().skip(1).take(2))
    });
    let mut seen = HashSet::new();
    let folders = above
        .chain(of_labels)
        .chain(context.data.iter().map(PathBuf::as_path));
    let folders = folders.filter(|folder| seen.insert(folder.to_path_buf()));
    let mut sets: Vec<DataSet> = folders.flat_map(DataSet::in_folder).collect();
    let named = context.data.iter().filter(|path| path.is_file());
    sets.extend(named.filter_map(|file| DataSet::read(file)));
    sets
}

/// Ids of the pictures in each split of each data set.
struct Splits<'a> {
    sets: &'a [DataSet],
    /// Picture ids, by the indices of data set and split. Filled when first needed, because metrics
    /// of training runs do not need it.
    pictures: OnceCell<HashMap<(usize, usize), HashSet<Id>>>,
}

/// A data set and the name of a split.
type Split<'a> = (&'a DataSet, &'static str);

impl<'a> Splits<'a> {
    const fn new(sets: &'a [DataSet]) -> Self {
        Self {
            sets,
            pictures: OnceCell::new(),
        }
    }

    fn pictures(&self) -> HashMap<(usize, usize), HashSet<Id>> {
        let sets = self.sets;
        let all = (0..sets.len()).flat_map(|set| (0..SPLITS.len()).map(move |at| (set, at)));
        let of = |(set, at): (usize, usize)| {
            let samples = sets.get(set)?.samples(SPLITS.get(at)?);
            let ids = samples.iter().map(|sample| id_of(&sample.stem()));
            Some(((set, at), ids.collect()))
        };
        all.filter_map(of).collect()
    }

    /// Returns the split that contains the most pictures of a run. Of equal splits, the one
    /// preferred for validation is returned, then the one nearest to the run.
    fn best(&self, pictures: impl Iterator<Item = Id>, run: &Candidate) -> Option<Split<'a>> {
        let wanted: HashSet<Id> = pictures.collect();
        let count = |known: &HashSet<Id>| {
            let has = |id: &&Id| {
                known.contains(id) || id.counterpart().is_some_and(|id| known.contains(&id))
            };
            wanted.iter().filter(has).count()
        };
        let pictures = self.pictures.get_or_init(|| self.pictures());
        let fits = pictures
            .iter()
            .map(|(&(set, at), known)| (count(known), set, at));
        let (_, set, at) =
            fits.filter(|(count, ..)| *count > 0)
                .max_by_key(|&(count, set, at)| {
                    (count, Reverse(at), self.shared(set, run), Reverse(set))
                })?;
        Some((self.sets.get(set)?, SPLITS.get(at)?))
    }

    /// Returns the data set that shares the most folders with a run.
    fn nearest(&self, run: &Candidate) -> Option<&'a DataSet> {
        let near = |set: &usize| (self.shared(*set, run), Reverse(*set));
        (0..self.sets.len())
            .max_by_key(near)
            .and_then(|set| self.sets.get(set))
    }

    fn shared(&self, set: usize, run: &Candidate) -> usize {
        let set = self.sets.get(set);
        set.map_or(0, |set| shared(&set.file, &run.real))
    }
}

/// Returns the name of the run's folder.
fn model(path: &Path) -> Option<String> {
    let real = path.canonicalize().ok()?;
    let mut folders = real.ancestors().skip(1);
    let run = folders.find(|folder| !folder.ends_with(LABELS))?;
    Some(run.file_name()?.to_string_lossy().into_owned())
}

fn unit(file: &Candidate, split: Option<Split<'_>>, context: &Context) -> Unit {
    let single = Unit::single(file.clone(), FORMAT, context);
    let Some((set, split)) = split else {
        return Unit {
            model: model(&single.path),
            dataset: Some(FORMAT.to_owned()),
            ..single
        };
    };
    let mut image_roots = vec![set.root.clone()];
    image_roots.extend(single.image_roots);
    Unit {
        model: model(&single.path),
        dataset: Some(set.name()),
        companions: vec![set.file.clone()],
        settings: [(SPLIT.to_owned(), split.to_owned())].into(),
        image_roots,
        ..single
    }
}
