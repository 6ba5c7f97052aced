//! Popups with a single-line or multi-line input.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::Rect;

use super::part::{KeyLabel, Overlay, input, leaves, open, screen_less};
use crate::change::{Change, LabelAction, Reply};
use crate::frame_output::ScrollState;
use crate::shared::AppState;
use crate::widget::line_edit::LineEdit;
use crate::widget::text_edit::{TextEdit, TextInput};
use ask::Template;

/// Purpose of a text that the user enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinePurpose {
    /// A note for a verdict.
    Note,
    /// The correct label.
    RightLabel,
    /// A field of the live view, by name.
    Field(&'static str),
    /// A row of the playground, by name.
    Playground(&'static str),
    /// The name of a protocol.
    KeepVariant,
    /// The name of a saved view.
    ViewName,
}

/// A popup with one input line.
#[derive(Clone, Debug)]
pub struct TypedLine {
    /// What the text is used for.
    pub purpose: LinePurpose,
    /// Input line.
    pub line: LineEdit,
}

impl TypedLine {
    /// Creates the popup with a text.
    pub fn new(purpose: LinePurpose, text: &str) -> Self {
        let line = LineEdit::new(text);
        Self { purpose, line }
    }

    fn submit(&self) -> Change {
        let text = self.line.text().to_owned();
        match self.purpose {
            LinePurpose::Note => Change::Judge(LabelAction::Note(text)),
            LinePurpose::RightLabel => Change::Judge(LabelAction::RightLabel(text)),
            LinePurpose::Field(name) => Change::LiveField(name, text),
            LinePurpose::Playground(name) => Change::PlaygroundField(name, text),
            LinePurpose::KeepVariant => Change::KeepVariant(text),
            LinePurpose::ViewName => Change::SaveView(text),
        }
    }
}

impl Overlay for TypedLine {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let title = match self.purpose {
            LinePurpose::Note => "note",
            LinePurpose::RightLabel => "right label",
            LinePurpose::Field(name) | LinePurpose::Playground(name) => name,
            LinePurpose::KeepVariant => "name of the protocol",
            LinePurpose::ViewName => "name of this view",
        };
        let width = frame.area().width.saturating_sub(8);
        let inner = open(shared, frame, title, (width, 1));
        input(shared, &self.line, frame, inner);
        (inner, ScrollState::Nothing)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        vec![("Enter", "done"), ("Esc", "cancel")]
    }

    fn key(&mut self, _: &AppState, key: KeyEvent) -> Reply {
        if let Some(change) = leaves(key) {
            return Reply::with(change);
        }
        match key.code {
            KeyCode::Enter => vec![Change::Close, self.submit()].into(),
            KeyCode::Up | KeyCode::Down | KeyCode::Tab | KeyCode::BackTab => Reply::DONE,
            _ => {
                self.line.on_key(key);
                Reply::DONE
            }
        }
    }

    fn paste(&mut self, _: &AppState, text: &str) -> Vec<Change> {
        self.line.insert(text);
        Vec::new()
    }
}

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
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let theme = &shared.theme;
        let size = screen_less(frame, [8, 8]);
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

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        vec![("Esc", "done"), ("^U", "clear"), ("^X", "cancel")]
    }

    fn key(&mut self, _: &AppState, key: KeyEvent) -> Reply {
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

    fn paste(&mut self, _: &AppState, text: &str) -> Vec<Change> {
        self.text.insert(text);
        Vec::new()
    }
}
