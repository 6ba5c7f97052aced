//! A box over the screen, and a list of keys for it.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Modifier;
use ratatui::widgets::{Block, Clear, Padding, StatefulWidget, Widget};

use super::canvas::Canvas;
use super::text::{widest, width};
use crate::theme::Theme;

/// A box in the middle of the screen. Its frame says that it has the keyboard.
#[derive(Clone, Copy, Debug)]
pub struct Popup<'a> {
    /// Colours.
    pub theme: &'a Theme,
    /// What it is.
    pub title: &'a str,
    /// Columns of its content.
    pub width: u16,
    /// Rows of its content.
    pub height: u16,
}

impl Popup<'_> {
    /// The whole box on a screen: never larger than it.
    #[must_use]
    pub fn outer(&self, screen: Rect) -> Rect {
        let wide = self
            .width
            .max(width(self.title))
            .saturating_add(4)
            .min(screen.width);
        let high = self.height.saturating_add(2).min(screen.height);
        Rect {
            x: screen.x + (screen.width - wide) / 2,
            y: screen.y + (screen.height - high) / 2,
            width: wide,
            height: high,
        }
    }

    /// Where its content goes.
    #[must_use]
    pub fn inner(&self, screen: Rect) -> Rect {
        self.block().inner(self.outer(screen))
    }

    /// The frame.
    fn block(&self) -> Block<'_> {
        let title = if self.title.is_empty() {
            String::new()
        } else {
            format!(" {} ", self.title)
        };
        Block::bordered()
            .border_style(self.theme.accent())
            .style(self.theme.screen())
            .padding(Padding::horizontal(1))
            .title(title)
            .title_style(self.theme.accent().add_modifier(Modifier::BOLD))
    }
}

impl Widget for Popup<'_> {
    fn render(self, screen: Rect, buffer: &mut Buffer) {
        let outer = self.outer(screen).intersection(buffer.area);
        Clear.render(outer, buffer);
        self.block().render(outer, buffer);
    }
}

/// Keys and what they do, in as many columns as fit.
#[derive(Clone, Copy, Debug)]
pub struct KeyList<'a> {
    /// Colours.
    pub theme: &'a Theme,
    /// Keys and words.
    pub items: &'a [(&'a str, &'a str)],
}

/// How far the list is scrolled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyListState {
    /// The first row in sight.
    pub offset: usize,
}

/// Columns between columns.
const GAP: u16 = 3;

impl KeyList<'_> {
    /// The width of the keys and of a whole column.
    fn columns(&self) -> (u16, u16) {
        let keys = widest(self.items.iter().map(|(keys, _)| *keys));
        (
            keys,
            keys + 2 + widest(self.items.iter().map(|(_, words)| *words)),
        )
    }

    /// Columns side by side, and the rows that they take.
    fn shape(&self, room: u16) -> (usize, usize) {
        let (_, column) = self.columns();
        let across = usize::from((room.saturating_add(GAP)) / (column + GAP)).clamp(1, 3);
        (across, self.items.len().div_ceil(across))
    }

    /// The size of the content that shows all of it on a screen of this size, for [`Popup`].
    #[must_use]
    pub fn size(&self, screen: Rect) -> (u16, u16) {
        let (across, rows) = self.shape(screen.width.saturating_sub(8));
        let across = u16::try_from(across).unwrap_or(1);
        let (_, column) = self.columns();
        (
            across.saturating_mul(column + GAP).saturating_sub(GAP),
            u16::try_from(rows).unwrap_or(u16::MAX),
        )
    }
}

impl StatefulWidget for KeyList<'_> {
    type State = KeyListState;

    fn render(self, area: Rect, buffer: &mut Buffer, state: &mut Self::State) {
        let mut canvas = Canvas::new(area, buffer);
        let ((keys, column), (_, rows)) = (self.columns(), self.shape(area.width));
        let seen = usize::from(canvas.height());
        state.offset = state.offset.min(rows.saturating_sub(seen));
        for (i, (key, words)) in self.items.iter().enumerate() {
            let Some(line) = (i % rows.max(1))
                .checked_sub(state.offset)
                .filter(|line| *line < seen)
            else {
                continue;
            };
            let [x, y] = [i / rows.max(1) * usize::from(column + GAP), line]
                .map(|place| u16::try_from(place).unwrap_or(u16::MAX));
            canvas.field((x, y), keys, key, Alignment::Right, self.theme.accent());
            let room = canvas.width().saturating_sub(x.saturating_add(keys + 2));
            canvas.field(
                (x.saturating_add(keys + 2), y),
                room,
                words,
                Alignment::Left,
                self.theme.text(),
            );
        }
        if state.offset + seen < rows && seen > 0 {
            canvas.text_before(canvas.width(), canvas.height() - 1, "↓", self.theme.dim());
        }
        if state.offset > 0 {
            canvas.text_before(canvas.width(), 0, "↑", self.theme.dim());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{draws_anywhere, lines, screen, theme};
    use super::*;

    const ITEMS: [(&str, &str); 5] = [
        ("↑ k", "cursor up"),
        ("↓ j", "cursor down"),
        ("Enter", "open"),
        ("/", "filter"),
        ("?", "help"),
    ];

    fn draw(area: Rect, buffer: &mut Buffer, state: &mut KeyListState) {
        let theme = theme();
        let list = KeyList {
            theme: &theme,
            items: &ITEMS,
        };
        let (width, height) = list.size(area);
        let popup = Popup {
            theme: &theme,
            title: "keys",
            width,
            height,
        };
        popup.render(area, buffer);
        list.render(popup.inner(area), buffer, state);
    }

    #[test]
    fn the_box_is_as_large_as_its_content() {
        let buffer = screen(60, 7, |area, buffer| {
            draw(area, buffer, &mut KeyListState::default());
        });
        assert_eq!(
            lines(&buffer),
            [
                "",
                "        ┌ keys ───────────────────────────────────┐",
                "        │   ↑ k  cursor up         /  filter      │",
                "        │   ↓ j  cursor down       ?  help        │",
                "        │ Enter  open                             │",
                "        └─────────────────────────────────────────┘",
                "",
            ]
        );
    }

    #[test]
    fn a_long_list_scrolls() {
        let mut state = KeyListState { offset: 9 };
        let buffer = screen(24, 5, |area, buffer| draw(area, buffer, &mut state));
        assert_eq!(state.offset, 2);
        assert_eq!(
            lines(&buffer),
            [
                " ┌ keys ──────────────┐",
                " │ Enter  open      ↑ │",
                " │     /  filter      │",
                " │     ?  help        │",
                " └────────────────────┘",
            ]
        );
    }

    #[test]
    fn what_lies_below_is_cleared() {
        let buffer = screen(30, 5, |area, buffer| {
            buffer.set_string(0, 2, "x".repeat(30), ratatui::style::Style::new());
            Popup {
                theme: &theme(),
                title: "",
                width: 6,
                height: 1,
            }
            .render(area, buffer);
        });
        assert_eq!(lines(&buffer)[2], "xxxxxxxxxx│        │xxxxxxxxxx");
    }

    #[test]
    fn no_size_is_too_small() {
        draws_anywhere(|area, buffer| draw(area, buffer, &mut KeyListState { offset: 7 }));
    }
}
