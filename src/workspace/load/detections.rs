//! Adds scores, boxes, causes and maps to samples of detection and segmentation.

use std::collections::BTreeMap;

use analysis::metric::dense::mask_iou;
use analysis::metric::detection::{Cause, Causes, causes, condense, image_ap50, image_pq};
use base::limits::Limit;
use reader::own::NOBODY;
use record::{
    Detections, Keypoint, LabelledBox, Mask, PixelMap, PredictedBox, Record, Rle, Role, Rule,
    ShapeKind, Shapes, Target, TrueBox,
};

/// Metric of a single picture. The name differs from average precision, which covers a whole data
/// set.
const METRIC: &str = "image_ap50";
/// Metric of a single picture of panoptic segmentation.
const PANOPTIC: &str = "image_pq";
/// Text in a response that separates the result of a chain from the chain's steps.
pub const STEPS: &str = "\n\nsteps:\n";
/// Maximum number of detections drawn; those with the highest scores are drawn.
const MOST_DRAWN: usize = 50;
/// Side of the box that marks a keypoint, in pixels.
const POINT: f64 = 4.0;

/// Adds score, boxes, causes and maps to a record with detections or masks. They are needed for
/// display and for counting.
pub fn describe(record: &mut Record) {
    describe_detections(record);
    describe_masks(record);
}

/// Adds score, maps and a description to a record that holds masks.
fn describe_masks(record: &mut Record) {
    let Some(masks) = &record.masks else {
        return;
    };
    let pair = masks.truth.as_ref().zip(masks.found.as_ref());
    record.rule = Rule::Precomputed;
    record.stored = pair.and_then(|(truth, found)| mask_iou(&found.pixels, &truth.pixels));
    if let Some(found) = &masks.found {
        record.response = Some(format!("a mask of {} pixels", found.area()));
    }
    let pair = [
        (&masks.truth, Role::Target),
        (&masks.found, Role::Prediction),
    ];
    let maps = pair.map(|(mask, role)| Some(PixelMap::of_mask(mask.as_ref()?, role)));
    record.content.maps.extend(maps.into_iter().flatten());
}

/// Adds score, boxes and causes to a record that holds detections.
fn describe_detections(record: &mut Record) {
    let Some(detections) = &mut record.detections else {
        return;
    };
    let (maps, points) = (maps(detections), points(detections));
    condense(detections);
    let Some(detections) = &record.detections else {
        return;
    };
    let causes = causes(detections);
    let is_panoptic = detections.kind() == ShapeKind::Segments;
    record.metric = Some(if is_panoptic { PANOPTIC } else { METRIC }.to_owned());
    record.rule = Rule::Precomputed;
    if record.model != NOBODY {
        record.stored = if is_panoptic {
            image_pq(detections)
        } else {
            image_ap50(detections)
        };
        record.parsed = Some(summary(&causes));
        let steps = steps(record).map(str::to_owned);
        record.response = Some(listing(detections, &causes) + &steps.unwrap_or_default());
    }
    // In a converted log, the keypoints are boxes without label.
    let old = std::mem::replace(&mut record.content.boxes, boxes(detections, &causes));
    let old = old.into_iter().filter(|it| it.label.is_empty());
    record.content.boxes.extend(old.chain(points));
    record.content.maps.extend(maps);
    record.content.target = Some(Target::Text(objects(detections)));
}

/// Returns the steps of a rerun, which follow the result in the response; `None` without steps.
fn steps(record: &Record) -> Option<&str> {
    let response = record.response.as_deref()?;
    response.find(STEPS).and_then(|at| response.get(at..))
}

/// Lists the annotated objects, for example `2 person, 1 car`.
fn objects(detections: &Detections) -> String {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for truth in detections.truth.iter().filter(|truth| !truth.crowd) {
        *counts.entry(truth.class).or_default() += 1;
    }
    let parts = counts.iter();
    let parts = parts.map(|(class, count)| format!("{count} {}", detections.class(*class)));
    parts.collect::<Vec<_>>().join(", ")
}

/// Summarises the causes, for example `2 right, 1 place, 1 missed`.
fn summary(causes: &Causes) -> String {
    let counts = Cause::ALL.map(|cause| (cause.name(), causes.count(cause)));
    let missed = ("missed", causes.missed());
    let told = counts.into_iter().chain([missed]);
    let parts: Vec<String> = told
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    if parts.is_empty() {
        "no annotated or predicted objects".to_owned()
    } else {
        parts.join(", ")
    }
}

