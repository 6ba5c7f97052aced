//! An input line above a list with a cursor, for popups in which the typed text filters the rows.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::part::leaves;
use crate::change::Change;
use crate::shared::AppState;
use crate::widget::line_edit::{LineEdit, LineInput};

/// Lines above the list: the input and a blank line.
pub const ABOVE: u16 = 2;

/// The input line and the cursor.
#[derive(Clone, Debug, Default)]
pub struct Picker {
    /// Prompt sign before the input line.
    pub sign: &'static str,
    /// Input line.
    pub line: LineEdit,
    /// Index of the selected row. It can be too large until the next frame.
    pub selected: usize,
}

/// Effect of a key on a picker.
#[derive(Clone, Debug)]
pub enum PickerKey {
    /// Enter was pressed.
    Submit,
    /// The text has changed.
    Typed,
    /// The key was handled: the cursor moved, or nothing happened.
    Done,
    /// The key closes the popup, and this change follows.
    Leave(Box<Change>),
}

impl Picker {
    /// Returns the text without surrounding spaces.
    pub fn text(&self) -> &str {
        self.line.text().trim()
    }

    /// Returns the cursor, limited to a list of this length.
    pub fn cursor(&self, length: usize) -> usize {
        self.selected.min(length.saturating_sub(1))
    }

    /// Handles a key. Typing moves the cursor to the first row.
    pub fn key(&mut self, key: KeyEvent) -> PickerKey {
        if let Some(change) = leaves(key) {
            return PickerKey::Leave(Box::new(change));
        }
        match key.code {
            KeyCode::Enter => return PickerKey::Submit,
            KeyCode::Up | KeyCode::BackTab => self.selected = self.selected.saturating_sub(1),
            KeyCode::Down | KeyCode::Tab => self.selected = self.selected.saturating_add(1),
            _ if self.line.on_key(key) => {
                self.selected = 0;
                return PickerKey::Typed;
            }
            _ => {}
        }
        PickerKey::Done
    }

    /// Inserts a pasted text.
    pub fn paste(&mut self, text: &str) {
        self.line.insert(text);
        self.selected = 0;
    }

    /// Selects the clicked row. Returns false if no row is at this line of the content.
    pub fn click(&mut self, line: usize, height: usize, length: usize) -> bool {
        let rows = height.saturating_sub(usize::from(ABOVE));
        let Some(line) = line.checked_sub(usize::from(ABOVE)) else {
            return false;
        };
        let at = first(self.cursor(length), rows) + line;
        let is_row = line < rows && at < length;
        if is_row {
            self.selected = at;
        }
        is_row
    }

    /// Draws the input line and the visible rows. `row` draws a row from its index, whether it has
    /// the cursor, and its width. `empty` is shown instead of an empty list.
    pub fn draw<'a>(
        &self,
        shared: &AppState,
        frame: &mut Frame<'_>,
        area: Rect,
        length: usize,
        row: impl Fn(usize, bool, u16) -> Line<'a>,
        empty: &str,
    ) {
        let parts = [Constraint::Length(ABOVE), Constraint::Fill(1)];
        let [top, list] = Layout::vertical(parts).areas(area);
        let input = LineInput {
            theme: &shared.theme,
            sign: self.sign,
            line: &self.line,
            wrong: None,
        };
        frame.render_widget(input, top);
        let (selected, rows) = (self.cursor(length), usize::from(list.height));
        let shown = (0..length).skip(first(selected, rows)).take(rows);
        let mut lines: Vec<Line<'_>> = shown
            .map(|at| row(at, at == selected, list.width))
            .collect();
        if length == 0 {
            lines.push(Line::styled(empty.to_owned(), shared.theme.dim()));
        }
        frame.render_widget(Paragraph::new(lines), list);
    }
}

/// Returns the index of the first visible row, chosen so that the selected row is visible.
const fn first(selected: usize, rows: usize) -> usize {
    selected.saturating_sub(rows.saturating_sub(1))
}
