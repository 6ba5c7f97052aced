//! Draws the status line: a few facts about the item under the cursor.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;

use super::super::canvas::Canvas;
use super::super::text::{fit, width};
use crate::widget::theme::Theme;

/// One fact, for example `n 6,912`.
#[derive(Clone, Debug)]
pub struct Piece<'a> {
    /// The fact as text: `n 6,912`.
    pub text: Cow<'a, str>,
    /// Style of the text.
    pub style: Style,
}

impl<'a> Piece<'a> {
    /// Creates a piece with a text and its style.
    pub fn new(text: impl Into<Cow<'a, str>>, style: Style) -> Self {
        Self {
            text: text.into(),
            style,
        }
    }
}

/// The status line: pieces on the left, most important first, and a piece at the right end.
#[derive(Clone, Debug)]
pub struct StatusLine<'a> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// Pieces from the left.
    pub pieces: &'a [Piece<'a>],
    /// Piece at the right end, for example a job's progress; always shown.
    pub right: Option<Piece<'a>>,
}

const GAP: u16 = 3;

impl Widget for StatusLine<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let mut canvas = Canvas::new(area, buffer);
        let mut end = canvas.width().saturating_sub(1);
        if let Some(right) = &self.right {
            let text = fit(&right.text, end.saturating_sub(1));
            end = canvas
                .text_before(end, 0, &text, self.theme.text().patch(right.style))
                .saturating_sub(GAP);
        }
        let mut x = 1;
        for (i, piece) in self.pieces.iter().enumerate() {
            let room = end.saturating_sub(x);
            // The first piece can be cut. Later pieces are shown only if they fit completely.
            if room == 0 || (i > 0 && width(&piece.text) > room) {
                break;
            }
            x = canvas.text(
                x,
                0,
                &fit(&piece.text, room),
                self.theme.text().patch(piece.style),
            ) + GAP;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{draws_anywhere, lines, screen, theme};
    use super::*;

    fn draw(area: Rect, buffer: &mut Buffer) {
        let theme = theme();
        let pieces = [
            "localization: rank 1 [1–2] of 9",
            "GIoU 0.674 ±.008",
            "n 6,912",
        ];
        let pieces = pieces.map(|text| Piece::new(text, Style::new()));
        StatusLine {
            theme: &theme,
            pieces: &pieces,
            right: Some(Piece::new("reading 35 %", theme.dim())),
        }
        .render(area, buffer);
    }

    #[test]
    fn later_pieces_go_first() {
        let line = |columns| lines(&screen(columns, 1, draw)).concat();
        assert_eq!(
            line(78),
            " localization: rank 1 [1–2] of 9   GIoU 0.674 ±.008   n 6,912    reading 35 %"
        );
        assert_eq!(
            line(60),
            " localization: rank 1 [1–2] of 9               reading 35 %"
        );
        assert_eq!(line(30), " localization…   reading 35 %");
    }

    #[test]
    fn no_size_is_too_small() {
        draws_anywhere(draw);
    }
}
