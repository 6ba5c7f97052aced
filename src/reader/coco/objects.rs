//! Converts the rows and annotations of a picture to detections with one kind of shape.
//!
//! Areas determine the size classes and follow `loadRes` of `pycocotools`: the first row of the
//! results determines how all areas are computed.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

use super::annotations::{Object, bounds, points};
use super::mask::MaskReader;
use super::results::{PlacedRow, Row};
use super::skipped_rows::{Reason, SkippedRows};
use super::value::Id;
use super::{Annotations, Picture};
use record::{
    Detections, Federation, Keypoint, PredictedBox, Problem, Rle, ShapeKind, Shapes, TrueBox,
};

/// Maximum number of detections per picture in LVIS.
const MOST: usize = 300;

/// Source of a detection's area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AreaRule {
    /// Width times height of the box.
    Box,
    /// Pixels of the mask.
    Mask,
    /// Width times height of the box around all keypoints.
    Keypoints,
}

impl AreaRule {
    /// Returns the rule for results that start with this row.
    pub fn of(first: Option<&Row>) -> Self {
        match first {
            Some(row) if row.bbox.is_some() => Self::Box,
            Some(row) if row.segmentation.is_some() => Self::Mask,
            Some(row) if row.keypoints.is_some() => Self::Keypoints,
            _ => Self::Box,
        }
    }
}

/// Converts the pictures of one result file.
pub struct Objects<'a> {
    kind: ShapeKind,
    area: AreaRule,
    annotations: &'a Annotations,
    masks: MaskReader,
    skipped: SkippedRows,
    /// Line and message of each row with a damaged shape.
    damaged: Vec<(u64, String)>,
}

/// Shape of a detection.
struct FoundShape {
    xywh: [f64; 4],
    area: f64,
    mask: Option<Rle>,
    keypoints: Vec<Keypoint>,
}

/// Reason why a row has no usable shape.
enum NoShape {
    Missing(Reason),
    Damaged(String),
}

impl<'a> Objects<'a> {
    /// Creates a converter for one kind of shape.
    pub fn new(kind: ShapeKind, area: AreaRule, annotations: &'a Annotations) -> Self {
        Self {
            kind,
            area,
            annotations,
            masks: MaskReader::default(),
            skipped: SkippedRows::default(),
            damaged: Vec::new(),
        }
    }

    /// Returns the problems of rows without a usable shape.
    pub fn problems<'b>(&'b self, path: &'b Path) -> impl Iterator<Item = Problem> + 'b {
        let damaged = self.damaged.iter();
        let damaged = damaged
            .map(move |(line, what)| Problem::line(path, *line, what.clone()).leaving_out(1));
        self.skipped.problems(path, None).chain(damaged)
    }

    /// Returns the detections of a picture.
    pub fn detections(&mut self, picture: &Picture, rows: &[PlacedRow<'_>]) -> Detections {
        let mut detections = Detections {
            classes: Arc::clone(&self.annotations.classes),
            ..Detections::default()
        };
        let (mut masks, mut keypoints) = (Vec::new(), Vec::new());
        for (at, object) in (0_u32..).zip(self.counted(picture)) {
            detections.truth.push(TrueBox {
                crowd: object.truth.crowd && !self.annotations.is_federated(),
                ..object.truth
            });
            detections
                .ignored
                .extend(self.is_ignored(object).then_some(at));
            masks.extend(object.mask.clone());
            keypoints.push(object.keypoints.clone());
        }
        let (mut found_masks, mut found_keypoints) = (Vec::new(), Vec::new());
        let mut areas = Vec::new();
        for placed in self.limited(rows) {
            if !self.is_judged(placed.class, picture, &detections) {
                continue;
            }
            let shape = match self.shape(placed, picture) {
                // LVIS ignores annotations without an area.
                Ok(shape) if self.annotations.is_federated() && shape.area <= 0.0 => continue,
                Ok(shape) => shape,
                Err(NoShape::Missing(reason)) => {
                    let id = Id::Text(picture.file.clone());
                    self.skipped.add(reason, &id, placed.line);
                    continue;
                }
                Err(NoShape::Damaged(what)) => {
                    self.damaged.push((placed.line, what));
                    continue;
                }
            };
            detections.found.push(PredictedBox {
                class: placed.class,
                xywh: shape.xywh,
                score: placed.row.score.0,
            });
            areas.push(shape.area);
            found_masks.extend(shape.mask);
            found_keypoints.push(shape.keypoints);
        }
        if (self.kind, self.area) != (ShapeKind::Boxes, AreaRule::Box) {
            detections.areas = areas;
        }
        detections.shapes = match (self.kind, &self.annotations.sigmas) {
            (ShapeKind::Masks, _) => Shapes::Masks {
                truth: masks,
                found: found_masks,
            },
            (ShapeKind::Keypoints, Some(sigmas)) => Shapes::Keypoints {
                truth: keypoints,
                found: found_keypoints,
                sigmas: Arc::clone(sigmas),
            },
            _ => Shapes::Boxes,
        };
        let frequencies = self.annotations.frequencies.as_ref();
        detections.federation = frequencies.map(|frequencies| Federation {
            frequencies: Arc::clone(frequencies),
            not_exhaustive: picture.not_exhaustive.clone(),
        });
        detections
    }

    /// Returns the annotated objects that take part in the scoring.
    fn counted<'b>(&self, picture: &'b Picture) -> impl Iterator<Item = &'b Object> + use<'b> {
        let (kind, points) = (self.kind, self.annotations.points);
        let is_federated = self.annotations.is_federated();
        picture.objects.iter().filter(move |object| {
            let has_shape = match kind {
                ShapeKind::Boxes | ShapeKind::Segments => true,
                ShapeKind::Masks => object.mask.is_some(),
                ShapeKind::Keypoints => object.keypoints.len() == points,
            };
            has_shape && !(is_federated && object.truth.area <= 0.0)
        })
    }

