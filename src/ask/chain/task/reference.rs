//! Reference answers about a sample's picture, from its annotation or from the model in its log.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::{ReferenceSource, Task};
use crate::sample::Sample;
use media::{MapKind as Kind, Raster, Source, Values};
use record::{ImageRef, LabelledBox, MapKind, MapValues, PixelMap, Record, Role, Target};

/// Benchmark whose normal maps use axes down and into the picture. Other benchmarks use axes up and
/// out of the picture.
const TURNED: &str = "fm-vision-evals";
/// Name of the classification task in logs.
const CLASSIFICATION: &str = "classification";

/// Reference data of a picture, from one source.
#[derive(Debug, Default)]
pub(super) struct ReferenceData {
    /// Name of the class that the picture shows.
    pub(super) class: Option<String>,
    /// Boxes by class, as `[x0, y0, x1, y1]`.
    pub(super) boxes: Vec<(String, [f64; 4])>,
    /// Pixel map of the task.
    pub(super) map: Option<Raster>,
    /// Answers about pairs in a log of the harness, by superpixel numbers.
    pub(super) orders: BTreeMap<[u32; 2], Json>,
    /// Class of each superpixel in a log of the harness, by number from 1.
    pub(super) classes: BTreeMap<u32, String>,
}

impl ReferenceData {
    /// Reads the reference data of one source. Unreadable parts are left out.
    pub(super) fn of(sample: &Sample, task: Task, whose: ReferenceSource) -> Self {
        let record = &sample.record;
        match task {
            Task::Classify => Self {
                class: class(record, whose),
                ..Self::default()
            },
            Task::Detect => Self {
                boxes: boxes(record, whose),
                ..Self::default()
            },
            Task::Segment => Self {
                classes: match whose {
                    ReferenceSource::Truth => BTreeMap::new(),
                    ReferenceSource::Log => {
                        classes_told(sample.record.response.as_deref().unwrap_or_default())
                    }
                },
                ..Self::of_map(sample, MapKind::Labels, whose)
            },
            Task::Group => Self {
                map: mask(record, whose).or_else(|| map(sample, MapKind::Mask, whose)),
                ..Self::default()
            },
            Task::Depth => Self::of_map(sample, MapKind::Depth, whose),
            Task::Normals => Self::of_map(sample, MapKind::Normals, whose),
        }
    }

    fn of_map(sample: &Sample, kind: MapKind, whose: ReferenceSource) -> Self {
        Self {
            map: map(sample, kind, whose),
            orders: match whose {
                ReferenceSource::Truth => BTreeMap::new(),
                ReferenceSource::Log => {
                    orders(sample.record.response.as_deref().unwrap_or_default())
                }
            },
            ..Self::default()
        }
    }
}

/// Returns the possible classes of a sample: its options, or `ImageNet`'s for the
/// harness's classification.
pub(super) fn classes(sample: &Sample) -> Vec<String> {
    let record = &sample.record;
    let choices = record.content.choices.iter();
    let own: Vec<String> = choices.map(|choice| choice.text.clone()).collect();
    if own.is_empty() && record.benchmark == TURNED && record.ability == CLASSIFICATION {
        return reader::taskit::imagenet_classes()
            .map(str::to_owned)
            .collect();
    }
    own
}

/// Returns the pixel at which a grouping begins; `None` if the sample has no point.
pub(super) fn point(sample: &Sample) -> Option<(u32, u32)> {
    let is_point = |known: &&LabelledBox| {
        let [x0, y0, x1, y1] = known.xyxy;
        known.role == Role::Reference && (x0, y0) == (x1, y1)
    };
    let [x, y, ..] = sample.record.content.boxes.iter().find(is_point)?.xyxy;
    let whole = |at: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "not negative, and saturates"
        )]
        (at >= 0.0).then_some(at as u32)
    };
    Some((whole(x)?, whole(y)?))
}

/// Returns true if the axes of annotated normals point down and into the picture, instead of up and
/// out of it.
pub(super) fn is_turned(sample: &Sample) -> bool {
    sample.record.benchmark == TURNED
}

fn class(record: &Record, whose: ReferenceSource) -> Option<String> {
    let said = match whose {
        ReferenceSource::Truth => match record.content.target.as_ref()? {
            Target::Text(text) => text.trim().to_owned(),
            _ => return None,
        },
        ReferenceSource::Log => record.response.as_deref()?.trim().to_owned(),
    };
    let choices = &record.content.choices;
    let choice = choices.iter().find(|choice| choice.letter == said);
    Some(choice.map_or(said, |choice| choice.text.clone()))
}

