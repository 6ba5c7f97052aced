//! Computes precision and recall over a pool of pictures.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::{MatchedPicture, PanopticPart, SegmentCounts};
use crate::metric::{average, real};

/// Number of recall levels: 0, .01, ... 1.
const LEVELS: u32 = 101;

/// Detections of many pictures, by class and then by descending score.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    classes: BTreeMap<u32, ClassPool>,
    /// Index of each picture with its segments, by class; only for panoptic segmentation.
    segments: BTreeMap<u32, Vec<(u32, SegmentCounts)>>,
    pictures: usize,
}

#[derive(Clone, Debug, Default)]
struct ClassPool {
    found: Vec<Entry>,
    /// Index of each picture, and its number of annotated boxes.
    wanted: Vec<(u32, u32)>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    score: f64,
    picture: u32,
    rank: u16,
    hits: u16,
    ignored: u16,
}

/// Precision and recall of one class at one threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassFigures {
    /// Code of the class.
    pub class: u32,
    /// Mean precision over 101 recall levels.
    pub precision: f64,
    /// Share of the annotated boxes that were found, 0 to 1.
    pub recall: f64,
}

impl Pool {
    /// Pools pictures; their order breaks ties between equal scores.
    pub fn new<'a>(pictures: impl IntoIterator<Item = &'a MatchedPicture>) -> Self {
        let mut pool = Self::default();
        for (picture, judgement) in (0_u32..).zip(pictures) {
            pool.pictures += 1;
            for &(class, count) in &judgement.wanted {
                let class = pool.classes.entry(class).or_default();
                class.wanted.push((picture, count));
            }
            for &(class, counts) in &judgement.segments {
                pool.segments
                    .entry(class)
                    .or_default()
                    .push((picture, counts));
            }
            for judged in &judgement.found {
                let class = pool.classes.entry(judged.class).or_default();
                class.found.push(Entry {
                    score: judged.score,
                    picture,
                    rank: u16::try_from(judged.rank).unwrap_or(u16::MAX),
                    hits: judged.hits,
                    ignored: judged.ignored,
                });
            }
        }
        // A class without an annotated box has no precision.
        pool.classes
            .retain(|_, class| class.wanted.iter().any(|(_, count)| *count > 0));
        for class in pool.classes.values_mut() {
            let by_score = |a: &Entry, b: &Entry| {
                let order = b.score.partial_cmp(&a.score);
                order.unwrap_or(Ordering::Equal)
            };
            class.found.sort_by(by_score);
        }
        pool
    }

    /// Returns the number of pictures in the pool.
    pub const fn pictures(&self) -> usize {
        self.pictures
    }

    /// Iterates over the codes of the classes with an annotated box, or with a segment.
    pub fn classes(&self) -> impl Iterator<Item = u32> + '_ {
        self.classes.keys().chain(self.segments.keys()).copied()
    }

    /// Returns the number of detections over all classes. Segments count once for each picture and
    /// class.
    pub fn len(&self) -> usize {
        let boxes: usize = self.classes.values().map(|class| class.found.len()).sum();
        boxes + self.segments.values().map(Vec::len).sum::<usize>()
    }

    /// Computes a part of panoptic quality of one class, or its mean over the classes; `None`
    /// without segments. `weights` are multiplicities of the pictures; `None` means 1.
    pub fn panoptic(
        &self,
        part: PanopticPart,
        weights: Option<&[u32]>,
        class: Option<u32>,
    ) -> Option<f64> {
        let (first, last) = class.map_or((0, u32::MAX), |class| (class, class));
        let classes = self.segments.range(first..=last);
        average(classes.filter_map(|(_, pictures)| {
            let mut sum = SegmentCounts::default();
            for (picture, counts) in pictures {
                let times = weights.map_or(1, |weights| {
                    let weight = weights.get(*picture as usize);
                    u64::from(weight.copied().unwrap_or_default())
                });
                sum.add(counts, times);
            }
            sum.part(part)
        }))
    }

    /// Returns true if there are no detections.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Computes precision and recall of one class, or of each, at one threshold, with at most
    /// `most` detections in a picture and class. `weights` are multiplicities of the pictures;
    /// `None` means 1. Classes without an annotated box are left out.
    pub fn figures<'a>(
        &'a self,
        threshold: usize,
        most: u16,
        weights: Option<&'a [u32]>,
        class: Option<u32>,
    ) -> impl Iterator<Item = ClassFigures> + 'a {
        let (first, last) = class.map_or((0, u32::MAX), |class| (class, class));
        let classes = self.classes.range(first..=last);
        classes.filter_map(move |(&class, pool)| {
            let (precision, recall) = pool.figures(threshold, most, weights)?;
            Some(ClassFigures {
                class,
                precision,
                recall,
            })
        })
    }
}

