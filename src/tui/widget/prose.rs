//! Draws wrapped text, for example a raw response, and marks the part that was parsed as the
//! answer.
//!
//! Lines are wrapped when they become visible. At most [`LIMIT`] bytes are wrapped, because
//! responses can be very long.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::StatefulWidget;

use super::canvas::Canvas;
use super::search::Search;
use super::text::width;
use crate::widget::theme::Theme;
use base::format::wrap;

/// Maximum number of bytes of text that are wrapped.
pub const LIMIT: usize = 64 * 1024;

/// A text wrapped at words, with a mark and a search.
#[derive(Clone, Debug)]
pub struct Prose<'a> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// The text, without control characters.
    pub text: &'a str,
    /// Byte range that was parsed as the answer.
    pub mark: Option<Range<usize>>,
    /// Style of the unmarked text.
    pub style: Style,
}

/// Scroll position and search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProseState {
    /// Index of the first visible line.
    pub offset: usize,
    /// Search within the text.
    pub search: Search,
}

impl ProseState {
    /// Scrolls to the beginning, for a new text. Keeps the search words.
    pub const fn restart(&mut self) {
        self.offset = 0;
        self.search.restart();
    }
}

impl Prose<'_> {
    /// Returns the part of the text that is wrapped and drawn.
    fn bounded(&self) -> &str {
        &self.text[..self.text.floor_char_boundary(LIMIT)]
    }

    /// Returns the number of lines at this width, limited to `most`.
    pub fn height(&self, columns: u16, most: u16) -> u16 {
        let lines = wrap(self.bounded(), columns.saturating_sub(1))
            .take(usize::from(most))
            .count();
        u16::try_from(lines).unwrap_or(most)
    }

    /// Returns the line where the mark starts at this width.
    pub fn line_of_mark(&self, columns: u16) -> Option<usize> {
        let start = self.mark.as_ref()?.start;
        wrap(self.bounded(), columns.saturating_sub(1)).position(|line| line.end > start)
    }

    /// Draws one line: the text, then the mark, then the matches on top.
    fn line(&self, canvas: &mut Canvas<'_>, y: u16, line: &Range<usize>, found: &SearchMatches) {
        canvas.text(0, y, &self.text[line.clone()], self.style);
        let marked = self
            .theme
            .accent()
            .add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
        let style = |at: usize| {
            if Some(at) == found.current {
                self.theme.cursor().add_modifier(Modifier::REVERSED)
            } else {
                self.theme.selection().add_modifier(Modifier::UNDERLINED)
            }
        };
        let next = found
            .places
            .partition_point(|place| place.end <= line.start);
        let here = (next..).zip(found.places.iter().skip(next));
        let here = here.take_while(|(_, place)| place.start < line.end);
        let places = here.map(|(at, place)| (place.clone(), style(at)));
        for (bytes, style) in self
            .mark
            .iter()
            .map(|mark| (mark.clone(), marked))
            .chain(places)
        {
            self.over(canvas, y, line, &bytes, style);
        }
    }

    /// Redraws the part of a byte range that is on this line, in another style.
    fn over(
        &self,
        canvas: &mut Canvas<'_>,
        y: u16,
        line: &Range<usize>,
        bytes: &Range<usize>,
        style: Style,
    ) {
        let inside = |byte: usize| {
            self.text
                .floor_char_boundary(byte.clamp(line.start, line.end))
        };
        let (from, to) = (inside(bytes.start), inside(bytes.end.max(bytes.start)));
        let x = width(&self.text[line.start..from]);
        canvas.text(x, y, &self.text[from..to], style);
    }

    /// Returns the scroll position that shows the current match.
    fn reveal(&self, columns: u16, offset: usize, seen: usize, found: &SearchMatches) -> usize {
        let place = found.current.and_then(|at| found.places.get(at));
        let line = place.and_then(|place| {
            wrap(self.bounded(), columns).position(|line| line.end > place.start)
        });
        match line {
            Some(line) if !(offset..offset + seen).contains(&line) => line.saturating_sub(seen / 3),
            _ => offset,
        }
    }
}

/// Matches of the search, and the index of the current one.
struct SearchMatches {
    places: Vec<Range<usize>>,
    current: Option<usize>,
}

impl StatefulWidget for Prose<'_> {
    type State = ProseState;

    fn render(self, area: Rect, buffer: &mut Buffer, state: &mut Self::State) {
        let mut canvas = Canvas::new(area, buffer);
        let Some(edge) = canvas.width().checked_sub(1).filter(|_| !canvas.is_empty()) else {
            return;
        };
        let seen = usize::from(canvas.height());
        let places = state.search.places(self.bounded());
        let current = state.search.current(places.len());
        let found = SearchMatches { places, current };
        if std::mem::take(&mut state.search.reveal) {
            state.offset = self.reveal(edge, state.offset, seen, &found);
        }
        // Read one line more than is visible, to detect whether there is more text.
        let mut lines: Vec<_> = wrap(self.bounded(), edge)
            .skip(state.offset)
            .take(seen + 1)
            .collect();
        if lines.len() < seen && state.offset > 0 {
            let all: Vec<_> = wrap(self.bounded(), edge).collect();
            state.offset = all.len().saturating_sub(seen);
            lines = all.into_iter().skip(state.offset).collect();
        }
        for (y, line) in (0..canvas.height()).zip(&lines) {
            self.line(&mut canvas, y, line, &found);
        }
        if state.offset > 0 {
            canvas.text(edge, 0, "↑", self.theme.dim());
        }
        if lines.len() > seen || (lines.len() == seen && self.text.len() > LIMIT) {
            canvas.text(edge, canvas.height() - 1, "↓", self.theme.dim());
        }
    }
}

