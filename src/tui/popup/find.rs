//! The search line, which replaces the status line. It searches the text above it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Clear;

use super::part::{KeyLabel, Overlay, leaves};
use crate::change::{Change, Reply, SearchStep};
use crate::frame_output::ScrollState;
use crate::shared::AppState;
use crate::widget::line_edit::{LineEdit, LineInput};

/// State of the search line.
#[derive(Clone, Debug, Default)]
pub struct SearchLine {
    /// Search words.
    pub line: LineEdit,
    /// Status of the search, for example `2 of 7`.
    pub told: String,
}

impl SearchLine {
    fn typed(&self) -> Change {
        Change::Find(SearchStep::For(self.line.text().to_owned()))
    }
}

impl Overlay for SearchLine {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let screen = frame.area();
        let place = Rect {
            y: screen.y + screen.height.saturating_sub(2),
            height: screen.height.min(1),
            ..screen
        };
        let [left, right] =
            Layout::horizontal([Constraint::Fill(1), Constraint::Length(50)]).areas(place);
        frame.render_widget(Clear, place);
        frame.buffer_mut().set_style(place, shared.theme.screen());
        let input = LineInput {
            theme: &shared.theme,
            sign: " find",
            line: &self.line,
            wrong: None,
        };
        frame.render_widget(input, left);
        let told = Line::styled(format!("{} ", self.told), shared.theme.dim());
        frame.render_widget(told.right_aligned(), right);
        (place, ScrollState::Nothing)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        vec![
            ("↓↑", "next, previous"),
            ("Enter", "done"),
            ("Esc", "cancel"),
        ]
    }

    fn key(&mut self, _: &AppState, key: KeyEvent) -> Reply {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => {
                let nothing = Change::Find(SearchStep::For(String::new()));
                return vec![nothing, Change::Close].into();
            }
            KeyCode::Enter => return vec![Change::Close, Change::Find(SearchStep::Enter)].into(),
            KeyCode::Down => return Reply::with(Change::Find(SearchStep::By(1))),
            KeyCode::Up => return Reply::with(Change::Find(SearchStep::By(-1))),
            KeyCode::Char('n') if control => return Reply::with(Change::Find(SearchStep::By(1))),
            KeyCode::Char('p') if control => return Reply::with(Change::Find(SearchStep::By(-1))),
            KeyCode::Tab | KeyCode::BackTab => return Reply::DONE,
            _ => {}
        }
        if let Some(change) = leaves(key) {
            return Reply::with(change);
        }
        if self.line.on_key(key) {
            return Reply::with(self.typed());
        }
        Reply::DONE
    }

    fn paste(&mut self, _: &AppState, text: &str) -> Vec<Change> {
        self.line.insert(text);
        vec![self.typed()]
    }
}
