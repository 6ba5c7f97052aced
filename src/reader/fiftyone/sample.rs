//! Converts the labels of a sample to the records of models.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::metadata::Metadata;
use super::survey::{Kind, Survey, labels, sample_tags};
use super::task::Task;
use crate::annotations::{AnnotatedPicture, Object};
use crate::columns::SPLIT;
use crate::json;
use record::{
    Content, Detections, Direction, ImageRef, Labels, PredictedBox, Record, Rule, Target, TrueBox,
    Value,
};

/// Sample tags that are names of splits.
const SPLITS: [&str; 5] = ["train", "validation", "val", "test", "dev"];
/// Metric of classifications: 1 if the labels are equal, else 0.
const ACCURACY: &str = "accuracy";

/// Data shared by all samples of a data set.
pub struct DataSet<'a> {
    survey: &'a Survey,
    metadata: &'a Metadata,
    /// Keys of all evaluations in the data set.
    keys: BTreeSet<&'a String>,
    /// Class names of detections, indexed by code.
    classes: Arc<[String]>,
    codes: BTreeMap<&'a str, u32>,
}

/// The record of a model, and problems with single labels.
pub struct Answer {
    /// The record, without benchmark and model.
    pub record: Record,
    /// Messages about predictions that were skipped.
    pub problems: Vec<String>,
}

impl<'a> DataSet<'a> {
    /// Collects the classes and evaluation keys.
    pub fn new(survey: &'a Survey, metadata: &'a Metadata) -> Self {
        let fields = survey.of_kind(Kind::Detections);
        let classes: BTreeSet<&str> = fields
            .flat_map(|(_, field)| field.classes.iter().map(String::as_str))
            .collect();
        Self {
            survey,
            metadata,
            keys: survey.keys().chain(&metadata.keys).collect(),
            classes: classes.iter().map(|class| (*class).to_owned()).collect(),
            codes: classes.into_iter().zip(0..).collect(),
        }
    }

    /// Returns the record of a model; `None` if the sample has no ground truth or no prediction.
    ///
    /// # Errors
    /// If a label of the ground truth is unreadable, or a field has another kind.
    pub fn answer(
        &self,
        task: &Task,
        model: &str,
        sample: &Json,
    ) -> Result<Option<Answer>, String> {
        let path = path(sample)?;
        let truth = field(sample, &task.truth, task.kind)?;
        let found = field(sample, model, task.kind)?;
        let has_both = sample.get(&task.truth).is_some() && sample.get(model).is_some();
        let known = match (truth, found) {
            (Some(truth), Some(found)) => Some([truth, found]),
            // FiftyOne evaluates null as an empty field. A missing field may have a misspelt name.
            _ if has_both && self.is_evaluated(model, sample) => {
                let empty = &Json::Null;
                Some([truth.unwrap_or(empty), found.unwrap_or(empty)])
            }
            _ => None,
        };
        let Some([truth, found]) = known else {
            return Ok(None);
        };
        let record = Record {
            sample_id: path.to_owned(),
            content: self.content(sample, path),
            rule: Rule::Stored,
            ..Record::default()
        };
        if task.kind == Kind::Detections {
            return self.detections(record, [truth, found], sample).map(Some);
        }
        let Some(truth) = class(truth)? else {
            return Ok(None);
        };
        // FiftyOne evaluates a missing prediction as wrong.
        let found = class(found)?.unwrap_or_default();
        let evaluations = &self.metadata.evaluations;
        let key = evaluations.iter().find(|it| it.predictions == model);
        let stored = key.and_then(|it| sample.get(&it.key)?.as_bool());
        let stored = stored.unwrap_or(truth == found);
        let record = Record {
            ability: "classification".to_owned(),
            content: Content {
                target: Some(Target::Text(truth)),
                ..record.content
            },
            parsed: Some(found.clone()),
            response: Some(found),
            metric: Some(ACCURACY.to_owned()),
            direction: Some(Direction::Higher),
            stored: Some(f64::from(u8::from(stored))),
            ..record
        };
        let problems = Vec::new();
        Ok(Some(Answer { record, problems }))
    }

