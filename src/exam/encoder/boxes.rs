//! A head for boxes: regression from the whole picture, detection of the named object by cells, or
//! a choice among salient objects. Held-out examples decide which is used.

use image::RgbaImage;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::finder::{self, Finder};
use super::head::Training;
use super::ridge::Ridge;
use super::spots::{CellFeatures, Spots, shown};
use super::{Encoder, Example};
use record::{Content, Target};

/// One in this many examples is held out to choose the kind of head.
const HELD_OUT: usize = 4;

/// Trained head that predicts boxes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Boxes {
    /// From features to centre and log sides, in fractions of the picture.
    ridge: Ridge,
    spots: Option<Spots>,
    finder: Option<Finder>,
}

/// Training examples with their features.
#[derive(Clone, Debug, Default)]
struct BoxExamples<'a> {
    questions: Vec<&'a str>,
    features: Vec<Vec<f32>>,
    shown: Vec<CellFeatures>,
    boxes: Vec<[f64; 4]>,
}

impl<'a> BoxExamples<'a> {
    fn of(encoder: Encoder, examples: &[Example<'a>]) -> Self {
        let known = examples.par_iter().filter_map(|example| {
            let corners = box_of(example.content, example.picture)?;
            let question = example.content.question.as_str();
            let features = encoder.features(example.picture);
            Some(((question, corners), (features, shown(encoder, example))))
        });
        let ((questions, boxes), (features, shown)) = known.unzip();
        Self {
            questions,
            features,
            shown,
            boxes,
        }
    }

    fn part(&self, held_out: bool) -> Self {
        let mut part = Self::default();
        let known = self
            .questions
            .iter()
            .zip(&self.features)
            .zip(&self.shown)
            .zip(&self.boxes);
        for (at, (((question, features), shown), corners)) in known.enumerate() {
            if at.is_multiple_of(HELD_OUT) == held_out {
                part.questions.push(question);
                part.features.push(features.clone());
                part.shown.push(shown.clone());
                part.boxes.push(*corners);
            }
        }
        part
    }

    fn ridge(&self) -> Option<Ridge> {
        let outputs =
            nalgebra::DMatrix::from_fn(self.boxes.len(), 4, |row, part| self.boxes[row][part]);
        Ridge::fit(&self.features, &outputs)
    }

    fn spots(&self) -> Option<Spots> {
        Spots::train(&self.questions, &self.shown, &self.boxes)
    }
}

impl Boxes {
    /// Trains a head; with regions, it may choose among salient objects. Returns `None` if no
    /// example has a box.
    pub fn train(training: Training, examples: &[Example<'_>]) -> Option<Self> {
        let encoder = training.encoder;
        let boxed = |example: &&Example<'_>| box_of(example.content, example.picture).is_some();
        let examples: Vec<Example<'_>> = examples.iter().filter(boxed).copied().collect();
        let known = BoxExamples::of(encoder, &examples);
        let (kept, held) = (known.part(false), known.part(true));
        let trial = Self {
            ridge: kept.ridge()?,
            spots: kept.spots(),
            finder: None,
        };
        let (mut regressed, mut spotted) = (0.0, 0.0);
        for (at, truth) in held.boxes.iter().enumerate() {
            let (features, shown) = (&held.features[at], &held.shown[at]);
            let question = held.questions[at];
            regressed += overlap(array(&trial.ridge.predict(features)), *truth);
            spotted += overlap(trial.find(question, features, shown), *truth);
        }
        let found = if training.with_regions {
            found(encoder, &examples)
        } else {
            0.0
        };
        let is_found = found > spotted.max(regressed);
        let finder = is_found.then(|| Finder::train(encoder, &examples));
        Some(Self {
            ridge: known.ridge()?,
            spots: known.spots().filter(|_| spotted > regressed),
            finder: finder.flatten(),
        })
    }

    fn find(&self, question: &str, features: &[f32], shown: &CellFeatures) -> [f64; 4] {
        let spot = self
            .spots
            .as_ref()
            .and_then(|spots| spots.find(question, shown));
        spot.unwrap_or_else(|| array(&self.ridge.predict(features)))
    }

    /// The predicted corners in pixels, clipped to the picture.
    pub fn respond(&self, encoder: Encoder, content: &Content, picture: &RgbaImage) -> [f64; 4] {
        let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
        let finder = self.finder.as_ref();
        let found = finder.and_then(|finder| finder.find(encoder, &content.question, picture));
        if let Some([x0, y0, x1, y1]) = found {
            return [x0 * width, y0 * height, x1 * width, y1 * height];
        }
        let example = Example { content, picture };
        let shown = match self.spots {
            Some(_) => shown(encoder, &example),
            None => Vec::new(),
        };
        let found = self.find(&content.question, &encoder.features(picture), &shown);
        let [x0, y0, x1, y1] = corners(found).map(|at| at.clamp(0.0, 1.0));
        [x0 * width, y0 * height, x1 * width, y1 * height]
    }
}

fn array(outputs: &[f64]) -> [f64; 4] {
    std::array::from_fn(|at| outputs[at])
}

/// Corners from centre and log sides.
fn corners([x, y, width, height]: [f64; 4]) -> [f64; 4] {
    let (across, down) = (width.exp() / 2.0, height.exp() / 2.0);
    [x - across, y - down, x + across, y + down]
}

/// Sum of the overlaps of a [`Finder`] on held-out examples.
fn found(encoder: Encoder, examples: &[Example<'_>]) -> f64 {
    let is_held = |at: usize| at.is_multiple_of(HELD_OUT);
    let part = |held_out: bool| -> Vec<Example<'_>> {
        let examples = examples.iter().enumerate();
        let part = examples.filter(|(at, _)| is_held(*at) == held_out);
        part.map(|(_, example)| *example).collect()
    };
    let Some(finder) = Finder::train(encoder, &part(false)) else {
        return 0.0;
    };
    let overlaps = part(true).into_par_iter().filter_map(|example| {
        let (content, picture) = (example.content, example.picture);
        let found = finder.find(encoder, &content.question, picture)?;
        Some(finder::overlap(found, corners(box_of(content, picture)?)))
    });
    overlaps.sum()
}

/// Intersection over union of two boxes, given as centre and log sides.
fn overlap(one: [f64; 4], other: [f64; 4]) -> f64 {
    finder::overlap(corners(one), corners(other))
}

/// Centre and log sides of the target, in fractions of the picture.
fn box_of(content: &Content, picture: &RgbaImage) -> Option<[f64; 4]> {
    let Some(Target::Box([x0, y0, x1, y1])) = content.target else {
        return None;
    };
    let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
    let side = |from: f64, to: f64, whole: f64| ((to - from) / whole).max(1e-3).ln();
    Some([
        f64::midpoint(x0, x1) / width,
        f64::midpoint(y0, y1) / height,
        side(x0, x1, width),
        side(y0, y1, height),
    ])
}
