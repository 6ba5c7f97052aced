//! Measures how well annotations fit a result file.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::Annotations;
use super::annotations::find;
use super::value::Id;
use crate::json;

/// Number of rows by picture and category.
pub type Rows = HashMap<(Id, Id), u64>;

#[derive(Deserialize)]
struct Row {
    image_id: Id,
    category_id: Id,
}

/// Counts the rows of a result file by picture and category; unreadable rows are skipped.
pub fn rows(path: &Path) -> Rows {
    let mut rows = Rows::new();
    let bytes = json::read_bounded(path).unwrap_or_default();
    for (_, element) in json::elements(&bytes) {
        let text = element.map(json::without_nan).unwrap_or_default();
        if let Ok(row) = serde_json::from_slice::<Row>(&text) {
            *rows.entry((row.image_id, row.category_id)).or_default() += 1;
        }
    }
    rows
}

/// Quality of a fit; the greatest value is best.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fit {
    /// Number of rows whose picture and category are annotated.
    pub rows: u64,
    /// Number of folders that both files share.
    pub shared: usize,
    /// Annotated pictures that have results, in parts per million.
    coverage: u64,
    /// Number of annotated boxes.
    boxes: u64,
    /// Tie-breaker: the first path by name.
    path: Reverse<PathBuf>,
}

impl Fit {
    /// Returns the fit of annotations; `None` if no row matches.
    pub fn of(rows: &Rows, annotations: &Annotations, path: &Path, shared: usize) -> Option<Self> {
        if annotations.boxes == 0 {
            return None;
        }
        let mut pictures = HashSet::new();
        let mut held = 0;
        for ((picture, category), count) in rows {
            let known = annotations.picture(picture);
            let class = find(category, |id| annotations.codes.get(id));
            if let (Some(picture), Some(_)) = (known, class) {
                held += count;
                pictures.insert(picture);
            }
        }
        let all = annotations.pictures.len().max(1) as u64;
        (held > 0).then(|| Self {
            rows: held,
            shared,
            coverage: pictures.len() as u64 * 1_000_000 / all,
            boxes: annotations.boxes,
            path: Reverse(path.to_path_buf()),
        })
    }

    /// Returns the path of the annotations.
    pub fn path(&self) -> &Path {
        &self.path.0
    }

    /// True if the rows fit two annotation files equally but these differ in boxes.
    pub fn is_like(&self, other: &Self) -> bool {
        let key = |fit: &Self| (fit.rows, fit.shared, fit.coverage);
        key(self) == key(other) && self.boxes != other.boxes
    }
}
