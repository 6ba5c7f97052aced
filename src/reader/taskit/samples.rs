//! Converts the records of one log to samples, by task.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Map, Value as Json};

use super::truth::{Truth, mask};
use super::{BENCHMARK, maps};
use crate::{Sink, Unit, coco};
use record::{
    Content, Detections, ImageRef, LabelledBox, MapKind, MapValues, Masks, PixelMap, PredictedBox,
    Problem, Record, Role, Rule, Target,
};

/// Answer that the harness stores for a failed batch under `--ignore_error`.
const FAILED: &str = "unknown";
/// Maximum length in bytes of a raw record that is stored as response.
const LONGEST: usize = 20_000;

/// Data that all samples of a log share.
pub struct Samples<'a> {
    /// Unit of the log.
    pub unit: &'a Unit,
    /// Ability that the log's task tests.
    pub ability: &'a str,
    /// Ground truth of the task.
    pub truth: &'a Truth,
    /// Values computed by the harness, in the order of its records.
    pub per_picture: Vec<Option<f64>>,
    /// Assigns the values of the harness to records.
    pub places: ValueIndex,
    /// Number of records that were read so far.
    pub count: u64,
}

/// Assigns the records of a log to the harness's values.
#[derive(Default)]
pub struct ValueIndex {
    /// True if the harness has one value per record. Otherwise, records with the same picture share
    /// a value.
    pub is_exact: bool,
    next: usize,
    known: HashMap<String, usize>,
}

impl ValueIndex {
    /// Starts the next record. Must also be called for an invalid record.
    pub const fn begin(&mut self) {
        self.next += 1;
    }

    /// Returns the index of the value for the current record, whose picture is `file`.
    fn of(&mut self, file: &str) -> usize {
        let here = self.next.saturating_sub(1);
        if self.is_exact {
            return here;
        }
        if let Some(first) = self.known.get(file) {
            self.next = here;
            return *first;
        }
        self.known.insert(file.to_owned(), here);
        here
    }
}