    /// Returns the annotations of a sample, for a label audit without predictions. `None` if the
    /// sample has no annotations.
    ///
    /// # Errors
    /// If a label of the ground truth is unreadable, or the field has another kind.
    pub fn annotated(&self, task: &Task, sample: &Json) -> Result<Option<Answer>, String> {
        let path = path(sample)?;
        let Some(truth) = field(sample, &task.truth, task.kind)? else {
            return Ok(None);
        };
        let content = self.content(sample, path);
        let mut picture = AnnotatedPicture {
            id: path.to_owned(),
            image: content.images.into_iter().next(),
            tags: content.tags,
            ..AnnotatedPicture::default()
        };
        if task.kind == Kind::Classification {
            picture.classes.extend(class(truth)?);
        } else {
            for label in boxes(truth) {
                let (class, [x, y, width, height]) = self.labelled(label, [1.0; 2])?;
                let class = self.classes.get(class as usize).map_or("", String::as_str);
                picture.objects.push(Object {
                    is_region: is_crowd(label),
                    ..Object::relative(class, [x, y, x + width, y + height], size(sample))
                });
            }
        }
        Ok(Some(Answer {
            record: picture.record(""),
            problems: Vec::new(),
        }))
    }

    /// True if an evaluation of the model left its results in the sample: match counts, or whether
    /// the class is right.
    fn is_evaluated(&self, model: &str, sample: &Json) -> bool {
        let own = self.survey.fields.get(model);
        let own = own.into_iter().flat_map(|field| field.matches.keys());
        let listed = self.metadata.evaluations.iter();
        let listed = listed.filter(|it| it.predictions == model);
        let mut keys = own.chain(listed.map(|it| &it.key));
        keys.any(|key| {
            let is_judged = sample.get(key).is_some_and(Json::is_boolean);
            is_judged || sample.get(format!("{key}_tp")).is_some_and(Json::is_number)
        })
    }

    fn detections(
        &self,
        mut record: Record,
        [truth, found]: [&Json; 2],
        sample: &Json,
    ) -> Result<Answer, String> {
        let size = size(sample).unwrap_or([1.0; 2]);
        let mut detections = Detections {
            classes: Arc::clone(&self.classes),
            ..Detections::default()
        };
        for (id, label) in (1..).zip(boxes(truth)) {
            let (class, xywh) = self.labelled(label, size)?;
            let [_, _, width, height] = xywh;
            detections.truth.push(TrueBox {
                class,
                xywh,
                area: width * height,
                crowd: is_crowd(label),
                id,
            });
        }
        let mut problems = Vec::new();
        for label in boxes(found) {
            let confidence = label.get("confidence").and_then(Json::as_f64);
            let read = self.labelled(label, size).and_then(|read| {
                let score = confidence.ok_or("a prediction without `confidence`")?;
                Ok((read, score))
            });
            match read {
                Ok(((class, xywh), score)) => {
                    detections.found.push(PredictedBox { class, xywh, score });
                }
                Err(what) => problems.push(what),
            }
        }
        let mut classes: Vec<u32> = detections.truth.iter().map(|it| it.class).collect();
        classes.sort_unstable();
        classes.dedup();
        let counts = [
            ("objects", detections.truth.len()),
            ("classes", classes.len()),
        ];
        for (name, count) in counts {
            let count = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
            record.content.tags.insert(name.to_owned(), count.into());
        }
        "detection".clone_into(&mut record.ability);
        record.detections = Some(detections);
        Ok(Answer { record, problems })
    }

    /// Returns the class code of a label, and its box in pixels.
    fn labelled(&self, label: &Json, [width, height]: [f64; 2]) -> Result<(u32, [f64; 4]), String> {
        let class = label.get("label").and_then(Json::as_str);
        let class = class.and_then(|class| self.codes.get(class).copied());
        let class = class.ok_or("a detection without `label`")?;
        let numbers = label.get("bounding_box").and_then(Json::as_array);
        let numbers = numbers.into_iter().flatten().map(Json::as_f64);
        let numbers: Option<Vec<f64>> = numbers.collect();
        let numbers = numbers.and_then(|numbers| <[f64; 4]>::try_from(numbers).ok());
        let fits = |[_, _, width, height]: &[f64; 4]| *width >= 0.0 && *height >= 0.0;
        let [x, y, w, h] = numbers
            .filter(fits)
            .ok_or("`bounding_box` is not x, y, width and height")?;
        Ok((class, [x * width, y * height, w * width, h * height]))
    }

