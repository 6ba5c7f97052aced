//! What is selected, as samples that can be asked again.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use super::load::Request;
use super::page::{Correctness, detail};
use super::picture;
use crate::analysis::Selection;
use crate::config::state_folder;
use crate::record::{Labels, Row, Source, Table, Value};
use crate::rerun::{self, Before, JOURNAL, Protocol, Sample, Turned};

/// The folder of new runs.
const RERUNS: &str = "reruns";
/// For each sample that is wanted, so many are looked at before it is given up that enough fit.
const MOST_LOOKED_AT: usize = 20;
/// The label of a rotated picture.
const ROTATION: &str = "rotation";

/// The samples that are selected, each once however many models answered it: under each condition that the log has,
/// or, for a protocol that turns the picture itself, once for all rotations. Of more than `limit`, some from everywhere
/// until `limit` fit the protocol: always the same, and those of a smaller limit are among those of a larger one. What earlier reruns asked is no
/// sample of its own beside logs of others.
///
/// What the log's model of the name `against` made of a sample is what its new answer is compared with, else what the
/// first selected one made of it. The second number counts samples whose text cannot be fetched any more.
#[must_use]
pub fn asked(
    selection: Selection<'_>,
    protocol: &Protocol,
    against: Option<&str>,
    limit: usize,
) -> (Vec<Sample>, usize) {
    let groups = groups(selection, protocol.turns(), against);
    if groups.len() <= limit {
        return fetched(selection, groups.iter());
    }
    let correct = Correctness::new(selection.table, selection.scoring);
    let most = limit.saturating_mul(MOST_LOOKED_AT).max(1_000);
    let (mut samples, mut fit, mut lost) = (Vec::new(), 0, 0);
    for at in mixed(selection.table, &groups).into_iter().take(most) {
        let rows = groups.get(at).map(Vec::as_slice).unwrap_or_default();
        let Some(sample) = sample(selection.table, rows, selection, &correct) else {
            lost += 1;
            continue;
        };
        fit += usize::from(protocol.unfit(&sample).is_none());
        samples.push((at, sample));
        if fit == limit {
            break;
        }
    }
    samples.sort_by_key(|(at, _)| *at);
    let samples = samples.into_iter().map(|(_, sample)| sample).collect();
    (samples, lost)
}

/// How many samples are selected.
#[must_use]
pub fn count(selection: Selection<'_>, protocol: &Protocol) -> usize {
    groups(selection, protocol.turns(), None).len()
}

/// The samples of these names ([`Sample::key`]), in their order, with `against` as for [`asked`]. The second number counts those that the table does
/// not have, or whose text cannot be fetched.
#[must_use]
pub fn asked_before(
    selection: Selection<'_>,
    protocol: &Protocol,
    against: Option<&str>,
    names: &[String],
) -> (Vec<Sample>, usize) {
    let wanted: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    let table = selection.table;
    let place = |rows: &Vec<u32>| {
        let found = rows.iter().enumerate().find_map(|(at, row)| {
            let place = wanted.get(name(table, *row).as_str())?;
            Some((at, *place))
        });
        found.map(|(at, place)| {
            let mut rows = rows.clone();
            rows.rotate_left(at);
            (place, rows)
        })
    };
    let groups = groups(selection, protocol.turns(), against);
    let mut groups: Vec<(usize, Vec<u32>)> = groups.iter().filter_map(place).collect();
    groups.sort_by_key(|(place, _)| *place);
    let (samples, _) = fetched(selection, groups.iter().map(|(_, rows)| rows));
    let lost = names.len().saturating_sub(samples.len());
    (samples, lost)
}

/// Which of some names ([`Sample::key`]) samples of the table have.
#[must_use]
pub fn known(table: &Table, names: &BTreeSet<&str>) -> BTreeSet<String> {
    if names.is_empty() {
        return BTreeSet::new();
    }
    let rows = table.item_of().iter().zip(0..);
    let first: HashMap<u32, u32> = rows.map(|(item, row)| (*item, row)).collect();
    let found = first.into_values().map(|row| name(table, row));
    found.filter(|name| names.contains(name.as_str())).collect()
}

fn fetched<'a>(
    selection: Selection<'_>,
    groups: impl Iterator<Item = &'a Vec<u32>>,
) -> (Vec<Sample>, usize) {
    let correct = Correctness::new(selection.table, selection.scoring);
    let (mut samples, mut lost) = (Vec::new(), 0);
    for rows in groups {
        match sample(selection.table, rows, selection, &correct) {
            Some(sample) => samples.push(sample),
            None => lost += 1,
        }
    }
    (samples, lost)
}

/// The groups in an order that has nothing to do with the table's: by the hashes of their names.
fn mixed(table: &Table, groups: &[Vec<u32>]) -> Vec<usize> {
    let hash = |rows: &Vec<u32>| {
        let name = rows.first().map(|row| name(table, *row));
        *blake3::hash(name.unwrap_or_default().as_bytes()).as_bytes()
    };
    let mut order: Vec<([u8; 32], usize)> = groups.iter().map(hash).zip(0..).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, at)| at).collect()
}

/// The name that [`Sample::key`] will have.
fn name(table: &Table, row: u32) -> String {
    let item = table.item(Row(row));
    let ability = table.ability(item);
    let labels = table.condition(item).into_iter().flatten();
    let labels: Vec<String> = labels
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    [
        ability.map_or("", |ability| ability.benchmark.as_str()),
        ability.map_or("", |ability| ability.name.as_str()),
        table.sample_id(item),
        &labels.join(" "),
    ]
    .join("\u{1f}")
}

