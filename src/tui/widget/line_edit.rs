//! Edits one line of text, with a cursor between its graphemes.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::widgets::Widget;
use unicode_segmentation::UnicodeSegmentation;

use super::canvas::Canvas;
use super::text::width;
use crate::widget::theme::Theme;
use base::format::visible;

/// A line of text with a cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineEdit {
    text: String,
    /// Byte offset, always between two graphemes.
    cursor: usize,
}

impl LineEdit {
    /// Creates a line with the cursor at its end.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            cursor: text.len(),
            text,
        }
    }

    /// Returns the whole line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the byte offset of the cursor.
    pub const fn cursor(&self) -> usize {
        self.cursor
    }

    /// Moves the cursor to a byte offset. An offset within a grapheme moves it to the end of that
    /// grapheme.
    pub fn move_to(&mut self, byte: usize) {
        self.set_cursor(byte);
    }

    /// Removes and returns the text after the cursor.
    pub fn cut(&mut self) -> String {
        self.text.split_off(self.cursor)
    }

    /// Handles a key. Returns false if the key does not edit a line.
    pub fn on_key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Char('a') if control => self.cursor = 0,
            KeyCode::Char('e') if control => self.cursor = self.text.len(),
            KeyCode::Char('b') if control => self.cursor = self.before(),
            KeyCode::Char('f') if control => self.cursor = self.after(),
            KeyCode::Char('b') if alt => self.cursor = self.word_before(),
            KeyCode::Char('f') if alt => self.cursor = self.word_after(),
            KeyCode::Char('u') if control => self.remove(0..self.cursor),
            KeyCode::Char('k') if control => self.remove(self.cursor..self.text.len()),
            KeyCode::Char('w') if control => self.remove(self.word_before()..self.cursor),
            KeyCode::Char('d') if control => self.remove(self.cursor..self.after()),
            KeyCode::Char('h') if control => self.remove(self.before()..self.cursor),
            KeyCode::Backspace if alt || control => self.remove(self.word_before()..self.cursor),
            KeyCode::Backspace => self.remove(self.before()..self.cursor),
            KeyCode::Delete => self.remove(self.cursor..self.after()),
            KeyCode::Left if control || alt => self.cursor = self.word_before(),
            KeyCode::Right if control || alt => self.cursor = self.word_after(),
            KeyCode::Left => self.cursor = self.before(),
            KeyCode::Right => self.cursor = self.after(),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            KeyCode::Char(c) if !control && !alt => self.insert(c.encode_utf8(&mut [0; 4])),
            _ => return false,
        }
        true
    }

    /// Inserts text at the cursor, without control characters and line ends.
    pub fn insert(&mut self, text: &str) {
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        self.replace(self.cursor..self.cursor, &text);
    }

    /// Replaces a range of bytes and puts the cursor after the new text.
    pub fn replace(&mut self, at: Range<usize>, with: &str) {
        let start = self.text.floor_char_boundary(at.start);
        let end = self.text.ceil_char_boundary(at.end.max(start));
        self.text.replace_range(start..end, with);
        self.set_cursor(start + with.len());
    }

    fn remove(&mut self, at: Range<usize>) {
        self.replace(at, "");
    }

    /// Moves the cursor to the boundary at or after a byte offset. An insertion can merge adjacent
    /// characters into one grapheme, and the cursor must not be inside it.
    fn set_cursor(&mut self, byte: usize) {
        let next = self.boundaries().find(|at| *at >= byte);
        self.cursor = next.unwrap_or(self.text.len());
    }

    /// Returns the byte offsets between graphemes, and both ends.
    fn boundaries(&self) -> impl DoubleEndedIterator<Item = usize> {
        let ends = self.text.grapheme_indices(true);
        std::iter::once(0).chain(ends.map(|(at, grapheme)| at + grapheme.len()))
    }

    fn before(&self) -> usize {
        let before = self.boundaries().rfind(|at| *at < self.cursor);
        before.unwrap_or(0)
    }

    fn after(&self) -> usize {
        let after = self.boundaries().find(|at| *at > self.cursor);
        after.unwrap_or(self.text.len())
    }

    /// Returns the start of the word before the cursor.
    fn word_before(&self) -> usize {
        let before = self.text[..self.cursor].trim_end();
        let start = before
            .rfind(char::is_whitespace)
            .map_or(0, |space| space + 1);
        let boundary = self.boundaries().find(|at| *at >= start);
        boundary.map_or(0, |at| at.min(self.before()))
    }

    /// Returns the end of the word after the cursor.
    fn word_after(&self) -> usize {
        let rest = &self.text[self.cursor..];
        let word = rest.len() - rest.trim_start().len();
        let end = rest[word..].find(char::is_whitespace);
        let end = self.cursor + end.map_or(rest.len(), |end| word + end);
        let boundary = self.boundaries().find(|at| *at >= end);
        boundary.unwrap_or(self.text.len())
    }
}

