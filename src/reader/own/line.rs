//! Parses one line into a [`Record`].

use std::borrow::Cow;

use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::metadata::{self, Metadata};
use super::origin::{finish_reason, origin};
use super::raw::{Field, RawLine, id, is_null, text};
use super::sent;
use super::wrong::check_score;
use crate::json;
use record::{
    Choice, Content, Direction, ImageRef, LabelledBox, Labels, MapKind, MapValues, PixelMap,
    Problem, PublishedScore, Record, Role, Rule, Target, Value,
};

/// Error message for a score that is not a finite number.
pub(super) const NO_NUMBER: &str = "`score` must be a number";

/// Parses a line into a record. `benchmark` is used if the line does not contain one.
///
/// # Errors
/// If a field is missing or has the wrong type.
pub fn parse_record(line: &[u8], benchmark: &str) -> Result<Record, String> {
    let repaired;
    let raw = match RawLine::new(line) {
        Ok(raw) => raw,
        Err(first) => {
            repaired = json::without_nan(line);
            match &repaired {
                Cow::Owned(repaired) => {
                    let raw = RawLine::new(repaired)?;
                    check_score(&raw, line)?;
                    raw
                }
                Cow::Borrowed(_) => return Err(first),
            }
        }
    };
    raw.record(benchmark)
}

/// Content of a line.
#[derive(Debug)]
pub enum Line {
    /// A prediction.
    Record(Box<Record>),
    /// The predictions of several models for one sample. An unusable prediction is a problem.
    Records(Vec<Result<Record, Problem>>),
    /// A published score, or settings of a run.
    Metadata(Metadata),
    /// The published scores in a row of a table. An unusable cell is a problem.
    Scores(Vec<Result<PublishedScore, Problem>>),
}

/// Parses a line of any kind. `benchmark` is used if the line does not contain one.
///
/// # Errors
/// If a field is missing or has the wrong type.
pub fn parse_line(line: &[u8], benchmark: &str) -> Result<Line, String> {
    if let Ok(raw) = RawLine::new(line)
        && let Some(metadata) = Metadata::of(&raw, benchmark)?
    {
        return Ok(Line::Metadata(metadata));
    }
    parse_record(line, benchmark).map(|record| Line::Record(Box::new(record)))
}

/// Parses the content of a line, except maps and detections. They are parsed only when the record
/// is shown.
///
/// # Errors
/// If a field is missing or has the wrong type.
pub fn parse_asked(line: &[u8]) -> Result<Content, String> {
    let repaired;
    let raw = if let Ok(raw) = RawLine::new(line) {
        raw
    } else {
        repaired = json::without_nan(line);
        RawLine::new(&repaired)?
    };
    RawLine {
        // If there are detections, the boxes come from them.
        boxes: raw.boxes.filter(|_| raw.detections.is_none()),
        maps: None,
        ..raw
    }
    .content()
}

/// Returns the response in a line; `None` if the line is invalid or has no response.
pub fn response_of(line: &[u8]) -> Option<String> {
    response(RawLine::new(line).ok()?.response)
}

impl RawLine<'_> {
    pub(super) fn record(&self, benchmark: &str) -> Result<Record, String> {
        Ok(Record {
            sample_id: sample_id(self.sample_id)?.into_owned(),
            model: required(self.model, "model")?.into_owned(),
            ability: required(self.ability, "ability")?.into_owned(),
            benchmark: self
                .benchmark
                .and_then(text)
                .map_or_else(|| benchmark.to_owned(), Cow::into_owned),
            condition: labels(self.condition, "condition")?,
            content: self.content()?,
            response: response(self.response),
            finish_reason: finish_reason(self),
            parsed: match self.parsed.and_then(text) {
                // Null means that the harness could not extract an answer.
                None if is_null(self.parsed) => Some(String::new()),
                parsed => parsed.map(Cow::into_owned),
            },
            metric: self.metric.and_then(text).map(Cow::into_owned),
            direction: direction(self.direction),
            stored: stored(self.score)?,
            beside: other_scores(self.scores)?,
            rule: self
                .rule
                .and_then(text)
                .and_then(|name| Rule::from_name(&name))
                .unwrap_or_default(),
            detections: metadata::detections(self.detections)?,
            masks: None,
            origin: origin(self).map(Box::new),
        })
    }

    /// Parses the question, options, pictures and other content of a line.
    ///
    /// # Errors
    /// If a field has the wrong type.
    pub fn content(&self) -> Result<Content, String> {
        Ok(Content {
            question: self
                .question
                .and_then(text)
                .map(Cow::into_owned)
                .unwrap_or_default(),
            choices: choices(self.choices)?,
            target: target(self.target)?,
            images: images(self),
            boxes: list(self.boxes, labelled_box),
            maps: list(self.maps, pixel_map),
            tags: labels(self.tags, "tags")?,
            sent: sent::read(self.sent)?.map(Box::new),
        })
    }
}

