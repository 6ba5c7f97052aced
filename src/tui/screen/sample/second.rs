//! The second model whose answer stands beside the first one's.

use crate::app::App;
use record::{Row, Table};
use workspace::page::{Detail, counterpart};

/// Which model is second.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Second {
    /// The other model of a comparison, else the first picked one that is not the sample's own.
    #[default]
    Picked,
    /// This one.
    Model(String),
    /// None.
    Nobody,
}

fn own_model(table: &Table, row: u32) -> &str {
    table.names().model(table.model(Row(row)))
}

/// The second model for a prediction.
fn model(app: &App, row: u32) -> Option<&str> {
    let own = own_model(&app.table, row);
    match &app.sample.second {
        Second::Nobody => None,
        Second::Model(model) if model != own => Some(model),
        Second::Model(_) | Second::Picked => {
            let compared = app.lens.versus.iter();
            let wanted = compared.chain(&app.picked).map(String::as_str);
            wanted.into_iter().find(|model| *model != own)
        }
    }
}

/// The second model's prediction of the same sample.
pub fn row(app: &App, row: u32) -> Option<Row> {
    counterpart(&app.table, Row(row), model(app, row)?)
}

/// The second model's answer to the same sample, once it was fetched.
pub fn detail(app: &mut App, first: u32) -> Option<Detail> {
    let Row(second) = row(app, first)?;
    app.sample.details.get(&second)?.as_ref().ok().cloned()
}

/// Takes the next model for the second; after the last, none.
pub fn turn(app: &mut App, first: u32) {
    let own = own_model(&app.table, first).to_owned();
    let others: Vec<String> = app
        .models()
        .into_iter()
        .filter(|model| *model != own)
        .collect();
    let at = model(app, first).and_then(|now| others.iter().position(|model| model == now));
    let next = others.get(at.map_or(0, |at| at + 1)).cloned();
    app.notice = Some(match &next {
        Some(model) => format!("B is {model}"),
        None if others.is_empty() => "no other model answered".to_owned(),
        None => "no second model".to_owned(),
    });
    app.sample.second = next.map_or(Second::Nobody, Second::Model);
}
