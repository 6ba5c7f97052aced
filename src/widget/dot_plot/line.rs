//! One score: a dot on the whisker of its interval.

use ratatui::style::{Modifier, Style};

use super::super::axis::cell_of;
use super::super::canvas::Canvas;
use super::super::scale::Scale;
use super::Dot;

/// The line of one score, as wide as the axis.
pub(super) struct DotLine<'a> {
    /// Where it is drawn.
    pub canvas: Canvas<'a>,
    /// The axis.
    pub scale: Scale,
    /// The colour of its series.
    pub style: Style,
}

impl DotLine<'_> {
    /// Draws the interval, cut at the ends of the axis, and the dot on it.
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

    /// Draws an interval, if it is wide enough to be seen beside the dot.
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

    /// Draws the line of a value to compare with; what the row has lies over it.
    pub(super) fn reference(&mut self, value: f64, style: Style) {
        if let Some(x) = cell_of(&self.scale, self.canvas.width(), value) {
            self.canvas.text(x, 0, "┊", style);
        }
    }

    /// The cell of a value; one beyond the axis lies at its end.
    fn cell(&self, value: f64) -> Option<u16> {
        let share = Some(self.scale.share(value)).filter(|share| share.is_finite())?;
        let unit = Scale::new(0.0, 1.0, super::Spacing::Linear);
        cell_of(&unit, self.canvas.width(), share.clamp(0.0, 1.0))
    }
}
