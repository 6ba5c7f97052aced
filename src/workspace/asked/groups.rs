//! The rows of a table that speak of one sample.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use analysis::Selection;
use record::{Labels, Row, Source, Table, Value};

/// The label of a rotated picture.
const ROTATION: &str = "rotation";

/// The groups in an order that has nothing to do with the table's: by the hashes of their names.
pub(super) fn mixed(table: &Table, groups: &[Vec<u32>]) -> Vec<usize> {
    let hash = |rows: &Vec<u32>| {
        let name = rows.first().map(|row| name(table, *row));
        *blake3::hash(name.unwrap_or_default().as_bytes()).as_bytes()
    };
    let mut order: Vec<([u8; 32], usize)> = groups.iter().map(hash).zip(0..).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, at)| at).collect()
}

/// The name that [`Sample::key`] will have.
pub(super) fn name(table: &Table, row: u32) -> String {
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
pub(super) fn groups(
    selection: Selection<'_>,
    by_sample: bool,
    against: Option<&str>,
) -> Vec<Vec<u32>> {
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
pub(super) fn rotation(table: &Table, row: u32) -> Option<u16> {
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
