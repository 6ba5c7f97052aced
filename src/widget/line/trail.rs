//! The trail: which samples the user is looking at, from the widest to the narrowest choice.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::widgets::Widget;

use super::super::canvas::Canvas;
use super::super::text::{fit, width};
use crate::theme::Theme;

/// A trail such as `ava-bench › ocr › 9 encoders`.
#[derive(Clone, Copy, Debug)]
pub struct Trail<'a> {
    /// Colours.
    pub theme: &'a Theme,
    /// The steps; the last is where the user is. The first ones go when the line is narrow.
    pub steps: &'a [&'a str],
    /// What stands at the right end: `44.5K samples`.
    pub right: &'a str,
}

const BETWEEN: &str = " › ";

impl Trail<'_> {
    /// The first step that fits together with all behind it; the last one always counts as fitting.
    fn first(&self, room: u16) -> usize {
        let columns = |from: usize| {
            let cut = if from > 0 { 4 } else { 0 };
            let steps = self
                .steps
                .iter()
                .skip(from)
                .map(|step| usize::from(width(step)) + 3);
            (cut + steps.sum::<usize>()).saturating_sub(3)
        };
        let last = self.steps.len().saturating_sub(1);
        (0..last)
            .find(|from| columns(*from) <= usize::from(room))
            .unwrap_or(last)
    }
}

impl Widget for Trail<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let mut canvas = Canvas::new(area, buffer);
        let side = width(self.right);
        let last = self.steps.last().map_or(0, |step| width(step));
        let side = if side + last + 6 <= canvas.width() {
            side + 2
        } else {
            0
        };
        if side > 0 {
            canvas.text_before(
                canvas.width().saturating_sub(1),
                0,
                self.right,
                self.theme.dim(),
            );
        }
        let end = canvas.width().saturating_sub(side + 1);
        let first = self.first(end.saturating_sub(1));
        let mut x = 1;
        if first > 0 {
            x = canvas.text(x, 0, "…", self.theme.dim());
            x = canvas.text(x, 0, BETWEEN, self.theme.dim());
        }
        for (i, step) in self.steps.iter().enumerate().skip(first) {
            let here = i + 1 == self.steps.len();
            let style = if here {
                self.theme.text().add_modifier(Modifier::BOLD)
            } else {
                self.theme.text()
            };
            x = canvas.text(x, 0, &fit(step, end.saturating_sub(x)), style);
            x = if here {
                x
            } else {
                canvas.text(x, 0, BETWEEN, self.theme.dim())
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{draws_anywhere, lines, screen, theme};
    use super::*;

    fn draw(area: Rect, buffer: &mut Buffer) {
        let steps = ["ava-bench", "ocr", "9 encoders"];
        Trail {
            theme: &theme(),
            steps: &steps,
            right: "44.5K samples",
        }
        .render(area, buffer);
    }

    #[test]
    fn the_last_step_stays() {
        let line = |columns| lines(&screen(columns, 1, draw)).concat();
        assert_eq!(
            line(50),
            " ava-bench › ocr › 9 encoders       44.5K samples"
        );
        assert_eq!(line(40), " … › ocr › 9 encoders     44.5K samples");
        assert_eq!(line(24), " … › ocr › 9 encoders");
        assert_eq!(line(12), " … › 9 enc…");
    }

    #[test]
    fn no_size_is_too_small() {
        draws_anywhere(draw);
        draws_anywhere(|area, buffer| {
            Trail {
                theme: &theme(),
                steps: &[],
                right: "",
            }
            .render(area, buffer);
        });
    }
}
