//! Converts an annotated picture to a record.

use std::collections::BTreeMap;

use crate::coco::bounds;
use record::{Content, ImageRef, LabelledBox, Labels, Record, Role, Target, Value};

/// Model name in the records of annotations.
pub const MODEL: &str = "annotations";
/// Target text for a picture without objects.
const NOTHING: &str = "nothing";
/// Upper bounds of the areas of small, medium and large objects in square pixels, as in COCO.
const SIZES: [(&str, f64); 3] = [
    ("small", 32.0 * 32.0),
    ("medium", 96.0 * 96.0),
    ("large", f64::INFINITY),
];

/// A picture with its annotations.
#[derive(Debug, Default)]
pub struct AnnotatedPicture {
    /// Sample id of the record.
    pub id: String,
    /// Path or content of the picture, if known.
    pub image: Option<ImageRef>,
    /// Annotated boxes, including crowds.
    pub objects: Vec<Object>,
    /// Labels of the whole picture.
    pub classes: Vec<String>,
    /// Additional tags, such as the split.
    pub tags: Labels,
    /// Annotator, if several people annotated this picture.
    pub annotator: Option<String>,
}

/// An annotated box.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    /// Name of the object's class.
    pub class: String,
    /// `[x0, y0, x1, y1]`, in pixels or as fractions of the picture.
    pub xyxy: [f64; 4],
    /// True if `xyxy` holds fractions.
    pub is_relative: bool,
    /// Annotated area in square pixels, if it differs from the area of the box.
    pub area: Option<f64>,
    /// True for a crowd or an ignored region, false for a single object.
    pub is_region: bool,
}

impl AnnotatedPicture {
    /// Returns the record of the picture, without response and score.
    pub fn record(self, benchmark: &str) -> Record {
        let is_detection = self.classes.is_empty() || !self.objects.is_empty();
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        let mut sizes: BTreeMap<&str, u32> = BTreeMap::new();
        let objects = self.objects.iter().filter(|object| !object.is_region);
        for object in objects {
            *counts.entry(&object.class).or_default() += 1;
            *sizes.entry(object.size()).or_default() += 1;
        }
        sizes.remove("");
        let listed = counts
            .iter()
            .map(|(class, count)| format!("{count} {class}"));
        let words: Vec<String> = self.classes.iter().cloned().chain(listed).collect();
        let number = |count: u32| Value::Number(f64::from(count));
        let mut tags = self.tags;
        if is_detection {
            let all = [
                ("objects", counts.values().sum()),
                ("classes", length(&counts)),
            ];
            let all = all.into_iter().chain(sizes);
            tags.extend(all.map(|(name, count)| (name.to_owned(), number(count))));
            let by_class = counts.iter();
            tags.extend(by_class.map(|(class, count)| (format!("count_{class}"), number(*count))));
        }
        let target = if words.is_empty() {
            NOTHING.to_owned()
        } else {
            words.join(", ")
        };
        let annotator = self
            .annotator
            .map(|name| ("annotator".to_owned(), Value::Text(name)));
        Record {
            benchmark: benchmark.to_owned(),
            ability: if is_detection {
                "detection"
            } else {
                "classification"
            }
            .to_owned(),
            sample_id: self.id,
            model: MODEL.to_owned(),
            condition: annotator.into_iter().collect(),
            content: Content {
                target: Some(Target::Text(target)),
                images: self.image.into_iter().collect(),
                boxes: self.objects.iter().map(Object::labelled).collect(),
                tags,
                ..Content::default()
            },
            stored: Some(f64::NAN),
            ..Record::default()
        }
    }
}

/// Rotates points clockwise by `degrees` around a pivot. `size` is the length in pixels of one unit
/// of x and one unit of y.
pub fn turned(points: &[[f64; 2]], degrees: f64, pivot: [f64; 2], size: [f64; 2]) -> Vec<[f64; 2]> {
    if degrees == 0.0 {
        return points.to_vec();
    }
    let (sin, cos) = degrees.to_radians().sin_cos();
    let ([x0, y0], [width, height]) = (pivot, size);
    let turn = |[x, y]: &[f64; 2]| {
        let (x, y) = ((x - x0) * width, (y - y0) * height);
        [
            x0 + (x * cos - y * sin) / width,
            y0 + (x * sin + y * cos) / height,
        ]
    };
    points.iter().map(turn).collect()
}

fn length(counts: &BTreeMap<&str, u32>) -> u32 {
    u32::try_from(counts.len()).unwrap_or(u32::MAX)
}

impl Object {
    /// Creates an object with a box in pixels.
    pub fn new(class: &str, xyxy: [f64; 4]) -> Self {
        Self {
            class: class.to_owned(),
            xyxy,
            ..Self::default()
        }
    }

    /// Creates an object with a box in fractions of the picture. Converts the box to pixels if the
    /// picture's size is known.
    pub fn relative(class: &str, xyxy: [f64; 4], size: Option<[f64; 2]>) -> Self {
        // Values greater than 1 would be interpreted as pixels.
        let [x0, y0, x1, y1] = xyxy.map(|value| value.clamp(0.0, 1.0));
        let [width, height] = size.unwrap_or([1.0, 1.0]);
        Self {
            is_relative: size.is_none(),
            ..Self::new(class, [x0 * width, y0 * height, x1 * width, y1 * height])
        }
    }

    /// Returns an object with the bounding box of some points; `None` without points.
    pub fn around(class: &str, points: &[[f64; 2]]) -> Option<Self> {
        bounds(points.iter().copied()).map(|xyxy| Self::new(class, xyxy))
    }

    fn labelled(&self) -> LabelledBox {
        let label = if self.is_region {
            format!("{}, region", self.class)
        } else {
            self.class.clone()
        };
        LabelledBox::new(label, Role::Target, self.xyxy)
    }

    /// Returns COCO's name for the object's size; empty if the size in pixels is unknown.
    fn size(&self) -> &'static str {
        let [x0, y0, x1, y1] = self.xyxy;
        let area = self.area.unwrap_or((x1 - x0) * (y1 - y0));
        let fits = SIZES.iter().find(|(_, most)| area < *most);
        fits.filter(|_| !self.is_relative)
            .map_or("", |(name, _)| name)
    }
}
