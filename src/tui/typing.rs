//! Text that is typed into a popup: the filter line, the palette, the words to find.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use engine::{Completion, Count};
use workspace::Lens;

use super::action::Action;
use super::app::{App, Effect, ask};
use super::popup::{FilterTyping, Popup, palette_matches};
use super::screen;

/// Earlier filters that are kept.
const KEPT: usize = 50;

impl App {
    /// A key for the text that is being typed; `None` when nothing is typed.
    pub fn type_key(&mut self, key: KeyEvent) -> Option<Vec<Effect>> {
        if let Some(effects) = screen::type_words(self, key) {
            return Some(effects);
        }
        let popup = self.popups.last_mut()?;
        popup.line_mut()?;
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (key.code, &mut *popup) {
            (KeyCode::Char('c'), _) if control => return Some(vec![Effect::Quit]),
            (KeyCode::Esc, Popup::Find(_)) => {
                self.look_for_nothing();
                self.popups.pop();
                return Some(Vec::new());
            }
            (KeyCode::Esc, _) => {
                self.popups.pop();
                return Some(Vec::new());
            }
            (KeyCode::Enter, Popup::Filter(typing)) if typing.selected.is_some() => {
                typing.take();
            }
            (KeyCode::Enter, _) => return Some(self.submit()),
            (KeyCode::Tab, Popup::Filter(typing)) => {
                typing.take();
            }
            (KeyCode::Up, Popup::Filter(typing)) if typing.selected.is_none() => {
                typing.recall(&self.filters, 1);
            }
            (KeyCode::Down, Popup::Filter(typing)) if typing.is_recalling() => {
                typing.recall(&self.filters, -1);
            }
            (KeyCode::Char('n'), Popup::Find(_)) if control => return Some(self.step_match(1)),
            (KeyCode::Down, Popup::Find(_)) => return Some(self.step_match(1)),
            (KeyCode::Char('p'), Popup::Find(_)) if control => return Some(self.step_match(-1)),
            (KeyCode::Up, Popup::Find(_)) => return Some(self.step_match(-1)),
            (KeyCode::Up | KeyCode::BackTab, popup) => {
                popup.move_by(-1);
                return Some(Vec::new());
            }
            (KeyCode::Down | KeyCode::Tab, popup) => {
                popup.move_by(1);
                return Some(Vec::new());
            }
            (_, popup) => {
                if !popup.line_mut().is_some_and(|line| line.on_key(key)) {
                    return Some(Vec::new());
                }
            }
        }
        Some(self.typed())
    }

    /// A text was pasted.
    pub fn on_paste(&mut self, text: &str) -> Vec<Effect> {
        if screen::paste_words(self, text) {
            return Vec::new();
        }
        let Some(line) = self.popups.last_mut().and_then(Popup::line_mut) else {
            return Vec::new();
        };
        line.insert(text);
        self.dirty = true;
        self.typed()
    }

    /// Asks what the filter that is being typed would leave, and what could come next.
    pub fn typed(&mut self) -> Vec<Effect> {
        match self.popups.last_mut() {
            Some(Popup::Filter(typing)) => {
                typing.selected = None;
                let (text, cursor) = (typing.line.text().to_owned(), typing.line.cursor());
                let lens = self.lens.clone();
                let unfiltered = Lens {
                    filter: String::new(),
                    ..lens.clone()
                };
                let count = Count {
                    scope: self.scope(&unfiltered),
                    filter: text.clone(),
                };
                vec![ask(count), ask(Completion { lens, text, cursor })]
            }
            Some(Popup::Palette(typing)) => {
                typing.selected = 0;
                Vec::new()
            }
            Some(Popup::Find(_)) => {
                self.look_for_typed();
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Does what has been typed or chosen.
    pub fn submit(&mut self) -> Vec<Effect> {
        match self.popups.pop() {
            Some(Popup::Filter(typing)) => self.submit_filter(typing),
            Some(Popup::Find(_)) => match self.text_on_screen() {
                Some((_, state)) if !state.search.wanted().is_empty() => self.step_match(0),
                _ => Vec::new(),
            },
            Some(Popup::Palette(typing)) => {
                let found = palette_matches(self, typing.line.text());
                let action: Option<Action> =
                    found.get(typing.selected).map(|found| found.bind.action);
                action.map(|action| self.act(action)).unwrap_or_default()
            }
            Some(Popup::Note(line)) => screen::take_note(self, line.text()),
            Some(Popup::RightLabel(line)) => screen::take_right_label(self, line.text()),
            Some(Popup::Field(name, line)) => screen::take_field(self, name, line.text()),
            _ => Vec::new(),
        }
    }

    /// Filters; what is wrong stays on screen until it is right.
    fn submit_filter(&mut self, typing: FilterTyping) -> Vec<Effect> {
        let text = typing.line.text().trim().to_owned();
        let parsed = workspace::filter::parse(&text).is_ok();
        if !parsed || matches!(typing.count, Some(Err(_))) {
            self.popups.push(Popup::Filter(typing));
            return Vec::new();
        }
        if !text.is_empty() {
            self.filters.retain(|known| *known != text);
            self.filters.push(text.clone());
            let extra = self.filters.len().saturating_sub(KEPT);
            self.filters.drain(..extra);
        }
        self.set_filter(text)
    }
}