impl ClassPool {
    fn figures(&self, threshold: usize, most: u16, weights: Option<&[u32]>) -> Option<(f64, f64)> {
        let weight = |picture: u32| {
            weights.map_or(1, |weights| {
                let weight = weights.get(picture as usize);
                u64::from(weight.copied().unwrap_or_default())
            })
        };
        let counts = self.wanted.iter();
        let wanted: u64 = counts
            .map(|&(picture, count)| weight(picture) * u64::from(count))
            .sum();
        if wanted == 0 {
            return None;
        }
        let (mut right, mut wrong) = (0_u64, 0_u64);
        let mut curve: Vec<(f64, f64)> = Vec::new();
        for entry in &self.found {
            let times = weight(entry.picture);
            if times == 0 || entry.rank >= most || entry.ignored >> threshold & 1 == 1 {
                continue;
            }
            if entry.hits >> threshold & 1 == 1 {
                right += times;
                // Adds numpy's epsilon against a division by zero, as `pycocotools` does, to get
                // equal results.
                let precision = real(right) / (real(right + wrong) + f64::EPSILON);
                curve.push((real(right) / real(wanted), precision));
            } else {
                wrong += times;
            }
        }
        Some((area(&mut curve), real(right) / real(wanted)))
    }
}

/// Averages precision over the recall levels. Precision at a level is the maximum at that or a
/// higher recall.
fn area(curve: &mut [(f64, f64)]) -> f64 {
    let mut best = 0.0_f64;
    for (_, precision) in curve.iter_mut().rev() {
        best = best.max(*precision);
        *precision = best;
    }
    let mut points = curve.iter().peekable();
    let mut sum = 0.0;
    for level in 0..LEVELS {
        let level = f64::from(level) * 0.01;
        while points.next_if(|(recall, _)| *recall < level).is_some() {}
        match points.peek() {
            Some((_, precision)) => sum += precision,
            None => break,
        }
    }
    sum / f64::from(LEVELS)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::metric::detection::{
        DetectionMetric, MatchedPicture, Pool, Size, causes, image_ap50, match_boxes, thresholds,
    };
    use record::{Detections, PredictedBox, TrueBox};

    /// Numbers that a malicious log could contain.
    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![4 => 0.0..50.0, 1 => -20.0..20.0, 1 => Just(0.0), 1 => Just(1e300), 1 => Just(-1e300)]
    }

    fn place() -> impl Strategy<Value = [f64; 4]> {
        [number(), number(), number(), number()]
    }

    fn truth() -> impl Strategy<Value = TrueBox> {
        (0_u32..3, place(), number(), any::<bool>(), -1_i64..3).prop_map(
            |(class, xywh, area, crowd, id)| TrueBox {
                class,
                xywh,
                area,
                crowd,
                id,
            },
        )
    }

    fn found() -> impl Strategy<Value = PredictedBox> {
        (0_u32..4, place(), number()).prop_map(|(class, xywh, score)| PredictedBox {
            class,
            xywh,
            score,
        })
    }

    fn pictures() -> impl Strategy<Value = Vec<Detections>> {
        let picture = (
            prop::collection::vec(truth(), 0..6),
            prop::collection::vec(found(), 0..9),
        );
        let picture = picture.prop_map(|(truth, found)| Detections {
            truth,
            found,
            ..Detections::default()
        });
        prop::collection::vec(picture, 0..4)
    }

    proptest! {
        #[test]
        fn any_boxes_give_shares(pictures in pictures()) {
            for size in Size::EACH {
                let judged: Vec<MatchedPicture> = pictures
                    .iter()
                    .map(|detections| match_boxes(detections, &thresholds(), size))
                    .collect();
                let pool = Pool::new(&judged);
                for (name, figure) in DetectionMetric::COCO {
                    let value = figure.of(size).value(&pool, None);
                    prop_assert!(value.is_none_or(|value| (0.0..=1.0).contains(&value)), "{} {:?}", name, value);
                }
                let none = vec![0; pictures.len()];
                prop_assert_eq!(DetectionMetric::AP.value(&pool, Some(&none)), None);
            }
        }

        #[test]
        fn every_box_has_a_cause(pictures in pictures()) {
            for detections in pictures {
                let causes = causes(&detections);
                let lengths = (detections.found.len(), detections.truth.len());
                prop_assert_eq!((causes.found.len(), causes.missed.len()), lengths);
                prop_assert!(image_ap50(&detections).is_none_or(|value| (0.0..=1.0).contains(&value)));
            }
        }

        /// Predicting the annotated boxes themselves, in any order, gives an AP of 1.
        #[test]
        fn what_is_found_whole_is_whole(mut places in prop::collection::vec((0_u32..3, [0.0..50.0, 0.0..50.0, 1.0..9.0, 1.0..9.0]), 1..8)) {
            places.dedup();
            let truth: Vec<TrueBox> = places
                .iter()
                .map(|&(class, xywh)| TrueBox { class, xywh, area: 1.0, crowd: false, id: 1 })
                .collect();
            let found = places.iter().map(|&(class, xywh)| PredictedBox { class, xywh, score: xywh[0] });
            let detections = Detections { truth, found: found.collect(), ..Detections::default() };
            prop_assert_eq!(image_ap50(&detections), Some(1.0));
        }
    }
}
