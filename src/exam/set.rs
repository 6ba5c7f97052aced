//! Writes a set of items to a folder: `items.jsonl`, further JSON lines files, pictures.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use base::file::{FileBatch, Inputs, WholeFile};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _, RgbImage};
use rayon::prelude::*;

use super::Item;
use super::trainer::Trainer;

/// File name of the items.
pub const ITEMS: &str = "items.jsonl";
/// Pages per batch: enough to keep all threads busy, few enough to limit memory.
const AT_A_TIME: usize = 128;
/// Number of files whose write to disk is awaited together.
const SETTLED: usize = 4096;

/// PNG compression level: files are half as large as at the fastest level, at the same speed.
/// Higher levels take twice as long and save only a tenth.
const LEVEL: CompressionType = CompressionType::Level(2);

/// Colouring of a picture, which decides the PNG filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shades {
    /// Areas of one colour.
    Flat,
    /// Shading; compressed with filters.
    Gradual,
}

/// A generated benchmark, made page by page.
pub trait Benchmark: Sync {
    /// Number of pages.
    fn pages(&self) -> usize;

    /// Returns how its pictures are coloured.
    fn shades(&self) -> Shades {
        Shades::Gradual
    }

    /// Builds page `number`; it does not depend on any other page.
    fn page(&self, number: usize) -> Page;

    /// Builds page `number` with the wanted items only; others need not be drawn.
    fn wanted(&self, number: usize, wanted: &dyn Fn(&Item) -> bool) -> Page {
        let mut page = self.page(number);
        page.items.retain(wanted);
        page
    }

    /// Items of page `number`, without drawing pictures if that is slow.
    fn items(&self, number: usize) -> Vec<Item> {
        self.page(number).items
    }
}

/// Pictures with the items about them, and lines for other files.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Pictures of the page.
    pub pictures: Vec<Picture>,
    /// Items of the page.
    pub items: Vec<Item>,
    /// Further files that items refer to: path below the set's folder, and bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// Lines for further files: file name and text.
    pub beside: Vec<(&'static str, String)>,
}

impl Page {
    /// A page with one item and its picture; empty for `None`.
    pub(crate) fn of(made: Option<(Item, Picture)>) -> Self {
        let (items, pictures) = made.into_iter().unzip();
        Self {
            pictures,
            items,
            ..Self::default()
        }
    }
}

/// A picture with its path.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Path below the set's folder, with `/`.
    pub path: String,
    /// Pixels of the picture.
    pub pixels: RgbImage,
}

impl Picture {
    /// Encodes the picture as PNG.
    pub fn png(&self, shades: Shades) -> io::Result<Vec<u8>> {
        let filter = match shades {
            Shades::Gradual => FilterType::Adaptive,
            Shades::Flat => FilterType::NoFilter,
        };
        let (width, height) = self.pixels.dimensions();
        let mut bytes = Vec::new();
        PngEncoder::new_with_quality(&mut bytes, LEVEL, filter)
            .write_image(&self.pixels, width, height, ExtendedColorType::Rgb8)
            .map_err(io::Error::other)?;
        Ok(bytes)
    }
}

/// Counts of a written set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetCounts {
    /// Number of pages written.
    pub pages: usize,
    /// Number of items written.
    pub items: usize,
    /// Number of pictures written.
    pub pictures: usize,
    /// Size of all pictures, in bytes.
    pub picture_bytes: u64,
}

/// Writes a benchmark to a new folder; `progress` is called with the counts after each batch.
///
/// Every file is written completely or not at all, and the items come last. Only one batch of pages
/// is in memory.
///
/// # Errors
/// The folder already contains items, or cannot be written.
pub fn write(
    benchmark: &dyn Benchmark,
    folder: &Path,
    progress: &mut dyn FnMut(SetCounts),
) -> io::Result<SetCounts> {
    write_with(benchmark, folder, None, progress)
}