/// Returns the sample id of a line.
///
/// # Errors
/// If the id is missing, or neither a text nor a number.
pub fn sample_id(field: Field<'_>) -> Result<Cow<'_, str>, String> {
    of_text(field, "sample_id", id)
}

/// Returns a mandatory text field.
///
/// # Errors
/// If the field is missing, or not a text.
pub fn required<'a>(field: Field<'a>, name: &str) -> Result<Cow<'a, str>, String> {
    of_text(field, name, text)
}

fn of_text<'a>(
    field: Field<'a>,
    name: &str,
    read: fn(&'a str) -> Option<Cow<'a, str>>,
) -> Result<Cow<'a, str>, String> {
    let raw = field.ok_or_else(|| format!("`{name}` is missing"))?;
    let text = read(raw).filter(|text| !text.is_empty());
    text.ok_or_else(|| format!("`{name}` must be a string"))
}

/// Returns the response. Null becomes an empty text; other values become JSON.
fn response(field: Field<'_>) -> Option<String> {
    let raw = field?;
    if raw == "null" {
        return Some(String::new());
    }
    Some(text(raw).map_or_else(|| raw.to_owned(), Cow::into_owned))
}

/// Returns the direction in a field; `None` if it is missing or unknown.
pub fn direction(field: Field<'_>) -> Option<Direction> {
    Direction::from_name(&field.and_then(text)?)
}

/// Returns a stored score. Null becomes `NaN`, because the harness skipped the sample.
///
/// # Errors
/// If the score is not a number.
pub fn stored(field: Field<'_>) -> Result<Option<f64>, String> {
    let Some(raw) = field else { return Ok(None) };
    match raw {
        "null" => Ok(Some(f64::NAN)),
        "true" => Ok(Some(1.0)),
        "false" => Ok(Some(0.0)),
        number => match number.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Some(number)),
            _ => Err(NO_NUMBER.to_owned()),
        },
    }
}

/// Returns the additional scores from an object. Values that are not numbers are skipped.
///
/// # Errors
/// If the field is not an object.
fn other_scores(field: Field<'_>) -> Result<Vec<(String, f64)>, String> {
    let numbers = labels(field, "scores")?.into_iter();
    Ok(numbers
        .filter_map(|(metric, value)| Some((metric, value.number()?)))
        .collect())
}

/// Returns tags or conditions from an object of texts, numbers and booleans. Nulls are skipped.
///
/// # Errors
/// If the field is not an object.
pub fn labels(field: Field<'_>, name: &str) -> Result<Labels, String> {
    let Some(raw) = field.filter(|raw| *raw != "null") else {
        return Ok(Labels::new());
    };
    let object: std::collections::BTreeMap<Cow<'_, str>, &RawValue> =
        serde_json::from_str(raw).map_err(|_| format!("`{name}` must be an object"))?;
    Ok(object
        .into_iter()
        .filter_map(|(name, raw)| Some((name.into_owned(), label(raw.get())?)))
        .collect())
}

fn label(raw: &str) -> Option<Value> {
    match raw {
        "true" => Some(Value::Flag(true)),
        "false" => Some(Value::Flag(false)),
        "null" => None,
        other => match other.as_bytes().first()? {
            b'-' | b'0'..=b'9' => other.parse().ok().map(Value::Number),
            b'"' => text(raw).map(|text| Value::Text(text.into_owned())),
            _ => Some(Value::Text(other.to_owned())),
        },
    }
}

