//! Combines the answers of a chain into the new run's record, with map and metrics.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::figures::{
    NamedMetric, Normals, depth_figures, flooded, mean, normal_figures, stretched,
};
use super::scene::Scene;
use super::{ReferenceSource, reference};
use crate::chain::{JudgedAnswer, Outcome};
use crate::client::Picture;
use crate::item::unscored;
use crate::kind::{AnswerGrade, Kind, unanswered};
use crate::question::{Unaskable, kept_as};
use analysis::metric::dense::{IGNORED, Segmentation, mask_iou};
use media::{Raster, Values};
use record::{ImageRef, MapKind, MapValues, PixelMap, Record, Role, Rule};
use scorer::refuses;
use workspace::load::STEPS;

/// Maximum value of a depth map.
const DEEPEST: f64 = 65_535.0;

/// Position of a step in the log of answers, independent of the order of arrival.
type AnswerPosition = (usize, usize);

/// Log of the answers, step by step.
#[derive(Debug, Default)]
pub(super) struct AnswerLog {
    steps: BTreeMap<AnswerPosition, String>,
    read: usize,
    unread: BTreeMap<Kind, usize>,
}

impl AnswerLog {
    /// Adds a readable answer; `words` describes its result.
    pub(super) fn step(&mut self, at: AnswerPosition, words: String) {
        self.read += 1;
        self.steps.insert(at, words);
    }

    /// Adds an unreadable answer; `words` describes the answer and what is lost with it.
    pub(super) fn unread(&mut self, at: AnswerPosition, words: &str, said: &JudgedAnswer) {
        let kind = match said.judged.kind {
            Kind::Ok if refuses(&said.done.text) => Kind::Refused,
            Kind::Ok => Kind::Unreadable,
            kind => kind,
        };
        *self.unread.entry(kind).or_default() += 1;
        self.steps.insert(at, format!("{words}: {kind}"));
    }

    /// Returns the kind of the result if no answer was readable: the kind of the answers, if all
    /// are of the same kind.
    fn kind(&self) -> Kind {
        match self.unread.keys().collect::<Vec<_>>().as_slice() {
            [one] => **one,
            _ => Kind::Unreadable,
        }
    }

    /// Returns true if no answer was readable.
    pub(super) const fn is_unread(&self) -> bool {
        self.read == 0
    }

    /// Returns the result and the steps as text.
    fn words(&self, result: &str) -> String {
        let mut unread = String::new();
        for (kind, count) in &self.unread {
            let answers = base::format::counted(*count as u64, "answer");
            unread.extend(["; ", &answers, " ", &kind.to_string()]);
        }
        let steps: Vec<&str> = self.steps.values().map(String::as_str).collect();
        format!("{result}{unread}{STEPS}{}", steps.join("\n"))
    }
}

/// Pictures and maps shown in a record.
#[derive(Debug, Default)]
struct Illustrations {
    pictures: Vec<Arc<Picture>>,
    maps: Vec<PixelMap>,
}

impl Illustrations {
    fn map(&mut self, map: &Raster, kind: MapKind, role: Role, names: &Arc<[String]>) {
        let Some(encoded) = map.png() else { return };
        let picture = Picture::new(encoded.bytes, encoded.mime, encoded.size);
        self.maps.push(PixelMap {
            role,
            kind,
            values: MapValues::Picture(ImageRef::Path(kept_as(&picture))),
            names: Arc::clone(names),
        });
        self.pictures.push(Arc::new(picture));
    }
}

impl Scene {
    /// Returns the new run's record, without an answer.
    fn record(&self) -> Record {
        let asked = &self.sample.record;
        Record {
            model: self.asking.label.clone(),
            condition: asked.condition.clone(),
            rule: Rule::Precomputed,
            detections: None,
            masks: None,
            origin: None,
            ..unanswered(asked)
        }
    }

    /// Completes a record. The first metric is its score; pictures are saved with the run.
    fn outcome(
        &self,
        mut record: Record,
        result: &str,
        told: &AnswerLog,
        figures: &[NamedMetric],
        shown: Illustrations,
    ) -> Result<Outcome, Unaskable> {
        let stored = &self.view()?.stored;
        record.content.images = vec![ImageRef::Path(kept_as(stored))];
        record.content.maps = shown.maps;
        record.response = Some(told.words(result));
        if let Some(((name, score), beside)) = figures.split_first() {
            record.metric = Some((*name).to_owned());
            record.stored = Some(score.unwrap_or(f64::NAN));
            let known = beside
                .iter()
                .filter_map(|(name, value)| Some(((*name).to_owned(), (*value)?)));
            record.beside = known.collect();
        }
        let mut pictures = shown.pictures;
        pictures.push(Arc::clone(stored));
        Ok(Outcome {
            step: 0,
            judged: AnswerGrade {
                kind: Kind::Ok,
                right: None,
                read: Some(result.to_owned()),
            },
            record,
            pictures,
            unread: told.unread.clone(),
        })
    }

