//! JSON files that list the segments of pictures.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use crate::coco::annotations::find;
use crate::coco::value::{Flag, Id, Number};
use crate::json;

/// Content of a file that lists segments.
#[derive(Deserialize)]
pub struct Document {
    /// Pictures listed in the file; can be empty in results.
    #[serde(default)]
    pub images: Vec<Image>,
    /// Segments by picture.
    pub annotations: Vec<Entry>,
    /// Classes; can be empty in results.
    #[serde(default)]
    pub categories: Vec<Category>,
}

/// A picture in the list `images`.
#[derive(Deserialize)]
pub struct Image {
    /// Id that [`Entry::image_id`] refers to.
    pub id: Id,
    /// File of the picture; can be empty.
    #[serde(default)]
    pub file_name: String,
}

/// A class of things or of stuff.
#[derive(Deserialize)]
pub struct Category {
    id: Id,
    name: Id,
    #[serde(default)]
    isthing: Flag,
}

/// The segments of a picture.
#[derive(Deserialize)]
pub struct Entry {
    /// Id of the picture.
    pub image_id: Id,
    /// File name of the PNG with the segments.
    pub file_name: String,
    /// Segments drawn in the PNG.
    pub segments_info: Vec<Segment>,
}

/// A segment of a picture.
#[derive(Deserialize)]
pub struct Segment {
    /// Segment id, encoded as the colour in the PNG.
    pub id: u32,
    /// Category of the segment.
    pub category_id: Id,
    /// Annotated number of pixels.
    pub area: Option<Number>,
    /// `[x, y, width, height]` in pixels.
    pub bbox: Option<[Number; 4]>,
    /// True for a region of several objects that are not annotated one by one.
    pub iscrowd: Option<Flag>,
}

impl Document {
    /// Reads a JSON file of segments.
    ///
    /// # Errors
    /// If the file cannot be read, or has another structure.
    pub fn read(path: &Path) -> Result<Self, String> {
        let bytes = json::read_bounded(path).map_err(|error| format!("cannot be read: {error}"))?;
        let text = json::without_nan(json::without_mark(&bytes));
        serde_json::from_slice(&text).map_err(|error| json::describe(&error, 1))
    }

    /// True if the file contains annotated segments, false for predicted ones.
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

/// Categories with their class codes.
pub struct Classes {
    codes: HashMap<Id, u32>,
    /// Class names, indexed by class code.
    pub names: Arc<[String]>,
    /// True for things, false for stuff, indexed by class code.
    pub things: Arc<[bool]>,
}

impl Classes {
    /// Assigns class codes to the categories in file order.
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

    /// Returns the code of a category.
    ///
    /// # Errors
    /// If the category is unknown.
    pub fn code(&self, id: &Id) -> Result<u32, String> {
        let code = find(id, |id| self.codes.get(id).copied());
        code.ok_or_else(|| format!("category {id} is not annotated"))
    }
}
