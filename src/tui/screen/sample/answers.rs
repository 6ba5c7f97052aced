//! What one or two models answered to one sample.

use media::Letter;
use record::Row;
use workspace::page::Detail;
use workspace::picture::{Known, Marked, Meaning, marked};
use workspace::sample_panel::meant;
use workspace::surface::{Surface, What};

use super::second;
use crate::shared::Shared;

/// What one or two models answered to one sample.
#[derive(Clone, Copy)]
pub struct Answers<'a> {
    /// The answer in the list.
    pub first: &'a Detail,
    /// That of the second model.
    pub second: Option<&'a Detail>,
    /// True if what the models said is hidden for now.
    pub blind: bool,
}

impl<'a> Answers<'a> {
    /// The answers to the sample so many steps away, once they were fetched.
    pub fn at(shared: &'a Shared, step: isize) -> Option<Result<Self, &'a String>> {
        let row = shared.list.at(step)?;
        let details = &shared.fetched.details;
        let first = match details.peek(&row)? {
            Ok(first) => first,
            Err(why) => return Some(Err(why)),
        };
        let second =
            second::row(shared, row).and_then(|Row(row)| details.peek(&row)?.as_ref().ok());
        Some(Ok(Self {
            first,
            second,
            blind: shared.is_blind(row),
        }))
    }

    /// The answers to the sample on screen, once they were fetched.
    pub fn here(shared: &'a Shared) -> Option<Self> {
        Self::at(shared, 0)?.ok()
    }

    /// Everything that can be drawn over the picture.
    pub fn marked(&self) -> Vec<Marked> {
        let mut all = marked(self.first, self.second);
        all.retain(|marked| !self.blind || !matches!(marked.meaning, Meaning::Model(_)));
        all
    }

    /// Every map of the picture that is known, drawn or not.
    pub fn surfaces(&self) -> Vec<(Letter, &'a Surface)> {
        let mut all = meant(self.first, self.second);
        all.retain(|(_, surface)| !self.blind || surface.what == What::Target);
        all
    }

    /// The models of the letters A and B.
    pub fn models(&self) -> [&'a str; 2] {
        let second = self.second.map_or("", |second| &second.list.model);
        [&self.first.list.model, second]
    }

    /// What there is to flicker between.
    pub fn known(&self) -> Known {
        let surfaces = self.surfaces();
        let is_drawn = |what, letter| {
            let mut found = surfaces
                .iter()
                .filter(|(it, surface)| *it == letter && surface.what == what);
            found.any(|(_, surface)| surface.shown.is_ok())
        };
        let beside = surfaces.iter().any(|(_, surface)| surface.stands_beside());
        Known {
            second: self.second.is_some(),
            beside: beside && is_drawn(What::Prediction, Letter::A),
            errors: [Letter::A, Letter::B].map(|letter| is_drawn(What::Error, letter)),
        }
    }
}
