//! A popup with an input of several lines, for a row of the playground.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::Rect;

use super::part::{KeyLabel, Overlay, leaves, open};
use crate::change::{Change, Reply};
use crate::frame_output::ScrollState;
use crate::shared::Shared;
use crate::widget::text_edit::{TextEdit, TextInput};
use ask::Template;

/// A popup with an input of several lines.
#[derive(Clone, Debug)]
pub struct MultilineInput {
    name: &'static str,
    text: TextEdit,
}

impl MultilineInput {
    /// Creates the popup for the row `name` with a text.
    pub fn new(name: &'static str, text: &str) -> Self {
        let text = TextEdit::new(text);
        Self { name, text }
    }
}

impl Overlay for MultilineInput {
    fn draw(&self, shared: &Shared, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let (screen, theme) = (frame.area(), &shared.theme);
        let size = (
            screen.width.saturating_sub(8),
            screen.height.saturating_sub(8),
        );
        let inner = open(shared, frame, self.name, size);
        let places = Template::places(&self.text.text());
        let style = |known| if known { theme.accent() } else { theme.error() };
        let marks: Vec<_> = places
            .into_iter()
            .map(|(range, known)| (range, style(known)))
            .collect();
        let input = TextInput {
            theme,
            text: &self.text,
            marks: &marks,
        };
        frame.render_widget(input, inner);
        (inner, ScrollState::Nothing)
    }

    fn keys(&self) -> Vec<KeyLabel> {
        vec![("Esc", "done"), ("^U", "clear"), ("^X", "cancel")]
    }

    fn key(&mut self, _: &Shared, key: KeyEvent) -> Reply {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('x') if control => return Reply::with(Change::Close),
            KeyCode::Char('u') if control => {
                self.text = TextEdit::new("");
                return Reply::DONE;
            }
            _ => {}
        }
        match leaves(key) {
            Some(Change::Close) => {
                let taken = Change::PlaygroundField(self.name, self.text.text());
                vec![Change::Close, taken].into()
            }
            Some(change) => Reply::with(change),
            None => {
                self.text.on_key(key);
                Reply::DONE
            }
        }
    }

    fn paste(&mut self, _: &Shared, text: &str) -> Vec<Change> {
        self.text.insert(text);
        Vec::new()
    }
}
