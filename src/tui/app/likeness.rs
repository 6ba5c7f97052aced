//! Shows the samples most similar to the sample under the cursor, and receives answers that need
//! embeddings.

use super::App;
use super::answers::message;
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::popup::Popup;
use crate::shared::{Look, OtherOrder};
use crate::widget::table::TableState;
use engine::{Answer, Likeness, Order, Query, QueryError, Samples};
use record::Row;
use workspace::answered::GroupBy;

/// Returns true if a list needs embeddings of its samples. Embeddings can be missing.
const fn needs_codes(asked: &Samples) -> bool {
    matches!(asked.order, Order::Like(_)) || matches!(asked.group, Some(GroupBy::Look(_)))
}

impl App {
    /// Receives a list of samples or a map, computed from the current table. A list that cannot be
    /// sorted or grouped by embeddings returns to its usual order.
    pub(super) fn receive_coded(
        &mut self,
        query: Query,
        answer: Result<Answer, QueryError>,
    ) -> Vec<Effect> {
        let generation = self.shared.table.generation();
        self.typed.is_vain = matches!((&query, &answer), (Query::Samples(_), Err(_)));
        match (query, answer) {
            (Query::Samples(asked), Ok(Answer::Samples(samples))) => {
                self.shared.fetched.asked.samples = None;
                let mut effects = self.receive_samples(samples, asked, generation);
                effects.extend(self.press_typed());
                return effects;
            }
            (Query::Samples(asked), Err(error)) if needs_codes(&asked) => {
                self.shared.fetched.asked.samples = None;
                (self.shared.list.other, self.shared.list.group) = (None, None);
                self.shared.notice = Some(message(&error));
                return self.refresh();
            }
            (Query::FailureGroups(asked), Ok(Answer::FailureGroups(found))) => {
                self.shared.answers.map = Some((asked, generation, found));
            }
            (Query::FailureGroups(_), Err(error)) => {
                self.popups.pop_if(|popup| matches!(popup, Popup::Map(_)));
                self.shared.notice = Some(message(&error));
            }
            (query, answer) => self.receive_typed(query, answer),
        }
        Vec::new()
    }

    /// Returns true while the screen waits for an answer that reads pictures.
    pub fn awaits_pictures(&self) -> bool {
        let popup = self.popups.last();
        let reading = popup.filter(|popup| matches!(popup, Popup::Map(_) | Popup::Slices(_)));
        let is_waiting = |popup: &Popup| !popup.overlay().is_known(&self.shared);
        self.shared.is_comparing() || reading.is_some_and(is_waiting)
    }

    /// Shows the samples of the lens as a sheet, sorted by similarity to the sample under the
    /// cursor.
    pub(super) fn more_like_this(&mut self) -> Vec<Effect> {
        let Some(row) = self.row_here() else {
            return self.notify("no sample is under the cursor");
        };
        self.remember();
        let shared = &mut self.shared;
        let like = Likeness::to(Row(row), &shared.table, &shared.request.embeddings);
        let list = &mut shared.list;
        (list.other, list.reverse) = (Some(OtherOrder::Like(like)), false);
        list.group = None;
        list.table = TableState::default();
        self.set_look(Look::Sheet);
        self.show(ViewId::Samples)
    }
}
