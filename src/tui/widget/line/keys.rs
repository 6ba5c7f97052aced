//! Draws the key line: available keys, as many as fit.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::super::canvas::Canvas;
use super::super::text::width;
use crate::widget::theme::Theme;

/// A key and its label.
#[derive(Clone, Copy, Debug)]
pub struct KeyHint<'a> {
    /// Key or keys, as displayed.
    pub keys: &'a str,
    /// Label of one or two words.
    pub words: &'a str,
    /// True if the hint stays visible on a narrow line.
    pub pinned: bool,
}

impl KeyHint<'_> {
    /// Returns the width in columns, with the space after it.
    fn columns(&self) -> u16 {
        width(self.keys) + 1 + width(self.words) + 2
    }
}

/// The key line. Hints keep their order. On a narrow line, unpinned hints are dropped from the end.
#[derive(Clone, Copy, Debug)]
pub struct KeyLine<'a> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// Hints, most important first.
    pub hints: &'a [KeyHint<'a>],
}

impl KeyLine<'_> {
    /// Returns the hints that fit.
    fn fitting(&self, room: u16) -> impl Iterator<Item = &KeyHint<'_>> {
        let pinned: u16 = self
            .hints
            .iter()
            .filter(|hint| hint.pinned)
            .map(KeyHint::columns)
            .sum();
        let mut left = room.saturating_add(1).saturating_sub(pinned);
        let mut full = false;
        self.hints.iter().filter(move |hint| {
            let rest = left.checked_sub(hint.columns()).filter(|_| !full);
            if !hint.pinned {
                full = rest.is_none();
                left = rest.unwrap_or(left);
            }
            hint.pinned || !full
        })
    }
}

impl KeyLine<'_> {
    /// Returns the index of the hint at a screen column, and the column within it.
    pub fn hint_at(&self, area: Rect, x: u16) -> Option<(usize, u16)> {
        let mut start = area.x + 1;
        for hint in self.fitting(area.width.saturating_sub(1)) {
            let end = start.saturating_add(hint.columns());
            // The two columns between hints belong to no hint.
            if (start..end.saturating_sub(2)).contains(&x) {
                let index = self
                    .hints
                    .iter()
                    .position(|known| std::ptr::eq(known, hint))?;
                return Some((index, x - start));
            }
            start = end;
        }
        None
    }
}

impl Widget for KeyLine<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let mut canvas = Canvas::new(area, buffer);
        let mut x = 1;
        for hint in self.fitting(area.width.saturating_sub(1)) {
            x = canvas.text(x, 0, hint.keys, self.theme.accent());
            x = canvas.text(x + 1, 0, hint.words, self.theme.dim()) + 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{draws_anywhere, lines, screen, theme};
    use super::*;

    const HINTS: [KeyHint<'static>; 4] = [
        KeyHint {
            keys: "↑↓←→",
            words: "move",
            pinned: false,
        },
        KeyHint {
            keys: "Enter",
            words: "samples",
            pinned: false,
        },
        KeyHint {
            keys: "/",
            words: "filter",
            pinned: false,
        },
        KeyHint {
            keys: "?",
            words: "help",
            pinned: true,
        },
    ];

    fn draw(area: Rect, buffer: &mut Buffer) {
        KeyLine {
            theme: &theme(),
            hints: &HINTS,
        }
        .render(area, buffer);
    }

    #[test]
    fn help_stays() {
        let line = |columns| lines(&screen(columns, 1, draw)).concat();
        assert_eq!(line(44), " ↑↓←→ move  Enter samples  / filter  ? help");
        assert_eq!(line(43), " ↑↓←→ move  Enter samples  ? help");
        assert_eq!(line(20), " ↑↓←→ move  ? help");
        assert_eq!(line(9), " ? help");
    }

    #[test]
    fn a_click_finds_the_hint_that_is_drawn_there() {
        let theme = theme();
        let line = KeyLine {
            theme: &theme,
            hints: &HINTS,
        };
        let area = Rect::new(2, 0, 43, 1);
        let at = |x| line.hint_at(area, x);
        assert_eq!((at(2), at(3), at(6)), (None, Some((0, 0)), Some((0, 3))));
        assert_eq!(
            (at(11), at(12), at(13), at(14)),
            (Some((0, 8)), None, None, Some((1, 0)))
        );
        assert_eq!(
            (at(29), at(34), at(35), at(99)),
            (Some((3, 0)), Some((3, 5)), None, None)
        );
    }

    #[test]
    fn no_size_is_too_small() {
        draws_anywhere(draw);
    }
}
