//! Runs of encoders on generated benchmarks: train on one split, answer the other.

use std::sync::Arc;

use image::{DynamicImage, RgbaImage};
use rayon::prelude::*;

use super::{Benchmark, Item};
use encoder::{Encoder, Example, Heads};
use record::Record;

/// An item with its picture.
#[derive(Clone, Debug)]
pub struct PicturedItem {
    /// The item.
    pub item: Item,
    /// The picture; several items may share one.
    pub picture: Arc<RgbaImage>,
}

/// The wanted items of a benchmark with their pictures, in order.
#[must_use]
pub fn pictured_items(
    benchmark: &dyn Benchmark,
    wanted: impl Fn(&Item) -> bool + Sync,
) -> Vec<PicturedItem> {
    let pages = (0..benchmark.pages()).into_par_iter().map(|number| {
        let mut page = benchmark.wanted(number, &wanted);
        let of_picture = |picture: super::Picture| {
            let items: Vec<Item> = page
                .items
                .iter()
                .filter(|item| item.picture() == Some(&picture.path))
                .cloned()
                .collect();
            if items.is_empty() {
                return Vec::new();
            }
            let pixels = Arc::new(DynamicImage::ImageRgb8(picture.pixels).into_rgba8());
            let asked = |item| PicturedItem {
                item,
                picture: Arc::clone(&pixels),
            };
            items.into_iter().map(asked).collect()
        };
        let pictures = std::mem::take(&mut page.pictures).into_iter();
        pictures.flat_map(of_picture).collect::<Vec<PicturedItem>>()
    });
    pages.flatten_iter().collect()
}

/// Trains an encoder on items of one ability.
#[must_use]
pub fn train(encoder: Encoder, ability: &str, known: &[PicturedItem]) -> Heads {
    let examples: Vec<Example<'_>> = known
        .iter()
        .map(|asked| Example {
            content: &asked.item.content,
            picture: &asked.picture,
        })
        .collect();
    let mut heads = Heads::new(encoder);
    heads.learn(ability, &examples);
    heads
}

/// An encoder's answers as records under its name; items of abilities without a trained head are left out.
#[must_use]
pub fn predict(heads: &Heads, asked: &[PicturedItem]) -> Vec<Record> {
    records_of(heads.encoder().name(), asked, |asked| {
        let item = &asked.item;
        heads.predict(&item.ability, &item.content, &asked.picture)
    })
}

/// A model's responses to items as records; items without a response are left out.
pub(super) fn records_of(
    model: &str,
    asked: &[PicturedItem],
    respond: impl Fn(&PicturedItem) -> Option<String> + Sync,
) -> Vec<Record> {
    let answer = |asked: &PicturedItem| {
        Some(Record {
            model: model.to_owned(),
            response: Some(respond(asked)?),
            ..asked.item.clone().record()
        })
    };
    asked.par_iter().filter_map(answer).collect()
}
