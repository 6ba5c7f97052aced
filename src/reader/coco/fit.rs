//! How well annotations fit the rows of a result file.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::Annotations;
use super::annotations::find;
use super::value::Id;
use crate::json;

/// Number of rows of each picture and category of a result file.
pub type Rows = HashMap<(Id, Id), u64>;

#[derive(Deserialize)]
struct Row {
    image_id: Id,
    category_id: Id,
}

/// The rows of a result file by picture and category; those that cannot be read are passed over.
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

/// How well annotations fit a result file; the greatest fits best.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fit {
    /// Rows whose picture and category the annotations have.
    pub rows: u64,
    /// Folders that both files share.
    pub shared: usize,
    /// Annotated pictures that the results say something of, in parts per million.
    coverage: u64,
    /// Annotated boxes.
    boxes: u64,
    /// Of equals, the first by name.
    path: Reverse<PathBuf>,
}

impl Fit {
    /// The fit of annotations; `None` if they share no row.
    pub fn of(
        rows: &Rows,
        annotations: &Annotations,
        (path, shared): (&Path, usize),
    ) -> Option<Self> {
        if annotations.boxes == 0 {
            return None;
        }
        let mut pictures = HashSet::new();
        let mut held = 0;
        for ((picture, category), count) in rows {
            let known = find(picture, |id| annotations.pictures.get_key_value(id));
            let class = find(category, |id| annotations.codes.get(id));
            if let (Some((picture, _)), Some(_)) = (known, class) {
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

    /// The annotations.
    pub fn path(&self) -> &Path {
        &self.path.0
    }

    /// Returns true if the rows do not tell which of two files is meant.
    pub fn is_like(&self, other: &Self) -> bool {
        let key = |fit: &Self| (fit.rows, fit.shared, fit.coverage);
        key(self) == key(other) && self.boxes != other.boxes
    }
}