    /// Returns the outcome if no answer is readable.
    pub(super) fn unreadable(&self, told: &AnswerLog) -> Outcome {
        let mut record = self.record();
        record.parsed = Some(String::new());
        record.stored = Some(f64::NAN);
        let shown = Illustrations {
            maps: record.content.maps.clone(),
            ..Illustrations::default()
        };
        let judged = unscored(told.kind());
        let words = "no answer could be read";
        match self.outcome(record.clone(), words, told, &[], shown) {
            Ok(outcome) => Outcome { judged, ..outcome },
            Err(_) => Outcome {
                step: 0,
                record,
                judged,
                pictures: Vec::new(),
                unread: told.unread.clone(),
            },
        }
    }

    /// Returns the outcome of a classification.
    pub(super) fn class(&self, class: &str, told: &AnswerLog) -> Result<Outcome, Unaskable> {
        let truth = self.known(ReferenceSource::Truth).class.as_deref();
        let right = truth.map(|truth| truth == class.trim());
        let score = right.map(|right| f64::from(u8::from(right)));
        let mut record = self.record();
        record.parsed = Some(class.to_owned());
        let shown = Illustrations {
            maps: record.content.maps.clone(),
            ..Illustrations::default()
        };
        let outcome = self.outcome(record, class, told, &[("accuracy", score)], shown)?;
        let judged = AnswerGrade {
            right,
            ..outcome.judged
        };
        Ok(Outcome { judged, ..outcome })
    }

    /// Returns the outcome of a detection.
    pub(super) fn boxes(
        &self,
        found: &[(String, [f64; 4])],
        told: &AnswerLog,
    ) -> Result<Outcome, Unaskable> {
        let mut record = self.record();
        let mut detections = self.sample.record.detections.clone().unwrap_or_default();
        let class = |name: &String| {
            let place = detections.classes.iter().position(|class| class == name);
            place.and_then(|place| u32::try_from(place).ok())
        };
        let boxes = found.iter().filter_map(|(name, [x0, y0, x1, y1])| {
            Some(record::PredictedBox {
                class: class(name)?,
                xywh: [*x0, *y0, x1 - x0, y1 - y0],
                score: 1.0,
            })
        });
        detections.found = boxes.collect();
        let score = analysis::metric::detection::image_ap50(&detections);
        record.detections = Some(detections);
        // These boxes are answers in the log; new boxes are drawn from the detections.
        record.content.boxes.clear();
        let one = |(name, corners): &(String, [f64; 4])| format!("{name} {corners:?}");
        let words = found.iter().map(one).collect::<Vec<_>>().join(", ");
        let words = if words.is_empty() {
            "nothing found".to_owned()
        } else {
            words
        };
        let shown = Illustrations {
            maps: record.content.maps.clone(),
            ..Illustrations::default()
        };
        self.outcome(record, &words, told, &[("image_ap50", score)], shown)
    }

    /// Returns the outcome of a segmentation: one label per superpixel.
    pub(super) fn labels(
        &self,
        labels: &[u32],
        names: &Arc<[String]>,
        told: &AnswerLog,
    ) -> Result<Outcome, Unaskable> {
        let regions = &self.view()?.regions;
        let (width, height) = regions.size();
        let ignored = u32::from(IGNORED);
        let found = flooded(regions, |number| {
            labels.get(number).copied().unwrap_or(ignored)
        });
        let truth = self.map(ReferenceSource::Truth);
        let mut sums = Segmentation::default();
        let mut shown = Illustrations::default();
        if let Some(truth) = &truth {
            let code = |code: &u32| u16::try_from(*code).unwrap_or(u16::MAX);
            let codes = |labels: &[u32]| labels.iter().map(code).collect::<Vec<u16>>();
            sums.add(
                &codes(&found),
                &codes(reference::labels(truth).unwrap_or_default()),
            );
            shown.map(truth, MapKind::Labels, Role::Target, names);
        }
        let found = Raster {
            width,
            height,
            values: Values::Labels(found),
        };
        shown.map(&found, MapKind::Labels, Role::Prediction, names);
        let mut counts = vec![0_usize; names.len()];
        for label in labels {
            if let Some(count) = counts.get_mut(*label as usize) {
                *count += 1;
            }
        }
        let mut counts: Vec<(&String, usize)> = names.iter().zip(counts).collect();
        counts.retain(|(_, count)| *count > 0);
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let counts = counts.iter().map(|(name, count)| format!("{count} {name}"));
        let words = format!(
            "{} superpixels: {}",
            labels.len(),
            counts.collect::<Vec<_>>().join(", ")
        );
        let figures = [
            ("miou", sums.mean_iou()),
            ("pixel_accuracy", sums.pixel_accuracy()),
        ];
        self.outcome(self.record(), &words, told, &figures, shown)
    }

