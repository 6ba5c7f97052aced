//! Edits a text of several lines.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::Widget;
use unicode_segmentation::UnicodeSegmentation;

use super::canvas::Canvas;
use super::line_edit::LineEdit;
use super::text::width;
use crate::widget::theme::Theme;
use base::format::visible;
use base::format::wrap;

/// A text of several lines with a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    lines: Vec<LineEdit>,
    row: usize,
}

impl TextEdit {
    /// Creates a text with the cursor at its end.
    pub fn new(text: &str) -> Self {
        let lines: Vec<LineEdit> = text.split('\n').map(LineEdit::new).collect();
        Self {
            row: lines.len().saturating_sub(1),
            lines,
        }
    }

    /// Returns the text, with lines joined by `\n`.
    pub fn text(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(LineEdit::text).collect();
        lines.join("\n")
    }

    /// Returns the byte offset of the cursor in the whole text.
    pub fn cursor(&self) -> usize {
        let before = self.lines.iter().take(self.row);
        let before: usize = before.map(|line| line.text().len() + 1).sum();
        before + self.lines.get(self.row).map_or(0, LineEdit::cursor)
    }

    /// Handles a key. Returns false if the key does not edit a text.
    pub fn on_key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let at = |line: Option<&LineEdit>| {
            line.map_or((0, 0), |line| (line.cursor(), line.text().len()))
        };
        let (cursor, end) = at(self.lines.get(self.row));
        match key.code {
            KeyCode::Enter => self.split(),
            KeyCode::Up => self.go(self.row.saturating_sub(1), cursor),
            KeyCode::Down => self.go(self.row + 1, cursor),
            KeyCode::Home if control => self.go(0, 0),
            KeyCode::End if control => self.go(usize::MAX, usize::MAX),
            KeyCode::Left if cursor == 0 && self.row > 0 => self.go(self.row - 1, usize::MAX),
            KeyCode::Right if cursor == end && self.row + 1 < self.lines.len() => {
                self.go(self.row + 1, 0);
            }
            KeyCode::Backspace if cursor == 0 && self.row > 0 => self.join(self.row - 1),
            KeyCode::Delete if cursor == end => self.join(self.row),
            _ => return self.line().is_some_and(|line| line.on_key(key)),
        }
        true
    }

    /// Inserts text at the cursor.
    pub fn insert(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        for (at, part) in text.split('\n').enumerate() {
            if at > 0 {
                self.split();
            }
            if let Some(line) = self.line() {
                line.insert(part);
            }
        }
    }

    fn line(&mut self) -> Option<&mut LineEdit> {
        self.lines.get_mut(self.row)
    }

    fn go(&mut self, row: usize, byte: usize) {
        self.row = row.min(self.lines.len().saturating_sub(1));
        if let Some(line) = self.line() {
            line.move_to(byte.min(line.text().len()));
        }
    }

    /// Splits the line at the cursor.
    fn split(&mut self) {
        let rest = self.line().map(LineEdit::cut).unwrap_or_default();
        self.lines.insert(self.row + 1, LineEdit::new(rest));
        self.go(self.row + 1, 0);
    }

    /// Joins line `row` with the next line.
    fn join(&mut self, row: usize) {
        if row + 1 >= self.lines.len() {
            return;
        }
        let rest = self.lines.remove(row + 1);
        self.row = row;
        if let Some(line) = self.line() {
            let end = line.text().len();
            line.move_to(end);
            line.insert(rest.text());
            line.move_to(end);
        }
    }
}

/// An input field of several lines, wrapped at words. The cursor is always visible.
#[derive(Clone, Debug)]
pub struct TextInput<'a> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// The text. Control characters are drawn as substitutes.
    pub text: &'a TextEdit,
    /// Byte ranges with another style.
    pub marks: &'a [(Range<usize>, Style)],
}