    /// True if an annotated object is ignored but is not a crowd.
    fn is_ignored(&self, object: &Object) -> bool {
        if self.annotations.is_federated() {
            return object.ignore;
        }
        self.kind == ShapeKind::Keypoints && object.has_no_point
    }

    /// Returns the rows to score. These are all rows; for LVIS, the [`MOST`] rows with the highest
    /// scores.
    fn limited<'b, 'c>(&self, rows: &'b [PlacedRow<'c>]) -> Vec<&'b PlacedRow<'c>> {
        let mut rows: Vec<&PlacedRow<'_>> = rows.iter().collect();
        if self.annotations.is_federated() && rows.len() > MOST {
            let score = |row: &PlacedRow<'_>| row.row.score.0;
            rows.sort_by(|a, b| score(b).partial_cmp(&score(a)).unwrap_or(Ordering::Equal));
            rows.truncate(MOST);
        }
        rows
    }

    /// True if it is known whether a picture contains objects of a class.
    fn is_judged(&self, class: u32, picture: &Picture, detections: &Detections) -> bool {
        let is_annotated = || detections.truth.iter().any(|truth| truth.class == class);
        !self.annotations.is_federated() || picture.negative.contains(&class) || is_annotated()
    }

    fn shape(&mut self, placed: &PlacedRow<'_>, picture: &Picture) -> Result<FoundShape, NoShape> {
        let row = placed.row;
        let keypoints = points(row.keypoints.as_deref().unwrap_or_default());
        let needs_mask = self.kind == ShapeKind::Masks || self.area == AreaRule::Mask;
        let mut mask = None;
        if needs_mask {
            let drawn = match (&row.segmentation, row.bbox) {
                (Some(text), _) => self.masks.read(text.get(), picture.size),
                // Like loadRes, use the box as mask.
                (None, Some(bbox)) if self.area == AreaRule::Box => {
                    self.masks.rectangle(bbox, picture.size)
                }
                (None, _) => return Err(NoShape::Missing(Reason::Mask)),
            };
            mask = Some(drawn.map_err(NoShape::Damaged)?);
        }
        let around = extent(&keypoints);
        let bbox = row.bbox.or_else(|| mask.as_ref().map(Rle::bbox)).or(around);
        if self.kind == ShapeKind::Boxes && row.bbox.is_none() {
            return Err(NoShape::Missing(Reason::Box));
        }
        if self.kind == ShapeKind::Keypoints && keypoints.is_empty() {
            return Err(NoShape::Missing(Reason::Keypoints));
        }
        if self.kind == ShapeKind::Keypoints && keypoints.len() != self.annotations.points {
            let (here, there) = (keypoints.len(), self.annotations.points);
            let what = format!("it has {here} keypoints, but the annotations have {there}");
            return Err(NoShape::Damaged(what));
        }
        let area = match self.area {
            AreaRule::Box => row.bbox.map(product).ok_or(Reason::Box),
            AreaRule::Mask => mask.as_ref().map(pixels).ok_or(Reason::Mask),
            AreaRule::Keypoints => around.map(product).ok_or(Reason::Keypoints),
        };
        Ok(FoundShape {
            xywh: bbox.ok_or(NoShape::Missing(Reason::Box))?,
            area: area.map_err(NoShape::Missing)?,
            mask,
            keypoints,
        })
    }
}

fn product([_, _, width, height]: [f64; 4]) -> f64 {
    width * height
}

fn pixels(mask: &Rle) -> f64 {
    f64::from(u32::try_from(mask.area()).unwrap_or(u32::MAX))
}

/// Returns the bounding box of all keypoints, including undetected keypoints.
fn extent(keypoints: &[Keypoint]) -> Option<[f64; 4]> {
    let points = keypoints.iter().map(|point| [point.x, point.y]);
    let [x, y, right, bottom] = bounds(points)?;
    Some([x, y, right - x, bottom - y])
}