fn boxes(record: &Record, whose: ReferenceSource) -> Vec<(String, [f64; 4])> {
    let Some(detections) = &record.detections else {
        return Vec::new();
    };
    let corners = |[x, y, width, height]: [f64; 4]| [x, y, x + width, y + height];
    let named =
        |(class, xywh): (u32, [f64; 4])| (detections.class(class).to_owned(), corners(xywh));
    match whose {
        ReferenceSource::Truth => {
            let truth = detections.truth.iter();
            truth.map(|one| named((one.class, one.xywh))).collect()
        }
        ReferenceSource::Log => {
            let found = detections.found.iter();
            found.map(|one| named((one.class, one.xywh))).collect()
        }
    }
}

fn mask(record: &Record, whose: ReferenceSource) -> Option<Raster> {
    let masks = record.masks.as_ref()?;
    let mask = match whose {
        ReferenceSource::Truth => masks.truth.as_ref(),
        ReferenceSource::Log => masks.found.as_ref(),
    }?;
    Raster::of_runs(u32::try_from(mask.width).ok()?, &mask.runs())
}

/// Returns the sample's map of a kind; `None` if there is none or it is unreadable.
fn map(sample: &Sample, kind: MapKind, whose: ReferenceSource) -> Option<Raster> {
    let role = match whose {
        ReferenceSource::Truth => Role::Target,
        ReferenceSource::Log => Role::Prediction,
    };
    let maps = sample.record.content.maps.iter();
    let map = maps
        .filter(|map| map.kind == kind)
        .find(|map| map.role == role)?;
    read(map, sample.pictures.first()?)
}

fn read(map: &PixelMap, picture: &Source) -> Option<Raster> {
    let image = match &map.values {
        MapValues::Runs { width, runs } => return Raster::of_runs(*width, runs),
        MapValues::Picture(image) => image,
        MapValues::Segments { .. } | MapValues::Nowhere(_) => return None,
    };
    let source = match (image, picture) {
        (ImageRef::Path(reference), Source::Path { roots, .. }) => Source::Path {
            reference: reference.clone(),
            roots: roots.clone(),
        },
        (ImageRef::Inline(text), _) => Source::Inline(text.clone()),
        (
            ImageRef::Cell {
                file,
                offset,
                length,
            },
            _,
        ) => Source::Cell {
            file: file.clone(),
            offset: *offset,
            length: *length,
        },
        _ => return None,
    };
    let kind = match map.kind {
        MapKind::Mask => Kind::Mask,
        MapKind::Labels => Kind::Labels,
        MapKind::Depth => Kind::Depth,
        MapKind::Normals => Kind::Normals,
    };
    Raster::load(&source, kind).ok()
}

/// Returns the answers about pairs in a log of the harness.
fn orders(response: &str) -> BTreeMap<[u32; 2], Json> {
    let Ok(Json::Object(log)) = serde_json::from_str::<Json>(response) else {
        return BTreeMap::new();
    };
    let list = |name: &str| log.get(name).and_then(Json::as_array);
    let orders = list("depth_orders").or_else(|| list("normal_orders"));
    let (Some(orders), Some(pairs)) = (orders, list("segment_pairs")) else {
        return BTreeMap::new();
    };
    let pair = |pair: &Json| serde_json::from_value::<[u32; 2]>(pair.clone()).ok();
    let both = pairs.iter().zip(orders);
    both.filter_map(|(known, order)| Some((pair(known)?, order.clone())))
        .collect()
}

/// Returns the classes of superpixels in a log of the harness, by number.
fn classes_told(response: &str) -> BTreeMap<u32, String> {
    let Ok(Json::Object(log)) = serde_json::from_str::<Json>(response) else {
        return BTreeMap::new();
    };
    let class = |(number, class): (&String, &Json)| {
        Some((number.parse().ok()?, class.as_str()?.to_owned()))
    };
    log.iter()
        .map(class)
        .collect::<Option<_>>()
        .unwrap_or_default()
}

/// Returns the labels of a map in row order; `None` for other maps.
pub(super) fn labels(map: &Raster) -> Option<&[u32]> {
    match &map.values {
        Values::Labels(labels) => Some(labels),
        _ => None,
    }
}

/// Returns the pixels of a mask in row order; `None` for other maps.
pub(super) fn pixels(map: &Raster) -> Option<&[bool]> {
    match &map.values {
        Values::Mask(pixels) => Some(pixels),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_about_pairs_are_found_in_a_log() {
        let log =
            r#"{"depth_orders": [{"depth_order": ["red", "blue"]}], "segment_pairs": [[3, 1]]}"#;
        let found = orders(log);
        assert_eq!(found[&[3, 1]]["depth_order"][0], "red");
        let told = classes_told(r#"{"2": "sky", "1": "car"}"#);
        assert_eq!(
            told,
            BTreeMap::from([(1, "car".to_owned()), (2, "sky".to_owned())])
        );
        assert!(classes_told(log).is_empty());
        assert!(orders("").is_empty() && orders("{}").is_empty() && orders("[1").is_empty());
    }
}