    fn content(&self, sample: &Json, path: &str) -> Content {
        let is_of_evaluation = |name: &str| {
            let mut rests = self
                .keys
                .iter()
                .filter_map(|key| name.strip_prefix(key.as_str()));
            rests.any(|rest| ["", "_tp", "_fp", "_fn"].contains(&rest))
        };
        let members = sample.as_object().into_iter().flatten();
        let members = members.filter(|(name, value)| {
            let is_scalar = !value.is_object() && !value.is_array();
            is_scalar && !name.starts_with('_') && *name != "filepath" && !is_of_evaluation(name)
        });
        let members: Map<String, Json> = members
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let mut tags: Labels = json::tags(&Json::Object(members));
        let own: BTreeSet<&str> = sample_tags(sample).collect();
        if let Some(split) = SPLITS.iter().find(|split| own.contains(*split)) {
            tags.insert(SPLIT.to_owned(), (*split).into());
        }
        for tag in self
            .survey
            .tags
            .iter()
            .filter(|tag| !SPLITS.contains(&tag.as_str()))
        {
            let is_set = Value::Flag(own.contains(tag.as_str()));
            tags.entry(tag.clone()).or_insert(is_set);
        }
        Content {
            images: vec![ImageRef::Path(path.to_owned())],
            tags,
            ..Content::default()
        }
    }
}

/// Returns the path of a sample's picture.
///
/// # Errors
/// If the sample has no path.
fn path(sample: &Json) -> Result<&str, String> {
    let path = sample.get("filepath").and_then(Json::as_str);
    let path = path.filter(|path| !path.is_empty());
    path.ok_or_else(|| "`filepath` is missing".to_owned())
}

/// Returns a label field of a sample; `None` if the field is null or missing.
///
/// # Errors
/// If it has another kind.
fn field<'a>(sample: &'a Json, name: &str, kind: Kind) -> Result<Option<&'a Json>, String> {
    match sample.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(label) if Kind::of(label) == Some(kind) => {
            let is_list = label.get("_cls").and_then(Json::as_str) == Some("Detections");
            if is_list && !label.get("detections").is_some_and(Json::is_array) {
                return Err(format!("`{name}` has no list of detections"));
            }
            Ok(Some(label))
        }
        Some(_) => Err(format!("`{name}` is not of the kind {}", kind.name())),
    }
}

/// Returns the class of a classification; `None` if the label is null or missing.
///
/// # Errors
/// If the label is not a text.
fn class(label: &Json) -> Result<Option<String>, String> {
    match label.get("label") {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(class)) => Ok(Some(class.clone())),
        Some(other) => Err(format!("the label is not a string: {other}")),
    }
}

/// Returns the labels of a field of detections; empty if it is null.
fn boxes(field: &Json) -> &[Json] {
    if field.is_null() { &[] } else { labels(field) }
}

/// Returns width and height of the picture in pixels; `None` if unknown.
pub fn size(sample: &Json) -> Option<[f64; 2]> {
    let pixels = |key: &str| sample.get("metadata")?.get(key)?.as_f64();
    let size = [pixels("width")?, pixels("height")?];
    size.iter().all(|it| *it > 0.0).then_some(size)
}

/// True for a box around many objects. The flag is a number or a boolean; old versions store it as
/// an attribute.
fn is_crowd(label: &Json) -> bool {
    let attribute = || label.get("attributes")?.get("iscrowd")?.get("value");
    match label.get("iscrowd").or_else(attribute) {
        Some(Json::Bool(flag)) => *flag,
        Some(Json::Number(number)) => number.as_f64() != Some(0.0),
        _ => false,
    }
}
