//! Draws the trail: the steps that selected the samples on screen, broadest first.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::widgets::Widget;

use super::super::canvas::Canvas;
use super::super::text::{fit, width};
use crate::widget::theme::Theme;

/// A trail, for example `ava-bench › ocr › 9 encoders`.
#[derive(Clone, Copy, Debug)]
pub struct Trail<'a> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// Steps; the last step is the current one. On a narrow line, the first steps are dropped.
    pub steps: &'a [&'a str],
    /// Text at the right end: `44.5K samples`.
    pub right: &'a str,
}

const BETWEEN: &str = " › ";
/// Width of `… › `.
const CUT: u16 = 4;

impl Trail<'_> {
    /// Returns the first step to show, so that it and all later steps fit. The last step is always
    /// shown.
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

/// A visible step, with its first column and width.
struct VisibleStep {
    step: usize,
    x: u16,
    width: u16,
}

impl Trail<'_> {
    /// Returns the width of the right text and its gap in a line of `columns`; 0 if the text does
    /// not fit.
    fn side(&self, columns: u16) -> u16 {
        let side = width(self.right);
        let last = self.steps.last().map_or(0, |step| width(step));
        if side + last + 6 <= columns {
            side + 2
        } else {
            0
        }
    }

    /// Returns the visible steps in a line of `columns`.
    fn placed(&self, columns: u16) -> Vec<VisibleStep> {
        let end = columns.saturating_sub(self.side(columns) + 1);
        let first = self.first(end.saturating_sub(1));
        let mut x = if first > 0 { 1 + CUT } else { 1 };
        let steps = self.steps.iter().enumerate().skip(first);
        let place = |(step, text): (usize, &&str)| {
            let placed = VisibleStep {
                step,
                x,
                width: width(&fit(text, end.saturating_sub(x))),
            };
            x += placed.width + width(BETWEEN);
            placed
        };
        steps.map(place).collect()
    }

    /// Returns the index of the step at a screen position.
    pub fn step_at(&self, area: Rect, x: u16, y: u16) -> Option<usize> {
        let x = x.checked_sub(area.x).filter(|_| y == area.y)?;
        let placed = self.placed(area.width);
        let is_there = |placed: &&VisibleStep| (placed.x..placed.x + placed.width).contains(&x);
        placed.iter().find(is_there).map(|placed| placed.step)
    }
}

impl Widget for Trail<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let mut canvas = Canvas::new(area, buffer);
        if self.side(canvas.width()) > 0 {
            let end = canvas.width().saturating_sub(1);
            canvas.text_before(end, 0, self.right, self.theme.dim());
        }
        let placed = self.placed(canvas.width());
        if placed.first().is_some_and(|placed| placed.step > 0) {
            let x = canvas.text(1, 0, "…", self.theme.dim());
            canvas.text(x, 0, BETWEEN, self.theme.dim());
        }
        for VisibleStep { step, x, width } in placed {
            let here = step + 1 == self.steps.len();
            let style = if here {
                self.theme.text().add_modifier(Modifier::BOLD)
            } else {
                self.theme.text()
            };
            let text = self.steps.get(step).copied().unwrap_or_default();
            let x = canvas.text(x, 0, &fit(text, width), style);
            if !here {
                canvas.text(x, 0, BETWEEN, self.theme.dim());
            }
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
    fn a_step_is_found_where_it_stands() {
        let trail = Trail {
            theme: &theme(),
            steps: &["ava-bench", "ocr", "9 encoders"],
            right: "",
        };
        let area = Rect::new(2, 1, 40, 1);
        let at = [3, 11, 12, 15, 17, 21, 30].map(|x| trail.step_at(area, x, 1));
        let expected = [Some(0), Some(0), None, Some(1), Some(1), Some(2), Some(2)];
        assert_eq!(at, expected);
        assert_eq!(trail.step_at(area, 3, 0), None);
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
