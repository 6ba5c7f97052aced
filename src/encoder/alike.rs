//! A head for questions which of some things is like the one in the red box: the options are the things outside of it, in
//! reading order, and which differences count is learnt.

use image::RgbaImage;
use nalgebra::DMatrix;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::options::right_option;
use super::ridge::Ridge;
use super::things::{Thing, marked_and_others};
use super::{Encoder, Example};

/// A trained head: from the differences between two things to whether they are alike.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Alike(Ridge);

impl Alike {
    /// Trains a head. Returns `None` if the options differ between questions, or things are not found.
    pub fn train(encoder: Encoder, examples: &[Example<'_>]) -> Option<Self> {
        let texts = |example: &Example<'_>| -> Vec<String> {
            let choices = example.content.choices.iter();
            choices.map(|choice| choice.text.clone()).collect()
        };
        let first = texts(examples.first()?);
        if first.len() < 3 || examples.iter().any(|example| texts(example) != first) {
            return None;
        }
        let known: Vec<(usize, Vec<Vec<f32>>)> = examples
            .par_iter()
            .filter_map(|example| {
                let right = right_option(example.content)?;
                Some((right, differences(encoder, example.picture, first.len())?))
            })
            .collect();
        // What is found in few pictures alone is chance.
        if 2 * known.len() < examples.len() {
            return None;
        }
        let is_right = known
            .iter()
            .flat_map(|(right, options)| (0..options.len()).map(move |at| at == *right));
        let is_right: Vec<bool> = is_right.collect();
        let features: Vec<Vec<f32>> = known.into_iter().flat_map(|(_, options)| options).collect();
        let outputs = DMatrix::from_fn(is_right.len(), 1, |row, _| {
            f64::from(u8::from(is_right[row]))
        });
        Ridge::fit(&features, &outputs).map(Self)
    }

    /// Index of the option that is most alike; `None` where as many things are not found.
    pub fn choose(&self, encoder: Encoder, picture: &RgbaImage, options: usize) -> Option<usize> {
        let differences = differences(encoder, picture, options)?;
        let alike = differences.iter().map(|one| self.0.predict(one)[0]);
        let best = alike
            .enumerate()
            .max_by(|(_, one), (_, other)| one.total_cmp(other));
        best.map(|(at, _)| at)
    }
}

/// Of each option's thing, by how much each feature differs from that of the thing in the red box, beside the others.
fn differences(encoder: Encoder, picture: &RgbaImage, options: usize) -> Option<Vec<Vec<f32>>> {
    let (marked, mut others) = marked_and_others(picture)?;
    others.truncate(options);
    if others.len() < options {
        return None;
    }
    let own = encoder.of_view(&marked.view(picture)?);
    let apart = in_reading_order(others).into_iter().map(|thing| {
        let features = encoder.of_view(&thing.view(picture)?);
        let parts = features.iter().zip(&own);
        Some(parts.map(|(one, other)| (one - other).abs()).collect())
    });
    let mut apart: Vec<Vec<f32>> = apart.collect::<Option<_>>()?;
    let count = f32::from(u16::try_from(options).unwrap_or(u16::MAX));
    for at in 0..own.len() {
        let mean = apart.iter().map(|one| one[at]).sum::<f32>() / count;
        for one in &mut apart {
            one[at] -= mean;
        }
    }
    Some(apart)
}

/// Row by row, each from left to right: a thing whose middle is above another's foot stands in its row.
fn in_reading_order(mut things: Vec<Thing>) -> Vec<Thing> {
    things.sort_by(|one, other| one.middle().1.total_cmp(&other.middle().1));
    let mut rows: Vec<Vec<Thing>> = Vec::new();
    for thing in things {
        match rows.last_mut() {
            Some(row) if row.iter().any(|other| thing.middle().1 < other.xyxy[3]) => {
                row.push(thing)
            }
            _ => rows.push(vec![thing]),
        }
    }
    for row in &mut rows {
        row.sort_by(|one, other| one.middle().0.total_cmp(&other.middle().0));
    }
    rows.concat()
}
