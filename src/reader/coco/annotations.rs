//! Reads COCO annotations, grouped by picture.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::value::{Flag, Id, Number};
use crate::json;
use record::{Problem, TrueBox};

/// Number of repeated ids listed in a problem.
const NAMED: usize = 5;

/// Annotations of a data set.
#[derive(Clone, Debug, Default)]
pub struct Annotations {
    /// Class names by code.
    pub classes: Arc<[String]>,
    /// Class code by category id.
    pub codes: HashMap<Id, u32>,
    /// Annotated pictures by id.
    pub pictures: BTreeMap<Id, Picture>,
    /// Number of annotated boxes.
    pub boxes: u64,
    /// Picture id by the stem of its file; `None` for a stem that several pictures share.
    stems: HashMap<String, Option<Id>>,
}

/// A picture with its annotated boxes.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Path relative to the picture folder; may be empty.
    pub file: String,
    /// Width and height in pixels, if known.
    pub size: Option<[f64; 2]>,
    /// Annotated boxes in file order.
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
    id: Id,
    file_name: Option<Id>,
    width: Option<Number>,
    height: Option<Number>,
}

#[derive(Deserialize)]
struct Category {
    id: Id,
    name: Option<Id>,
}

#[derive(Deserialize)]
struct Annotation {
    id: Option<Id>,
    image_id: Id,
    category_id: Id,
    bbox: [Number; 4],
    area: Option<Number>,
    #[serde(default)]
    iscrowd: Flag,
}

impl Annotations {
    /// Reads annotations. Problems with single rows go to `complain`; the other rows are kept.
    ///
    /// # Errors
    /// If the file cannot be read or is not a JSON object of lists; one sentence.
    pub fn read(path: &Path, complain: &mut dyn FnMut(Problem)) -> Result<Self, String> {
        let bytes = json::read_bounded(path).map_err(|error| format!("cannot be read: {error}"))?;
        let text = json::without_nan(json::without_mark(&bytes));
        let document: Document<'_> =
            serde_json::from_slice(&text).map_err(|error| json::describe(&error, 1))?;
        let mut lines = Lines::of(&text);
        let mut bad = |row: &RawValue, what: String| {
            complain(Problem::line(path, lines.line_of(row.get()), what));
        };
        let mut found = Self::default();
        let mut names = Vec::new();
        each(&document.categories, &mut bad, |_, category: Category| {
            let code = u32::try_from(names.len()).unwrap_or(u32::MAX);
            let name = category.name.as_ref().unwrap_or(&category.id).to_string();
            names.push((name, category.id.clone()));
            found.codes.insert(category.id, code);
            Ok(())
        });
        found.classes = distinct(names).into();
        each(&document.images, &mut bad, |_, image: Image| {
            let file = image.file_name.map(|name| name.to_string());
            let size = image.width.zip(image.height);
            let size = size.map(|(Number(width), Number(height))| [width, height]);
            found.add_picture(image.id, file.unwrap_or_default(), size);
            Ok(())
        });
        let mut ids = Ids::default();
        each(
            &document.annotations,
            &mut bad,
            |row, annotation: Annotation| {
                ids.add(annotation.id.as_ref(), row);
                found.add(&annotation)
            },
        );
        if let Some((row, what)) = ids.repeated() {
            complain(Problem::line(path, lines.line_of(row.get()), what));
        }
        Ok(found)
    }

    /// Creates annotations without pictures; classes have these names and ids.
    #[must_use]
    pub fn of_classes(classes: impl Iterator<Item = (String, Id)>) -> Self {
        let (names, ids): (Vec<String>, Vec<Id>) = classes.unzip();
        Self {
            classes: names.into(),
            codes: ids.into_iter().zip(0..).collect(),
            ..Self::default()
        }
    }

    /// Adds a picture without boxes.
    pub fn add_picture(&mut self, id: Id, file: String, size: Option<[f64; 2]>) {
        if !file.is_empty() {
            let same = self.stems.entry(stem(&file).to_owned());
            same.and_modify(|known| *known = None)
                .or_insert_with(|| Some(id.clone()));
        }
        let picture = self.pictures.entry(id).or_default();
        (picture.file, picture.size) = (file, size);
    }

    /// Returns the id of a picture by an id in results; a text may also be the stem of its file.
    #[must_use]
    pub fn picture<'a>(&'a self, id: &'a Id) -> Option<&'a Id> {
        let known = |id: &Id| self.pictures.get_key_value(id).map(|(id, _)| id);
        let by_name = || match id {
            Id::Text(name) => self.named(name),
            Id::Number(_) => None,
        };
        find(id, known).or_else(by_name)
    }