impl Widget for TextInput<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let mut canvas = Canvas::new(area, buffer);
        // The cursor can be after the last character of a line, so add a column for it.
        let text = format!("{} ", self.text.text().replace('\n', " \n"));
        let shift = |byte: usize| byte + text.get(..byte).map_or(0, |_| self.ends_before(byte));
        let cursor = shift(self.text.cursor());
        let lines: Vec<Range<usize>> = wrap(&text, canvas.width()).collect();
        let row = lines.iter().rposition(|line| line.start <= cursor);
        let first = (row.unwrap_or_default() + 1).saturating_sub(usize::from(canvas.height()));
        let marks: Vec<(Range<usize>, Style)> = self
            .marks
            .iter()
            .map(|(range, style)| (shift(range.start)..shift(range.end), *style))
            .collect();
        let at_cursor = self.theme.cursor().add_modifier(Modifier::REVERSED);
        for (y, line) in (0..canvas.height()).zip(lines.iter().skip(first)) {
            let mut x = 0;
            // If a line was wrapped at a space, the space belongs to that line.
            let end = lines
                .get(first + usize::from(y) + 1)
                .map_or(text.len(), |next| next.start);
            let shown = text.get(line.start..end.max(line.end)).unwrap_or_default();
            for (at, grapheme) in shown.trim_end_matches('\n').grapheme_indices(true) {
                let at = line.start + at;
                let mark = marks.iter().find(|(range, _)| range.contains(&at));
                let style = match mark {
                    _ if at == cursor => at_cursor,
                    Some((_, style)) => *style,
                    None => self.theme.text(),
                };
                canvas.text(x, y, &visible(grapheme), style);
                x += width(&visible(grapheme));
            }
        }
    }
}

impl TextInput<'_> {
    /// Returns the number of line ends before a byte offset.
    fn ends_before(&self, byte: usize) -> usize {
        let text = self.text.text();
        text.get(..byte)
            .unwrap_or(&text)
            .bytes()
            .filter(|byte| *byte == b'\n')
            .count()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{draws_anywhere, lines, screen, theme};
    use super::*;

    fn press(edit: &mut TextEdit, keys: &[KeyCode]) {
        for key in keys {
            edit.on_key(KeyEvent::new(*key, KeyModifiers::NONE));
        }
    }

    #[test]
    fn lines_are_split_joined_and_walked_over() {
        use KeyCode::{Backspace, Char, Delete, Down, End, Enter, Home, Left, Right, Up};
        let mut edit = TextEdit::new("ab\ncd");
        press(&mut edit, &[Enter, Char('x')]);
        assert_eq!(edit.text(), "ab\ncd\nx");
        press(&mut edit, &[Up, Home, Left, Char('!')]);
        assert_eq!(edit.text(), "ab!\ncd\nx");
        press(&mut edit, &[Right, Char('?'), Home, Backspace]);
        assert_eq!((edit.text().as_str(), edit.cursor()), ("ab!?cd\nx", 3));
        press(&mut edit, &[Left, Enter]);
        assert_eq!(edit.text(), "ab\n!?cd\nx");
        press(&mut edit, &[End, Delete, Down, Down]);
        assert_eq!(edit.text(), "ab\n!?cdx");
        edit.insert("1\r\n2");
        assert_eq!(edit.text(), "ab\n!?cd1\n2x");
    }

    fn drawn(text: &str, width: u16, height: u16) -> Vec<String> {
        let edit = TextEdit::new(text);
        lines(&screen(width, height, |area, buffer| {
            let input = TextInput {
                theme: &theme(),
                text: &edit,
                marks: &[],
            };
            input.render(area, buffer);
        }))
    }

    #[test]
    fn long_lines_wrap_and_the_cursor_stays_in_sight() {
        let trimmed = |text: &str, width, height| -> Vec<String> {
            let lines = drawn(text, width, height);
            lines
                .iter()
                .map(|line| line.trim_end().to_owned())
                .collect()
        };
        assert_eq!(trimmed("one two three", 8, 3), ["one two", "three", ""]);
        assert_eq!(trimmed("a\n\nb", 8, 3), ["a", "", "b"]);
        assert_eq!(trimmed("a\nb\nc\nd", 8, 2), ["c", "d"]);
    }

    proptest! {
        #[test]
        fn any_text_is_kept_and_drawn(text in "[a-z{}é日\n ]{0,40}", keys in prop::collection::vec(0..6_usize, 0..20)) {
            let mut edit = TextEdit::new(&text);
            prop_assert_eq!(edit.text(), text.clone());
            let codes = [KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right, KeyCode::Home, KeyCode::End];
            for key in keys {
                press(&mut edit, &[codes[key]]);
                prop_assert!(edit.text().is_char_boundary(edit.cursor()));
            }
            prop_assert_eq!(edit.text(), text);
            let marks = [(0..3, Style::new())];
            draws_anywhere(|area, buffer| TextInput { theme: &theme(), text: &edit, marks: &marks }.render(area, buffer));
        }
    }
}
