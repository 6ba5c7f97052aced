//! Reads detections and joins them with annotations by picture.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::annotations::{Lines, find};
use super::objects::{AreaRule, Objects};
use super::skipped_rows::{Reason, SkippedRows};
use super::task::{Task, TaskCounts};
use super::value::{Id, Number, parse_row};
use super::{Annotations, FORMAT, LVIS, Picture};
use crate::elements::Element;
use crate::run_folder::file_name;
use crate::{Sink, Unit, json};
use record::{Content, Detections, ImageRef, Problem, Record, Rule, Settings, ShapeKind, Value};
use scorer::boxes::iou;

/// Minimum number of boxes that must fit the annotations in another notation.
const MIN_BOXES: usize = 3;
/// Minimum difference of the mean `IoU` between another notation and COCO's.
const CLEARLY_BETTER: f64 = 0.15;
/// Name of the setting that contains the path of the annotations.
const ANNOTATIONS: &str = "annotations";

/// One row of the results, as JSON.
#[derive(Deserialize)]
pub struct Row {
    /// Id of the picture.
    pub image_id: Id,
    /// Name of the picture's file, as written by Ultralytics.
    pub file_name: Option<Id>,
    /// Id of the class.
    pub category_id: Id,
    /// `[x, y, width, height]` in pixels; an empty list counts as no box.
    #[serde(default, deserialize_with = "bbox")]
    pub bbox: Option<[f64; 4]>,
    /// Mask as unparsed JSON; an empty list counts as no mask.
    #[serde(default, deserialize_with = "mask")]
    pub segmentation: Option<Box<RawValue>>,
    /// Keypoints as a flat list of x, y and confidence; an empty list counts as none.
    #[serde(default, deserialize_with = "keypoints")]
    pub keypoints: Option<Vec<Number>>,
    /// Confidence of the detection.
    pub score: Number,
}

fn bbox<'de, D: Deserializer<'de>>(from: D) -> Result<Option<[f64; 4]>, D::Error> {
    let numbers: Option<Vec<Number>> = Option::deserialize(from)?;
    match numbers.as_deref() {
        None | Some([]) => Ok(None),
        Some([x, y, width, height]) => Ok(Some([x, y, width, height].map(|number| number.0))),
        Some(others) => Err(D::Error::invalid_length(others.len(), &"4 numbers")),
    }
}

fn mask<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Box<RawValue>>, D::Error> {
    let mask: Option<Box<RawValue>> = Option::deserialize(from)?;
    Ok(mask.filter(|text| !is_empty_list(text)))
}

fn keypoints<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<Number>>, D::Error> {
    let points: Option<Vec<Number>> = Option::deserialize(from)?;
    Ok(points.filter(|points| !points.is_empty()))
}

/// True for `[]`, which programs write for a shape that they do not predict.
pub fn is_empty_list(text: &RawValue) -> bool {
    text.get()
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .eq(*b"[]")
}

/// A document whose annotations are predictions.
#[derive(Deserialize)]
struct Document<'a> {
    #[serde(borrow)]
    annotations: &'a RawValue,
}

/// Line number and row.
pub type NumberedRow = (u64, Row);

/// Row whose picture and class occur in the annotations.
pub struct PlacedRow<'a> {
    /// Line of the row.
    pub line: u64,
    /// Code of the row's class.
    pub class: u32,
    pub row: &'a Row,
}

