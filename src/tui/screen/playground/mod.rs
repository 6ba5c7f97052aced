//! The playground asks one or several models about one sample, whose text and picture the user can
//! edit. The edits can be saved as a protocol and applied to all samples.

mod draw;
mod field;
mod hear;
mod pencil;
mod state;
#[cfg(test)]
mod tests;
mod update;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::effect::Effect;
use crate::frame_output::{FrameOutput, ScrollSlot, ViewArea};
use crate::shared::AppState;
use crate::view::{Breadth, Explanation, View, ViewInfo};
use engine::Query;
use record::{Row, RowMap};

use field::EditField;
use pencil::Pencil;

pub use state::PlaygroundView;

/// Mark in front of an edited field.
const EDITED: &str = "•";

const ABOUT: ViewInfo = ViewInfo {
    tab: None,
    opened_by: None,
    breadth: Breadth::Samples,
    needs_ability: false,
    keeps_versus: true,
    help: "Try changes on one sample: edit the words, the system prompt, the picture and the \
           sampling settings, and ask one or several models; their answers stream side by side. \
           Nothing is sent until you press r. K saves the edits as a protocol, which view 6 can \
           run on all samples of the lens. Enter changes a row, d draws a box on the picture (or \
           click its two corners), c crops to it and v covers it.",
};

impl View for PlaygroundView {
    fn about(&self) -> &'static ViewInfo {
        &ABOUT
    }

    fn explain(&self, shared: &AppState) -> Vec<Explanation> {
        let edited = EditField::ALL
            .into_iter()
            .any(|field| self.is_edited(field));
        let words = "this row differs from the log; u restores it";
        let sign = Explanation::new(EDITED, shared.theme.accent(), words);
        Vec::from_iter(edited.then_some(sign))
    }

    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        draw::draw(self, shared, frame, room)
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::At(&mut self.scrolled)
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        update::act(self, shared, action)
    }

    fn click(&mut self, shared: &AppState, area: Rect, (x, y): (u16, u16)) -> Vec<Change> {
        let places = draw::places(self, area);
        let form = places.form;
        if form.contains(Position { x, y }) {
            let at = draw::first_row(self, &places) + usize::from(y - form.y);
            let field = EditField::ALL.get(at).copied();
            return match field {
                Some(field) if field == self.field => update::edit(self, shared),
                Some(field) => {
                    (self.field, self.pencil) = (field, None);
                    Vec::new()
                }
                None => Vec::new(),
            };
        }
        if let Some(cell) = draw::cell_at(self, shared, area, (x, y)) {
            match &mut self.pencil {
                Some(pencil) if pencil.is_begun() => pencil.finish(cell),
                pencil => *pencil = Some(Pencil::at(cell)),
            }
        }
        Vec::new()
    }

    fn drag(&mut self, shared: &AppState, area: Rect, at: (u16, u16)) {
        let cell = draw::cell_at(self, shared, area, at);
        if let (Some(cell), Some(pencil)) = (cell, &mut self.pencil) {
            pencil.drag(cell);
        }
    }

    /// Queries the preview of the request.
    fn refresh(&mut self, shared: &AppState) -> Vec<Effect> {
        update::request_preview(self, shared).into_iter().collect()
    }

    /// Returns `None`, because the view copies its own command.
    fn query(&self, _: &AppState) -> Option<Query> {
        None
    }

    fn renumber(&mut self, moved: &RowMap) {
        let row = self.row.and_then(|row| moved.row(Row(row)));
        self.row = row.map(|Row(row)| row);
    }

    fn background(&self) -> Option<String> {
        self.is_asking()
            .then(|| "the playground is asking".to_owned())
    }
}
