//! YOLO's label files, with class names from a YAML file or from `classes.txt`.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::picture::{AnnotatedPicture, Object};
use crate::coco::PictureSize;
use crate::ultralytics::data_set::{DataSet, SPLITS, picture_size};
use crate::ultralytics::label::{Purpose, are_labels};
use crate::ultralytics::sample::{has_ending, is_labels, labels_above};
use crate::{Candidate, Context, Sink, Unit};
use record::{ImageRef, Problem};

pub fn plan(files: &mut Vec<Candidate>, format: &'static str, context: &Context) -> Vec<Unit> {
    let mut folders: BTreeMap<PathBuf, Vec<Candidate>> = BTreeMap::new();
    for file in files.iter().filter(|file| is_labels(&file.path)) {
        if let Some(folder) = labels_above(&file.real) {
            folders
                .entry(folder.to_path_buf())
                .or_default()
                .push(file.clone());
        }
    }
    let folders = folders.into_iter().filter_map(|(folder, files)| {
        let of_set = described(&folder).map(|set| set.file);
        let are_ours = of_set.is_some() || are_labels(&files, Purpose::Truth(0));
        are_ours.then_some((folder, (of_set, files)))
    });
    let folders: BTreeMap<PathBuf, (Option<PathBuf>, Vec<Candidate>)> = folders.collect();
    let is_ours =
        |file: &Candidate| labels_above(&file.real).is_some_and(|it| folders.contains_key(it));
    files.retain(|file| !is_ours(file));
    let mut sets: BTreeMap<PathBuf, Vec<Candidate>> = BTreeMap::new();
    for (folder, (of_set, files)) in folders {
        let path = of_set.or_else(|| Some(files.first()?.path.clone()));
        sets.entry(path.unwrap_or(folder))
            .or_default()
            .extend(files);
    }
    let unit = |(path, files): (PathBuf, Vec<Candidate>)| {
        let length = files.iter().map(|file| file.length).sum();
        let single = Unit::single(files.into_iter().next()?, format, context);
        let set = set_of(&path)?;
        Some(Unit {
            dataset: Some(set.name()),
            image_roots: [set.root].into_iter().chain(single.image_roots).collect(),
            path,
            length,
            ..single
        })
    };
    sets.into_iter().filter_map(unit).collect()
}

/// Returns the data set described by a YAML file above the labels, if one of its splits contains
/// them.
fn described(labels: &Path) -> Option<DataSet> {
    let above = labels.ancestors().skip(1).take(2);
    let has = |set: &DataSet| {
        let samples = SPLITS.iter().flat_map(|split| set.samples(split));
        samples
            .into_iter()
            .any(|sample| sample.labels.starts_with(labels))
    };
    above.flat_map(DataSet::in_folder).find(has)
}

/// Returns the data set of a unit, described by a YAML file or by the folder of its labels.
fn set_of(path: &Path) -> Option<DataSet> {
    if has_ending(path, &["yaml", "yml"]) {
        return DataSet::read(path);
    }
    let real = path.canonicalize().ok()?;
    Some(DataSet::of_labels(labels_above(&real)?))
}

pub fn read(unit: &Unit, sink: &mut dyn Sink) {
    let Some(set) = set_of(&unit.path) else {
        let what = "no data set in YOLO format found";
        return sink.problem(Problem::file(&unit.path, what));
    };
    let benchmark = set.name();
    let mut seen: HashMap<String, PathBuf> = HashMap::new();
    for split in SPLITS {
        for sample in set.samples(split) {
            let stem = sample.stem();
            if let Some(labels) = seen.get(&stem) {
                // Several splits can contain the same picture.
                if *labels != sample.labels {
                    sink.problem(sample.repeated());
                }
                continue;
            }
            seen.insert(stem.clone(), sample.labels.clone());
            let labels = set.labels(&sample, &mut |problem| sink.problem(problem));
            let Some(labels) = labels else { continue };
            let size = sample.picture.as_deref().and_then(picture_size);
            let size = size.map(PictureSize::lengths);
            let objects = labels.objects.iter().map(|label| {
                let [x, y, width, height] = label.xywh;
                let class = set.class(label.class);
                Object::relative(&class, [x, y, x + width, y + height], size)
            });
            let path = sample.picture.as_deref();
            let path = path.map(|path| path.strip_prefix(&set.root).unwrap_or(path));
            let image = path.map(|path| ImageRef::Path(path.to_string_lossy().into_owned()));
            let mut picture = AnnotatedPicture {
                id: stem,
                image,
                objects: objects.collect(),
                ..AnnotatedPicture::default()
            };
            if set.has_splits() {
                picture.tags.insert("split".to_owned(), split.into());
            }
            sink.record(picture.record(&benchmark), 1);
            if sink.progress(0).is_break() {
                return;
            }
        }
    }
    let _ = sink.progress(unit.length);
}
