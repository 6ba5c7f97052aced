//! Draws one score: a dot on the whisker of its interval.

use ratatui::style::{Modifier, Style};

use super::super::axis::cell_of;
use super::super::canvas::Canvas;
use super::super::scale::Scale;
use super::Dot;

/// A line for one score, as wide as the axis.
pub(super) struct DotLine<'a> {
    /// Region to draw in.
    pub canvas: Canvas<'a>,
    /// The x axis.
    pub scale: Scale,
    /// Colour of the series.
    pub style: Style,
}

impl DotLine<'_> {
    /// Draws the interval, clipped to the axis, and the dot on top.
    pub(super) fn dot(&mut self, dot: &Dot<'_>) {
        let Some(at) = dot.value.and_then(|value| self.cell(value)) else {
            return;
        };
        if let Some((low, high)) = dot.interval {
            self.whisker(low, high);
        }
        let style = self.style.add_modifier(Modifier::BOLD);
        self.canvas.text(at, 0, "●", style);
    }

    /// Draws an interval if it is wider than the dot.
    fn whisker(&mut self, low: f64, high: f64) {
        let (Some(low), Some(high)) = (self.cell(low), self.cell(high)) else {
            return;
        };
        if high < low + 2 {
            return;
        }
        for x in low..=high {
            let symbol = match x {
                _ if x == low => "├",
                _ if x == high => "┤",
                _ => "─",
            };
            self.canvas.text(x, 0, symbol, self.style);
        }
    }

    /// Draws a reference value. The row's dot and whisker are drawn over it.
    pub(super) fn reference(&mut self, value: f64, style: Style) {
        if let Some(x) = cell_of(&self.scale, self.canvas.width(), value) {
            self.canvas.text(x, 0, "┊", style);
        }
    }

    /// Returns the cell of a value. A value outside the axis gets the cell at the nearer end.
    fn cell(&self, value: f64) -> Option<u16> {
        let share = Some(self.scale.share(value)).filter(|share| share.is_finite())?;
        let unit = Scale::new(0.0, 1.0, super::Spacing::Linear);
        cell_of(&unit, self.canvas.width(), share.clamp(0.0, 1.0))
    }
}
