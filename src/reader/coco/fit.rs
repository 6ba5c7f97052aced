//! Measures how well annotations fit a result file.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::annotations::find;
use super::results::{is_empty_list, row_elements};
use super::task::{Task, TaskCounts};
use super::value::Id;
use super::{Annotations, LVIS};
use crate::run_folder::shared;
use crate::{Candidate, json};

/// Number of rows in a result file, by picture and category.
#[derive(Debug, Default)]
pub struct Rows {
    /// Number of rows by picture and category; captions have no category.
    counts: HashMap<(Id, Option<Id>), u64>,
    /// Number of rows by file name, for rows that have one.
    names: HashMap<String, u64>,
    /// Number of rows by task.
    tasks: TaskCounts,
}

#[derive(Deserialize)]
struct Row<'a> {
    image_id: Id,
    file_name: Option<Id>,
    category_id: Option<Id>,
    #[serde(borrow)]
    bbox: Option<&'a RawValue>,
    #[serde(borrow)]
    segmentation: Option<&'a RawValue>,
    #[serde(borrow)]
    keypoints: Option<&'a RawValue>,
    caption: Option<IgnoredAny>,
}

impl Rows {
    /// Counts the rows of a result file; unreadable rows are skipped.
    pub fn read(path: &Path) -> Self {
        let mut rows = Self::default();
        let bytes = json::read_bounded(path).unwrap_or_default();
        for (_, element) in row_elements(&bytes) {
            let text = element.map(json::without_nan).unwrap_or_default();
            if let Ok(row) = serde_json::from_slice::<Row<'_>>(&text) {
                let has = |shape: Option<&RawValue>| shape.is_some_and(|text| !is_empty_list(text));
                rows.tasks.add(Task::present([
                    has(row.bbox),
                    has(row.segmentation),
                    has(row.keypoints),
                    row.caption.is_some(),
                ]));
                if let Some(name) = row.file_name {
                    *rows.names.entry(name.to_string()).or_default() += 1;
                }
                let key = (row.image_id, row.category_id);
                *rows.counts.entry(key).or_default() += 1;
            }
        }
        rows
    }

    /// Returns the picture of each counted pair of picture and category; pictures can repeat.
    pub fn into_pictures(self) -> impl Iterator<Item = Id> {
        self.counts.into_keys().map(|(picture, _)| picture)
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}

/// A result file and the candidate for its annotations.
#[derive(Clone, Copy, Debug)]
pub struct Files<'a> {
    /// The file with the rows.
    pub results: &'a Candidate,
    /// The file with the annotations.
    pub truth: &'a Candidate,
}

/// True if the file's name contains `lvis`. Rows of COCO and LVIS have the same form.
pub fn is_lvis(file: &Candidate) -> bool {
    file.name().to_lowercase().contains(LVIS)
}

/// Measures how well annotations fit a result file; the greatest value is the best.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fit {
    /// Number of rows whose file name occurs in the annotations. Ids can repeat between splits.
    named: u64,
    /// Number of rows whose picture and category occur in the annotations.
    pub rows: u64,
    /// Number of tasks in the results for which the annotations can be used.
    tasks: usize,
    /// True if the name of the results contains `lvis` exactly if the annotations are federated.
    is_named_alike: bool,
    /// Number of folders that both files share.
    pub shared: usize,
    /// Share of the annotated pictures that have results, in parts per million.
    coverage: u64,
    /// Number of annotated boxes.
    pub boxes: u64,
    /// Tie-breaker: the first path in alphabetical order.
    path: Reverse<PathBuf>,
    /// Hash of the annotated boxes, to recognise copies of a file.
    digest: u64,
}

impl Fit {
    /// Measures the fit of annotations; `None` if no row or no task matches.
    pub fn of(rows: &Rows, annotations: &Annotations, files: Files<'_>) -> Option<Self> {
        let tasks = rows.tasks.tasks();
        let tasks = tasks.filter(|task| task.fits(annotations)).count();
        if tasks == 0 {
            return None;
        }
        let mut pictures = HashSet::new();
        let mut held = 0;
        for ((picture, category), count) in &rows.counts {
            let known = annotations.picture(picture);
            let class = |category| find(category, |id| annotations.codes.get(id)).is_some();
            if let (Some(picture), true) = (known, category.as_ref().is_none_or(class)) {
                held += count;
                pictures.insert(picture);
            }
        }
        let all = annotations.pictures.len().max(1) as u64;
        let known = |(name, _): &(&String, &u64)| annotations.named(name).is_some();
        let named = rows.names.iter().filter(known);
        (held > 0).then(|| Self {
            named: named.map(|(_, count)| count).sum(),
            rows: held,
            tasks,
            is_named_alike: is_lvis(files.results) == annotations.is_federated(),
            shared: shared(&files.results.real, &files.truth.real),
            coverage: pictures.len() as u64 * 1_000_000 / all,
            boxes: annotations.boxes,
            path: Reverse(files.truth.path.clone()),
            digest: digest(annotations),
        })
    }

    /// Returns the path of the annotation file.
    pub fn path(&self) -> &Path {
        &self.path.0
    }

    /// True if two annotation files fit equally well but contain different boxes.
    pub fn is_like(&self, other: &Self) -> bool {
        let key = |fit: &Self| {
            let of_rows = (fit.named, fit.rows, fit.tasks, fit.is_named_alike);
            (of_rows, fit.shared, fit.coverage)
        };
        key(self) == key(other) && self.digest != other.digest
    }
}

/// Returns a hash of all annotated boxes with their pictures and classes.
fn digest(annotations: &Annotations) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (id, picture) in &annotations.pictures {
        for object in &picture.objects {
            let xywh = object.truth.xywh.map(f64::to_bits);
            (id, object.truth.class, xywh).hash(&mut hasher);
        }
    }
    hasher.finish()
}
