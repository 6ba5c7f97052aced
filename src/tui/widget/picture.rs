//! Draws a placeholder for a missing picture.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::widgets::Widget;

use super::canvas::Canvas;
use crate::widget::theme::Theme;
use base::format::wrap;

/// A placeholder for a missing picture, with the reason and a hint.
#[derive(Clone, Copy, Debug)]
pub struct Placeholder<'a> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// Why the picture is missing: `no file images/004.png`.
    pub reason: &'a str,
    /// Advice for the user; can be empty.
    pub hint: &'a str,
}

impl Widget for Placeholder<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let mut canvas = Canvas::new(area, buffer);
        let room = canvas.width().saturating_sub(4).max(canvas.width().min(1));
        let parts = [
            (self.reason, self.theme.text()),
            (self.hint, self.theme.dim()),
        ];
        let lines: Vec<_> = parts
            .into_iter()
            .flat_map(|(text, style)| {
                wrap(text, room)
                    .take(8)
                    .map(move |line| (&text[line], style))
            })
            .collect();
        let spare = usize::from(canvas.height()).saturating_sub(lines.len());
        let top = u16::try_from(spare / 2).unwrap_or(0);
        for (y, (line, style)) in (top..).zip(lines) {
            canvas.field((0, y), canvas.width(), line, Alignment::Center, style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{draws_anywhere, lines, screen, theme};
    use super::*;

    #[test]
    fn a_missing_picture_says_why() {
        let theme = theme();
        let buffer = screen(24, 5, |area, buffer| {
            Placeholder {
                theme: &theme,
                reason: "no file images/4.png",
                hint: "S sources",
            }
            .render(area, buffer);
        });
        assert_eq!(
            lines(&buffer),
            ["", "  no file images/4.png", "       S sources", "", ""]
        );
    }

    #[test]
    fn no_size_is_too_small() {
        draws_anywhere(|area, buffer| {
            Placeholder {
                theme: &theme(),
                reason: "reason",
                hint: "",
            }
            .render(area, buffer);
        });
    }
}