/// An input line after a prompt sign, with a row below that marks an invalid part.
#[derive(Clone, Debug)]
pub struct LineInput<'a> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// Prompt sign before the line, for example `/`.
    pub sign: &'a str,
    /// The line. Control characters are drawn as substitutes.
    pub line: &'a LineEdit,
    /// Byte range of the invalid part.
    pub wrong: Option<Range<usize>>,
}

impl LineInput<'_> {
    /// Returns the start column of each grapheme, and the number of columns that are scrolled out
    /// on the left. The cursor is always visible.
    fn columns(&self, room: u16) -> (Vec<(usize, u32)>, u32) {
        let mut columns = vec![(0, 0)];
        let mut end = 0;
        for (at, grapheme) in self.line.text.grapheme_indices(true) {
            end += u32::from(width(&visible(grapheme)));
            columns.push((at + grapheme.len(), end));
        }
        let scroll = (column_of(&columns, self.line.cursor) + 1).saturating_sub(u32::from(room));
        (columns, scroll)
    }
}

/// Returns the column of the grapheme that contains a byte.
fn column_of(columns: &[(usize, u32)], byte: usize) -> u32 {
    let next = columns.partition_point(|(at, _)| *at <= byte);
    columns
        .get(next.saturating_sub(1))
        .map_or(0, |(_, column)| *column)
}

