//! Reads COCO annotations, grouped by picture.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::mask::{MaskReader, PictureSize};
use super::repeated_ids::Ids;
use super::value::{Flag, Id, Number};
use crate::json;
use record::{Frequency, Keypoint, Problem, Rle, ShapeKind, TrueBox};

/// Per-keypoint standard deviations of COCO's 17 keypoints (`cocoeval.py`).
const COCO_SIGMAS: [f64; 17] = [
    0.026, 0.025, 0.025, 0.035, 0.035, 0.079, 0.079, 0.072, 0.072, 0.062, 0.062, 0.107, 0.107,
    0.087, 0.087, 0.089, 0.089,
];

/// Annotations of a data set.
#[derive(Clone, Debug, Default)]
pub struct Annotations {
    /// Class names, indexed by class code.
    pub classes: Arc<[String]>,
    /// Class code by category id.
    pub codes: HashMap<Id, u32>,
    /// Annotated pictures by id.
    pub pictures: BTreeMap<Id, Picture>,
    /// Number of annotated boxes.
    pub boxes: u64,
    /// Picture id by file stem; `None` for a stem that several pictures share.
    stems: HashMap<String, Option<Id>>,
    /// Number of objects with a mask.
    pub masks: u64,
    /// Number of objects with keypoints.
    pub keypoints: u64,
    /// Number of captions.
    pub captions: u64,
    /// Number of annotations with a score.
    scored: u64,
    /// Number of keypoints per object; 0 without keypoints.
    pub points: usize,
    /// Standard deviation of each keypoint; `None` if unknown.
    pub sigmas: Option<Arc<[f64]>>,
    /// For LVIS: the frequency group of each class, by class code.
    pub frequencies: Option<Arc<[Option<Frequency>]>>,
}

/// A picture and its annotations.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Path of the file relative to the picture folder; can be empty.
    pub file: String,
    /// Size in pixels.
    pub size: PictureSize,
    /// Annotated objects in file order.
    pub objects: Vec<Object>,
    /// Captions in file order.
    pub captions: Vec<String>,
    /// For LVIS: codes of classes that do not occur in the picture.
    pub negative: Vec<u32>,
    /// For LVIS: codes of classes whose objects in the picture are not all annotated.
    pub not_exhaustive: Vec<u32>,
    /// Verdict of an earlier label audit, written by `eyechart verdicts --to coco`.
    pub verdict: Option<String>,
}

/// An annotated object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Box, class and area of the object.
    pub truth: TrueBox,
    /// Mask of the object, if masks were requested.
    pub mask: Option<Rle>,
    /// Keypoints of the object; empty without keypoints.
    pub keypoints: Vec<Keypoint>,
    /// True if all keypoints of the object are unannotated.
    pub has_no_point: bool,
    /// Value of the field `ignore`, which only LVIS uses.
    pub ignore: bool,
}

impl Picture {
    /// Adds an object that has only a box.
    pub fn add_box(&mut self, truth: TrueBox) {
        self.objects.push(Object {
            truth,
            mask: None,
            keypoints: Vec::new(),
            has_no_point: true,
            ignore: false,
        });
    }
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
    coco_url: Option<String>,
    height: Option<Number>,
    width: Option<Number>,
    neg_category_ids: Option<Vec<Id>>,
    not_exhaustive_category_ids: Option<Vec<Id>>,
    eyechart_verdict: Option<String>,
}

#[derive(Deserialize)]
struct Category {
    id: Id,
    name: Option<Id>,
    frequency: Option<String>,
    sigmas: Option<Vec<Number>>,
}

#[derive(Deserialize)]
struct Annotation<'a> {
    id: Option<Id>,
    image_id: Id,
    category_id: Option<Id>,
    bbox: Option<[Number; 4]>,
    area: Option<Number>,
    #[serde(default)]
    iscrowd: Flag,
    #[serde(default)]
    ignore: Flag,
    #[serde(borrow)]
    segmentation: Option<&'a RawValue>,
    keypoints: Option<Vec<Number>>,
    num_keypoints: Option<Number>,
    caption: Option<String>,
    score: Option<IgnoredAny>,
}

impl Annotations {
    /// Reads annotations, including masks if `kinds` contains them. Problems with single rows are
    /// passed to `complain`; the other rows are used.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a JSON object that contains lists.
    pub fn read(
        path: &Path,
        kinds: &[ShapeKind],
        complain: &mut dyn FnMut(Problem),
    ) -> Result<Self, String> {
        let bytes = json::read_bounded(path).map_err(|error| format!("cannot be read: {error}"))?;
        Self::from_bytes(path, &bytes, kinds, complain)
    }

