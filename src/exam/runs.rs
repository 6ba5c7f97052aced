//! Runs encoders on generated benchmarks: trains on one split, answers the other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use image::{DynamicImage, RgbaImage};
use rayon::prelude::*;

use super::{Benchmark, Item};
use crate::encoder::{Encoder, Example, Heads};
use record::Record;

/// An item with its picture.
#[derive(Clone, Debug)]
pub struct PicturedItem {
    /// Question, options and target.
    pub item: Item,
    /// The picture; several items may share a picture.
    pub picture: Arc<RgbaImage>,
}

/// The wanted items of a benchmark with their pictures, in order.
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

/// Reads the pictures of items from the folder of their set. Returns `None` if a picture cannot be
/// read.
pub(super) fn written_items<'a>(
    folder: &Path,
    items: impl Iterator<Item = &'a Item>,
) -> Option<Vec<PicturedItem>> {
    let items: Vec<&Item> = items.collect();
    let paths: BTreeSet<&str> = items.iter().filter_map(|item| item.picture()).collect();
    let paths: Vec<&str> = paths.into_iter().collect();
    let read = |path: &&'a str| {
        let picture = image::open(folder.join(path)).ok()?;
        Some((*path, Arc::new(picture.into_rgba8())))
    };
    let pictures: Option<BTreeMap<&str, Arc<RgbaImage>>> = paths.par_iter().map(read).collect();
    let pictures = pictures?;
    let asked = items.into_iter().map(|item| {
        Some(PicturedItem {
            item: item.clone(),
            picture: Arc::clone(pictures.get(item.picture()?)?),
        })
    });
    asked.collect()
}

/// Trains an encoder on items of one ability. For the exam with levels it may also use marked
/// regions and salient objects.
pub fn train(encoder: Encoder, ability: &str, known: &[PicturedItem]) -> Heads {
    let examples: Vec<Example<'_>> = known
        .iter()
        .map(|asked| Example {
            content: &asked.item.content,
            picture: &asked.picture,
        })
        .collect();
    let mut heads = Heads::new(encoder);
    let has_level = |known: &PicturedItem| known.item.content.tags.contains_key("level");
    if known.first().is_some_and(has_level) {
        heads = heads.with_regions();
    }
    heads.learn(ability, &examples);
    heads
}

/// An encoder's answers as records; the model is the encoder's name. Items of abilities without a
/// trained head are omitted.
pub fn predict(heads: &Heads, asked: &[PicturedItem]) -> Vec<Record> {
    records_of(heads.encoder().name(), asked, |asked| {
        let item = &asked.item;
        heads.predict(&item.ability, &item.content, &asked.picture)
    })
}

/// A model's responses as records; items without a response are omitted.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gepbench::{Gepbench, Noise};
    use crate::set;

    /// Several questions share one figure.
    #[test]
    fn what_was_written_is_read_as_it_was_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let figures = Gepbench::new(24, 5, Noise::Some);
        set::write(&figures, folder.path(), &mut |_| ()).unwrap();
        let drawn = pictured_items(&figures, |_| true);
        let items: Vec<Item> = drawn.iter().map(|drawn| drawn.item.clone()).collect();
        let written = written_items(folder.path(), items.iter()).unwrap();
        assert_eq!(written.len(), drawn.len());
        for (written, drawn) in written.iter().zip(&drawn) {
            assert_eq!(written.item, drawn.item);
            assert_eq!(written.picture, drawn.picture, "{}", drawn.item.id);
        }
        let lost = folder.path().join(items[3].picture().unwrap());
        std::fs::write(&lost, "not a picture").unwrap();
        assert!(written_items(folder.path(), items.iter()).is_none());
        let rest = items
            .iter()
            .filter(|item| item.picture() != items[3].picture());
        assert!(written_items(folder.path(), rest).is_some());
    }
}
