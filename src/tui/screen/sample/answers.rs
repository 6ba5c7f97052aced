//! The answers of one or two models to a sample, and the selection of the second model.

use media::Letter;
use record::{Row, Table};
use workspace::page::{Detail, counterpart};
use workspace::picture::{AvailableLayers, MarkedBox, Meaning, marked};
use workspace::sample_panel::maps_with_letters;
use workspace::surface::{MapRole, Surface};

use crate::change::Change;
use crate::shared::{AppState, SecondModel};

/// Predictions of one or two models for a sample.
#[derive(Clone, Copy)]
pub struct AnswerPair<'a> {
    /// Answer of the prediction in the list.
    pub first: &'a Detail,
    /// Answer of the second model, if there is one.
    pub second: Option<&'a Detail>,
    /// True while the models' answers are hidden from the user.
    pub blind: bool,
}

impl<'a> AnswerPair<'a> {
    /// Returns the answers to the sample `step` rows after the cursor, once they are loaded.
    pub fn at(shared: &'a AppState, step: isize) -> Option<Result<Self, &'a String>> {
        let row = shared.list.at(step)?;
        let details = &shared.fetched.details;
        let first = match details.peek(&row)? {
            Ok(first) => first,
            Err(why) => return Some(Err(why)),
        };
        let second = second_row(shared, row).and_then(|Row(row)| details.peek(&row)?.as_ref().ok());
        Some(Ok(Self {
            first,
            second,
            blind: shared.is_blind(row),
        }))
    }

    /// Returns the answers to the sample on screen, once they are loaded.
    pub fn here(shared: &'a AppState) -> Option<Self> {
        Self::at(shared, 0)?.ok()
    }

    /// Returns all boxes that can be drawn on the picture.
    pub fn marked(&self) -> Vec<MarkedBox> {
        let mut all = marked(self.first, self.second);
        all.retain(|marked| !self.blind || !matches!(marked.meaning, Meaning::Model(_)));
        all
    }

    /// Returns all maps of the picture, including maps that cannot be drawn.
    pub fn surfaces(&self) -> Vec<(Letter, &'a Surface)> {
        let mut all = maps_with_letters(self.first, self.second);
        all.retain(|(_, surface)| !self.blind || surface.what == MapRole::Target);
        all
    }

    /// Returns the names of models A and B; B is empty without a second model.
    pub fn models(&self) -> [&'a str; 2] {
        let second = self.second.map_or("", |second| &second.list.model);
        [&self.first.list.model, second]
    }

    /// Returns the layers that can be shown or hidden.
    pub fn known(&self) -> AvailableLayers {
        let surfaces = self.surfaces();
        let is_drawn = |what, letter| {
            let mut found = surfaces
                .iter()
                .filter(|(it, surface)| *it == letter && surface.what == what);
            found.any(|(_, surface)| surface.shown.is_ok())
        };
        let beside = surfaces
            .iter()
            .any(|(_, surface)| surface.is_next_to_picture());
        AvailableLayers {
            second: self.second.is_some(),
            beside: beside && is_drawn(MapRole::Prediction, Letter::A),
            errors: [Letter::A, Letter::B].map(|letter| is_drawn(MapRole::Error, letter)),
        }
    }
}

fn own_model(table: &Table, row: u32) -> &str {
    table.names().model(table.model(Row(row)))
}

/// Returns the second model for a prediction, if one is selected.
fn second_model(shared: &AppState, row: u32) -> Option<&str> {
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
pub fn second_row(shared: &AppState, row: u32) -> Option<Row> {
    counterpart(&shared.table, Row(row), second_model(shared, row)?)
}

/// Selects the next model as second model. After the last model, selects none. Shows a notice.
pub fn next_second(shared: &AppState, first: u32) -> Vec<Change> {
    let own = own_model(&shared.table, first).to_owned();
    let mut others = shared.models();
    others.retain(|model| *model != own);
    let at =
        second_model(shared, first).and_then(|now| others.iter().position(|model| model == now));
    let next = others.get(at.map_or(0, |at| at + 1)).cloned();
    let words = match &next {
        Some(model) => format!("second model: {model}"),
        None if others.is_empty() => "no other model answered".to_owned(),
        None => "no second model".to_owned(),
    };
    let second = next.map_or(SecondModel::Nobody, SecondModel::Model);
    vec![Change::Say(words), Change::Second(second), Change::Refresh]
}
