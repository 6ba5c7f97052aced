//! Defines the AP, AR and PQ metrics of a pool of detections.

use super::panoptic::segment_counts;
use super::{ClassKind, MatchedPicture, PanopticPart, Pool, Size, match_boxes, thresholds};
use record::{Detections, Frequency, ShapeKind};

/// Kind of a detection metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrecisionOrRecall {
    /// Average precision (AP).
    Precision,
    /// Average recall (AR).
    Recall,
    /// Panoptic quality (PQ), or a part of it.
    Panoptic(PanopticPart),
}

/// Detection metric: AP, AR or PQ with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetectionMetric {
    /// AP, AR or PQ.
    pub kind: PrecisionOrRecall,
    /// Box sizes that are counted.
    pub size: Size,
    /// Index range into [`thresholds`], end excluded.
    pub thresholds: (usize, usize),
    /// Maximum number of detections in a picture and class.
    pub most: u16,
    /// Code of a single class; `None` for the mean over classes.
    pub class: Option<u32>,
    /// LVIS's group of classes; `None` for all classes.
    pub frequency: Option<Frequency>,
    /// Things or stuff in panoptic segmentation; `None` for all classes.
    pub class_kind: Option<ClassKind>,
}

/// Metrics with their names.
pub type NamedMetrics = [(&'static str, DetectionMetric)];

/// Indices of the ten thresholds from .50 to .95.
const TEN: (usize, usize) = (0, 10);

impl DetectionMetric {
    /// AP: mean over ten thresholds and all classes.
    pub const AP: Self = Self {
        kind: PrecisionOrRecall::Precision,
        size: Size::All,
        thresholds: TEN,
        // The matching already limits the number of detections.
        most: u16::MAX,
        class: None,
        frequency: None,
        class_kind: None,
    };

    /// PQ: mean over all classes.
    pub const PQ: Self = Self::AP.at(0).panoptic(PanopticPart::Quality);

    /// Parts of panoptic quality, with the prefix of the metric names per class.
    pub const PANOPTIC_PARTS: [(&'static str, Self); 3] = [
        ("pq", Self::PQ),
        ("sq", Self::PQ.panoptic(PanopticPart::Segmentation)),
        ("rq", Self::PQ.panoptic(PanopticPart::Recognition)),
    ];

    /// Metrics of panoptic segmentation, by name.
    pub const PANOPTIC: [(&'static str, Self); 9] = {
        let [(_, pq), (_, sq), (_, rq)] = Self::PANOPTIC_PARTS;
        [
            ("pq", pq),
            ("sq", sq),
            ("rq", rq),
            ("pq_things", pq.of_kind(ClassKind::Things)),
            ("sq_things", sq.of_kind(ClassKind::Things)),
            ("rq_things", rq.of_kind(ClassKind::Things)),
            ("pq_stuff", pq.of_kind(ClassKind::Stuff)),
            ("sq_stuff", sq.of_kind(ClassKind::Stuff)),
            ("rq_stuff", rq.of_kind(ClassKind::Stuff)),
        ]
    };

    /// Metrics that COCO reports, by name.
    pub const COCO: [(&'static str, Self); 12] = [
        ("ap", Self::AP),
        ("ap50", Self::AP.at(0)),
        ("ap75", Self::AP.at(5)),
        ("ap_small", Self::AP.of(Size::Small)),
        ("ap_medium", Self::AP.of(Size::Medium)),
        ("ap_large", Self::AP.of(Size::Large)),
        ("ar1", Self::AP.recall(1)),
        ("ar10", Self::AP.recall(10)),
        ("ar100", Self::AP.recall(100)),
        ("ar_small", Self::AP.recall(100).of(Size::Small)),
        ("ar_medium", Self::AP.recall(100).of(Size::Medium)),
        ("ar_large", Self::AP.recall(100).of(Size::Large)),
    ];

    /// Metrics that fm-vision-evals reports, by name.
    pub const FM_VISION_EVALS: [(&'static str, Self); 4] = [
        ("ap", Self::AP),
        ("ap50", Self::AP.at(0)),
        ("ap75", Self::AP.at(5)),
        ("ap10", Self::AP.at(10)),
    ];

    /// Metrics that COCO reports for keypoints, by name.
    pub const KEYPOINTS: [(&'static str, Self); 10] = [
        ("ap", Self::AP),
        ("ap50", Self::AP.at(0)),
        ("ap75", Self::AP.at(5)),
        ("ap_medium", Self::AP.of(Size::Medium)),
        ("ap_large", Self::AP.of(Size::Large)),
        ("ar", Self::AP.recall(20)),
        ("ar50", Self::AP.recall(20).at(0)),
        ("ar75", Self::AP.recall(20).at(5)),
        ("ar_medium", Self::AP.recall(20).of(Size::Medium)),
        ("ar_large", Self::AP.recall(20).of(Size::Large)),
    ];

    /// Metrics that LVIS reports, by name.
    pub const LVIS: [(&'static str, Self); 13] = [
        ("ap", Self::AP),
        ("ap50", Self::AP.at(0)),
        ("ap75", Self::AP.at(5)),
        ("ap_small", Self::AP.of(Size::Small)),
        ("ap_medium", Self::AP.of(Size::Medium)),
        ("ap_large", Self::AP.of(Size::Large)),
        ("ap_rare", Self::AP.among(Frequency::Rare)),
        ("ap_common", Self::AP.among(Frequency::Common)),
        ("ap_frequent", Self::AP.among(Frequency::Frequent)),
        ("ar300", Self::AP.recall(300)),
        ("ar_small", Self::AP.recall(300).of(Size::Small)),
        ("ar_medium", Self::AP.recall(300).of(Size::Medium)),
        ("ar_large", Self::AP.recall(300).of(Size::Large)),
    ];

    /// Returns the metrics that the harness of this kind of detections reports.
    pub const fn reported(detections: &Detections) -> &'static NamedMetrics {
        match (&detections.federation, detections.kind()) {
            (Some(_), _) => &Self::LVIS,
            (None, ShapeKind::Keypoints) => &Self::KEYPOINTS,
            (None, ShapeKind::Boxes | ShapeKind::Masks) => &Self::COCO,
            (None, ShapeKind::Segments) => &Self::PANOPTIC,
        }
    }

    /// Returns the metric that models are ranked by, with its name.
    pub const fn headline(detections: &Detections) -> (&'static str, Self) {
        match detections.kind() {
            ShapeKind::Segments => ("pq", Self::PQ),
            ShapeKind::Boxes | ShapeKind::Masks | ShapeKind::Keypoints => ("ap", Self::AP),
        }
    }

    /// Returns a part of panoptic quality.
    #[must_use]
    pub const fn panoptic(self, part: PanopticPart) -> Self {
        Self {
            kind: PrecisionOrRecall::Panoptic(part),
            ..self
        }
    }

    /// Returns the metric for things or for stuff.
    #[must_use]
    pub const fn of_kind(self, kind: ClassKind) -> Self {
        Self {
            class_kind: Some(kind),
            ..self
        }
    }

    /// Returns the metric at a single index into [`thresholds`].
    #[must_use]
    pub const fn at(self, threshold: usize) -> Self {
        Self {
            thresholds: (threshold, threshold + 1),
            ..self
        }
    }

    /// Returns the metric for one box size.
    #[must_use]
    pub const fn of(self, size: Size) -> Self {
        Self { size, ..self }
    }

    /// Returns the metric for one group of classes.
    #[must_use]
    pub const fn among(self, frequency: Frequency) -> Self {
        Self {
            frequency: Some(frequency),
            ..self
        }
    }

    /// Returns true if another metric counts the same objects, so that both use one pool.
    pub fn counts_as(self, other: Self) -> bool {
        (self.size, self.frequency, self.class_kind)
            == (other.size, other.frequency, other.class_kind)
    }

    /// Matches the detections of one picture by this metric's size range and classes.
    pub fn matched(self, detections: &Detections) -> MatchedPicture {
        if detections.kind() == ShapeKind::Segments {
            let matched = MatchedPicture {
                segments: segment_counts(detections).into_iter().collect(),
                ..MatchedPicture::default()
            };
            let kind = |class: u32| {
                let is_thing = detections.things.get(class as usize)?;
                Some(if *is_thing {
                    ClassKind::Things
                } else {
                    ClassKind::Stuff
                })
            };
            return matched.with_classes(|class| {
                (self.class_kind.is_none() || self.class_kind == kind(class)).then_some(class)
            });
        }
        let matched = match_boxes(detections, &thresholds(), self.size);
        let Some(frequency) = self.frequency else {
            return matched;
        };
        let federation = detections.federation.as_ref();
        let group = |class: u32| federation?.frequencies.get(class as usize).copied()?;
        matched.with_classes(|class| (group(class) == Some(frequency)).then_some(class))
    }

    /// Returns the metric for one class.
    #[must_use]
    pub const fn of_class(self, class: u32) -> Self {
        Self {
            class: Some(class),
            ..self
        }
    }

    /// Returns the average recall with at most `most` detections.
    #[must_use]
    pub const fn recall(self, most: u16) -> Self {
        Self {
            kind: PrecisionOrRecall::Recall,
            most,
            ..self
        }
    }

    /// Computes the metric for a pool of pictures matched for it, 0 to 1. `None` without any
    /// annotated box, where `pycocotools` returns -1, and for panoptic quality without any segment.
    /// `weights` are multiplicities of the pictures.
    pub fn value(self, pool: &Pool, weights: Option<&[u32]>) -> Option<f64> {
        if let PrecisionOrRecall::Panoptic(part) = self.kind {
            return pool.panoptic(part, weights, self.class);
        }
        let (mut sum, mut count) = (0.0, 0_u32);
        for threshold in self.thresholds.0..self.thresholds.1 {
            for figures in pool.figures(threshold, self.most, weights, self.class) {
                count += 1;
                sum += match self.kind {
                    PrecisionOrRecall::Precision => figures.precision,
                    PrecisionOrRecall::Recall | PrecisionOrRecall::Panoptic(_) => figures.recall,
                };
            }
        }
        (count > 0).then(|| sum / f64::from(count))
    }
}

/// Computes the AP at `IoU` .5 of a single picture; `None` without an annotated box. A picture
/// without errors gets exactly 1, while `pycocotools` returns slightly less.
pub fn image_ap50(detections: &Detections) -> Option<f64> {
    let [first, ..] = thresholds();
    let matched = match_boxes(detections, &[first], Size::All);
    let figure = DetectionMetric::AP
        .at(0)
        .value(&Pool::new([&matched]), None);
    figure.map(|figure| (figure * 1e12).round() / 1e12)
}