impl Widget for LineInput<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let mut canvas = Canvas::new(area, buffer);
        let from = canvas.text(0, 0, self.sign, self.theme.accent()) + 1;
        let (columns, scroll) = self.columns(canvas.width().saturating_sub(from));
        let shown = |byte: usize| {
            let column = column_of(&columns, byte).checked_sub(scroll)?;
            u16::try_from(column).ok()?.checked_add(from)
        };
        let LineEdit { text, cursor } = self.line;
        let at_cursor = self.theme.cursor().add_modifier(Modifier::REVERSED);
        for (at, grapheme) in text.grapheme_indices(true).chain([(text.len(), " ")]) {
            let style = if at == *cursor {
                at_cursor
            } else {
                self.theme.text()
            };
            if let Some(x) = shown(at).filter(|_| at < text.len() || at == *cursor) {
                canvas.text(x, 0, &visible(grapheme), style);
            }
        }
        if let Some(wrong) = &self.wrong {
            let start = shown(wrong.start).unwrap_or(from);
            let end = shown(wrong.end).unwrap_or(from).max(start + 1);
            canvas.repeat(start, 1, end - start, "^", self.theme.error());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{draws_anywhere, lines, screen, theme};
    use super::*;

    fn ctrl(c: char) -> KeyEvent {
        KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL)
    }

    /// Applies keys and returns the text with a `|` at the cursor.
    fn after(text: &str, keys: &[KeyEvent]) -> String {
        let mut line = LineEdit::new(text);
        for key in keys {
            assert!(line.on_key(*key), "{key:?}");
        }
        let (before, rest) = line.text.split_at(line.cursor);
        format!("{before}|{rest}")
    }

    #[test]
    fn keys_move_and_remove() {
        let [left, delete] = [KeyCode::Left, KeyCode::Delete].map(KeyEvent::from);
        assert_eq!(after("abc", &[left]), "ab|c");
        assert_eq!(after("abc", &[left, left, delete]), "a|c");
        assert_eq!(
            after("abc", &[KeyCode::Home.into(), KeyCode::Char('x').into()]),
            "x|abc"
        );
        assert_eq!(after("one two  ", &[ctrl('w')]), "one |");
        assert_eq!(after("one two", &[ctrl('w'), ctrl('w'), ctrl('w')]), "|");
        assert_eq!(after("one two", &[left, ctrl('u')]), "|o");
        assert_eq!(after("one two", &[ctrl('a'), ctrl('k')]), "|");
        assert_eq!(
            after(
                "one two",
                &[ctrl('a'), ctrl('e'), KeyCode::Backspace.into()]
            ),
            "one tw|"
        );
        let word = |code| KeyEvent::new(code, KeyModifiers::CONTROL);
        assert_eq!(after("one two", &[word(KeyCode::Left)]), "one |two");
        assert_eq!(
            after("one two", &[ctrl('a'), word(KeyCode::Right)]),
            "one| two"
        );
        assert_eq!(after("e\u{301}日", &[left, left]), "|e\u{301}日");
    }

    #[test]
    fn other_keys_are_left_to_others() {
        for key in [KeyCode::Enter, KeyCode::Tab, KeyCode::Up, KeyCode::Esc] {
            assert!(!LineEdit::new("x").on_key(key.into()));
        }
        assert!(!LineEdit::new("x").on_key(ctrl('p')));
    }

    fn input(line: &LineEdit, wrong: Option<Range<usize>>, area: Rect, buffer: &mut Buffer) {
        let theme = theme();
        LineInput {
            theme: &theme,
            sign: "/",
            line,
            wrong,
        }
        .render(area, buffer);
    }

    #[test]
    fn a_long_line_scrolls_with_its_cursor() {
        let draw = |line: &LineEdit| {
            let buffer = screen(6, 2, |area, buffer| input(line, Some(3..5), area, buffer));
            let reversed =
                |cell: &ratatui::buffer::Cell| cell.modifier.contains(Modifier::REVERSED);
            (lines(&buffer), buffer.content.iter().position(reversed))
        };
        let mut line = LineEdit::new("abcdef");
        assert_eq!(
            draw(&line),
            (vec!["/ def".to_owned(), "  ^^".to_owned()], Some(5))
        );
        line.on_key(KeyCode::Home.into());
        assert_eq!(
            draw(&line),
            (vec!["/ abcd".to_owned(), "     ^".to_owned()], Some(2))
        );
    }

    #[test]
    fn no_size_is_too_small() {
        draws_anywhere(|area, buffer| input(&LineEdit::new("日本 x"), Some(0..99), area, buffer));
    }

    proptest! {
        #[test]
        fn any_keys_leave_the_cursor_between_graphemes(
            text in "[a-c \u{301}日🇩🇪\u{200d}]{0,8}",
            keys in prop::collection::vec((0usize..14, any::<bool>()), 0..20),
        ) {
            let codes = [
                KeyCode::Left, KeyCode::Right, KeyCode::Home, KeyCode::End, KeyCode::Delete, KeyCode::Backspace,
                KeyCode::Char('w'), KeyCode::Char('u'), KeyCode::Char('k'), KeyCode::Char('\u{301}'),
                KeyCode::Char('🇪'), KeyCode::Char('日'), KeyCode::Char(' '), KeyCode::Char('\u{200d}'),
            ];
            let mut line = LineEdit::new(text);
            for (code, control) in keys {
                let modifiers = if control { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
                line.on_key(KeyEvent::new(codes[code], modifiers));
                let between = line.text.grapheme_indices(true).any(|(at, _)| at == line.cursor);
                prop_assert!(between || line.cursor == line.text.len(), "{:?} at {}", line.text, line.cursor);
                screen(7, 2, |area, buffer| input(&line, Some(1..4), area, buffer));
            }
        }

        #[test]
        fn what_is_typed_is_there(before in "\\PC{0,8}", typed in "\\PC{0,8}") {
            let mut line = LineEdit::new(before.clone());
            line.insert(&typed);
            prop_assert_eq!(line.text(), format!("{before}{typed}"));
        }
    }
}