/// As [`write()`]; a trainer also gets every item with its picture.
///
/// # Errors
/// As for [`write()`].
pub fn write_with(
    benchmark: &dyn Benchmark,
    folder: &Path,
    mut trainer: Option<&mut Trainer>,
    progress: &mut dyn FnMut(SetCounts),
) -> io::Result<SetCounts> {
    if folder.join(ITEMS).exists() {
        return Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("{} already exists", folder.join(ITEMS).display()),
        ));
    }
    fs::create_dir_all(folder)?;
    let mut files = Files::new(folder);
    let pictures = FileBatch::default();
    let mut written = SetCounts::default();
    for start in (0..benchmark.pages()).step_by(AT_A_TIME) {
        let end = benchmark.pages().min(start + AT_A_TIME);
        let pages: Vec<io::Result<EncodedPage>> = (start..end)
            .into_par_iter()
            .map(|number| write_pictures(benchmark, number, folder, &pictures))
            .collect();
        for page in pages {
            let page = page?;
            if let Some(trainer) = &mut trainer {
                for (item, png) in page.pictured() {
                    trainer.take(item, png)?;
                }
            }
            for (file, line) in &page.lines {
                files.push(file, line)?;
            }
            written.pages += 1;
            written.items += page.items.len();
            written.pictures += page.pictures.len();
            let bytes = page.pictures.iter().map(|(_, png)| png.len() as u64);
            written.picture_bytes += bytes.sum::<u64>();
        }
        pictures.settle_from(SETTLED)?;
        progress(written);
    }
    // Items are written last: a set with items has all pictures.
    pictures.settle()?;
    files.finish()?;
    Ok(written)
}

/// Adds pages to the folder of a set with the items `before`; the file of items is rewritten.
///
/// # Errors
/// The folder cannot be written.
pub fn extend(benchmark: &dyn Benchmark, before: &[Item], folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut files = Files::new(folder);
    for item in before {
        files.push(ITEMS, &item.clone().line())?;
    }
    let pictures = FileBatch::default();
    for number in 0..benchmark.pages() {
        for (file, line) in write_pictures(benchmark, number, folder, &pictures)?.lines {
            files.push(file, &line)?;
        }
    }
    pictures.settle()?;
    files.finish()
}

/// A page with encoded pictures.
struct EncodedPage {
    lines: Vec<(&'static str, String)>,
    items: Vec<Item>,
    /// Path and bytes of each picture.
    pictures: Vec<(String, Vec<u8>)>,
}

impl EncodedPage {
    /// Items with the bytes of their pictures.
    fn pictured(&self) -> impl Iterator<Item = (&Item, &[u8])> {
        self.items.iter().filter_map(|item| {
            let path = item.picture()?;
            let picture = self.pictures.iter().find(|(known, _)| known == path)?;
            Some((item, picture.1.as_slice()))
        })
    }
}

fn write_pictures(
    benchmark: &dyn Benchmark,
    number: usize,
    folder: &Path,
    together: &FileBatch,
) -> io::Result<EncodedPage> {
    let page = benchmark.page(number);
    let mut pictures = Vec::new();
    for picture in page.pictures {
        let bytes = picture.png(benchmark.shades())?;
        together.write(&folder.join(&picture.path), &bytes)?;
        pictures.push((picture.path, bytes));
    }
    for (path, bytes) in &page.files {
        together.write(&folder.join(path), bytes)?;
    }
    let lines = page.items.iter().cloned().map(|item| (ITEMS, item.line()));
    Ok(EncodedPage {
        lines: lines.chain(page.beside).collect(),
        items: page.items,
        pictures,
    })
}

/// JSON lines files under temporary names, until they are complete.
struct Files<'a> {
    folder: &'a Path,
    open: BTreeMap<&'static str, WholeFile>,
}

impl<'a> Files<'a> {
    const fn new(folder: &'a Path) -> Self {
        Self {
            folder,
            open: BTreeMap::new(),
        }
    }

    fn push(&mut self, file: &'static str, line: &str) -> io::Result<()> {
        if !self.open.contains_key(file) {
            let whole = WholeFile::create(&self.folder.join(file), &Inputs::none())?;
            self.open.insert(file, whole);
        }
        match self.open.get_mut(file) {
            Some(out) => writeln!(out, "{line}"),
            None => Ok(()),
        }
    }

    /// Publishes the files; the items come last, because they mark the set as complete.
    fn finish(mut self) -> io::Result<()> {
        let items = self.open.remove(ITEMS);
        for file in self.open.into_values().chain(items) {
            file.commit()?;
        }
        Ok(())
    }
}
