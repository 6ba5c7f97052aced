//! Opens a sample in the playground.

use super::App;
use crate::effect::Effect;
use crate::keymap::ViewId;
use ask::worker::ModelChoice;

impl App {
    /// Opens the sample on screen, or under the cursor of the list, in the playground.
    pub(super) fn play(&mut self) -> Vec<Effect> {
        let has_list = matches!(self.shared.view, ViewId::Sample | ViewId::Samples);
        let Some(row) = self.shared.list.here().filter(|_| has_list) else {
            let words = "the playground needs a sample: press T on one";
            self.shared.notice = Some(words.to_owned());
            return Vec::new();
        };
        if self.shared.is_blind(row) {
            self.shared.notice = Some("hidden until the label is judged".to_owned());
            return Vec::new();
        }
        let live = &self.views.live;
        let usual = ModelChoice {
            endpoint: live.endpoint.clone(),
            model: live.model.clone(),
        };
        self.views.playground.begin(row, usual);
        self.go(ViewId::Playground)
    }
}