/// Lists the boxes, highest score first, on numbered lines. A line contains class, score, `[x, y,
/// width, height]` and cause.
fn listing(detections: &Detections, causes: &Causes) -> String {
    let corners = |[x, y, width, height]: [f64; 4]| format!("[{x}, {y}, {width}, {height}]");
    let found = by_score(detections, causes)
        .into_iter()
        .map(|(found, cause)| {
            let class = detections.class(found.class);
            let place = corners(found.xywh);
            format!("{class} {} {place} {}", found.score, cause.name())
        });
    let truth = detections.truth.iter().zip(&causes.missed);
    let missed = truth.filter(|(_, missed)| **missed).map(|(truth, _)| {
        format!(
            "{} {} missed",
            detections.class(truth.class),
            corners(truth.xywh)
        )
    });
    let lines = (1..).zip(found.chain(missed));
    let lines = lines.map(|(number, line)| format!("#{number} {line}"));
    lines.collect::<Vec<_>>().join("\n")
}

fn by_score<'a>(detections: &'a Detections, causes: &'a Causes) -> Vec<(&'a PredictedBox, Cause)> {
    let causes = causes.found.iter().copied();
    let mut found: Vec<_> = detections.found.iter().zip(causes).collect();
    found.sort_by(|(a, _), (b, _)| b.score.total_cmp(&a.score));
    found
}

/// Returns the annotated and the detected boxes. Their numbers are line numbers in the listing.
fn boxes(detections: &Detections, causes: &Causes) -> Vec<LabelledBox> {
    let mut next = causes.found.len();
    let truth = detections.truth.iter().zip(&causes.missed);
    let targets = truth.map(|(truth, missed)| {
        let number = missed.then(|| {
            next += 1;
            next
        });
        target(detections, truth, number)
    });
    let mut boxes: Vec<LabelledBox> = targets.collect();
    let found = (1..).zip(by_score(detections, causes)).take(MOST_DRAWN);
    boxes.extend(found.map(|(number, (found, cause))| {
        let class = detections.class(found.class);
        let label = format!("{class} {:.2}, {}", found.score, cause.name());
        labelled(label, Role::Prediction, found.xywh, Some(number))
    }));
    boxes
}

/// Returns the annotated and the predicted masks, each as one map that contains all objects.
fn maps(detections: &Detections) -> Vec<PixelMap> {
    let Shapes::Masks { truth, found } = &detections.shapes else {
        return Vec::new();
    };
    let all = [(truth, Role::Target), (found, Role::Prediction)];
    let maps = all.into_iter().filter_map(|(shapes, role)| {
        let first = shapes.first()?;
        let pixels = u64::from(first.height) * u64::from(first.width);
        if pixels > Limit::MapPixels.get() {
            return None;
        }
        let mut mask = Mask {
            width: first.width as usize,
            pixels: vec![false; usize::try_from(pixels).ok()?],
        };
        let is_alike = |other: &&Rle| (other.height, other.width) == (first.height, first.width);
        let shapes = shapes.iter().filter(is_alike).take(MOST_DRAWN);
        shapes.for_each(|shape| shape.draw(&mut mask));
        Some(PixelMap::of_mask(&mask, role))
    });
    maps.collect()
}

/// Returns a small box around each keypoint.
fn points(detections: &Detections) -> Vec<LabelledBox> {
    let Shapes::Keypoints { truth, found, .. } = &detections.shapes else {
        return Vec::new();
    };
    let small = |role| {
        move |point: &Keypoint| {
            let corner = [point.x - POINT / 2.0, point.y - POINT / 2.0, POINT, POINT];
            labelled(String::new(), role, corner, None)
        }
    };
    let annotated = truth.iter().flatten().filter(|point| point.v > 0.0);
    let annotated = annotated.map(small(Role::Target));
    let predicted = found.iter().take(MOST_DRAWN).flatten();
    let predicted = predicted.map(small(Role::Prediction));
    annotated.chain(predicted).collect()
}

fn target(detections: &Detections, truth: &TrueBox, missed: Option<usize>) -> LabelledBox {
    let class = detections.class(truth.class);
    let label = match (truth.crowd, missed) {
        (true, _) => format!("{class}, crowd"),
        (_, Some(_)) => format!("{class}, missed"),
        _ => class.to_owned(),
    };
    labelled(label, Role::Target, truth.xywh, missed)
}

fn labelled(
    label: String,
    role: Role,
    [x, y, width, height]: [f64; 4],
    number: Option<usize>,
) -> LabelledBox {
    LabelledBox {
        label,
        role,
        xyxy: [x, y, x + width, y + height],
        color: None,
        number: number.and_then(|number| u16::try_from(number).ok()),
    }
}
