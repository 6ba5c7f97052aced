//! Matches the detections of one picture with its annotated boxes.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::Size;
use super::panoptic::SegmentCounts;
use super::shapes::Overlaps;
use record::{Detections, PredictedBox, ShapeKind, TrueBox};

/// Returns the maximum number of counted detections per picture and class; detections with lower
/// scores are ignored. LVIS uses the same number as a limit per picture.
const fn most(detections: &Detections) -> usize {
    match (&detections.federation, detections.kind()) {
        (Some(_), _) => 300,
        (None, ShapeKind::Keypoints) => 20,
        (None, ShapeKind::Boxes | ShapeKind::Masks) => 100,
        (None, ShapeKind::Segments) => usize::MAX,
    }
}

/// Detection with its matches; bit `t` of a set belongs to threshold `t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchedDetection {
    /// Index in the list of predicted boxes.
    pub index: usize,
    /// Code of the predicted class.
    pub class: u32,
    /// Rank by score among the detections of its picture and class, from 0.
    pub rank: usize,
    /// Confidence of the detector; only the order matters.
    pub score: f64,
    /// Set of thresholds at which it matches an annotated box.
    pub hits: u16,
    /// Set of thresholds at which it is ignored.
    pub ignored: u16,
}

/// Matched detections of one picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchedPicture {
    /// Counted detections, by class and then by descending score.
    pub found: Vec<MatchedDetection>,
    /// Class codes with the number of annotated boxes of each.
    pub wanted: Vec<(u32, u32)>,
    /// Class codes with the counts of their segments; only for panoptic segmentation.
    pub segments: Vec<(u32, SegmentCounts)>,
}

impl MatchedPicture {
    /// Replaces the class codes; boxes of unmapped classes are dropped.
    #[must_use]
    pub fn with_classes(mut self, code: impl Fn(u32) -> Option<u32>) -> Self {
        self.found.retain_mut(|judged| match code(judged.class) {
            Some(class) => {
                judged.class = class;
                true
            }
            None => false,
        });
        let keep = |class: &mut u32| match code(*class) {
            Some(other) => {
                *class = other;
                true
            }
            None => false,
        };
        self.wanted.retain_mut(|(class, _)| keep(class));
        self.segments.retain_mut(|(class, _)| keep(class));
        self
    }
}

/// Matches the detections of one picture at each of at most 16 thresholds.
pub fn match_boxes(detections: &Detections, thresholds: &[f64], size: Size) -> MatchedPicture {
    let mut judgement = MatchedPicture::default();
    let overlaps = Overlaps::new(detections);
    let federation = detections.federation.as_ref();
    for (class, boxes) in by_class(detections) {
        let is_exhaustive = federation.is_none_or(|it| !it.not_exhaustive.contains(&class));
        let ignored =
            |at: usize, truth: &TrueBox| detections.is_ignored(at) || size.excludes(truth.area);
        let class_boxes = boxes.sorted(detections, ignored);
        let wanted = class_boxes.truth.iter().filter(|(_, _, out)| !out).count();
        let wanted = u32::try_from(wanted).unwrap_or(u32::MAX);
        if !class_boxes.truth.is_empty() {
            judgement.wanted.push((class, wanted));
        }
        let first = judgement.found.len();
        let fresh = |(rank, (index, found)): (usize, &(usize, &PredictedBox))| MatchedDetection {
            index: *index,
            class,
            rank,
            score: found.score,
            hits: 0,
            ignored: 0,
        };
        judgement
            .found
            .extend(class_boxes.found.iter().enumerate().map(fresh));
        let overlaps = class_boxes.overlaps(&overlaps);
        for (bit, &threshold) in thresholds.iter().take(16).enumerate() {
            let assigned = class_boxes.assign(&overlaps, threshold);
            let judged = judgement.found.iter_mut().skip(first);
            for ((judged, matched), (at, _)) in judged.zip(assigned).zip(&class_boxes.found) {
                let matched = matched.and_then(|at| class_boxes.truth.get(at));
                // `pycocotools` treats an annotation with id 0 as no match.
                let hit = matched.is_some_and(|(_, truth, _)| truth.id != 0);
                let uncounted = !is_exhaustive || size.excludes(detections.area(*at));
                let out = matched.is_some_and(|(_, _, out)| *out) || (!hit && uncounted);
                judged.hits |= u16::from(hit) << bit;
                judged.ignored |= u16::from(out) << bit;
            }
        }
    }
    judgement
}

