//! Joins detections and annotations by picture.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::annotations::find;
use super::skipped_rows::{Reason, SkippedRows};
use super::value::{Id, Number};
use super::{Annotations, Picture};
use crate::{Sink, Unit, json};
use record::{Content, Detections, ImageRef, PredictedBox, Problem, Record, Rule, Settings, Value};

/// Name of the setting that holds the annotations' file.
const ANNOTATIONS: &str = "annotations";

/// One row of the results, as JSON.
#[derive(Deserialize)]
pub struct Row {
    /// Picture.
    pub image_id: Id,
    /// Name of the picture's file; Ultralytics writes it.
    pub file_name: Option<Id>,
    /// Class.
    pub category_id: Id,
    /// `[x, y, width, height]` in pixels.
    pub bbox: Option<[Number; 4]>,
    /// Mask, which is not read.
    pub segmentation: Option<IgnoredAny>,
    /// Confidence.
    pub score: Number,
}

/// Line number and row.
pub type NumberedRow = (u64, Row);

/// Detections of one picture, with the line of the first one.
#[derive(Default)]
struct PictureDetections {
    line: u64,
    boxes: Vec<PredictedBox>,
}

/// Reads a result file and its annotations, the first companion.
pub fn read(unit: &Unit, sink: &mut dyn Sink) {
    let Some(truth) = unit.companions.first() else {
        // If several annotation files were compared, the problem was reported then.
        if unit.problem.is_none() {
            let what =
                "no annotations (instances_*.json) found next to it; name their folder with --data";
            sink.problem(Problem::file(&unit.path, what));
        }
        return;
    };
    let Some(rows) = rows(unit, sink) else {
        return;
    };
    if let Some(problem) = masks_alone(unit, &rows) {
        return sink.problem(problem);
    }
    match Annotations::read(truth, &mut |problem| sink.problem(problem)) {
        Ok(annotations) => join(unit, &rows, annotations, sink),
        Err(what) => sink.problem(Problem::file(truth, what)),
    }
}

/// Passes on a record for each annotated picture. The annotations are those of the first
/// companion.
pub fn join(unit: &Unit, rows: &[NumberedRow], mut annotations: Annotations, sink: &mut dyn Sink) {
    let Some(truth) = unit.companions.first() else {
        return;
    };
    if let Some(what) = no_fit(rows, &annotations, truth) {
        return sink.problem(Problem::file(&unit.path, what).leaving_out(rows.len() as u64));
    }
    let name = truth.file_name().unwrap_or_default().to_string_lossy();
    sink.settings(Settings::from([(ANNOTATIONS, name.into_owned())]));
    let mut found = detections(unit, rows, &annotations, sink);
    let classes = annotations.classes.clone();
    for (id, picture) in std::mem::take(&mut annotations.pictures) {
        let found = found.remove(&id).unwrap_or_default();
        let detections = Detections {
            classes: classes.clone(),
            truth: picture.truth.clone(),
            found: found.boxes,
        };
        sink.record(record(unit, &id, &picture, detections), found.line.max(1));
        if sink.progress(0).is_break() {
            return;
        }
    }
    let _ = sink.progress(unit.length);
}

/// Returns the rows in file order; unreadable rows become problems.
/// `None` if the file cannot be read.
pub fn rows(unit: &Unit, sink: &mut dyn Sink) -> Option<Vec<NumberedRow>> {
    let bytes = match json::read_bounded(&unit.path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let what = format!("cannot be read: {error}");
            sink.problem(Problem::file(&unit.path, what));
            return None;
        }
    };
    let (mut rows, mut bad) = (Vec::new(), 0_u64);
    for (line, element) in json::elements(&bytes) {
        let row = element.and_then(|element| {
            let text = json::without_nan(element);
            serde_json::from_slice::<Row>(&text).map_err(|error| json::describe(&error, line))
        });
        match row {
            Ok(row) => rows.push((line, row)),
            Err(what) => {
                bad += 1;
                sink.left_out(&unit.path, line, what);
            }
        }
    }
    sink.entries(rows.len() as u64 + bad);
    if rows.is_empty() && bad > 0 {
        let what = format!(
            "none of its {} can be read, so there is no score",
            format::counted(bad, "row")
        );
        sink.problem(Problem::file(&unit.path, what));
        return None;
    }
    Some(rows)
}

/// Returns the problem of results in which every row is a mask without box.
fn masks_alone(unit: &Unit, rows: &[NumberedRow]) -> Option<Problem> {
    let is_mask = |(_, row): &NumberedRow| row.bbox.is_none() && row.segmentation.is_some();
    (!rows.is_empty() && rows.iter().all(is_mask)).then(|| {
        let count = rows.len() as u64;
        let what = format!(
            "masks without boxes are not supported yet: {} left out, no score; write the results with `bbox`",
            format::counted(count, "row"),
        );
        Problem::file(&unit.path, what).leaving_out(count)
    })
}

