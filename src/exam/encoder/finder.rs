//! A head for boxes: picks the salient object that looks most like the object that the question
//! names.

use std::collections::BTreeSet;

use image::RgbaImage;
use nalgebra::DMatrix;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::ridge::Ridge;
use super::things::{Thing, things};
use super::{Encoder, Example};
use record::Target;

/// Maximum number of objects considered per picture, the largest first.
const MOST: usize = 40;
/// Maximum number of other objects per training picture, used as negatives.
const OTHERS: usize = 3;
/// Minimum intersection over union of an object and the target box.
const SAME: f64 = 0.5;

/// Trained head that finds a named object.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Finder {
    /// Questions without digits, sorted: one class each.
    kinds: Vec<String>,
    /// From an object's features to one output per class.
    ridge: Ridge,
}

impl Finder {
    /// Trains a head. Returns `None` if no object matches a target box.
    pub fn train(encoder: Encoder, examples: &[Example<'_>]) -> Option<Self> {
        let known: Vec<(Vec<f32>, Option<String>)> = examples
            .par_iter()
            .flat_map_iter(|example| shown(encoder, example))
            .collect();
        let kinds: BTreeSet<&String> = known.iter().filter_map(|(_, kind)| kind.as_ref()).collect();
        if kinds.is_empty() {
            return None;
        }
        let kinds: Vec<String> = kinds.into_iter().cloned().collect();
        let outputs = DMatrix::from_fn(known.len(), kinds.len(), |row, kind| {
            f64::from(u8::from(known[row].1.as_ref() == kinds.get(kind)))
        });
        let features: Vec<Vec<f32>> = known.into_iter().map(|(features, _)| features).collect();
        let ridge = Ridge::fit(&features, &outputs)?;
        Some(Self { kinds, ridge })
    }

    /// Box of the named object, in fractions of the picture. `None` for an unknown question or a
    /// picture without salient objects.
    pub fn find(&self, encoder: Encoder, question: &str, picture: &RgbaImage) -> Option<[f64; 4]> {
        let kind = self.kinds.binary_search(&wanted(question)).ok()?;
        let found = things(picture).into_iter().take(MOST);
        let likeness = |thing: &Thing| {
            let features = encoder.of_view(&thing.view(picture)?);
            self.ridge.predict(&features).get(kind).copied()
        };
        let likely = found.filter_map(|thing| Some((likeness(&thing)?, thing.xyxy)));
        let best = likely.max_by(|(one, _), (other, _)| one.total_cmp(other));
        best.map(|(_, xyxy)| xyxy)
    }
}

/// Class of a question: its text without digits, because the size of the picture varies.
fn wanted(question: &str) -> String {
    question.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// Features of the target object with its class, and of some others without.
fn shown(encoder: Encoder, example: &Example<'_>) -> Vec<(Vec<f32>, Option<String>)> {
    let Some(Target::Box(corners)) = example.content.target else {
        return Vec::new();
    };
    let (width, height) = example.picture.dimensions();
    let sides = [width, height, width, height].map(f64::from);
    let truth: [f64; 4] = std::array::from_fn(|at| corners[at] / sides[at]);
    let is_it = |thing: &Thing| overlap(thing.xyxy, truth) >= SAME;
    let (own, others): (Vec<Thing>, Vec<Thing>) = things(example.picture)
        .into_iter()
        .take(MOST)
        .partition(is_it);
    let own = own.into_iter().take(1);
    let own = own.map(|thing| (thing, Some(wanted(&example.content.question))));
    let others = others.into_iter().take(OTHERS).map(|thing| (thing, None));
    own.chain(others)
        .filter_map(|(thing, kind)| {
            let view = thing.view(example.picture)?;
            Some((encoder.of_view(&view), kind))
        })
        .collect()
}

/// Intersection over union of two boxes.
pub fn overlap(one: [f64; 4], other: [f64; 4]) -> f64 {
    let area = |[x0, y0, x1, y1]: [f64; 4]| (x1 - x0).max(0.0) * (y1 - y0).max(0.0);
    let both = area([
        one[0].max(other[0]),
        one[1].max(other[1]),
        one[2].min(other[2]),
        one[3].min(other[3]),
    ]);
    both / (area(one) + area(other) - both).max(f64::MIN_POSITIVE)
}
