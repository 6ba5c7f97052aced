//! What is selected, as samples that can be asked again.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;

use super::load::Request;
use super::page::{Correctness, detail};
use super::picture;
use crate::analysis::Selection;
use crate::config::state_folder;
use crate::record::{Labels, Row, Table, Value};
use crate::rerun::{Before, Protocol, Sample, Turned};

/// The folder of new runs.
const RERUNS: &str = "reruns";
/// The label of a rotated picture.
const ROTATION: &str = "rotation";

/// The samples that are selected, each once however many models answered it: under each condition that the log has,
/// or, for a protocol that turns the picture itself, once for all rotations. At most `limit` that the protocol can ask,
/// and those before them that it cannot.
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
    let table = selection.table;
    let correct = Correctness::new(table, selection.scoring);
    let (mut samples, mut lost, mut fit) = (Vec::new(), 0, 0);
    for rows in groups(selection, protocol.turns(), against) {
        if fit >= limit {
            break;
        }
        match sample(table, &rows, selection, &correct) {
            Some(sample) => {
                fit += usize::from(protocol.unfit(&sample).is_none());
                samples.push(sample);
            }
            None => lost += 1,
        }
    }
    (samples, lost)
}

/// The rows that speak of one sample, the one to ask first; the others are its turned versions.
fn groups(selection: Selection<'_>, by_sample: bool, against: Option<&str>) -> Vec<Vec<u32>> {
    let table = selection.table;
    let mut places: BTreeMap<(u32, Option<String>), usize> = BTreeMap::new();
    let mut groups: Vec<BTreeMap<u32, u32>> = Vec::new();
    let is_wanted =
        |row: u32| against.is_some_and(|name| table.names().model(table.model(Row(row))) == name);
    for row in selection.rows() {
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
