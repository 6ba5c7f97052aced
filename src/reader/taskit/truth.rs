//! Reads the ground truth of a task. The kind of a file is determined from its structure.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value as Json;

use crate::coco::Annotations;
use crate::{Candidate, coco, json};
use record::{Mask, Problem};

/// Structure of a ground truth file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `{file: class index}`, for classification.
    Classes,
    /// COCO annotations.
    Boxes,
    /// `{file: {"0": {"point", "gt"}}}`, for grouping.
    Masks,
    /// `{file: path of a picture}`, for maps.
    Pictures,
}

impl Shape {
    /// Returns the structure of the ground truth in an ability; `None` for an unknown ability.
    pub fn of_ability(ability: &str) -> Option<Self> {
        Some(match ability {
            "classification" => Self::Classes,
            "detection" => Self::Boxes,
            "grouping" => Self::Masks,
            "segmentation" | "depth" | "normals" => Self::Pictures,
            _ => return None,
        })
    }

    /// Determines the structure of a file from its first bytes; `None` if the file is not ground
    /// truth.
    pub fn of_file(file: &Candidate) -> Option<Self> {
        if coco::is_annotations(file) {
            return Some(Self::Boxes);
        }
        let head = file.head_text();
        let inner = head.trim_start().strip_prefix('{')?.trim_start();
        let (key, rest) = inner.strip_prefix('"')?.split_once('"')?;
        let value = rest.trim_start().strip_prefix(':')?.trim_start();
        let is_file = key.contains('.') || key.contains('/');
        match value.chars().next()? {
            _ if !is_file => None,
            '0'..='9' => Some(Self::Classes),
            '"' => Some(Self::Pictures),
            '{' if value.contains("\"point\"") || value.contains("\"gt\"") => Some(Self::Masks),
            _ => None,
        }
    }
}

/// Ground truth of one task.
#[derive(Default)]
pub struct Truth {
    /// Class index by file.
    classes: HashMap<String, usize>,
    /// COCO annotations of a detection task.
    pub boxes: Option<Annotations>,
    /// Masks by file, then by name of the object.
    masks: HashMap<String, HashMap<String, TrueMask>>,
    /// Path of the picture with the ground truth, by file.
    pictures: HashMap<String, String>,
}

#[derive(Deserialize)]
struct TrueMask {
    gt: Vec<Vec<Json>>,
}

/// Names of the 1,000 classes of ILSVRC 2012 by index, in the harness's spelling.
const CLASSES: &str = include_str!("imagenet_classes.txt");

/// Returns the names of the 1,000 classes of ILSVRC 2012 by index, in the harness's spelling.
pub fn imagenet_classes() -> impl Iterator<Item = &'static str> {
    CLASSES.lines()
}

impl Truth {
    /// Adds the entries of a ground truth file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn add(
        &mut self,
        path: &Path,
        shape: Shape,
        complain: &mut dyn FnMut(Problem),
    ) -> Result<(), String> {
        if shape == Shape::Boxes {
            self.boxes = Some(Annotations::read(path, &[], complain)?);
            return Ok(());
        }
        let bytes = json::read_bounded(path).map_err(|error| format!("cannot be read: {error}"))?;
        let text = json::without_nan(&bytes);
        let wrong = |error: serde_json::Error| json::describe(&error, 1);
        match shape {
            Shape::Classes => self
                .classes
                .extend(serde_json::from_slice::<HashMap<String, usize>>(&text).map_err(wrong)?),
            Shape::Masks => self.masks.extend(
                serde_json::from_slice::<HashMap<String, HashMap<String, TrueMask>>>(&text)
                    .map_err(wrong)?,
            ),
            _ => self
                .pictures
                .extend(serde_json::from_slice::<HashMap<String, String>>(&text).map_err(wrong)?),
        }
        Ok(())
    }

    /// Returns the name of a file's annotated class.
    pub fn class(&self, file: &str) -> Option<&'static str> {
        imagenet_classes().nth(*self.classes.get(file)?)
    }

    /// Returns the path of the picture with a file's ground truth.
    pub fn picture(&self, file: &str) -> Option<&str> {
        self.pictures.get(file).map(String::as_str)
    }

    /// Returns the annotated mask of an object in a file; `None` if it is unknown.
    ///
    /// # Errors
    /// If a cell is neither 0 nor 1, or rows differ in length.
    pub fn mask(&self, file: &str, name: &str) -> Result<Option<Mask>, String> {
        let truth = self.masks.get(file).and_then(|masks| masks.get(name));
        truth.map(|truth| mask(&truth.gt)).transpose()
    }
}

/// Builds a mask from rows whose cells are booleans, 0 or 1.
///
/// # Errors
/// If a cell has another value, or rows differ in length.
pub fn mask(rows: &[Vec<Json>]) -> Result<Mask, String> {
    let width = rows.first().map_or(0, Vec::len);
    let mut pixels = Vec::new();
    for row in rows {
        if row.len() != width {
            return Err("a mask with rows of different lengths".to_owned());
        }
        for cell in row {
            let on = cell.as_bool().or_else(|| match cell.as_f64() {
                Some(0.0) => Some(false),
                Some(1.0) => Some(true),
                _ => None,
            });
            pixels.push(on.ok_or("a mask with a value that is neither 0 nor 1")?);
        }
    }
    Ok(Mask { width, pixels })
}
