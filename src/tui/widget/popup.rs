//! Draws a box over the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::widgets::{Block, Clear, Padding, Widget};

use super::text::width;
use crate::widget::theme::Theme;

/// A box in the middle of the screen with a highlighted frame. The box is at an edge instead if it
/// then covers less of `beside`.
#[derive(Clone, Copy, Debug)]
pub struct Popup<'a> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// Title in the frame.
    pub title: &'a str,
    /// Width of the content in columns.
    pub width: u16,
    /// Height of the content in rows.
    pub height: u16,
    /// Areas to keep visible if possible, for example a picture.
    pub beside: &'a [Rect],
    /// Number of lines at the bottom of the screen that stay visible if the box fits above them.
    pub foot: u16,
}

impl Popup<'_> {
    /// Returns the area of the box with its frame, clipped to the screen above the key line.
    pub fn outer(&self, screen: Rect) -> Rect {
        let wide = self
            .width
            .max(width(self.title))
            .saturating_add(4)
            .min(screen.width);
        let highest = screen.height - u16::from(screen.height > 4);
        let high = self.height.saturating_add(2).min(highest);
        let (right, below) = (screen.width - wide, screen.height - high);
        let place = |(x, y): (u16, u16)| Rect {
            x: screen.x + x,
            y: screen.y + y,
            width: wide,
            height: high,
        };
        let covered = |place: &Rect| -> u32 {
            let parts = self.beside.iter().map(|part| place.intersection(*part));
            parts.map(Rect::area).sum()
        };
        // Of equally good positions, the first is used. The middle comes first, then positions near
        // it.
        let columns = [right / 2, right, 0];
        let rows = [below / 2, below.saturating_sub(self.foot), 0];
        let places = rows.iter().flat_map(|y| columns.map(|x| place((x, *y))));
        places.min_by_key(covered).unwrap_or_default()
    }

    /// Returns the area of the content.
    pub fn inner(&self, screen: Rect) -> Rect {
        self.block().inner(self.outer(screen))
    }

    /// Returns the frame with the title.
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

#[cfg(test)]
mod tests {
    use super::super::testing::{draws_anywhere, lines, screen, theme};
    use super::*;

    #[test]
    fn what_lies_below_is_cleared() {
        let buffer = screen(30, 5, |area, buffer| {
            buffer.set_string(0, 2, "x".repeat(30), ratatui::style::Style::new());
            Popup {
                theme: &theme(),
                title: "",
                width: 6,
                height: 1,
                beside: &[],
                foot: 0,
            }
            .render(area, buffer);
        });
        assert_eq!(lines(&buffer)[2], "xxxxxxxxxx│        │xxxxxxxxxx");
    }

    #[test]
    fn a_picture_stays_visible_where_it_can() {
        let theme = theme();
        let screen = Rect::new(0, 0, 80, 24);
        let outer = |beside: &[Rect]| {
            let popup = Popup {
                theme: &theme,
                title: "",
                width: 26,
                height: 4,
                beside,
                foot: 2,
            };
            popup.outer(screen)
        };
        let left_half = Rect::new(0, 2, 40, 20);
        assert_eq!(outer(&[]), Rect::new(25, 9, 30, 6));
        assert_eq!(outer(&[left_half]), Rect::new(50, 9, 30, 6));
        // At the bottom, the box covers the smallest part of the picture, and the last two lines
        // stay visible.
        assert_eq!(outer(&[Rect::new(0, 0, 80, 20)]), Rect::new(25, 16, 30, 6));
    }

    #[test]
    fn the_key_line_stays_visible() {
        let theme = theme();
        let popup = Popup {
            theme: &theme,
            title: "",
            width: 90,
            height: 90,
            beside: &[],
            foot: 2,
        };
        let screen = Rect::new(0, 0, 80, 24);
        assert_eq!(popup.outer(screen), Rect::new(0, 0, 80, 23));
    }

    #[test]
    fn no_size_is_too_small() {
        draws_anywhere(|area, buffer| {
            let popup = Popup {
                theme: &theme(),
                title: "keys",
                width: 40,
                height: 9,
                beside: &[area],
                foot: 2,
            };
            popup.render(area, buffer);
        });
    }
}
