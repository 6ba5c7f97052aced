//! Handles keys, actions and pasted text. Offers them to one layer of the screen after another.

use crossterm::event::{KeyCode, KeyEvent};

use super::{App, judging};
use crate::action::Action;
use crate::change::{Change, Reply};
use crate::effect::Effect;
use crate::keymap::{Bind, ViewId};
use crate::popup::Popup;
use crate::shared::ListSource;

/// A layer that can handle an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layer {
    /// The topmost popup and its input field.
    Popup,
    /// Keys that give verdicts on labels, in every view with samples.
    Judging,
    /// The focused pane, if the view itself does not have the focus.
    Pane,
    /// The view on screen.
    View,
    /// Actions that work everywhere.
    Everywhere,
}

/// All layers, topmost first. The first layer that handles an input consumes it.
const LAYERS: [Layer; 5] = [
    Layer::Popup,
    Layer::Judging,
    Layer::Pane,
    Layer::View,
    Layer::Everywhere,
];

/// A key press or an action.
#[derive(Clone, Copy, Debug)]
enum Input {
    Key(KeyEvent),
    Action(Action),
}

impl App {
    /// Handles a key press. While the view waits for its list of samples, keys are queued, so that
    /// they act on that list.
    pub fn on_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let action = |key| self.shared.keymap.lookup(self.shared.view, key);
        let mut waiting = self.typed.keys.iter();
        let is_text = waiting.any(|key| action(*key).is_some_and(Action::opens_input));
        let leaves = !is_text && action(key).is_some_and(Action::leaves_list);
        if self.awaits_list() && !leaves {
            self.typed.keys.push(key);
            return Vec::new();
        }
        self.typed.keys.clear();
        self.press(key)
    }

    /// Handles the keys that were queued for the list of samples.
    pub(super) fn press_typed(&mut self) -> Vec<Effect> {
        let typed = std::mem::take(&mut self.typed.keys);
        typed.into_iter().flat_map(|key| self.on_key(key)).collect()
    }

    /// Returns true if the view shows the samples of the lens and their list has not arrived yet.
    fn awaits_list(&self) -> bool {
        let shared = &self.shared;
        let known = shared.list.answers.as_ref();
        let is_known = known.is_some_and(|(asked, _)| *asked == shared.samples_query());
        let is_early = shared.list.rows.is_empty() && !shared.loading.is_over();
        shared.view == ViewId::Samples
            && shared.list.of == ListSource::Lens
            && self.popups.is_empty()
            && !self.typed.is_vain
            && !shared.is_comparing()
            && (!is_known || is_early)
    }

    fn press(&mut self, key: KeyEvent) -> Vec<Effect> {
        self.dirty = true;
        self.shared.notice = None;
        self.awaited = None;
        self.shared.carried = None;
        self.session = None;
        self.untouched = false;
        let toast = |popup: &mut Popup| matches!(popup, Popup::Text(text) if text.is_toast);
        if self.popups.pop_if(toast).is_some() && key.code == KeyCode::Esc {
            return Vec::new();
        }
        if let Reply::Consumed(changes) = self.offer_all(Input::Key(key)) {
            return self.apply(changes);
        }
        let action = self.shared.keymap.lookup(self.shared.view, key);
        self.leaving &= action == Some(Action::Quit);
        if let Some(action) = action {
            return self.act(action);
        }
        self.shared.notice = self.works_elsewhere(key);
        Vec::new()
    }

    /// Returns a hint that names the views in which a key works, if it does not work here.
    fn works_elsewhere(&self, key: KeyEvent) -> Option<String> {
        let binds: Vec<&Bind> = self.shared.keymap.elsewhere(key).collect();
        let views = binds.iter().flat_map(|bind| &bind.views);
        let mut views: Vec<&str> = views.map(|view| view.title()).collect();
        views.dedup();
        let keys = binds.first()?.keys_text();
        let help = match binds.as_slice() {
            [first, others @ ..] if others.iter().all(|bind| bind.help == first.help) => {
                format!(", {},", first.help)
            }
            // The key has different effects in these views, so describe none.
            _ => String::new(),
        };
        Some(format!("{keys}{help} works in {}", views.join(", ")))
    }

    /// Performs an action in the topmost layer that handles it.
    pub fn act(&mut self, action: Action) -> Vec<Effect> {
        match self.offer_all(Input::Action(action)) {
            Reply::Consumed(changes) => self.apply(changes),
            Reply::PassOn => Vec::new(),
        }
    }

    /// Pastes text into the topmost popup.
    pub fn on_paste(&mut self, text: &str) -> Vec<Effect> {
        let Some(popup) = self.popups.last_mut() else {
            return Vec::new();
        };
        self.dirty = true;
        let changes = popup.overlay_mut().paste(&self.shared, text);
        self.apply(changes)
    }

    fn offer_all(&mut self, input: Input) -> Reply {
        for layer in LAYERS {
            let reply = self.offer(layer, input);
            if matches!(reply, Reply::Consumed(_)) {
                return reply;
            }
        }
        Reply::PassOn
    }

    fn offer(&mut self, layer: Layer, input: Input) -> Reply {
        let shared = &self.shared;
        match (layer, input) {
            (Layer::Popup, input) => self.offer_popup(input),
            (Layer::Judging, Input::Action(action)) => {
                judging::offer(shared, self.row_here(), action)
            }
            (Layer::Pane, Input::Action(action)) => self.offer_pane(action),
            (Layer::View, Input::Action(action)) => {
                self.views.get_mut(shared.view).act(shared, action)
            }
            (Layer::Everywhere, Input::Action(action)) => {
                let effects = self.act_everywhere(action);
                effects.map_or(Reply::PassOn, |effects| {
                    Reply::Consumed(effects.into_iter().map(Change::Do).collect())
                })
            }
            (_, Input::Key(_)) => Reply::PassOn,
        }
    }

    /// Offers an input to the topmost popup. Actions that concern only the terminal pass
    /// through.
    fn offer_popup(&mut self, input: Input) -> Reply {
        let Some(popup) = self.popups.last_mut() else {
            return Reply::PassOn;
        };
        let popup = popup.overlay_mut();
        match input {
            Input::Key(key) => return popup.key(&self.shared, key),
            Input::Action(Action::Redraw | Action::Suspend) => return Reply::PassOn,
            Input::Action(Action::Up) => popup.move_by(-1),
            Input::Action(Action::Down) => popup.move_by(1),
            Input::Action(Action::PageUp) => popup.move_by(-10),
            Input::Action(Action::PageDown) => popup.move_by(10),
            Input::Action(Action::First) => popup.move_by(isize::MIN / 2),
            Input::Action(Action::Last) => popup.move_by(isize::MAX / 2),
            Input::Action(action) => return popup.act(&self.shared, action),
        }
        Reply::DONE
    }
}
