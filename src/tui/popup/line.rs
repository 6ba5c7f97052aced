//! A popup with one input line.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Rect;

use super::part::{KeyLabel, Overlay, input, leaves, open};
use crate::change::{Change, LabelAction, Reply};
use crate::frame_output::ScrollState;
use crate::shared::Shared;
use crate::widget::line_edit::LineEdit;

/// Purpose of an input line.
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
}

/// A popup with one input line.
#[derive(Clone, Debug)]
pub struct TypedLine {
    /// Purpose of the input.
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
        }
    }
}

impl Overlay for TypedLine {
    fn draw(&self, shared: &Shared, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let title = match self.purpose {
            LinePurpose::Note => "note",
            LinePurpose::RightLabel => "right label",
            LinePurpose::Field(name) | LinePurpose::Playground(name) => name,
            LinePurpose::KeepVariant => "name of the protocol",
        };
        let width = frame.area().width.saturating_sub(8);
        let inner = open(shared, frame, title, (width, 1));
        input(shared, &self.line, frame, inner);
        (inner, ScrollState::Nothing)
    }

    fn keys(&self) -> Vec<KeyLabel> {
        vec![("Enter", "done"), ("Esc", "cancel")]
    }

    fn key(&mut self, _: &Shared, key: KeyEvent) -> Reply {
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

    fn paste(&mut self, _: &Shared, text: &str) -> Vec<Change> {
        self.line.insert(text);
        Vec::new()
    }
}