/// Returns the number of rows that a line takes at a width, at least 1.
pub fn rows_of(line: &Line<'_>, columns: u16) -> u16 {
    let rows = wrap(&line.to_string(), columns).count().max(1);
    u16::try_from(rows).unwrap_or(u16::MAX)
}

/// Returns the number of rows that lines take at a width.
pub fn rows_of_all(lines: &[Line<'_>], columns: u16) -> u16 {
    let rows = lines.iter().map(|line| rows_of(line, columns));
    rows.fold(0, u16::saturating_add)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{draws_anywhere, lines, screen, theme};
    use super::*;

    fn draw(
        text: &str,
        mark: Option<Range<usize>>,
        state: &mut ProseState,
        area: Rect,
        buffer: &mut Buffer,
    ) {
        Prose {
            theme: &theme(),
            text,
            mark,
            style: Style::new(),
        }
        .render(area, buffer, state);
    }

    #[test]
    fn the_mark_goes_over_line_ends() {
        let text = "I think it is the red box on the left";
        let buffer = screen(16, 4, |area, buffer| {
            draw(text, Some(14..25), &mut ProseState::default(), area, buffer);
        });
        assert_eq!(
            lines(&buffer),
            ["I think it is", "the red box on", "the left", ""]
        );
        let marked: String = buffer
            .content
            .iter()
            .filter(|cell| cell.modifier.contains(Modifier::UNDERLINED))
            .map(ratatui::buffer::Cell::symbol)
            .collect();
        assert_eq!(marked, "the red box");
    }

    #[test]
    fn arrows_say_that_there_is_more() {
        let text = "a\nb\nc\nd\ne";
        let mut state = ProseState {
            offset: 1,
            ..ProseState::default()
        };
        let buffer = screen(5, 3, |area, buffer| {
            draw(text, None, &mut state, area, buffer);
        });
        assert_eq!(lines(&buffer), ["b   ↑", "c", "d   ↓"]);
        state.offset = 99;
        let buffer = screen(5, 3, |area, buffer| {
            draw(text, None, &mut state, area, buffer);
        });
        assert_eq!(
            (lines(&buffer), state.offset),
            (vec!["c   ↑".to_owned(), "d".to_owned(), "e".to_owned()], 2)
        );
    }

    #[test]
    fn what_is_found_is_marked_and_comes_into_sight() {
        let text = "red\n\n\n\nblue red\n\na Red box";
        let mut state = ProseState::default();
        state.search.look_for("red");
        state.search.step(2);
        let buffer = screen(12, 3, |area, buffer| {
            draw(text, Some(4..5), &mut state, area, buffer);
        });
        assert_eq!(lines(&buffer), ["blue red   ↑", "", "a Red box"]);
        let told = |modifier| {
            let cells = buffer
                .content
                .iter()
                .filter(move |cell| cell.modifier.contains(modifier));
            cells.map(ratatui::buffer::Cell::symbol).collect::<String>()
        };
        assert_eq!(
            (told(Modifier::REVERSED), told(Modifier::UNDERLINED)),
            ("Red".to_owned(), "red".to_owned())
        );
        state.offset = 0;
        screen(12, 3, |area, buffer| {
            draw(text, None, &mut state, area, buffer)
        });
        assert_eq!(state.offset, 0, "the user may scroll away");
    }

    #[test]
    fn heights_and_marks_are_known_before_drawing() {
        let prose = Prose {
            theme: &theme(),
            text: "a\nb\nc answer",
            mark: Some(6..12),
            style: Style::new(),
        };
        assert_eq!(
            (
                prose.height(20, 9),
                prose.height(20, 2),
                prose.line_of_mark(20)
            ),
            (3, 2, Some(2))
        );
    }

    #[test]
    fn a_long_text_is_bounded() {
        let text = "é ".repeat(LIMIT);
        let mut state = ProseState {
            offset: usize::MAX,
            ..ProseState::default()
        };
        screen(80, 24, |area, buffer| {
            draw(&text, Some(LIMIT - 1..LIMIT * 9), &mut state, area, buffer);
        });
        assert!(state.offset < LIMIT);
    }

    #[test]
    fn no_size_is_too_small() {
        let text = "some words, 日本語 and\n\nmore";
        draws_anywhere(|area, buffer| {
            draw(
                text,
                Some(3..999),
                &mut ProseState {
                    offset: 2,
                    ..ProseState::default()
                },
                area,
                buffer,
            );
        });
        draws_anywhere(|area, buffer| draw("", None, &mut ProseState::default(), area, buffer));
    }

    proptest! {
        #[test]
        fn a_mark_moves_and_changes_no_text(
            text in "[a-c é日]{0,40}|\\PC{0,40}", wanted in "[a-z é]{0,2}", from in 0usize..99, to in 0usize..99,
        ) {
            let mut state = ProseState::default();
            state.search.look_for(&wanted);
            let marked = screen(12, 4, |area, buffer| draw(&text, Some(from..to), &mut state, area, buffer));
            let mut plain = ProseState { offset: state.offset, ..ProseState::default() };
            let unmarked = screen(12, 4, |area, buffer| draw(&text, None, &mut plain, area, buffer));
            prop_assert_eq!(plain.offset, state.offset);
            // Skip texts in which a mark can end within a grapheme of several characters.
            if text.chars().all(|c| "abc é日".contains(c)) {
                prop_assert_eq!(lines(&marked), lines(&unmarked));
            }
        }
    }
}