/// Returns the problem of annotations that match none of the rows.
fn no_fit(rows: &[NumberedRow], annotations: &Annotations, truth: &Path) -> Option<String> {
    let (_, first) = rows.first()?;
    let has_picture = |row: &Row| picture(annotations, row).is_some();
    let has_class = |row: &Row| class(annotations, &row.category_id).is_some();
    if rows
        .iter()
        .any(|(_, row)| has_picture(row) && has_class(row))
    {
        return None;
    }
    let name = truth.file_name().unwrap_or_default().to_string_lossy();
    let quoted = |id: Option<&Id>| match id {
        Some(Id::Text(text)) => format!("\"{text}\""),
        Some(id) => id.to_string(),
        None => "none".to_owned(),
    };
    let (what, here, there) = if rows.iter().any(|(_, row)| has_picture(row)) {
        let there = annotations.codes.iter().min_by_key(|(_, code)| **code);
        ("category", &first.category_id, there.map(|(id, _)| id))
    } else {
        let there = annotations.pictures.first_key_value();
        ("picture", &first.image_id, there.map(|(id, _)| id))
    };
    Some(format!(
        "no row has a {what} of {name} ({} here, {} there): no score; name the right annotations with --data",
        quoted(Some(here)),
        quoted(there),
    ))
}

/// Returns the picture of a row. The name of its file counts more than its
/// id, which may be a number within the name.
fn picture<'a>(annotations: &'a Annotations, row: &'a Row) -> Option<&'a Id> {
    let name = row.file_name.as_ref().map(ToString::to_string);
    let named = name.and_then(|name| annotations.named(&name));
    named.or_else(|| annotations.picture(&row.image_id))
}

fn class(annotations: &Annotations, id: &Id) -> Option<u32> {
    find(id, |id| annotations.codes.get(id).copied())
}

/// Groups the detections by picture, in file order. Rows that the
/// evaluation would reject become problems.
fn detections(
    unit: &Unit,
    rows: &[NumberedRow],
    annotations: &Annotations,
    sink: &mut dyn Sink,
) -> BTreeMap<Id, PictureDetections> {
    let mut found: BTreeMap<Id, PictureDetections> = BTreeMap::new();
    let mut left_out = SkippedRows::default();
    let mut loose = [0_u64; 2];
    for (line, row) in rows {
        let Some(known) = picture(annotations, row) else {
            left_out.add(Reason::Picture, &row.image_id, *line);
            continue;
        };
        let Some(class) = class(annotations, &row.category_id) else {
            left_out.add(Reason::Category, &row.category_id, *line);
            continue;
        };
        let Some(bbox) = row.bbox else {
            left_out.add(Reason::Mask, &row.image_id, *line);
            continue;
        };
        let is_exact = [
            row.image_id.counterpart().as_ref() != Some(known),
            annotations.codes.contains_key(&row.category_id),
        ];
        for (count, is_exact) in loose.iter_mut().zip(is_exact) {
            *count += u64::from(!is_exact);
        }
        let picture = found.entry(known.clone()).or_default();
        if picture.boxes.is_empty() {
            picture.line = *line;
        }
        picture.boxes.push(PredictedBox {
            class,
            xywh: bbox.map(|Number(value)| value),
            score: row.score.0,
        });
    }
    for (count, field) in loose.into_iter().zip(["image_id", "category_id"]) {
        if count > 0 {
            let what = format!(
                "`{field}` of {} is text and a number in the annotations, or the reverse: \"7\" and 7 are treated as equal",
                format::counted(count, "row"),
            );
            sink.problem(Problem::file(&unit.path, what));
        }
    }
    let hint = if left_out.count(Reason::Category) > 0 {
        shifted(rows, annotations)
    } else {
        None
    };
    left_out
        .problems(&unit.path, hint.as_deref())
        .for_each(|problem| sink.problem(problem));
    found
}

/// Returns a hint about category ids that are missing in the
/// annotations, for example shifted numbers.
fn shifted(rows: &[NumberedRow], annotations: &Annotations) -> Option<String> {
    let numbers = |ids: &mut dyn Iterator<Item = &Id>| -> Option<BTreeSet<i64>> {
        let number = |id: &Id| match id {
            Id::Number(number) => Some(*number),
            Id::Text(_) => id.counterpart().and_then(|id| match id {
                Id::Number(number) => Some(number),
                Id::Text(_) => None,
            }),
        };
        ids.map(number).collect()
    };
    let here = numbers(&mut rows.iter().map(|(_, row)| &row.category_id))?;
    let there = numbers(&mut annotations.codes.keys())?;
    let (first, last) = (here.first()?, here.last()?);
    for shift in [1, -1] {
        let moved = |id: &i64| id.checked_add(shift).is_some_and(|id| there.contains(&id));
        if here.iter().all(moved) {
            return Some(format!(
                "category ids {first} to {last} here, {} to {} there; all seem to be {} too {}, so the other rows are wrong as well",
                there.first()?,
                there.last()?,
                shift.abs(),
                if shift > 0 { "low" } else { "high" },
            ));
        }
    }
    let places = 0..i64::try_from(there.len()).unwrap_or(i64::MAX);
    here.iter().all(|id| places.contains(id)).then(|| {
        format!(
            "category ids {first} to {last} here seem to be positions in the list of categories"
        )
    })
}

fn record(unit: &Unit, id: &Id, picture: &Picture, detections: Detections) -> Record {
    let image = Some(picture.file.clone()).filter(|file| !file.is_empty());
    let tags = [
        ("objects", detections.truth.len()),
        ("classes", distinct(&detections)),
    ];
    let count = |count: usize| Value::Number(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
    Record {
        benchmark: unit.dataset.clone().unwrap_or_default(),
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

/// Returns the number of distinct annotated classes in a picture.
fn distinct(detections: &Detections) -> usize {
    let mut classes: Vec<u32> = detections.truth.iter().map(|truth| truth.class).collect();
    classes.sort_unstable();
    classes.dedup();
    classes.len()
}
