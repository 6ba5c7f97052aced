//! The panes of a screen: which pane has the focus, and the effect of the arrow keys in it.

use super::App;
use crate::action::Action;
use crate::change::{Change, Reply};
use crate::frame_output::Pane;
use crate::screen::moved;
use crate::shared::AppState;

/// Number of rows that a page key moves the cursor.
const PAGE: usize = 10;

impl App {
    /// Moves the focus to the next visible pane. After the last pane, the view has the focus.
    pub(super) fn next_pane(&mut self) {
        let mut panes = vec![Pane::View];
        panes.extend(&self.drawn.panes);
        let at = panes.iter().position(|pane| *pane == self.shared.pane);
        let next = (at.unwrap_or_default() + 1) % panes.len();
        self.shared.pane = panes.get(next).copied().unwrap_or_default();
        if panes.len() == 1 {
            let words = "only one pane fits here; 0 to 7 open the views";
            self.shared.notice = Some(words.to_owned());
        }
    }

    /// Offers an action to the focused pane. Actions of the view itself and of its cells are passed
    /// on.
    pub(super) fn offer_pane(&mut self, action: Action) -> Reply {
        let shared = &mut self.shared;
        match shared.pane {
            Pane::View | Pane::Cells => Reply::PassOn,
            Pane::Preview => {
                let at = &mut shared.preview.offset;
                match moved(*at, usize::from(u16::MAX), PAGE, action) {
                    Some(offset) => *at = offset,
                    None => return Reply::PassOn,
                }
                Reply::DONE
            }
            Pane::Samples if action == Action::Open => self.open_beside(),
            Pane::Samples => select(shared, action),
        }
    }

    /// Opens the sample under the cursor of the list in the side pane.
    fn open_beside(&self) -> Reply {
        let shared = &self.shared;
        let drill = self.view().drill_down(shared);
        let known = drill.filter(|drill| shared.lacks_samples(drill).is_none());
        match (known, shared.list.here()) {
            (Some(drill), Some(_)) => {
                let at = shared.list.table.selected;
                vec![drill.into(), Change::Select(at), Change::OpenSample].into()
            }
            _ => Reply::DONE,
        }
    }
}

/// Moves the cursor of the list in the side pane.
fn select(shared: &AppState, action: Action) -> Reply {
    let list = &shared.list;
    let moved = moved(list.table.selected, list.rows.len(), PAGE, action);
    moved.map_or(Reply::PassOn, |row| Reply::with(Change::Select(row)))
}
