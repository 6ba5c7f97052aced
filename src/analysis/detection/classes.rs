//! Measures how well the predicted classes match the classes in a picture.
//!
//! Source: fm-vision-evals, Table 8, which compares strategies to list the classes of a picture.

use std::collections::{BTreeMap, BTreeSet};

use super::Pictures;
use crate::measure::{Measure, SampleValue};
use record::Detections;

/// Returns two measures, each the mean over pictures. `class_precision` is the share of the
/// predicted classes that are in the picture. `class_recall` is the share of the picture's classes
/// that are predicted.
///
/// Pictures without predicted classes have no precision; pictures without annotated classes have no
/// recall. Confidence scores are ignored; crowd annotations count.
pub(super) fn classes(by_model: &BTreeMap<u16, Pictures<'_>>) -> [Measure; 2] {
    let (mut precision, mut recall): (Vec<SampleValue>, Vec<SampleValue>) = Default::default();
    for (&model, pictures) in by_model {
        let sampled = pictures.sampled(model, f64::NAN);
        for (sampled, detections) in sampled.zip(&pictures.boxes) {
            let [right, found, truth] = counts(detections);
            let share = |of: u32| (of > 0).then(|| f64::from(right) / f64::from(of));
            let with = |value: f64| SampleValue { value, ..sampled };
            precision.extend(share(found).map(with));
            recall.extend(share(truth).map(with));
        }
    }
    [
        Measure::mean("class_precision", precision),
        Measure::mean("class_recall", recall),
    ]
}

/// Counts the classes of a picture: correctly predicted, predicted, and annotated.
fn counts(detections: &Detections) -> [u32; 3] {
    let found: BTreeSet<u32> = detections.found.iter().map(|found| found.class).collect();
    let truth: BTreeSet<u32> = detections.truth.iter().map(|truth| truth.class).collect();
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let right = found.intersection(&truth).count();
    [right, found.len(), truth.len()].map(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{PredictedBox, TrueBox};

    fn picture(found: &[u32], truth: &[u32]) -> Detections {
        let xywh = [0.0, 0.0, 9.0, 9.0];
        let found = found.iter().map(|&class| PredictedBox {
            class,
            xywh,
            score: 0.5,
        });
        let truth = truth.iter().map(|&class| TrueBox {
            class,
            xywh,
            area: 81.0,
            crowd: false,
            id: 1,
        });
        Detections {
            found: found.collect(),
            truth: truth.collect(),
            ..Detections::default()
        }
    }

    #[test]
    fn each_class_of_a_picture_counts_once() {
        let pictures = [
            picture(&[0, 0, 1, 2], &[0, 0, 3]),
            picture(&[], &[1]),
            picture(&[4], &[]),
        ];
        let own = Pictures {
            rows: vec![0, 1, 2],
            items: vec![0, 1, 2],
            clusters: vec![0, 1, 2],
            boxes: pictures.iter().collect(),
        };
        let [precision, recall] = classes(&[(0, own)].into());
        let values = |measure: &Measure| -> Vec<(u32, f64)> {
            let values = measure.values.iter();
            values.map(|value| (value.row, value.value)).collect()
        };
        assert_eq!(values(&precision), [(0, 1.0 / 3.0), (2, 0.0)]);
        assert_eq!(values(&recall), [(0, 0.5), (1, 0.0)]);
    }
}