    /// Returns the id of the only picture whose file has the stem of `name`.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Id> {
        self.stems.get(stem(name))?.as_ref()
    }

    fn add(&mut self, annotation: &Annotation) -> Result<(), String> {
        let Annotation { image_id, bbox, .. } = annotation;
        let class = find(&annotation.category_id, |id| self.codes.get(id).copied());
        let class = class.ok_or_else(|| format!("no category {}", annotation.category_id))?;
        let known = find(image_id, |id| {
            self.pictures.contains_key(id).then(|| id.clone())
        });
        let picture = known.and_then(|id| self.pictures.get_mut(&id));
        let picture = picture.ok_or_else(|| format!("no picture {image_id}"))?;
        let xywh = bbox.map(|Number(value)| value);
        let [_, _, width, height] = xywh;
        self.boxes += 1;
        picture.truth.push(TrueBox {
            class,
            xywh,
            area: annotation.area.map_or(width * height, |Number(area)| area),
            crowd: annotation.iscrowd.0,
            id: number(annotation.id.as_ref()),
        });
        Ok(())
    }
}

/// Returns a file's name without folders and ending.
pub fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Makes class names distinct by adding the id to names that several categories share.
fn distinct(names: Vec<(String, Id)>) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for (name, _) in &names {
        *counts.entry(name.clone()).or_default() += 1;
    }
    let several = |name: &String| counts.get(name).is_some_and(|count| *count > 1);
    let names = names.into_iter().map(|(name, id)| {
        if several(&name) {
            format!("{name} ({id})")
        } else {
            name
        }
    });
    names.collect()
}

/// Looks up an id, then the equal id of the other type (number or text).
pub fn find<T>(id: &Id, look_up: impl Fn(&Id) -> Option<T>) -> Option<T> {
    look_up(id).or_else(|| look_up(&id.counterpart()?))
}

/// Returns an annotation's id as a number; 1 for text ids. `pycocotools` reads id 0 as no match.
fn number(id: Option<&Id>) -> i64 {
    match id {
        Some(Id::Number(number)) => *number,
        _ => 1,
    }
}

/// Ids of annotations, and the repeated ones.
#[derive(Default)]
struct Ids<'a> {
    seen: HashSet<Id>,
    repeated: HashSet<Id>,
    named: Vec<String>,
    rows: u64,
    first: Option<&'a RawValue>,
}

impl<'a> Ids<'a> {
    fn add(&mut self, id: Option<&Id>, row: &'a RawValue) {
        let Some(id) = id else { return };
        if self.seen.insert(id.clone()) {
            return;
        }
        self.rows += 1;
        self.first.get_or_insert(row);
        if self.repeated.insert(id.clone()) && self.named.len() < NAMED {
            self.named.push(id.to_string());
        }
    }

    /// Returns the problem of repeated ids, with its first row; `None` if all ids are distinct.
    fn repeated(&self) -> Option<(&'a RawValue, String)> {
        let more = self.repeated.len() > self.named.len();
        let what = format!(
            "{} {} the id of an earlier one (id {}{}): each counts here; pycocotools counts the last one repeatedly",
            format::counted(self.rows, "annotation"),
            if self.rows == 1 { "has" } else { "have" },
            self.named.join(", "),
            if more { ", …" } else { "" },
        );
        self.first.map(|row| (row, what))
    }
}

/// Calls `take` with each row of a list; invalid rows go to `bad`.
fn each<'a, T: Deserialize<'a>>(
    rows: &[&'a RawValue],
    bad: &mut dyn FnMut(&RawValue, String),
    mut take: impl FnMut(&'a RawValue, T) -> Result<(), String>,
) {
    for &row in rows {
        let parsed = serde_json::from_str(row.get()).map_err(|error| json::describe(&error, 1));
        if let Err(what) = parsed.and_then(|parsed| take(row, parsed)) {
            bad(row, what);
        }
    }
}

/// Line numbers of parts of a text, found quickly in ascending order.
struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    const fn of(text: &'a [u8]) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
        }
    }

    /// Returns the line on which a part of the text starts.
    fn line_of(&mut self, part: &str) -> u64 {
        let offset = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        if offset < self.at {
            *self = Self::of(self.text);
        }
        let between = self.text.get(self.at..offset).unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', between).count() as u64;
        self.at = offset;
        self.line
    }
}
