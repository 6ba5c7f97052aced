//! COCO annotations by picture.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json;
use record::{Problem, TrueBox};

/// The annotations of a data set.
#[derive(Clone, Debug, Default)]
pub struct Annotations {
    /// Class names by code.
    pub classes: Arc<[String]>,
    /// Class code of each category id.
    pub codes: HashMap<i64, u32>,
    /// The pictures by id.
    pub pictures: BTreeMap<i64, Picture>,
}

/// One annotated picture.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Its file, relative to the picture folder; may be empty.
    pub file: String,
    /// Its annotated boxes in file order.
    pub truth: Vec<TrueBox>,
}

#[derive(Deserialize)]
struct Document<'a> {
    #[serde(borrow, default)]
    images: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    annotations: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    categories: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Image {
    id: i64,
    #[serde(default)]
    file_name: String,
}

#[derive(Deserialize)]
struct Category {
    id: i64,
    name: String,
}

#[derive(Deserialize)]
struct Annotation {
    #[serde(default = "one")]
    id: i64,
    image_id: i64,
    category_id: i64,
    bbox: [f64; 4],
    area: Option<f64>,
    #[serde(default)]
    iscrowd: f64,
}

const fn one() -> i64 {
    1
}

impl Annotations {
    /// Reads annotations; problems of single rows go to `complain`, the rest is kept.
    ///
    /// # Errors
    /// The file cannot be read or is not a JSON object of lists; one sentence.
    pub fn read(path: &Path, complain: &mut dyn FnMut(Problem)) -> Result<Self, String> {
        let bytes = json::read_bounded(path).map_err(|error| format!("cannot be read: {error}"))?;
        let text = json::without_nan(&bytes);
        let document: Document<'_> =
            serde_json::from_slice(&text).map_err(|error| json::describe(&error, 1))?;
        let mut bad = |row: &RawValue, what: String| {
            complain(Problem::line(path, line_of(&text, row.get()), what));
        };
        let mut found = Self::default();
        let mut names = Vec::new();
        each(&document.categories, &mut bad, |category: Category| {
            let code = u32::try_from(names.len()).unwrap_or(u32::MAX);
            found.codes.insert(category.id, code);
            names.push(category.name);
            Ok(())
        });
        found.classes = names.into();
        each(&document.images, &mut bad, |image: Image| {
            found.pictures.entry(image.id).or_default().file = image.file_name;
            Ok(())
        });
        each(&document.annotations, &mut bad, |annotation: Annotation| {
            found.add(&annotation)
        });
        Ok(found)
    }

    fn add(&mut self, annotation: &Annotation) -> Result<(), String> {
        let Annotation { image_id, bbox, .. } = *annotation;
        let class = self.codes.get(&annotation.category_id);
        let class = class.ok_or_else(|| format!("no category {}", annotation.category_id))?;
        let picture = self.pictures.get_mut(&image_id);
        let picture = picture.ok_or_else(|| format!("no picture {image_id}"))?;
        let [_, _, width, height] = bbox;
        picture.truth.push(TrueBox {
            class: *class,
            xywh: bbox,
            area: annotation.area.unwrap_or(width * height),
            crowd: annotation.iscrowd != 0.0,
            id: annotation.id,
        });
        Ok(())
    }
}

/// Calls a function with each row of a list; invalid rows become problems.
fn each<'a, T: Deserialize<'a>>(
    rows: &[&'a RawValue],
    bad: &mut dyn FnMut(&RawValue, String),
    mut take: impl FnMut(T) -> Result<(), String>,
) {
    for &row in rows {
        let parsed = serde_json::from_str(row.get()).map_err(|error| json::describe(&error, 1));
        if let Err(what) = parsed.and_then(&mut take) {
            bad(row, what);
        }
    }
}

/// The line on which a part of a text begins.
fn line_of(text: &[u8], part: &str) -> u64 {
    let offset = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let before = text.get(..offset).unwrap_or_default();
    memchr::memchr_iter(b'\n', before).count() as u64 + 1
}