/// Reads a result file. The first companion contains the annotations.
pub fn read(unit: &Unit, sink: &mut dyn Sink) {
    let Some(truth) = unit.companions.first() else {
        // If several annotation files were compared, the problem is already reported.
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
    let complain = &mut |problem| sink.problem(problem);
    match Annotations::read(truth, &kinds(unit, &rows), complain) {
        Ok(annotations) => {
            let is_federated = annotations.is_federated();
            let benchmark = if is_federated { LVIS } else { FORMAT };
            join(unit, &rows, &annotations, benchmark, sink);
        }
        Err(what) => sink.problem(Problem::file(truth, what)),
    }
}

/// Passes one record for each annotated picture and kind of shape to the sink. The first companion
/// of the unit contains the annotations.
pub fn join(
    unit: &Unit,
    rows: &[NumberedRow],
    annotations: &Annotations,
    benchmark: &str,
    sink: &mut dyn Sink,
) {
    let Some(truth) = unit.companions.first() else {
        return;
    };
    if let Some(what) = no_fit(rows, annotations, truth) {
        return sink.problem(Problem::file(&unit.path, what).leaving_out(rows.len() as u64));
    }
    let mut kinds = kinds(unit, rows);
    drop_unfit(&mut kinds, annotations, truth, &mut |what| {
        sink.problem(Problem::file(&unit.path, what));
    });
    if let Some(what) = other_boxes(rows, annotations).filter(|_| kinds.contains(&ShapeKind::Boxes))
    {
        kinds.retain(|kind| *kind != ShapeKind::Boxes);
        let what = format!("{what}: no detection score");
        let lost = if kinds.is_empty() {
            rows.len() as u64
        } else {
            0
        };
        sink.problem(Problem::file(&unit.path, what).leaving_out(lost));
    }
    if let Some(count) = repeated(rows) {
        let what = format!(
            "the second half of the rows repeats the first: {} counted twice, as pycocotools does",
            base::format::counted(count, "row"),
        );
        sink.problem(Problem::file(&unit.path, what));
    }
    let mut objects = annotations.pictures.values().flat_map(|it| &it.objects);
    if kinds.contains(&ShapeKind::Boxes) && objects.any(|object| object.truth.id == 0) {
        let what = "the annotation with id 0 counts as missed, as in pycocotools; number annotations from 1";
        sink.problem(Problem::file(truth, what));
    }
    sink.settings(Settings::from([(ANNOTATIONS, file_name(truth))]));
    let placed = placed(unit, rows, annotations, sink);
    let area = AreaRule::of(rows.first().map(|(_, row)| row));
    for kind in kinds {
        let mut objects = Objects::new(kind, area, annotations);
        for (id, picture) in &annotations.pictures {
            let rows = placed.get(id).map(Vec::as_slice).unwrap_or_default();
            let line = rows.first().map_or(1, |row| row.line);
            let detections = objects.detections(picture, rows);
            sink.record(record(unit, benchmark, id, picture, detections), line);
            if sink.progress(0).is_break() {
                return;
            }
        }
        objects
            .problems(&unit.path)
            .for_each(|problem| sink.problem(problem));
    }
    let _ = sink.progress(unit.length);
}

/// Converts the four numbers of a box to `[x0, y0, x1, y1]` in pixels. The second argument is the
/// width and height of the picture in pixels.
type Notation = fn([f64; 4], [f64; 2]) -> [f64; 4];

/// Returns `[x0, y0, x1, y1]` of `[x, y, width, height]`.
fn of_size([x, y, width, height]: [f64; 4]) -> [f64; 4] {
    [x, y, x + width, y + height]
}

/// Returns `[x0, y0, x1, y1]` of a box whose first two numbers are its centre.
fn of_centre([x, y, width, height]: [f64; 4]) -> [f64; 4] {
    of_size([x - width / 2.0, y - height / 2.0, width, height])
}

/// Multiplies a box by the size of its picture, divided by `unit`.
fn scaled([a, b, c, d]: [f64; 4], [width, height]: [f64; 2], unit: f64) -> [f64; 4] {
    let (width, height) = (width / unit, height / unit);
    [a * width, b * height, c * width, d * height]
}

/// Notations of boxes that models and toolboxes write. The first is COCO's.
const NOTATIONS: [(&str, Notation); 8] = [
    ("[x, y, width, height] in pixels", |xywh, _| of_size(xywh)),
    ("[x0, y0, x1, y1] in pixels", |corners, _| corners),
    (
        "[x, y, width, height] in pixels with x and y at the centre",
        |xywh, _| of_centre(xywh),
    ),
    (
        "[x, y, width, height] in fractions of the picture",
        |xywh, size| of_size(scaled(xywh, size, 1.0)),
    ),
    (
        "[x0, y0, x1, y1] in fractions of the picture",
        |corners, size| scaled(corners, size, 1.0),
    ),
    (
        "[x, y, width, height] in fractions of the picture with x and y at the centre",
        |xywh, size| of_centre(scaled(xywh, size, 1.0)),
    ),
    ("[x, y, width, height] from 0 to 1000", |xywh, size| {
        of_size(scaled(xywh, size, 1000.0))
    }),
    ("[x0, y0, x1, y1] from 0 to 1000", |corners, size| {
        scaled(corners, size, 1000.0)
    }),
];

/// Returns a message if the boxes fit the annotations in another notation than COCO's.
///
/// Of each picture, as many boxes with the highest scores count as it has annotated objects. A box
/// fits if its `IoU` with an object of the picture, of any class, is at least .5.
fn other_boxes(rows: &[NumberedRow], annotations: &Annotations) -> Option<String> {
    let mut boxes: BTreeMap<&Id, Vec<(f64, [f64; 4])>> = BTreeMap::new();
    for (_, row) in rows {
        if let (Some(id), Some(bbox)) = (picture(annotations, row), row.bbox) {
            boxes.entry(id).or_default().push((row.score.0, bbox));
        }
    }
    let (mut compared, mut fits) = (0_u32, [(0.0, 0_usize); NOTATIONS.len()]);
    for (id, mut boxes) in boxes {
        let Some(picture) = annotations.pictures.get(id) else {
            continue;
        };
        let size = [picture.size.width, picture.size.height].map(f64::from);
        let truths = picture
            .objects
            .iter()
            .map(|object| of_size(object.truth.xywh));
        let truths: Vec<[f64; 4]> = truths.collect();
        boxes.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        for (_, bbox) in boxes.into_iter().take(truths.len()) {
            compared += 1;
            for ((_, corners), fits) in NOTATIONS.iter().zip(&mut fits) {
                let found = corners(bbox, size);
                let overlaps = truths.iter().map(|truth| iou(found, *truth));
                let overlap = overlaps.fold(0.0, f64::max);
                fits.0 += overlap;
                fits.1 += usize::from(overlap >= 0.5);
            }
        }
    }
    let mean = |(overlap, _): (f64, usize)| overlap / f64::from(compared.max(1));
    let places = (0..NOTATIONS.len()).rev();
    let best = places.max_by(|one, other| fits[*one].0.total_cmp(&fits[*other].0))?;
    let fitting = fits[best].1;
    let is_clear = mean(fits[best]) >= mean(fits[0]) + CLEARLY_BETTER && fitting >= MIN_BOXES;
    (is_clear && 4 * fitting >= compared as usize).then(|| {
        format!(
            "{fitting} of {compared} boxes fit the annotations as {} (mean IoU {:.2}, as COCO's {} {:.2})",
            NOTATIONS[best].0,
            mean(fits[best]),
            NOTATIONS[0].0,
            mean(fits[0]),
        )
    })
}

/// If the second half of the rows repeats the first half, returns the number of repeated rows.
fn repeated(rows: &[NumberedRow]) -> Option<u64> {
    let (first, second) = rows.split_at(rows.len() / 2);
    let key = |(_, row): &NumberedRow| {
        let ids = (row.image_id.clone(), row.category_id.clone());
        (ids, row.bbox, row.score.0)
    };
    let is_same = first.len() == second.len() && first.iter().map(key).eq(second.iter().map(key));
    let has_boxes = rows.iter().all(|(_, row)| row.bbox.is_some());
    (is_same && has_boxes && rows.len() > 2).then_some(first.len() as u64)
}

/// Returns the kinds of shape by which the rows are scored.
fn kinds(unit: &Unit, rows: &[NumberedRow]) -> Vec<ShapeKind> {
    let mut counts = TaskCounts::default();
    for (_, row) in rows {
        let (mask, points) = (row.segmentation.is_some(), row.keypoints.is_some());
        counts.add(Task::present([row.bbox.is_some(), mask, points, false]));
    }
    let name = unit.path.file_name().unwrap_or_default().to_string_lossy();
    let of_name = rows.is_empty().then(|| Task::of_name(&name));
    let tasks = counts.tasks().chain(of_name);
    let kinds = tasks.filter_map(|task| match task {
        Task::Shapes(kind) => Some(kind),
        Task::Captions => None,
    });
    kinds.collect()
}

/// Drops kinds of shape that the annotations do not contain, and reports a problem for each.
fn drop_unfit(
    kinds: &mut Vec<ShapeKind>,
    annotations: &Annotations,
    truth: &Path,
    complain: &mut dyn FnMut(String),
) {
    let name = truth.file_name().unwrap_or_default().to_string_lossy();
    kinds.retain(|kind| {
        let task = Task::Shapes(*kind);
        // Pictures without annotated boxes count as empty.
        let is_fit = *kind == ShapeKind::Boxes || task.fits(annotations);
        let sigmas = annotations.sigmas.as_ref();
        let has_sigmas = sigmas.is_some_and(|sigmas| sigmas.len() == annotations.points);
        if !is_fit {
            complain(format!(
                "{name} has no `{}`: no score for {}",
                task.field(),
                task.ability()
            ));
        } else if *kind == ShapeKind::Keypoints && !has_sigmas {
            complain(format!(
                "{name} has {} keypoints with unknown sigmas: no score for keypoints; add the list `sigmas` to their category",
                annotations.points
            ));
            return false;
        }
        is_fit
    });
}

/// Returns the rows in file order. Unreadable rows become problems; `None` if the whole file is
/// unreadable.
pub fn rows(unit: &Unit, sink: &mut dyn Sink) -> Option<Vec<NumberedRow>> {
    let bytes = match json::read_bounded(&unit.path) {
        Ok(bytes) => bytes,
        Err(error) => {
            sink.problem(Problem::unreadable(&unit.path, error));
            return None;
        }
    };
    let (mut rows, mut bad) = (Vec::new(), 0_u64);
    for (line, element) in row_elements(&bytes) {
        match element.and_then(|element| parse_row::<Row>(element, line)) {
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
            base::format::counted(bad, "row")
        );
        sink.problem(Problem::file(&unit.path, what));
        return None;
    }
    Some(rows)
}

/// Returns the rows of a result file: a list, or the list `annotations` of a document with pictures
/// and categories.
pub fn row_elements(bytes: &[u8]) -> Box<dyn Iterator<Item = Element<'_>> + '_> {
    let body = json::without_mark(bytes);
    let is_document = body.trim_ascii_start().starts_with(b"{");
    let document = is_document.then(|| serde_json::from_slice::<Document<'_>>(body));
    let Some(Ok(Document { annotations })) = document else {
        return json::elements(bytes);
    };
    let line = Lines::of(body).line_of(annotations.get());
    let rows = json::elements(annotations.get().as_bytes());
    Box::new(rows.map(move |(at, row)| (at + line - 1, row)))
}

/// Returns a message if none of the rows matches the annotations.
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

/// Returns the picture of a row. The file name takes precedence over the picture id, because the id
/// can be a number taken from the name.
fn picture<'a>(annotations: &'a Annotations, row: &'a Row) -> Option<&'a Id> {
    let name = row.file_name.as_ref().map(ToString::to_string);
    let named = name.and_then(|name| annotations.named(&name));
    named.or_else(|| annotations.picture(&row.image_id))
}

fn class(annotations: &Annotations, id: &Id) -> Option<u32> {
    find(id, |id| annotations.codes.get(id).copied())
}

/// Groups the rows by picture, in file order. Rows with an unknown picture or class become
/// problems.
fn placed<'a>(
    unit: &Unit,
    rows: &'a [NumberedRow],
    annotations: &Annotations,
    sink: &mut dyn Sink,
) -> BTreeMap<Id, Vec<PlacedRow<'a>>> {
    let mut found: BTreeMap<Id, Vec<PlacedRow<'a>>> = BTreeMap::new();
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
        let is_exact = [
            row.image_id.counterpart().as_ref() != Some(known),
            annotations.codes.contains_key(&row.category_id),
        ];
        for (count, is_exact) in loose.iter_mut().zip(is_exact) {
            *count += u64::from(!is_exact);
        }
        found.entry(known.clone()).or_default().push(PlacedRow {
            line: *line,
            class,
            row,
        });
    }
    for (count, field) in loose.into_iter().zip(["image_id", "category_id"]) {
        if count > 0 {
            let what = format!(
                "`{field}` of {} is text here and a number in the annotations, or the reverse: \"7\" and 7 are treated as equal",
                base::format::counted(count, "row"),
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

/// Returns a hint if the category ids do not match the annotations, for example because they start
/// at another number.
fn shifted(rows: &[NumberedRow], annotations: &Annotations) -> Option<String> {
    let here = rows.iter().map(|(_, row)| row.category_id.integer());
    let here: BTreeSet<i64> = here.collect::<Option<_>>()?;
    let there = annotations.codes.keys().map(Id::integer);
    let there: BTreeSet<i64> = there.collect::<Option<_>>()?;
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

/// Returns the record of a picture with its detections.
pub fn record(
    unit: &Unit,
    benchmark: &str,
    id: &Id,
    picture: &Picture,
    detections: Detections,
) -> Record {
    let image = Some(picture.file.clone()).filter(|file| !file.is_empty());
    let tags = [
        ("objects", detections.truth.len()),
        ("classes", distinct(&detections)),
    ];
    let count = |count: usize| Value::Number(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
    Record {
        benchmark: benchmark.to_owned(),
        ability: Task::Shapes(detections.kind()).ability().to_owned(),
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

/// Returns the number of different classes among the annotated objects of a picture.
fn distinct(detections: &Detections) -> usize {
    let mut classes: Vec<u32> = detections.truth.iter().map(|truth| truth.class).collect();
    classes.sort_unstable();
    classes.dedup();
    classes.len()
}