impl Samples<'_> {
    /// Passes the samples of one record to the sink.
    ///
    /// # Errors
    /// If the record has no file name, or does not fit its task.
    pub fn take(
        &mut self,
        record: &Map<String, Json>,
        line: u64,
        sink: &mut dyn Sink,
    ) -> Result<(), String> {
        let file = record.get("file_name").and_then(Json::as_str);
        let file = file.ok_or("no `file_name`")?.trim();
        let at = self.places.of(file);
        match self.ability {
            "classification" => sink.record(self.class(record, file)?, line),
            "detection" => {
                let found = self.boxes(record, file, line, sink)?;
                sink.record(found, line);
            }
            "grouping" => self.masks(record, file, line, sink)?,
            _ => {
                let metric = match self.ability {
                    "segmentation" => "miou",
                    "depth" => "delta1",
                    _ => "rho_mean",
                };
                let stored = self.per_picture.get(at).copied().flatten();
                sink.record(self.figure_alone(record, file, metric, stored), line);
            }
        }
        self.count += 1;
        Ok(())
    }

    fn record(&self, file: &str) -> Record {
        Record {
            benchmark: BENCHMARK.to_owned(),
            ability: self.ability.to_owned(),
            sample_id: file.to_owned(),
            model: self.unit.model.clone().unwrap_or_default(),
            content: Content {
                images: vec![ImageRef::Path(file.to_owned())],
                ..Content::default()
            },
            rule: Rule::Stored,
            ..Record::default()
        }
    }

    /// Builds a classification sample. An answer is right if it equals the class name after
    /// trimming (`eval_classify.py`).
    fn class(&self, record: &Map<String, Json>, file: &str) -> Result<Record, String> {
        let answer = match record.get("class") {
            Some(Json::String(class)) => class.clone(),
            Some(several @ Json::Array(_)) => several.to_string(),
            _ => return Err("no `class`".to_owned()),
        };
        let truth = self.truth.class(file);
        let mut found = self.record(file);
        found.metric = Some("accuracy".to_owned());
        found.stored = truth.map(|truth| f64::from(u8::from(answer.trim() == truth)));
        found.content.target = truth.map(|truth| Target::Text(truth.to_owned()));
        found.parsed = (answer.trim() == FAILED).then(String::new);
        found.response = Some(answer);
        Ok(found)
    }

    /// Builds a detection sample with one box per label. Like the harness (`eval_utils.py`), uses
    /// only the first annotated box of each class.
    fn boxes(
        &self,
        record: &Map<String, Json>,
        file: &str,
        line: u64,
        sink: &mut dyn Sink,
    ) -> Result<Record, String> {
        let answer: Boxes = serde_json::from_value(Json::Object(record.clone()))
            .map_err(|error| error.to_string())?;
        let mut found = self.record(file);
        found.metric = Some("ap".to_owned());
        found.response = record.get("coords").map(Json::to_string);
        let Some(truth) = &self.truth.boxes else {
            return Ok(found);
        };
        let mut detections = Detections {
            classes: truth.classes.clone(),
            ..Detections::default()
        };
        let stem = file
            .rsplit('/')
            .next()
            .and_then(|name| name.split('.').next());
        let id: Option<i64> = stem.and_then(|stem| stem.parse().ok());
        let boxes = id
            .and_then(|id| truth.pictures.get(&coco::Id::Number(id)))
            .map(|picture| &picture.objects);
        for known in boxes.into_iter().flatten().map(|object| &object.truth) {
            if !detections
                .truth
                .iter()
                .any(|first| first.class == known.class)
            {
                let [_, _, width, height] = known.xywh;
                let area = width * height;
                detections.truth.push(record::TrueBox { area, ..*known });
            }
        }
        for (at, (label, corners)) in answer.coords.iter().enumerate() {
            let class = truth.classes.iter().position(|class| class == label);
            let Some(class) = class.and_then(|class| u32::try_from(class).ok()) else {
                let what = format!("{label} is not an annotated category: the harness drops it");
                sink.problem(Problem::line(&self.unit.path, line, what));
                continue;
            };
            let [[x0, y0], [x1, y1]] = serde_json::from_value(corners.clone())
                .map_err(|_| format!("the box of {label} is not [[x1, y1], [x2, y2]]"))?;
            let (x0, y0, x1, y1): (f64, f64, f64, f64) = (x0, y0, x1, y1);
            detections.found.push(PredictedBox {
                class,
                xywh: [x0, y0, x1 - x0, y1 - y0],
                score: answer.scores.get(at).copied().unwrap_or(1.0),
            });
        }
        found.detections = Some(detections);
        Ok(found)
    }

    /// Passes one sample per object of the picture to the sink, because the harness computes the
    /// mean over objects.
    fn masks(
        &self,
        record: &Map<String, Json>,
        file: &str,
        line: u64,
        sink: &mut dyn Sink,
    ) -> Result<(), String> {
        for (name, value) in record.iter().filter(|(name, _)| *name != "file_name") {
            let thing: RawDetection = RawDetection::deserialize(value)
                .map_err(|error| format!("object {name}: {error}"))?;
            let mut found = self.record(file);
            found.sample_id = format!("{file}#{name}");
            found.metric = Some("miou".to_owned());
            found.content.question = format!("point {}", Json::from(thing.point.clone()));
            found.content.boxes.extend(point(&thing.point));
            let truth = self.truth.mask(file, name);
            let truth = truth.map_err(|what| format!("ground truth of object {name}: {what}"))?;
            let drawn = match thing.prediction {
                Prediction::Rows(rows) => {
                    Some(mask(&rows).map_err(|what| format!("object {name}: {what}"))?)
                }
                Prediction::Picture(path) => {
                    found.content.maps.push(in_red(&path));
                    found.response = Some(path);
                    None
                }
            };
            if let Some(truth) = truth.as_ref().filter(|truth| !truth.pixels.is_empty()) {
                #[expect(clippy::cast_precision_loss, reason = "pixels of a picture")]
                let share = truth.area() as f64 / truth.pixels.len() as f64;
                found
                    .content
                    .tags
                    .insert("mask_area".to_owned(), share.into());
            }
            found.masks = Some(Masks {
                truth,
                found: drawn,
            });
            sink.record(found, line);
        }
        Ok(())
    }

    /// Builds a sample whose ground truth is a picture. Its score, if any, is stored by the
    /// harness.
    fn figure_alone(
        &self,
        record: &Map<String, Json>,
        file: &str,
        metric: &str,
        stored: Option<f64>,
    ) -> Record {
        let mut answer = record.clone();
        answer.shift_remove("file_name");
        let mut text = Json::Object(answer).to_string();
        if text.len() > LONGEST {
            let end = text.floor_char_boundary(LONGEST);
            text.truncate(end);
            text.push('…');
        }
        let mut found = self.record(file);
        found.rule = Rule::Precomputed;
        found.metric = Some(metric.to_owned());
        found.stored = stored;
        found.response = Some(text);
        let truth = self.truth.picture(file);
        found.content.target = truth.map(|path| Target::Text(path.to_owned()));
        if let Some(kind) = maps::kind(self.ability) {
            found.content.maps = maps::maps(kind, record, truth);
            found.parsed = maps::summary(kind, record);
        }
        found
    }
}

/// Returns the pixel to which the question refers, as a box.
fn point(xy: &[f64]) -> Option<LabelledBox> {
    let [x, y] = *xy else { return None };
    Some(LabelledBox::new("point", Role::Reference, [x, y, x, y]))
}

/// Returns a map for a mask that the model painted. It cannot be drawn, because only the harness
/// can extract the mask by its colour and shape.
fn in_red(path: &str) -> PixelMap {
    PixelMap {
        role: Role::Prediction,
        kind: MapKind::Mask,
        values: MapValues::Nowhere(format!(
            "painted red in {path}; only the harness can read it"
        )),
        names: std::sync::Arc::default(),
    }
}

#[derive(Deserialize)]
struct Boxes {
    coords: Map<String, Json>,
    #[serde(default)]
    scores: Vec<f64>,
}

#[derive(Deserialize)]
struct RawDetection {
    prediction: Prediction,
    #[serde(default)]
    point: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Prediction {
    Rows(Vec<Vec<Json>>),
    Picture(String),
}
