//! Runs of the encoders on benchmarks that were made: each learns from one split and answers the other.

use std::sync::Arc;

use image::{DynamicImage, RgbaImage};
use rayon::prelude::*;

use super::{Benchmark, Item};
use encoder::{Encoder, Example, Heads};
use record::Record;

/// A question with its picture.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The question.
    pub item: Item,
    /// The picture; several questions may be about one.
    pub picture: Arc<RgbaImage>,
}

/// The questions of a benchmark that are wanted, in order.
#[must_use]
pub fn asked(benchmark: &dyn Benchmark, wanted: impl Fn(&Item) -> bool + Sync) -> Vec<Asked> {
    let pages = (0..benchmark.pages()).into_par_iter().map(|number| {
        let mut page = benchmark.page(number);
        page.items.retain(|item| wanted(item));
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
            let asked = |item| Asked {
                item,
                picture: Arc::clone(&pixels),
            };
            items.into_iter().map(asked).collect()
        };
        let pictures = std::mem::take(&mut page.pictures).into_iter();
        pictures.flat_map(of_picture).collect::<Vec<Asked>>()
    });
    pages.flatten_iter().collect()
}

/// An encoder that has learnt one ability from questions whose answers are known.
#[must_use]
pub fn learnt(encoder: Encoder, ability: &str, known: &[Asked]) -> Heads {
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

/// The answers of an encoder, as records under its name; questions of abilities that it has not learnt are left out.
#[must_use]
pub fn answers(heads: &Heads, asked: &[Asked]) -> Vec<Record> {
    said(heads.encoder().name(), asked, |asked| {
        let item = &asked.item;
        heads.predict(&item.ability, &item.content, &asked.picture)
    })
}

/// What a model says to each question, as its records; questions to which it says nothing are left out.
pub(super) fn said(
    model: &str,
    asked: &[Asked],
    respond: impl Fn(&Asked) -> Option<String> + Sync,
) -> Vec<Record> {
    let answer = |asked: &Asked| {
        Some(Record {
            model: model.to_owned(),
            response: Some(respond(asked)?),
            ..asked.item.clone().record()
        })
    };
    asked.par_iter().filter_map(answer).collect()
}
