//! Pairs the predictions of one model with those of another model on the same samples.

use super::merit::comparable_merits;
use analysis::Selection;
use record::{ItemId, Row, Table};

/// Returns the prediction of another model on the same sample and condition; `None` if there is
/// none.
pub fn counterpart(table: &Table, row: Row, model: &str) -> Option<Row> {
    let models = table.names().models.values();
    let model = models.iter().position(|name| name == model)?;
    let ItemId(item) = table.item(row);
    let rows = table.item_of().iter().zip(table.model_of());
    (0..)
        .zip(rows)
        .find(|(_, (other, code))| **other == item && usize::from(**code) == model)
        .map(|(other, _)| Row(other))
}

/// Returns all predictions on the same sample and condition, including this one, in the order of
/// the logs.
pub fn answers_to(table: &Table, row: Row) -> Vec<Row> {
    let ItemId(item) = table.item(row);
    let items = (0..).zip(table.item_of());
    let same = items.filter(|(_, other)| **other == item);
    same.map(|(row, _)| Row(row)).collect()
}

/// Sorts the selected rows by difference from another model's score on the same sample, largest
/// first.
///
/// With several metrics, compares ranks among the answers to an ability. Among equal differences,
/// better scores come first. Rows without a score of the other model come last.
pub fn rows_by_gap(selection: Selection<'_>, other: &str) -> Vec<u32> {
    let table = selection.table;
    let models = table.names().models.values();
    let code = models.iter().position(|name| name == other);
    let merits = comparable_merits(selection);
    let items = table.item_of();
    let mut others = vec![f64::NAN; table.ability_of().len()];
    for ((&item, &model), &merit) in items.iter().zip(table.model_of()).zip(&merits) {
        if let (true, Some(known)) = (code == Some(model.into()), others.get_mut(item as usize)) {
            *known = merit;
        }
    }
    let gap = |row: u32| {
        let item = items.get(row as usize)?;
        Some(merits.get(row as usize)? - others.get(*item as usize)?)
    };
    let with_gap = |row: u32| (gap(row).unwrap_or(f64::NAN), row);
    let mut rows: Vec<(f64, u32)> = selection.rows().map(with_gap).collect();
    let width = |gap: f64| if gap.is_nan() { -1.0 } else { gap.abs() };
    rows.sort_by(|(a, _), (b, _)| width(*b).total_cmp(&width(*a)).then(b.total_cmp(a)));
    rows.into_iter().map(|(_, row)| row).collect()
}