    /// Like [`Self::read`], but reads from the bytes of a file.
    pub(super) fn from_bytes(
        path: &Path,
        bytes: &[u8],
        kinds: &[ShapeKind],
        complain: &mut dyn FnMut(Problem),
    ) -> Result<Self, String> {
        let text = json::without_nan(json::without_mark(bytes));
        let document: Document<'_> =
            serde_json::from_slice(&text).map_err(|error| json::describe(&error, 1))?;
        let mut lines = Lines::of(&text);
        let mut bad = |row: &RawValue, what: String| {
            complain(Problem::line(path, lines.line_of(row.get()), what));
        };
        let mut found = Self::default();
        found.add_categories(&document.categories, &mut bad);
        let mut is_federated = false;
        each(&document.images, &mut bad, |_, image: Image| {
            is_federated |= image.neg_category_ids.is_some();
            found.add_image(image);
            Ok(())
        });
        found.frequencies.take_if(|_| !is_federated);
        let mut ids = Ids::default();
        let mut masks = kinds.contains(&ShapeKind::Masks).then(MaskReader::default);
        each(
            &document.annotations,
            &mut bad,
            |row, annotation: Annotation<'_>| {
                ids.add(annotation.id.as_ref(), row);
                found.scored += u64::from(annotation.score.is_some());
                found.add(annotation, masks.as_mut())
            },
        );
        if found.points == COCO_SIGMAS.len() {
            found.sigmas.get_or_insert_with(|| COCO_SIGMAS.into());
        }
        // Caption ids are not referenced, so repeated ids do no harm.
        if let Some((row, what)) = ids.repeated().filter(|_| found.boxes > 0) {
            complain(Problem::line(path, lines.line_of(row.get()), what));
        }
        Ok(found)
    }

    /// True if each box has a score, as predictions have.
    pub const fn are_predictions(&self) -> bool {
        self.scored > 0 && self.scored >= self.boxes
    }

    /// Creates annotations without pictures from class names and ids.
    pub fn of_classes(classes: impl Iterator<Item = (String, Id)>) -> Self {
        let (names, ids): (Vec<String>, Vec<Id>) = classes.unzip();
        Self {
            classes: names.into(),
            codes: ids.into_iter().zip(0..).collect(),
            ..Self::default()
        }
    }

    /// Adds a picture without objects.
    pub fn add_picture(&mut self, id: Id, file: String, size: PictureSize) -> &mut Picture {
        if !file.is_empty() {
            let same = self.stems.entry(stem(&file).to_owned());
            same.and_modify(|known| *known = None)
                .or_insert_with(|| Some(id.clone()));
        }
        let picture = self.pictures.entry(id).or_default();
        (picture.file, picture.size) = (file, size);
        picture
    }

    /// Returns the id of a picture, given an id from the results. That id can also be the stem of
    /// the picture's file.
    pub fn picture<'a>(&'a self, id: &'a Id) -> Option<&'a Id> {
        let known = |id: &Id| self.pictures.get_key_value(id).map(|(id, _)| id);
        let by_name = || match id {
            Id::Text(name) => self.named(name),
            Id::Number(_) => None,
        };
        find(id, known).or_else(by_name)
    }

    /// Returns the id of the picture whose file has the same stem as `name`; `None` unless there is
    /// exactly one.
    pub fn named(&self, name: &str) -> Option<&Id> {
        self.stems.get(stem(name))?.as_ref()
    }

    fn add_categories(&mut self, rows: &[&RawValue], bad: &mut dyn FnMut(&RawValue, String)) {
        let (mut names, mut frequencies) = (Vec::new(), Vec::new());
        each(rows, bad, |_, category: Category| {
            let code = u32::try_from(names.len()).unwrap_or(u32::MAX);
            let name = category.name.as_ref().unwrap_or(&category.id).to_string();
            names.push((name, category.id.clone()));
            let frequency = category.frequency.as_deref();
            frequencies.push(frequency.and_then(Frequency::from_name));
            if let Some(sigmas) = category.sigmas.filter(|sigmas| !sigmas.is_empty()) {
                self.sigmas = Some(sigmas.iter().map(|Number(sigma)| *sigma).collect());
            }
            self.codes.insert(category.id, code);
            Ok(())
        });
        self.classes = distinct(names).into();
        self.frequencies = Some(frequencies.into());
    }

    fn add_image(&mut self, image: Image) {
        let codes = |ids: Option<Vec<Id>>| -> Vec<u32> {
            let code = |id: &Id| find(id, |id| self.codes.get(id).copied());
            ids.iter().flatten().filter_map(code).collect()
        };
        let (negative, not_exhaustive) = (
            codes(image.neg_category_ids),
            codes(image.not_exhaustive_category_ids),
        );
        let of_url = image.coco_url.as_deref().map(path_of_url);
        let file = image.file_name.map(|name| name.to_string()).or(of_url);
        let size = PictureSize {
            height: length(image.height),
            width: length(image.width),
        };
        let picture = self.add_picture(image.id, file.unwrap_or_default(), size);
        picture.negative = negative;
        picture.not_exhaustive = not_exhaustive;
        picture.verdict = image.eyechart_verdict;
    }

    /// True if the annotations are federated, as in LVIS: not every class is annotated in every
    /// picture.
    pub const fn is_federated(&self) -> bool {
        self.frequencies.is_some()
    }

    fn add(
        &mut self,
        annotation: Annotation<'_>,
        masks: Option<&mut MaskReader>,
    ) -> Result<(), String> {
        let image_id = &annotation.image_id;
        let known = find(image_id, |id| {
            self.pictures.contains_key(id).then(|| id.clone())
        });
        let picture = known.and_then(|id| self.pictures.get_mut(&id));
        let picture = picture.ok_or_else(|| format!("no picture {image_id}"));
        if let Some(caption) = annotation.caption {
            picture?.captions.push(caption);
            self.captions += 1;
            return Ok(());
        }
        let category = annotation
            .category_id
            .ok_or("missing field `category_id`")?;
        let class = find(&category, |id| self.codes.get(id).copied());
        let class = class.ok_or_else(|| format!("no category {category}"))?;
        let picture = picture?;
        // Annotations that contain only boxes can have an empty list here.
        let outline = annotation.segmentation.filter(|text| text.get() != "[]");
        let drawn = outline.zip(masks);
        let drawn = drawn.map(|(text, masks)| masks.read(text.get(), picture.size));
        let (mask, wrong) = match drawn.transpose() {
            Ok(mask) => (mask, Ok(())),
            Err(what) => (None, Err(what)),
        };
        let bbox = annotation.bbox.map(|bbox| bbox.map(|Number(value)| value));
        let bbox = bbox.or_else(|| mask.as_ref().map(Rle::bbox));
        let xywh = bbox.ok_or("missing field `bbox`")?;
        let [_, _, width, height] = xywh;
        let numbers = annotation.keypoints.unwrap_or_default();
        let keypoints = points(&numbers);
        let labelled = keypoints.iter().filter(|point| point.v > 0.0).count();
        let has_no_point = annotation
            .num_keypoints
            .map_or(labelled == 0, |Number(count)| count == 0.0);
        self.boxes += 1;
        self.masks += u64::from(outline.is_some());
        self.keypoints += u64::from(!keypoints.is_empty());
        self.points = self.points.max(keypoints.len());
        picture.objects.push(Object {
            truth: TrueBox {
                class,
                xywh,
                area: annotation.area.map_or(width * height, |Number(area)| area),
                crowd: annotation.iscrowd.0,
                id: number(annotation.id.as_ref()),
            },
            mask,
            keypoints,
            has_no_point,
            ignore: annotation.ignore.0,
        });
        wrong
    }
}

