//! Joins detections and annotations by picture.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Annotations, FORMAT, Picture};
use crate::{Sink, Unit, json};
use record::{Content, Detections, FoundBox, ImageRef, Problem, Record, Rule, Value};

/// One row of the results.
#[derive(Deserialize)]
struct Row {
    image_id: i64,
    category_id: i64,
    bbox: Option<[f64; 4]>,
    score: f64,
}

/// The detections of one picture, the line of its first one, and whether the picture is annotated.
#[derive(Default)]
struct Found {
    line: u64,
    boxes: Vec<FoundBox>,
}

pub fn read(unit: &Unit, sink: &mut dyn Sink) {
    let Some(truth) = unit.companions.first() else {
        let what =
            "no annotations (instances_*.json) found beside it; name their folder with --data";
        return sink.problem(Problem::file(&unit.path, what));
    };
    let mut annotations = match Annotations::read(truth, &mut |problem| sink.problem(problem)) {
        Ok(annotations) => annotations,
        Err(what) => return sink.problem(Problem::file(truth, what)),
    };
    let mut found = rows(unit, &annotations, sink);
    let classes = annotations.classes.clone();
    for (id, picture) in std::mem::take(&mut annotations.pictures) {
        let found = found.remove(&id).unwrap_or_default();
        let detections = Detections {
            classes: classes.clone(),
            truth: picture.truth.clone(),
            found: found.boxes,
        };
        sink.record(record(unit, id, &picture, detections), found.line.max(1));
        if sink.progress(0).is_break() {
            return;
        }
    }
    let _ = sink.progress(unit.length);
}

/// The detections of each picture in file order. Rows that the evaluation would reject become problems.
fn rows(unit: &Unit, annotations: &Annotations, sink: &mut dyn Sink) -> BTreeMap<i64, Found> {
    let mut found: BTreeMap<i64, Found> = BTreeMap::new();
    let bytes = match json::read_bounded(&unit.path) {
        Ok(bytes) => bytes,
        Err(error) => {
            sink.problem(Problem::file(
                &unit.path,
                format!("cannot be read: {error}"),
            ));
            return found;
        }
    };
    for (line, element) in json::elements(&bytes) {
        let row = element.and_then(|element| {
            let text = json::without_nan(element);
            serde_json::from_slice::<Row>(&text).map_err(|error| json::describe(&error, line))
        });
        let taken = row.and_then(|row| {
            let boxed = found_box(&row, annotations)?;
            let picture = found.entry(row.image_id).or_default();
            if picture.boxes.is_empty() {
                picture.line = line;
            }
            picture.boxes.push(boxed);
            Ok(())
        });
        if let Err(what) = taken {
            sink.problem(Problem::line(&unit.path, line, what));
        }
    }
    found
}

fn found_box(row: &Row, annotations: &Annotations) -> Result<FoundBox, String> {
    let Some(xywh) = row.bbox else {
        return Err("no `bbox`: masks alone are not read yet".to_owned());
    };
    if !annotations.pictures.contains_key(&row.image_id) {
        return Err(format!("no annotated picture {}", row.image_id));
    }
    let class = annotations.codes.get(&row.category_id);
    let class = class.ok_or_else(|| format!("no category {} in the annotations", row.category_id));
    Ok(FoundBox {
        class: *class?,
        xywh,
        score: row.score,
    })
}

fn record(unit: &Unit, id: i64, picture: &Picture, detections: Detections) -> Record {
    let image = Some(picture.file.clone()).filter(|file| !file.is_empty());
    let tags = [
        ("objects", detections.truth.len()),
        ("classes", distinct(&detections)),
    ];
    let count = |count: usize| Value::Number(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
    Record {
        benchmark: FORMAT.to_owned(),
        ability: "detection".to_owned(),
        sample_id: id.to_string(),
        model: unit.model.clone().unwrap_or_default(),
        content: Content {
            images: image.map(ImageRef::Path).into_iter().collect(),
            tags: tags.map(|(name, n)| (name.to_owned(), count(n))).into(),
            ..Content::default()
        },
        rule: Rule::Stored,
        detections: Some(detections),
        ..Record::default()
    }
}

/// Number of distinct classes in a picture.
fn distinct(detections: &Detections) -> usize {
    let mut classes: Vec<u32> = detections.truth.iter().map(|truth| truth.class).collect();
    classes.sort_unstable();
    classes.dedup();
    classes.len()
}