/// The rows that speak of one sample, the one to ask first; the others are its turned versions.
fn groups(selection: Selection<'_>, by_sample: bool, against: Option<&str>) -> Vec<Vec<u32>> {
    let table = selection.table;
    let mut places: BTreeMap<(u32, Option<String>), usize> = BTreeMap::new();
    let mut groups: Vec<BTreeMap<u32, u32>> = Vec::new();
    let is_wanted =
        |row: u32| against.is_some_and(|name| table.names().model(table.model(Row(row))) == name);
    let is_rerun: Vec<bool> = table.sources().iter().map(is_rerun).collect();
    let of_rerun = |row: &u32| {
        let unit = table.unit_of().get(*row as usize);
        unit.is_some_and(|unit| is_rerun.get(*unit as usize) == Some(&true))
    };
    let only_reruns = is_rerun.contains(&true) && selection.rows().all(|row| of_rerun(&row));
    for row in selection.rows().filter(|row| only_reruns || !of_rerun(row)) {
        let item = table.item(Row(row));
        let key = if by_sample {
            let sample = table
                .sample_of()
                .get(item.0 as usize)
                .copied()
                .unwrap_or_default();
            let others = table
                .condition(item)
                .map(without_rotation)
                .unwrap_or_default();
            (sample, Some(others))
        } else {
            (item.0, None)
        };
        let place = *places.entry(key).or_insert_with(|| {
            groups.push(BTreeMap::new());
            groups.len() - 1
        });
        let Some(group) = groups.get_mut(place) else {
            continue;
        };
        match group.entry(item.0) {
            Entry::Vacant(entry) => drop(entry.insert(row)),
            Entry::Occupied(mut entry) if is_wanted(row) => drop(entry.insert(row)),
            Entry::Occupied(_) => {}
        }
    }
    let degrees = |row: u32| rotation(table, row).unwrap_or_default();
    let sorted = |group: BTreeMap<u32, u32>| {
        let mut rows: Vec<u32> = group.into_values().collect();
        rows.sort_by_key(|&row| degrees(row));
        rows
    };
    groups.into_iter().map(sorted).collect()
}

/// Whether a log is what came of asking again.
fn is_rerun(source: &Source) -> bool {
    source
        .path
        .file_name()
        .is_some_and(|name| name == rerun::FILE)
}

fn without_rotation(labels: &Labels) -> String {
    let others = labels.iter().filter(|(name, _)| *name != ROTATION);
    let others: Vec<String> = others
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    others.join(" ")
}

/// Degrees of the picture of a prediction.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "0 to 359 degrees"
)]
fn rotation(table: &Table, row: u32) -> Option<u16> {
    let label = table.condition(table.item(Row(row)))?.get(ROTATION)?;
    let degrees = match label {
        Value::Number(degrees) => *degrees,
        Value::Text(text) => text.parse().ok()?,
        Value::Flag(_) => return None,
    };
    degrees
        .is_finite()
        .then(|| degrees.rem_euclid(360.0) as u16)
}

fn sample(
    table: &Table,
    rows: &[u32],
    selection: Selection<'_>,
    correct: &Correctness<'_>,
) -> Option<Sample> {
    let fetch = |row: u32| {
        let found = detail(table, Row(row), selection.scoring).ok()?;
        let pictures = picture::sources(table, &found);
        let mut record = found.record;
        record.benchmark = found.list.benchmark;
        Some((record, pictures))
    };
    let (first, rest) = rows.split_first()?;
    let (record, pictures) = fetch(*first)?;
    let others = rest.iter().filter_map(|&row| {
        let (record, pictures) = fetch(row)?;
        Some((rotation(table, row)?, Turned { record, pictures }))
    });
    let place = table.place(Row(*first));
    let source = table.sources().get(place.unit as usize)?;
    Some(Sample {
        before: Some(Before {
            model: record.model.clone(),
            right: correct.of(Row(*first)),
            row: Row(*first),
        }),
        format: source.format.to_owned(),
        record,
        pictures,
        turned: others.collect(),
    })
}

/// A name for a live model's answers that no model of the logs has: its own, where that is free.
#[must_use]
pub fn free_label(table: &Table, model: &str) -> String {
    let taken = |name: &str| table.names().models.find(name).is_some();
    if !taken(model) {
        return model.to_owned();
    }
    let numbered = (2..).map(|count| format!("{model}@rerun{count}"));
    let mut names = std::iter::once(format!("{model}@rerun")).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or_default()
}

/// Folders in which a new run may stand: beside what was opened, else in the state folder.
#[must_use]
pub fn places(request: &Request) -> Vec<PathBuf> {
    let first = request
        .paths
        .first()
        .and_then(|path| path.canonicalize().ok());
    let beside = first.and_then(|path| Some(path.parent()?.join(RERUNS)));
    let state = state_folder().map(|folder| folder.join(RERUNS));
    beside.into_iter().chain(state).collect()
}

/// Folders with a journal: of runs beside what was opened, in what was opened, and under `more`.
#[must_use]
pub fn journals(request: &Request, more: &[PathBuf]) -> Vec<PathBuf> {
    let parents = places(request).into_iter().chain(more.iter().cloned());
    let parents = parents.chain(request.paths.iter().cloned());
    let below = |parent: PathBuf| {
        let children = std::fs::read_dir(&parent).into_iter().flatten();
        let children = children.filter_map(|entry| Some(entry.ok()?.path()));
        children.chain([parent]).collect::<Vec<_>>()
    };
    let is_run = |folder: &PathBuf| folder.join(JOURNAL).is_file();
    let folders = parents.flat_map(below).filter(is_run);
    let folders: BTreeSet<PathBuf> = folders
        .map(|folder| folder.canonicalize().unwrap_or(folder))
        .collect();
    folders.into_iter().collect()
}