/// Returns a file name without folders and extension.
pub fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Converts a length to whole pixels; 0 if it is unknown.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from a float saturates"
)]
fn length(number: Option<Number>) -> u32 {
    number.map_or(0, |Number(value)| value as u32)
}

/// Returns the path in a URL. The path is then looked up by its last components, like other
/// absolute paths.
fn path_of_url(url: &str) -> String {
    let path = url
        .split_once("://")
        .and_then(|(_, rest)| rest.find('/').and_then(|at| rest.get(at..)));
    path.unwrap_or(url).to_owned()
}

/// Converts a flat list of x, y and visibility to keypoints.
pub fn points(numbers: &[Number]) -> Vec<Keypoint> {
    let (triples, _) = numbers.as_chunks::<3>();
    let point = |[Number(x), Number(y), Number(v)]: &[Number; 3]| Keypoint {
        x: *x,
        y: *y,
        v: *v,
    };
    triples.iter().map(point).collect()
}

/// Returns the box around some points, `[x0, y0, x1, y1]`; `None` without points.
pub fn bounds(mut points: impl Iterator<Item = [f64; 2]>) -> Option<[f64; 4]> {
    let [x, y] = points.next()?;
    Some(points.fold([x, y, x, y], |[x0, y0, x1, y1], [x, y]| {
        [x0.min(x), y0.min(y), x1.max(x), y1.max(y)]
    }))
}

/// Makes class names distinct by appending the id to repeated names.
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

/// Looks up an id. If this fails, looks up the equal id of the other type (number or text).
pub fn find<T>(id: &Id, look_up: impl Fn(&Id) -> Option<T>) -> Option<T> {
    look_up(id).or_else(|| look_up(&id.counterpart()?))
}

/// Returns an annotation's id as a number; 1 for text ids, because `pycocotools` interprets id 0 as
/// no match.
fn number(id: Option<&Id>) -> i64 {
    match id {
        Some(Id::Number(number)) => *number,
        _ => 1,
    }
}

/// Parses each row of a list and passes it to `take`. Invalid rows are passed to `bad`.
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

/// Maps byte offsets in a text to line numbers; fast for ascending offsets.
pub struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    /// Creates a counter at the first line.
    pub const fn of(text: &'a [u8]) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
        }
    }

    /// Returns the line on which `part`, a slice of the text, starts.
    pub fn line_of(&mut self, part: &str) -> u64 {
        self.at((part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize))
    }

    /// Returns the line of the byte at an offset.
    pub fn at(&mut self, offset: usize) -> u64 {
        if offset < self.at {
            *self = Self::of(self.text);
        }
        let between = self.text.get(self.at..offset).unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', between).count() as u64;
        self.at = offset;
        self.line
    }
}
