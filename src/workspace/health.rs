//! Reads the contents of samples from their logs, to find faults of a benchmark.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Mutex;

use super::answered::{answer_in, each};
use super::picture::{roots, source_of};
use analysis::health::{Contents, SIDE, SampleContent, SmallPicture, is_blank};
use analysis::{Correctness, Selection};
use media::{Region, Source, fit};
use record::{Content, ItemId, Record, Row, Table, Target, right_choice};

/// Maximum number of wrong answers to read.
const MOST_ANSWERS: usize = 500_000;
/// Maximum number of pictures of a sample to compare.
const MOST_PICTURES: usize = 8;

/// Whether pictures are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PictureUse {
    /// Local pictures are read and compared.
    #[default]
    Compared,
    /// Pictures are compared by path or address only.
    Named,
}

/// Pictures by the hash of their reference; `None` if a picture is unreadable.
type Pictures = Mutex<HashMap<u64, Option<SmallPicture>>>;

/// Content of a record: the sample with hashes of its pictures, and the wrong answer.
struct Reading {
    content: Option<(SampleContent, Vec<u64>)>,
    answer: Option<String>,
}

/// Reads the contents of a selection's samples (questions, options, targets and pictures), and the
/// wrong answers to them. Leaves out content that is unreadable. Leaves out all wrong answers if
/// there are too many.
pub fn contents(selection: Selection<'_>, pictures: PictureUse) -> Contents {
    let table = selection.table;
    let (first, wrong) = rows(selection);
    let mut rows: Vec<u32> = first.iter().map(|(_, row)| *row).collect();
    let samples: HashMap<u32, u32> = first
        .into_iter()
        .map(|(sample, row)| (row, sample))
        .collect();
    rows.extend(wrong.iter().filter(|row| !samples.contains_key(*row)));
    rows.sort_unstable();
    let cache = Pictures::default();
    let read = each(table, &rows, selection.ticket, |row, record| Reading {
        content: samples.contains_key(&row.0).then(|| {
            let keys = match pictures {
                PictureUse::Compared => compared(table, row, record, &cache),
                PictureUse::Named => named(table, row, record),
            };
            (sample_content(&record.content), keys)
        }),
        answer: wrong
            .binary_search(&row.0)
            .ok()
            .and_then(|_| answer(table, row, record, selection)),
    });
    let mut found = Contents::default();
    let mut places: HashMap<u64, usize> = HashMap::new();
    let small = cache.into_inner().unwrap_or_default();
    for (row, reading) in rows.iter().zip(read) {
        let Some(Reading { content, answer }) = reading else {
            continue;
        };
        if let Some(answer) = answer {
            found.add_answer(*row, &answer);
        }
        let (Some((mut content, keys)), Some(sample)) = (content, samples.get(row)) else {
            continue;
        };
        for key in keys {
            let place = *places.entry(key).or_insert_with(|| {
                found.pictures.push(small.get(&key).copied().flatten());
                found.pictures.len() - 1
            });
            content.pictures.push(place);
        }
        found.samples.insert(*sample, content);
    }
    found
}

/// Returns the first row of each sample. Also returns the sorted rows of wrong answers to the same
/// item or to a blank picture.
fn rows(selection: Selection<'_>) -> (Vec<(u32, u32)>, Vec<u32>) {
    let table = selection.table;
    let correctness = Correctness::new(table, selection.scoring);
    let is_blank = |item: ItemId| table.condition(item).is_some_and(is_blank);
    let sample_of = |item: ItemId| table.sample_of().get(item.0 as usize).copied();
    let mut items: HashMap<u32, ItemId> = HashMap::new();
    let (mut first, mut wrong) = (Vec::new(), Vec::new());
    let all = || selection.rows().map(|row| (row, table.item(Row(row))));
    for (row, item) in all().filter(|(_, item)| !is_blank(*item)) {
        if let Some(sample) = sample_of(item) {
            items.entry(sample).or_insert_with(|| {
                first.push((sample, row));
                item
            });
        }
    }
    for (row, item) in all() {
        let known = sample_of(item).and_then(|sample| items.get(&sample));
        let is_compared = known == Some(&item) || is_blank(item);
        if is_compared
            && correctness.is_right(Row(row)) == Some(false)
            && !table.invalid(Row(row), selection.scoring)
        {
            wrong.push(row);
        }
    }
    if wrong.len() > MOST_ANSWERS {
        wrong.clear();
    }
    (first, wrong)
}

/// Returns a wrong answer as text. `None` for an answer that cannot be compared as text, for
/// example a box.
fn answer(table: &Table, row: Row, record: &Record, selection: Selection<'_>) -> Option<String> {
    match &record.content.target {
        Some(Target::Text(_) | Target::Number(_)) => {
            Some(answer_in(table, row, record, selection.scoring)?.name)
        }
        _ => None,
    }
}

fn sample_content(content: &Content) -> SampleContent {
    let target = content.target.as_ref().map(ToString::to_string);
    let target = target.unwrap_or_default();
    let choices = &content.choices;
    let has_texts = choices.iter().all(|it| !it.text.trim().is_empty());
    let right = right_choice(choices, &target).filter(|_| has_texts);
    let text = right
        .and_then(|at| choices.get(at))
        .map(|it| it.text.clone());
    SampleContent {
        question: content.question.clone(),
        options: if has_texts {
            choices.iter().map(|it| it.text.clone()).collect()
        } else {
            Vec::new()
        },
        right,
        target: text.unwrap_or(target),
        pictures: Vec::new(),
    }
}

/// Returns the sources of a record's pictures, each with the hash of its reference.
fn sources(table: &Table, row: Row, record: &Record) -> impl Iterator<Item = (u64, Source)> {
    let roots = roots(table, row);
    let images = record.content.images.iter().take(MOST_PICTURES);
    images.map(move |image| {
        let source = source_of(image, &roots);
        let mut hasher = DefaultHasher::new();
        source.hash(&mut hasher);
        (hasher.finish(), source)
    })
}

fn named(table: &Table, row: Row, record: &Record) -> Vec<u64> {
    sources(table, row, record).map(|(key, _)| key).collect()
}

/// Reads local pictures that are not cached yet. Returns the hashes of all references.
fn compared(table: &Table, row: Row, record: &Record, cache: &Pictures) -> Vec<u64> {
    let of_source = |(key, source): (u64, Source)| {
        let is_known = || cache.lock().is_ok_and(|known| known.contains_key(&key));
        if source.is_local() && !is_known() {
            let picture = small(&source);
            if let Ok(mut known) = cache.lock() {
                known.insert(key, picture);
            }
        }
        key
    };
    sources(table, row, record).map(of_source).collect()
}

/// Returns the grey values of a small copy; `None` if the picture cannot be read.
fn small(source: &Source) -> Option<SmallPicture> {
    let picture = media::load(source).ok()?;
    let side = u32::try_from(SIDE).ok()?;
    let pixels = fit(&picture.pixels, Region::WHOLE, (side, side))?;
    let grey = pixels.pixels().map(|pixel| {
        let [red, green, blue, _] = pixel.0.map(u32::from);
        u8::try_from((299 * red + 587 * green + 114 * blue) / 1000).unwrap_or(u8::MAX)
    });
    grey.collect::<Vec<u8>>().try_into().ok()
}
