//! Files that list the segments of pictures.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use crate::coco::annotations::find;
use crate::coco::value::{Flag, Id, Number};
use crate::json;

/// A file that lists segments.
#[derive(Deserialize)]
pub struct Document {
    /// Pictures; may be empty.
    #[serde(default)]
    pub images: Vec<Image>,
    /// Pictures with their segments.
    pub annotations: Vec<Entry>,
    /// Classes; may be empty.
    #[serde(default)]
    pub categories: Vec<Category>,
}

/// A picture.
#[derive(Deserialize)]
pub struct Image {
    /// Its id.
    pub id: Id,
    /// Its file; may be empty.
    #[serde(default)]
    pub file_name: String,
}

/// A class.
#[derive(Deserialize)]
pub struct Category {
    id: Id,
    name: Id,
    #[serde(default)]
    isthing: Flag,
}

/// A picture with its segments.
#[derive(Deserialize)]
pub struct Entry {
    /// Id of the picture.
    pub image_id: Id,
    /// The PNG.
    pub file_name: String,
    /// Its segments.
    pub segments_info: Vec<Segment>,
}

/// A segment of a picture.
#[derive(Deserialize)]
pub struct Segment {
    /// Its colour in the PNG.
    pub id: u32,
    /// Its class.
    pub category_id: Id,
    /// Its number of pixels.
    pub area: Option<Number>,
    /// `[x, y, width, height]` in pixels.
    pub bbox: Option<[Number; 4]>,
    /// True for a region with several objects that are not told apart.
    pub iscrowd: Option<Flag>,
}

impl Document {
    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read or has another structure; one sentence.
    pub fn read(path: &Path) -> Result<Self, String> {
        let bytes = json::read_bounded(path).map_err(|error| format!("cannot be read: {error}"))?;
        let text = json::without_nan(json::without_mark(&bytes));
        serde_json::from_slice(&text).map_err(|error| json::describe(&error, 1))
    }

    /// Returns true if the segments are annotated, not predicted.
    pub fn is_truth(&self) -> bool {
        let mut segments = self
            .annotations
            .iter()
            .flat_map(|entry| &entry.segments_info);
        !self.categories.is_empty()
            && segments.any(|segment| segment.iscrowd.is_some() || segment.bbox.is_some())
    }

    /// Returns the ids of the pictures that have segments.
    pub fn pictures(&self) -> BTreeSet<&Id> {
        self.annotations
            .iter()
            .map(|entry| &entry.image_id)
            .collect()
    }
}

/// Classes by code.
pub struct Classes {
    codes: HashMap<Id, u32>,
    /// Names of the classes.
    pub names: Arc<[String]>,
    /// True for things, false for stuff.
    pub things: Arc<[bool]>,
}

impl Classes {
    /// Numbers the classes.
    pub fn of(categories: &[Category]) -> Self {
        let ids = categories.iter().map(|category| category.id.clone());
        Self {
            codes: ids.zip(0..).collect(),
            names: (categories.iter())
                .map(|category| category.name.to_string())
                .collect(),
            things: categories
                .iter()
                .map(|category| category.isthing.0)
                .collect(),
        }
    }

    /// Returns the code of a class.
    ///
    /// # Errors
    /// The class is unknown; one sentence.
    pub fn code(&self, id: &Id) -> Result<u32, String> {
        let code = find(id, |id| self.codes.get(id).copied());
        code.ok_or_else(|| format!("category {id} is not annotated"))
    }
}
