//! Selects the second model, whose answer is shown next to the first.

use crate::change::Change;
use crate::shared::{SecondModel, Shared};
use record::{Row, Table};
use workspace::page::counterpart;

fn own_model(table: &Table, row: u32) -> &str {
    table.names().model(table.model(Row(row)))
}

/// Returns the second model for a prediction.
fn model(shared: &Shared, row: u32) -> Option<&str> {
    let own = own_model(&shared.table, row);
    match &shared.second {
        SecondModel::Nobody => None,
        SecondModel::Model(model) if model != own => Some(model),
        SecondModel::Model(_) | SecondModel::Picked => {
            let picked = shared.picked.iter().map(String::as_str);
            let wanted = shared.versus().into_iter().chain(picked);
            wanted.into_iter().find(|model| *model != own)
        }
    }
}

/// Returns the second model's prediction for the same sample.
pub fn row(shared: &Shared, row: u32) -> Option<Row> {
    counterpart(&shared.table, Row(row), model(shared, row)?)
}

/// Selects the next model as second, with a notice; after the last one none.
pub fn turned(shared: &Shared, first: u32) -> Vec<Change> {
    let own = own_model(&shared.table, first).to_owned();
    let mut others = shared.models();
    others.retain(|model| *model != own);
    let at = model(shared, first).and_then(|now| others.iter().position(|model| model == now));
    let next = others.get(at.map_or(0, |at| at + 1)).cloned();
    let words = match &next {
        Some(model) => format!("B is {model}"),
        None if others.is_empty() => "no other model answered".to_owned(),
        None => "no second model".to_owned(),
    };
    let second = next.map_or(SecondModel::Nobody, SecondModel::Model);
    vec![Change::Say(words), Change::Second(second), Change::Refresh]
}