fn choices(field: Field<'_>) -> Result<Vec<Choice>, String> {
    let Some(raw) = field.filter(|raw| *raw != "null") else {
        return Ok(Vec::new());
    };
    let choice = |letter: String, text: &Json| Choice {
        letter,
        text: plain(text),
    };
    match serde_json::from_str(raw) {
        Ok(Json::Array(options)) => {
            let lettered = (0..).map(Choice::letters).zip(&options);
            Ok(lettered
                .map(|(letter, text)| choice(letter, text))
                .collect())
        }
        Ok(Json::Object(options)) => Ok(options
            .iter()
            .map(|(letter, text)| choice(letter.clone(), text))
            .collect()),
        _ => Err("`choices` must be a list or an object".to_owned()),
    }
}

/// Returns the target; `None` for null.
///
/// # Errors
/// If the field has another type.
pub fn target(field: Field<'_>) -> Result<Option<Target>, String> {
    let Some(raw) = field.filter(|raw| *raw != "null") else {
        return Ok(None);
    };
    if let Some(text) = text(raw) {
        let number = if raw.starts_with('"') {
            None
        } else {
            text.parse().ok()
        };
        return Ok(Some(
            number.map_or_else(|| Target::Text(text.into_owned()), Target::Number),
        ));
    }
    let numbers: Vec<f64> = serde_json::from_str(raw).unwrap_or_default();
    match *numbers.as_slice() {
        [x0, y0, x1, y1] => Ok(Some(Target::Box([x0, y0, x1, y1]))),
        [r, g, b] => Ok(Some(Target::Color([r, g, b]))),
        _ => Err(
            "`target` must be a string, a number, a box of four numbers or a colour of three"
                .to_owned(),
        ),
    }
}

/// Converts a field that contains one value or a list of values. Skips invalid values.
fn list<T>(field: Field<'_>, one: impl Fn(&Json) -> Option<T>) -> Vec<T> {
    match field.map(serde_json::from_str) {
        Some(Ok(Json::Array(values))) => values.iter().filter_map(one).collect(),
        Some(Ok(value)) => one(&value).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Returns the pictures of a line, in order.
pub(super) fn images(raw: &RawLine<'_>) -> Vec<ImageRef> {
    let mut images = list(raw.image, image);
    images.extend(list(raw.images, image));
    images
}

fn image(value: &Json) -> Option<ImageRef> {
    if let Some(cell) = value.get("cell") {
        return Some(ImageRef::Cell {
            file: cell.get("file")?.as_str()?.into(),
            offset: cell.get("offset")?.as_u64()?,
            length: cell.get("length")?.as_u64()?,
        });
    }
    value.as_str().map(json::image)
}

fn labelled_box(value: &Json) -> Option<LabelledBox> {
    let corners: Vec<f64> = value
        .get("xyxy")?
        .as_array()?
        .iter()
        .filter_map(Json::as_f64)
        .collect();
    Some(LabelledBox {
        label: value.get("label").map(plain).unwrap_or_default(),
        role: match value.get("role").and_then(Json::as_str) {
            Some("prediction") => Role::Prediction,
            Some("reference") => Role::Reference,
            _ => Role::Target,
        },
        xyxy: corners.try_into().ok()?,
        color: value.get("color").and_then(Json::as_str).map(str::to_owned),
        number: value
            .get("number")
            .and_then(Json::as_u64)
            .and_then(|n| u16::try_from(n).ok()),
    })
}

fn pixel_map(value: &Json) -> Option<PixelMap> {
    let text = |key: &str| value.get(key).and_then(Json::as_str);
    let values = if let Some(picture) = value.get("picture") {
        let picture = image(picture)?;
        match value.get("segments") {
            Some(classes) => MapValues::Segments {
                picture,
                classes: serde::Deserialize::deserialize(classes).ok()?,
            },
            None => MapValues::Picture(picture),
        }
    } else if let Some(runs) = value.get("runs") {
        MapValues::Runs {
            width: value.get("width")?.as_u64()?.try_into().ok()?,
            runs: serde::Deserialize::deserialize(runs).ok()?,
        }
    } else {
        MapValues::Nowhere(text("nowhere")?.to_owned())
    };
    let names = value.get("names").and_then(Json::as_array);
    Some(PixelMap {
        role: match text("role") {
            Some("prediction") => Role::Prediction,
            _ => Role::Target,
        },
        kind: text("kind").and_then(MapKind::from_name)?,
        values,
        names: names.into_iter().flatten().map(plain).collect(),
    })
}

fn plain(value: &Json) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