    /// Returns the outcome of a grouping: the superpixels of one object.
    pub(super) fn group(
        &self,
        is_in: impl Fn(u32) -> bool,
        told: &AnswerLog,
    ) -> Result<Outcome, Unaskable> {
        let regions = &self.view()?.regions;
        let (width, _) = regions.size();
        let found = regions.mask(is_in);
        let truth = self.map(ReferenceSource::Truth);
        let truth = truth.as_ref().and_then(|truth| reference::pixels(truth));
        let score = truth.and_then(|truth| mask_iou(&found, truth));
        let map = |pixels: &[bool], role| {
            let mask = record::Mask {
                width: width as usize,
                pixels: pixels.to_vec(),
            };
            PixelMap::of_mask(&mask, role)
        };
        let maps = truth.map(|truth| map(truth, Role::Target));
        let shown = Illustrations {
            maps: maps
                .into_iter()
                .chain([map(&found, Role::Prediction)])
                .collect(),
            pictures: Vec::new(),
        };
        let area = found.iter().filter(|on| **on).count();
        let words = format!("a mask of {area} pixels");
        self.outcome(self.record(), &words, told, &[("miou", score)], shown)
    }

    /// Returns the outcome of a depth task: one depth per superpixel, computed from `pairs`.
    pub(super) fn depth(
        &self,
        depths: &[f64],
        pairs: &[([usize; 2], Vec<String>)],
        told: &AnswerLog,
    ) -> Result<Outcome, Unaskable> {
        let regions = &self.view()?.regions;
        let (width, height) = regions.size();
        let found = flooded(regions, |number| {
            depths.get(number).copied().unwrap_or_default()
        });
        let truth = self.map(ReferenceSource::Truth);
        let (mut shown, mut figures) = (Illustrations::default(), vec![("delta1", None)]);
        let names = Arc::default();
        if let Some(truth) = &truth {
            if let Values::Depth(known) = &truth.values {
                figures = depth_figures(&found, known, depths, &mean(regions, known), pairs);
            }
            shown.map(truth, MapKind::Depth, Role::Target, &names);
        }
        let drawn = Raster {
            width,
            height,
            values: Values::Depth(stretched(&found, DEEPEST)),
        };
        shown.map(&drawn, MapKind::Depth, Role::Prediction, &names);
        let words = format!(
            "depth of {} superpixels from {} pairs",
            depths.len(),
            pairs.len()
        );
        self.outcome(self.record(), &words, told, &figures, shown)
    }

    /// Returns the outcome of a normals task: how far each superpixel faces right, up and to the
    /// viewer. If the annotation is turned: right, down and away from the viewer.
    pub(super) fn normals(
        &self,
        axes: &[Vec<f64>; 3],
        pairs: &[([usize; 2], Vec<String>)],
        told: &AnswerLog,
    ) -> Result<Outcome, Unaskable> {
        let regions = &self.view()?.regions;
        let (width, height) = regions.size();
        let axes_of = |axis: usize| {
            let values = stretched(&axes[axis], 255.0);
            flooded(regions, |number| {
                values.get(number).copied().unwrap_or_default().floor()
            })
        };
        let [x, y, z] = [axes_of(0), axes_of(1), axes_of(2)];
        let truth = self.map(ReferenceSource::Truth);
        let (mut shown, mut figures) = (Illustrations::default(), vec![("rho_mean", None)]);
        let names = Arc::default();
        if let Some(truth) = &truth {
            if let Values::Normals(known) = &truth.values {
                figures = normal_figures(&Normals {
                    regions,
                    found: [&x, &y, &z],
                    truth: known,
                    axes,
                    pairs,
                    is_turned: reference::is_turned(&self.sample),
                });
            }
            shown.map(truth, MapKind::Normals, Role::Target, &names);
        }
        let signed = |value: f64| value / 127.5 - 1.0;
        let pixels = x.iter().zip(&y).zip(&z);
        let drawn = Raster {
            width,
            height,
            values: Values::Normals(pixels.map(|((x, y), z)| [*x, *y, *z].map(signed)).collect()),
        };
        shown.map(&drawn, MapKind::Normals, Role::Prediction, &names);
        let words = format!(
            "normals of {} superpixels from {} pairs",
            axes[0].len(),
            pairs.len()
        );
        self.outcome(self.record(), &words, told, &figures, shown)
    }
}
