//! Opens a sample in the playground, and asks a model about it.

use super::App;
use crate::action::Action;
use crate::effect::Effect;
use crate::keymap::ViewId;
use ask::worker::ModelChoice;
use base::format::visible;

impl App {
    /// Opens the sample on screen, or under the cursor of the list, in the playground.
    pub(super) fn play(&mut self) -> Vec<Effect> {
        let has_list = matches!(self.shared.view, ViewId::Sample | ViewId::Samples);
        let Some(row) = self.shared.list.here().filter(|_| has_list) else {
            return self.notify("the playground needs a sample: press T on one");
        };
        if self.is_hidden(row) {
            return Vec::new();
        }
        let live = &self.views.live;
        let usual = ModelChoice {
            endpoint: live.endpoint.clone(),
            model: live.model.clone(),
        };
        self.views.playground.offered = live.offered();
        self.views.playground.begin(row, usual);
        self.go(ViewId::Playground)
    }

    /// Opens a sample in the playground and asks a model about it as logged. If the sample has
    /// edits in the playground, only opens it, because the edits would be sent too.
    pub(super) fn ask_at_once(&mut self, row: u32, model: ModelChoice) -> Vec<Effect> {
        if self.is_hidden(row) {
            return Vec::new();
        }
        self.views.playground.offered = self.views.live.offered();
        let is_of_earlier = self.views.live.recent.is_of_earlier(&model);
        let place = model.endpoint.clone();
        let is_as_logged = self.views.playground.begin_with(row, model);
        let mut effects = self.go(ViewId::Playground);
        if is_of_earlier {
            let place = visible(&place);
            let words =
                format!("nothing was sent yet: r sends the sample and its picture to {place}");
            self.shared.notice = Some(words);
        } else if is_as_logged {
            effects.extend(self.act(Action::Ask));
        } else {
            let words =
                "the question has edits: r sends them too, u undoes the row under the cursor";
            self.shared.notice = Some(words.to_owned());
        }
        effects
    }

    /// Returns true and shows a notice if a sample must stay hidden until its label is judged.
    fn is_hidden(&mut self, row: u32) -> bool {
        let is_hidden = self.shared.is_blind(row);
        if is_hidden {
            self.shared.notice = Some("hidden until the label is judged".to_owned());
        }
        is_hidden
    }
}
