//! Codes of samples: vectors of length one that are close for samples that look similar. They are
//! the user's embeddings or, without embeddings, are computed from the first picture of the sample.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex};

use rayon::prelude::*;

use super::answered::each;
use super::picture::{roots, source_of};
use super::progress::QueryProgress;
use analysis::likeness::Code;
use base::job::Ticket;
use media::{PictureCache, Source};
use reader::embeddings::Embeddings;
use record::{ItemId, Row, Table};

pub use reader::embeddings::EmbeddingError;

/// Maximum memory for codes of pictures, in bytes.
const CACHE: usize = 256 << 20;
/// Additional memory of a cached code, in bytes.
const ENTRY: usize = 128;

/// Codes of pictures by the hash of their bytes; `None` if a picture cannot be decoded. All tables
/// of the process share this cache, so a picture is decoded once even if the lens changes.
static PICTURES: LazyLock<Mutex<PictureCache<[u8; 32], Option<Code>>>> =
    LazyLock::new(|| Mutex::new(PictureCache::new(CACHE)));

/// Returns the codes of the items of the rows, by item. Items without a code are missing.
///
/// With embeddings, a sample needs a vector in every file. Each vector is scaled to length one, so
/// that all files have the same weight. Without files, the code of the first picture is used
/// ([`media::code::code`]). Nothing is downloaded, so remote pictures have no code.
///
/// # Errors
/// A file of embeddings cannot be used.
pub fn codes(
    table: &Table,
    rows: impl Iterator<Item = u32>,
    embeddings: &[PathBuf],
    ticket: &Ticket,
) -> Result<BTreeMap<u32, Code>, EmbeddingError> {
    let first = first_rows(table, rows);
    if embeddings.is_empty() {
        return Ok(of_pictures(table, first, ticket));
    }
    let files = embeddings.iter().map(|file| Embeddings::read(file));
    let files: Vec<Embeddings> = files.collect::<Result<_, _>>()?;
    let of_item = |item: u32| {
        let id = table.sample_id(ItemId(item));
        Some((item, joined(files.iter().map(|file| file.get(id)))?))
    };
    Ok(first.into_keys().filter_map(of_item).collect())
}

/// Returns the first row of each item, by item.
pub(super) fn first_rows(table: &Table, rows: impl Iterator<Item = u32>) -> BTreeMap<u32, u32> {
    let mut first = BTreeMap::new();
    for row in rows {
        first.entry(table.item(Row(row)).0).or_insert(row);
    }
    first
}

/// Joins the vectors of a sample to one; `None` if a vector is missing or zero.
fn joined<'a>(vectors: impl Iterator<Item = Option<&'a [f32]>>) -> Option<Code> {
    let mut all: Vec<f32> = Vec::new();
    for vector in vectors {
        all.extend(scaled(vector?)?);
    }
    Some(scaled(&all)?.into())
}

/// Scales a vector to length one; `None` for a vector of zeros.
#[expect(clippy::cast_possible_truncation, reason = "at most one")]
fn scaled(vector: &[f32]) -> Option<Vec<f32>> {
    let squares = vector.iter().map(|value| f64::from(*value).powi(2));
    let norm = squares.sum::<f64>().sqrt();
    let one = |value: &f32| (f64::from(*value) / norm) as f32;
    (norm > 0.0).then(|| vector.iter().map(one).collect())
}

/// Computes the code of each item's first picture. `first` contains one row per item.
fn of_pictures(table: &Table, first: BTreeMap<u32, u32>, ticket: &Ticket) -> BTreeMap<u32, Code> {
    let (items, rows): (Vec<u32>, Vec<u32>) = first.into_iter().unzip();
    let progress = QueryProgress::start(rows.len());
    let found = each(table, &rows, ticket, |row, record| {
        let source = record.content.images.first();
        let source = source.map(|image| source_of(image, &roots(table, row)));
        let code = source.filter(|source| ticket.is_wanted() && source.is_local());
        let code = code.and_then(|source| of_picture(&source));
        progress.step();
        code
    });
    let found = items.into_iter().zip(found);
    let known = found.filter_map(|(item, code)| Some((item, code??)));
    known.collect()
}

