//! OCR: the red box is cut into windows as wide as letters, and each window is classified.

use std::collections::BTreeSet;

use image::RgbaImage;
use nalgebra::DMatrix;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::ridge::Ridge;
use super::view::{View, drawn_box};
use super::{Encoder, Example};
use media::Region;
use record::Target;

/// Maximum number of training windows.
const MOST: usize = 700;
/// Overlap of a window with each neighbour, as a share of its width.
const MARGIN: f64 = 0.15;
/// The colour of the box around the word.
const RED: [u8; 3] = [255, 0, 0];

/// A trained letter classifier.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Letters {
    /// Letters per unit of a box's aspect ratio.
    density: f64,
    /// The known letters, sorted.
    classes: Vec<char>,
    /// From a window's features to one output per letter.
    ridge: Ridge,
}

impl Letters {
    /// Trains on words in red boxes. Returns `None` if there are none.
    pub fn train(encoder: Encoder, examples: &[Example<'_>]) -> Option<Self> {
        let words = examples.iter().filter_map(|example| {
            let Some(Target::Text(text)) = &example.content.target else {
                return None;
            };
            Some((example.picture, drawn_box(example.picture, RED)?, text))
        });
        let words: Vec<(&RgbaImage, Region, &String)> = words.collect();
        let windows: Vec<(&RgbaImage, Region, char)> = words
            .iter()
            .flat_map(|(picture, region, text)| {
                let windows = windows(*region, text.chars().count());
                windows
                    .zip(text.chars())
                    .map(|(window, letter)| (*picture, window, letter))
            })
            .collect();
        // Sampled evenly over all words, which may be sorted.
        let step = windows.len().div_ceil(MOST).max(1);
        let (features, letters): (Vec<Vec<f32>>, Vec<char>) = windows
            .par_iter()
            .step_by(step)
            .filter_map(|(picture, window, letter)| {
                Some((encoder.of_view(&View::of(picture, *window)?), *letter))
            })
            .unzip();
        let classes: BTreeSet<char> = letters.iter().copied().collect();
        let classes: Vec<char> = classes.into_iter().collect();
        let outputs = DMatrix::from_fn(letters.len(), classes.len(), |row, class| {
            f64::from(u8::from(letters.get(row) == classes.get(class)))
        });
        Some(Self {
            density: density(&words)?,
            ridge: Ridge::fit(&features, &outputs)?,
            classes,
        })
    }

    /// The word in the red box; empty if there is no box.
    pub fn read(&self, encoder: Encoder, picture: &RgbaImage) -> String {
        let Some(region) = drawn_box(picture, RED) else {
            return String::new();
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small number of letters"
        )]
        let count = (self.density * shape(picture, region))
            .round()
            .clamp(1.0, 60.0) as usize;
        let letter = |window| {
            let outputs = self
                .ridge
                .predict(&encoder.of_view(&View::of(picture, window)?));
            let best = outputs
                .iter()
                .enumerate()
                .max_by(|(_, one), (_, other)| one.total_cmp(other))?;
            self.classes.get(best.0).copied()
        };
        let read: String = windows(region, count).filter_map(letter).collect();
        read.trim().to_owned()
    }
}

/// Aspect ratio of a region in pixels.
fn shape(picture: &RgbaImage, region: Region) -> f64 {
    let [x0, y0, x1, y1] = region.xyxy();
    let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
    (x1 - x0) * width / ((y1 - y0) * height)
}

/// Letters per unit of aspect ratio over all words.
fn density(words: &[(&RgbaImage, Region, &String)]) -> Option<f64> {
    let shapes: f64 = words
        .iter()
        .map(|(picture, region, _)| shape(picture, *region))
        .sum();
    let letters: usize = words.iter().map(|(.., text)| text.chars().count()).sum();
    (shapes > 0.0).then(|| f64::from(u32::try_from(letters).unwrap_or(u32::MAX)) / shapes)
}

/// Equal windows from left to right, each with a margin.
fn windows(region: Region, count: usize) -> impl Iterator<Item = Region> {
    let [x0, y0, x1, y1] = region.xyxy();
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let width = (x1 - x0) / f64::from(count.max(1));
    (0..count).map(move |at| {
        let left = x0 + f64::from(at) * width;
        Region::new([left - MARGIN * width, y0, left + (1.0 + MARGIN) * width, y1])
    })
}
