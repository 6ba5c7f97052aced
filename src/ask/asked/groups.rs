//! Groups the rows of a table by sample.

use std::collections::{BTreeMap, HashMap};

use crate::Protocol;
use crate::sample::key_from;
use analysis::Selection;
use record::{ItemId, ROTATION, Row, Source, Table, Value, label_words};

/// Returns the positions of the groups, ordered by the hashes of their names. This order does not
/// depend on the order of the table.
pub(super) fn mixed(table: &Table, groups: &[Vec<u32>]) -> Vec<usize> {
    let hash = |rows: &Vec<u32>| {
        let name = rows.first().map(|row| name(table, *row));
        *blake3::hash(name.unwrap_or_default().as_bytes()).as_bytes()
    };
    let mut order: Vec<([u8; 32], usize)> = groups.iter().map(hash).zip(0..).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, at)| at).collect()
}

/// Returns the key of the sample that will be built from this row ([`Sample::key`]).
pub(super) fn name(table: &Table, row: u32) -> String {
    let item = table.item(Row(row));
    let labels = label_words(table.condition(item).into_iter().flatten());
    name_under(table, item, &labels)
}

/// Returns the key of the sample that will be built from this item
/// ([`Sample::key_of_any_condition`]).
pub(super) fn name_of_any_condition(table: &Table, item: ItemId) -> String {
    name_under(table, item, "")
}

fn name_under(table: &Table, item: ItemId, labels: &str) -> String {
    let ability = table.ability(item);
    let [benchmark, ability] = ability.map_or(["", ""], |ability| {
        [ability.benchmark.as_str(), ability.name.as_str()]
    });
    let names = [benchmark, ability, table.sample_id(item)];
    key_from(names, labels, table.split(item))
}

/// The model whose answers the new ones are compared with.
#[derive(Clone, Copy)]
pub(super) struct Base<'a> {
    /// Name of a model in the logs.
    pub model: &'a str,
    /// True to use only the model's selected answers, for samples that it has answered. False if
    /// several models are asked the same samples.
    pub picks: bool,
}

impl<'a> Base<'a> {
    /// Returns a base with `picks` set to false, if the model has answers that count. Otherwise
    /// returns `None`: the first selected answer is used.
    pub fn of(selection: Selection<'_>, model: Option<&'a str>) -> Option<Self> {
        let base = Self {
            model: model?,
            picks: false,
        };
        let answers = base.answers(selection.table, counting(selection));
        (!answers.is_empty()).then_some(base)
    }

    /// Returns the model's row for each item; only rows that pass `counts`.
    fn answers(self, table: &Table, counts: impl Fn(&u32) -> bool) -> HashMap<u32, u32> {
        let code = table.names().models.find(self.model);
        let rows = table.item_of().iter().zip(0..);
        rows.filter(|(_, row)| Some(u32::from(table.model(Row(*row)).0)) == code)
            .filter(|(_, row)| counts(row))
            .map(|(item, row)| (*item, row))
            .collect()
    }
}

/// Groups the selected rows by item, or by sample if a protocol rotates pictures: the first row is
/// asked; the others are its rotated versions.
/// An answer of `base` replaces those of other models to the same question, even if not selected.
pub(super) fn groups<'a>(
    selection: Selection<'_>,
    protocols: impl IntoIterator<Item = &'a Protocol>,
    base: Option<Base<'_>>,
) -> Vec<Vec<u32>> {
    let by_sample = protocols.into_iter().any(Protocol::turns);
    let table = selection.table;
    let mut places: BTreeMap<(u32, Option<String>), usize> = BTreeMap::new();
    let mut groups: Vec<BTreeMap<u32, u32>> = Vec::new();
    let counts = counting(selection);
    let own = base.map(|base| base.answers(table, &counts));
    let own = own.unwrap_or_default();
    let own_row = |row: u32| own.get(&table.item(Row(row)).0).copied();
    let picks = base.is_some_and(|base| base.picks)
        && selection.rows().any(|row| own_row(row) == Some(row));
    let is_meant =
        |row: &u32| counts(row) && (!picks || own_row(*row).is_none_or(|own| own == *row));
    for row in selection.rows().filter(is_meant) {
        let item = table.item(Row(row));
        let key = if by_sample {
            let sample = table
                .sample_of()
                .get(item.0 as usize)
                .copied()
                .unwrap_or_default();
            let labels = table.condition(item).into_iter().flatten();
            let others = labels.filter(|(name, _)| *name != ROTATION);
            (sample, Some(label_words(others)))
        } else {
            (item.0, None)
        };
        let place = *places.entry(key).or_insert_with(|| {
            groups.push(BTreeMap::new());
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(place) {
            let first = group.entry(item.0);
            first.or_insert_with(|| own_row(row).unwrap_or(row));
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

/// Returns a predicate for rows that count. Rows of earlier reruns count only if no other rows are
/// selected.
fn counting(selection: Selection<'_>) -> impl Fn(&u32) -> bool {
    let table = selection.table;
    let is_rerun: Vec<bool> = table.sources().iter().map(is_rerun).collect();
    let of_rerun = move |row: &u32| {
        let unit = table.unit_of().get(*row as usize);
        unit.is_some_and(|unit| is_rerun.get(*unit as usize) == Some(&true))
    };
    let only_reruns = selection.rows().all(|row| of_rerun(&row));
    move |row| only_reruns || !of_rerun(row)
}

/// Returns true if a log comes from a rerun.
fn is_rerun(source: &Source) -> bool {
    source
        .path
        .file_name()
        .is_some_and(|name| name == crate::FILE)
}

/// Returns the rotation of a prediction's picture in degrees.
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