/// Returns the code of a picture. Uses the cache if the same bytes were decoded before.
fn of_picture(source: &Source) -> Option<Code> {
    let bytes = source.read().ok()?;
    let hash = *blake3::hash(&bytes).as_bytes();
    if let Ok(mut known) = PICTURES.lock()
        && let Some(code) = known.get(&hash)
    {
        return code.clone();
    }
    let decoded = media::decode_in_turn(&bytes, &source.name(), 1).ok();
    let code = decoded.and_then(|(decoded, _held)| media::code::code(&decoded.pixels));
    let code: Option<Code> = code.map(Into::into);
    if let Ok(mut known) = PICTURES.lock() {
        let length = code.as_ref().map_or(0, |code| size_of_val(&**code));
        known.insert(hash, code.clone(), ENTRY + length);
    }
    code
}

/// Returns 1 minus the cosine of two codes: 0 for equal directions, 1 for unrelated ones, 2 for
/// opposite ones. Returns 1 for codes of different lengths.
pub fn distance(a: &[f32], b: &[f32]) -> f32 {
    if a.len() != b.len() {
        return 1.0;
    }
    let cosine: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    (1.0 - cosine).clamp(0.0, 2.0)
}

/// Sorts rows by the distance between the code of their item and the code of `item`. Rows of `item`
/// come first. Rows at the same distance keep their order.
///
/// Returns all rows, and the distances of the first ones. Rows without a code come last and have no
/// distance. `None` if `item` has no code.
pub fn by_likeness(
    table: &Table,
    rows: Vec<u32>,
    item: ItemId,
    codes: &BTreeMap<u32, Code>,
) -> Option<(Vec<u32>, Vec<f32>)> {
    let target = codes.get(&item.0)?;
    let of_item = |(other, code): (&u32, &Code)| {
        let distance = if *other == item.0 {
            0.0
        } else {
            distance(target, code)
        };
        (*other, distance)
    };
    let distances: HashMap<u32, f32> = codes.par_iter().map(of_item).collect();
    let of_row = |row: &u32| distances.get(&table.item(Row(*row)).0).copied();
    let (mut ordered, rest): (Vec<u32>, Vec<u32>) =
        rows.into_iter().partition(|row| of_row(row).is_some());
    let key = |row: &u32| (table.item(Row(*row)) != item, of_row(row).unwrap_or(2.0));
    ordered.sort_by(|a, b| {
        let ((other, a), (own, b)) = (key(a), key(b));
        other.cmp(&own).then(a.total_cmp(&b))
    });
    let known = ordered.iter().filter_map(of_row).collect();
    ordered.extend(rest);
    Some((ordered, known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_is_that_of_directions() {
        let [right, up, left] = [[3.0, 0.0], [0.0, 0.5], [-2.0, 0.0]].map(|it| {
            let code = joined([Some(it.as_slice())].into_iter());
            code.unwrap()
        });
        assert_eq!(&*right, [1.0, 0.0]);
        assert_eq!(distance(&right, &right), 0.0);
        assert_eq!(distance(&right, &up), 1.0);
        assert_eq!(distance(&right, &left), 2.0);
    }

    #[test]
    fn every_file_counts_the_same_and_none_may_be_missing() {
        let (a, b) = ([30.0, 40.0], [0.0, 0.0, 0.1]);
        let code = joined([Some(a.as_slice()), Some(b.as_slice())].into_iter()).unwrap();
        let half = 0.5_f32.sqrt();
        let expected = [0.6 * half, 0.8 * half, 0.0, 0.0, half];
        let is_near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-6;
        assert!(code.iter().zip(&expected).all(is_near), "{code:?}");
        assert_eq!(joined([Some(a.as_slice()), None].into_iter()), None);
        assert_eq!(joined([Some([0.0, 0.0].as_slice())].into_iter()), None);
    }
}
