//! What one or two models answered to one sample.

use media::{Letter, PictureCache};
use record::{ImageRef, Row};
use workspace::page::Detail;
use workspace::picture::{Known, Marked, Meaning, marked};
use workspace::sample_panel::meant;
use workspace::surface::{Surface, What};

use super::second;
use crate::shared::Shared;

/// Records that were fetched, by prediction.
pub type Details = PictureCache<u32, Result<Detail, String>>;

/// About how many bytes a record holds.
pub fn held(detail: &Detail) -> usize {
    let inline = |image: &ImageRef| match image {
        ImageRef::Inline(text) => text.len(),
        _ => 0,
    };
    let pictures: usize = detail.record.content.images.iter().map(inline).sum();
    let response = detail.record.response.as_ref().map_or(0, String::len);
    let maps: usize = detail.surfaces.iter().map(Surface::held).sum();
    pictures + maps + response + 2 * detail.list.question.len() + 1024
}

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
    pub fn at(
        shared: &Shared,
        details: &'a Details,
        step: isize,
    ) -> Option<Result<Self, &'a String>> {
        let row = shared.list.at(step)?;
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