/// Boxes of one class with their indices in the picture's lists.
#[derive(Default)]
pub(super) struct ClassBoxes<'a> {
    truth: Vec<(usize, &'a TrueBox)>,
    found: Vec<(usize, &'a PredictedBox)>,
}

/// Boxes of one class in matching order.
pub(super) struct SortedBoxes<'a> {
    /// Index, box, and whether it is ignored; ignored boxes come last.
    pub truth: Vec<(usize, &'a TrueBox, bool)>,
    /// Boxes by descending score, equal scores in file order; limited to the number that counts.
    pub found: Vec<(usize, &'a PredictedBox)>,
}

pub(super) fn by_class(detections: &Detections) -> BTreeMap<u32, ClassBoxes<'_>> {
    let mut classes: BTreeMap<u32, ClassBoxes<'_>> = BTreeMap::new();
    for (at, truth) in detections.truth.iter().enumerate() {
        let class = classes.entry(truth.class).or_default();
        class.truth.push((at, truth));
    }
    for (at, found) in detections.found.iter().enumerate() {
        let class = classes.entry(found.class).or_default();
        class.found.push((at, found));
    }
    classes
}

impl<'a> ClassBoxes<'a> {
    pub(super) fn sorted(
        self,
        detections: &Detections,
        ignored: impl Fn(usize, &TrueBox) -> bool,
    ) -> SortedBoxes<'a> {
        let Self { truth, mut found } = self;
        let mut truth: Vec<_> = truth
            .into_iter()
            .map(|(at, truth)| (at, truth, ignored(at, truth)))
            .collect();
        truth.sort_by_key(|(_, _, ignored)| *ignored);
        found.sort_by(|(_, a), (_, b)| b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal));
        found.truncate(most(detections));
        SortedBoxes { truth, found }
    }
}

impl SortedBoxes<'_> {
    /// Returns the overlaps: a row for each detection and a column for each annotated box.
    pub(super) fn overlaps(&self, overlaps: &Overlaps<'_>) -> Vec<Vec<f64>> {
        let row = |(found, _): &(usize, &PredictedBox)| {
            let columns = self.truth.iter();
            columns
                .map(|(truth, _, _)| overlaps.of(*found, *truth))
                .collect()
        };
        self.found.iter().map(row).collect()
    }

    /// Assigns each detection to a column: the free column with the largest overlap at or above the
    /// threshold. Of several equal columns, the last is used. An ignored column is used only if no
    /// other fits (`COCOeval.evaluateImg`).
    pub(super) fn assign(&self, overlaps: &[Vec<f64>], threshold: f64) -> Vec<Option<usize>> {
        let mut taken = vec![false; self.truth.len()];
        let mut assigned = Vec::with_capacity(overlaps.len());
        for row in overlaps {
            let mut best = threshold.min(1.0 - 1e-10);
            let mut chosen: Option<(usize, bool)> = None;
            for (at, ((_, truth, ignored), &overlap)) in self.truth.iter().zip(row).enumerate() {
                if taken.get(at) == Some(&true) && !truth.crowd {
                    continue;
                }
                if *ignored && matches!(chosen, Some((_, false))) {
                    break;
                }
                if overlap >= best {
                    best = overlap;
                    chosen = Some((at, *ignored));
                }
            }
            let chosen = chosen.map(|(at, _)| at);
            if let Some(taken) = chosen.and_then(|at| taken.get_mut(at)) {
                *taken = true;
            }
            assigned.push(chosen);
        }
        assigned
    }
}
