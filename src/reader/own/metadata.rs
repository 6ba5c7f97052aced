//! Lines that are not predictions: published scores, and settings of runs.
//!
//! `eyechart convert` writes such lines, so that a converted file keeps all information in the
//! logs.

use serde_json::{Map, Value as Json, json};

use super::raw::{Field, RawLine, text};
use super::shapes;
use record::{Detections, OriginalRun, PredictedBox, PublishedScore, RunName, TrueBox};

/// Content of a line that is not a prediction.
#[derive(Clone, Debug, PartialEq)]
pub enum Metadata {
    /// A score published for a whole table or run.
    Figure(Box<PublishedScore>),
    /// Settings of an original run.
    Run(Box<OriginalRun>),
}

impl Metadata {
    /// Parses a line; `None` if the line is a prediction.
    ///
    /// # Errors
    /// If a field is missing or has the wrong type.
    pub(super) fn of(raw: &RawLine<'_>, benchmark: &str) -> Result<Option<Self>, String> {
        let named = |field: Field<'_>| field.and_then(text).map(String::from);
        let (model, benchmark) = (
            named(raw.model),
            named(raw.benchmark).unwrap_or_else(|| benchmark.to_owned()),
        );
        if let Some(figure) = object(raw.figure, "figure")? {
            let inner = |key: &str| figure.get(key).and_then(Json::as_str).map(str::to_owned);
            let flag = |key: &str| figure.get(key).and_then(Json::as_bool);
            let required = |field, name: &str| named(field).ok_or(format!("`{name}` is missing"));
            return Ok(Some(Self::Figure(Box::new(PublishedScore {
                benchmark,
                table: inner("table").unwrap_or_default(),
                group: inner("group").unwrap_or_default(),
                model: required(raw.model, "model")?,
                run: inner("run"),
                ability: required(raw.ability, "ability")?,
                split: inner("split"),
                metric: required(raw.metric, "metric")?,
                higher_is_better: flag("higher_is_better"),
                score: super::line::stored(raw.score)?.unwrap_or(f64::NAN),
                by_harness: flag("by_harness").unwrap_or_default(),
                n: figure.get("n").and_then(Json::as_u64).unwrap_or_default(),
            }))));
        }
        let Some(run) = object(raw.run_settings, "run_settings")? else {
            return Ok(None);
        };
        let inner = |key: &str| run.get(key).and_then(Json::as_str).map(str::to_owned);
        let settings = run.get("settings").and_then(Json::as_object);
        let settings = settings.into_iter().flatten();
        Ok(Some(Self::Run(Box::new(OriginalRun {
            name: RunName {
                model,
                dataset: inner("dataset"),
                run: inner("run"),
            },
            settings: settings
                .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
                .collect(),
            path: inner("path").unwrap_or_default(),
        }))))
    }

    /// Returns the line as a JSON object.
    pub fn line(&self) -> Map<String, Json> {
        let line = match self {
            Self::Figure(figure) => json!({
                "benchmark": figure.benchmark, "ability": figure.ability, "model": figure.model,
                "metric": figure.metric, "score": figure.score,
                "figure": {
                    "table": figure.table, "group": figure.group, "split": figure.split, "run": figure.run,
                    "higher_is_better": figure.higher_is_better, "by_harness": figure.by_harness, "n": figure.n,
                },
            }),
            Self::Run(run) => json!({
                "model": run.name.model,
                "run_settings": {
                    "dataset": run.name.dataset, "run": run.name.run, "settings": run.settings, "path": run.path,
                },
            }),
        };
        match line {
            Json::Object(line) => line,
            _ => Map::new(),
        }
    }
}

/// Returns the object in a field; `None` if the field is missing or null.
fn object(field: Field<'_>, name: &str) -> Result<Option<Map<String, Json>>, String> {
    match field.filter(|raw| *raw != "null").map(serde_json::from_str) {
        None => Ok(None),
        Some(Ok(Json::Object(object))) => Ok(Some(object)),
        Some(_) => Err(format!("`{name}` must be an object")),
    }
}

/// Parses the boxes of a detection sample.
///
/// # Errors
/// If the field has another structure.
pub(super) fn detections(field: Field<'_>) -> Result<Option<Detections>, String> {
    let Some(members) = object(field, "detections")? else {
        return Ok(None);
    };
    let parsed = || {
        let classes = members.get("classes")?.as_array()?.iter();
        let classes: Option<Vec<String>> = classes
            .map(|name| Some(name.as_str()?.to_owned()))
            .collect();
        let rows = |key: &str| -> Option<Vec<Vec<f64>>> {
            serde::Deserialize::deserialize(members.get(key)?).ok()
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a class code or an id, written as a whole number"
        )]
        let truth = |row: &Vec<f64>| match *row.as_slice() {
            [class, x, y, width, height, area, crowd, id] => Some(TrueBox {
                class: class as u32,
                xywh: [x, y, width, height],
                area,
                crowd: crowd != 0.0,
                id: id as i64,
            }),
            _ => None,
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a class code, written as a whole number"
        )]
        let found = |row: &Vec<f64>| match *row.as_slice() {
            [class, x, y, width, height, score] => Some(PredictedBox {
                class: class as u32,
                xywh: [x, y, width, height],
                score,
            }),
            _ => None,
        };
        let mut detections = Detections {
            classes: classes?.into(),
            truth: rows("truth")?.iter().map(truth).collect::<Option<_>>()?,
            found: rows("found")?.iter().map(found).collect::<Option<_>>()?,
            ..Detections::default()
        };
        shapes::read(&members, &mut detections)?;
        Some(detections)
    };
    let wrong = "`detections` must have `classes`, `truth` and `found`";
    parsed().map(Some).ok_or_else(|| wrong.to_owned())
}

/// Converts the boxes of a detection sample to a JSON object.
#[expect(
    clippy::cast_precision_loss,
    reason = "the ids of annotations are counted from 1"
)]
pub(super) fn write_detections(detections: &Detections) -> Json {
    let truth = detections.truth.iter().map(|one| {
        let [x, y, width, height] = one.xywh;
        let crowd = f64::from(u8::from(one.crowd));
        [
            f64::from(one.class),
            x,
            y,
            width,
            height,
            one.area,
            crowd,
            one.id as f64,
        ]
    });
    let found = detections.found.iter().map(|one| {
        let [x, y, width, height] = one.xywh;
        [f64::from(one.class), x, y, width, height, one.score]
    });
    let mut members = json!({
        "classes": *detections.classes, "truth": truth.collect::<Vec<_>>(), "found": found.collect::<Vec<_>>(),
    });
    shapes::write(detections, &mut members);
    members
}
