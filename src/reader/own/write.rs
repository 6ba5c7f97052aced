//! Writes a record as a line of Eyechart's own format.

use serde::Serialize;
use serde_json::{Map, Serializer, Value as Json, json};

use super::metadata::{Metadata, write_detections};
use super::origin;
use super::sent;
use base::format::EscapeControls;
use record::{
    Content, ImageRef, LabelledBox, Labels, MapValues, PixelMap, Record, Role, Target, Value,
};

/// Returns the line of a record, without line break. [`super::parse_record`] restores the record
/// from the line, except masks.
pub fn write_record(record: &Record) -> String {
    harmless(&line(record, true))
}

/// Returns the fields in the line of a record, except tags and conditions.
pub fn fields(record: &Record) -> Map<String, Json> {
    line(record, false)
}

/// Returns a value as JSON with every control character escaped.
pub fn write_value(value: &Json) -> String {
    harmless(value)
}

fn line(record: &Record, labelled: bool) -> Map<String, Json> {
    let mut line = Map::new();
    write_asked(record, Some(&record.model), labelled, &mut line);
    if let Some(response) = &record.response {
        line.insert("response".into(), json!(response));
    }
    if let Some(reason) = record.finish_reason {
        line.insert("finish_reason".into(), json!(reason.name()));
    }
    if let Some(parsed) = &record.parsed {
        let parsed = if parsed.is_empty() {
            Json::Null
        } else {
            json!(parsed)
        };
        line.insert("parsed".into(), parsed);
    }
    if let Some(metric) = &record.metric {
        line.insert("metric".into(), json!(metric));
    }
    if let Some(direction) = record.direction {
        line.insert("direction".into(), json!(direction.name()));
    }
    if let Some(score) = record.stored {
        line.insert("score".into(), json!(score));
    }
    if let Some(rule) = record.rule.name() {
        line.insert("rule".into(), json!(rule));
    }
    if !record.beside.is_empty() {
        let scores = record.beside.iter();
        let scores = scores.map(|(metric, score)| (metric.clone(), json!(score)));
        line.insert("scores".into(), Json::Object(scores.collect()));
    }
    write_boxes(record, &mut line);
    if let Some(origin) = &record.origin {
        line.insert("rerun".into(), origin::write(origin));
    }
    line
}

/// Returns the line of metadata, without line break.
pub fn write_metadata(metadata: &Metadata) -> String {
    harmless(&metadata.line())
}

/// Returns the line of a record's sample, without model and answer.
pub fn write_item(record: &Record) -> String {
    let mut line = Map::new();
    write_asked(record, None, true, &mut line);
    write_boxes(record, &mut line);
    harmless(&line)
}

fn write_boxes(record: &Record, line: &mut Map<String, Json>) {
    if let Some(detections) = &record.detections {
        line.insert("detections".into(), write_detections(detections));
    }
}

fn write_asked(record: &Record, model: Option<&str>, labelled: bool, line: &mut Map<String, Json>) {
    line.insert("sample_id".into(), json!(record.sample_id));
    line.insert("benchmark".into(), json!(record.benchmark));
    line.insert("ability".into(), json!(record.ability));
    if let Some(model) = model {
        line.insert("model".into(), json!(model));
    }
    if labelled && !record.condition.is_empty() {
        line.insert("condition".into(), write_labels(&record.condition));
    }
    write_content(&record.content, line);
    if labelled && !record.content.tags.is_empty() {
        line.insert("tags".into(), write_labels(&record.content.tags));
    }
}

/// Formats a value as JSON in which every control character is escaped. Printing the file then
/// cannot control a terminal.
fn harmless(json: &impl Serialize) -> String {
    let mut out = Vec::new();
    let written = json.serialize(&mut Serializer::with_formatter(
        &mut out,
        EscapeControls::default(),
    ));
    debug_assert!(written.is_ok(), "values are JSON");
    String::from_utf8(out).unwrap_or_default()
}

fn write_content(content: &Content, line: &mut Map<String, Json>) {
    if !content.question.is_empty() {
        line.insert("question".into(), json!(content.question));
    }
    if !content.choices.is_empty() {
        let choices = content
            .choices
            .iter()
            .map(|choice| (choice.letter.clone(), json!(choice.text)));
        line.insert("choices".into(), Json::Object(choices.collect()));
    }
    if let Some(target) = &content.target {
        line.insert("target".into(), write_target(target));
    }
    match content.images.as_slice() {
        [] => {}
        [one] => drop(line.insert("image".into(), image(one))),
        several => drop(line.insert("images".into(), several.iter().map(image).collect())),
    }
    if !content.boxes.is_empty() {
        line.insert(
            "boxes".into(),
            content.boxes.iter().map(labelled_box).collect(),
        );
    }
    if !content.maps.is_empty() {
        line.insert("maps".into(), content.maps.iter().map(pixel_map).collect());
    }
    if let Some(sent) = &content.sent {
        line.insert("sent".into(), sent::write(sent));
    }
}

fn write_target(target: &Target) -> Json {
    match target {
        Target::Text(text) => json!(text),
        Target::Number(number) => json!(number),
        Target::Box(corners) => json!(corners),
        Target::Color(channels) => json!(channels),
    }
}

/// Converts tags or conditions to an object.
pub fn write_labels(labels: &Labels) -> Json {
    let value = |value: &Value| match value {
        Value::Text(text) => json!(text),
        Value::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
            // Write whole numbers without a fraction: 90 instead of 90.0.
            format!("{number:.0}")
                .parse::<i64>()
                .map_or(json!(number), |whole| json!(whole))
        }
        Value::Number(number) => json!(number),
        Value::Flag(flag) => json!(flag),
    };
    Json::Object(
        labels
            .iter()
            .map(|(name, label)| (name.clone(), value(label)))
            .collect(),
    )
}

fn image(reference: &ImageRef) -> Json {
    match reference {
        ImageRef::Path(text) | ImageRef::Inline(text) | ImageRef::Url(text) => json!(text),
        ImageRef::Cell {
            file,
            offset,
            length,
        } => {
            json!({"cell": {"file": file.to_string_lossy(), "offset": offset, "length": length}})
        }
    }
}

const fn role(role: Role) -> &'static str {
    match role {
        Role::Target => "target",
        Role::Reference => "reference",
        Role::Prediction => "prediction",
    }
}

fn labelled_box(labelled: &LabelledBox) -> Json {
    let role = role(labelled.role);
    let mut object = json!({"label": labelled.label, "role": role, "xyxy": labelled.xyxy});
    if let (Some(color), Json::Object(object)) = (&labelled.color, &mut object) {
        object.insert("color".into(), json!(color));
    }
    if let (Some(number), Json::Object(object)) = (labelled.number, &mut object) {
        object.insert("number".into(), json!(number));
    }
    object
}

fn pixel_map(map: &PixelMap) -> Json {
    let mut object = json!({"role": role(map.role), "kind": map.kind.name()});
    if let Json::Object(object) = &mut object {
        match &map.values {
            MapValues::Picture(reference) => {
                object.insert("picture".into(), image(reference));
            }
            MapValues::Segments { picture, classes } => {
                object.insert("picture".into(), image(picture));
                object.insert("segments".into(), json!(classes));
            }
            MapValues::Runs { width, runs } => {
                object.insert("width".into(), json!(width));
                object.insert("runs".into(), json!(runs));
            }
            MapValues::Nowhere(why) => {
                object.insert("nowhere".into(), json!(why));
            }
        }
        if !map.names.is_empty() {
            object.insert("names".into(), json!(map.names));
        }
    }
    object
}
