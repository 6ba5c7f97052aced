//! One bar: a stretch of eighth blocks, its interval as a whisker through it.

use ratatui::style::{Modifier, Style};

use super::super::axis::cell_of;
use super::super::canvas::Canvas;
use super::super::scale::{Scale, cells};
use super::Bar;

/// Blocks that fill a cell from the left, by eighths.
const EIGHTHS: [&str; 9] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];

/// The row of one bar, as wide as the axis.
pub(super) struct Stroke<'a> {
    /// Where it is drawn.
    pub canvas: Canvas<'a>,
    /// The axis.
    pub scale: Scale,
    /// The colour of its series.
    pub style: Style,
}

impl Stroke<'_> {
    /// Draws a bar from `base` to its value; too short a bar is a thin line.
    pub(super) fn bar(&mut self, base: f64, bar: &Bar<'_>) {
        let Some(value) = bar.value.filter(|value| value.is_finite()) else {
            return;
        };
        let (from, to) = (self.eighth(value.min(base)), self.eighth(value.max(base)));
        let to = to.max(from + 1);
        for x in from / 8..to.div_ceil(8) {
            let (symbol, turned) = block(from.max(x * 8) - x * 8, to.min(x * 8 + 8) - x * 8);
            self.put(x, symbol, turned);
        }
        if let Some((low, high)) = bar
            .interval
            .filter(|(low, high)| low.is_finite() && high.is_finite())
        {
            self.whisker((low, high), (from, to));
        }
    }

    /// Draws the interval, if it is wide enough to be seen; inside the bar its colours are turned over.
    fn whisker(&mut self, interval: (f64, f64), (from, to): (u16, u16)) {
        let last = self.canvas.width().saturating_sub(1);
        let (low, high) = (
            (self.eighth(interval.0) / 8).min(last),
            (self.eighth(interval.1) / 8).min(last),
        );
        if high < low + 2 {
            return;
        }
        for x in low..=high {
            let symbol = match x {
                _ if x == low => "├",
                _ if x == high => "┤",
                _ => "─",
            };
            let middle = x * 8 + 4;
            self.put(x, symbol, (from..to).contains(&middle));
        }
    }

    /// Draws the line of a value to compare with, over what the row has there.
    pub(super) fn reference(&mut self, value: f64, style: Style) {
        let Some(x) = cell_of(&self.scale, self.canvas.width(), value) else {
            return;
        };
        match self.canvas.symbol(x, 0) {
            " " => {
                self.canvas.text(x, 0, "┊", style);
            }
            "█" => self.put(x, "┊", true),
            _ => {}
        }
    }

    /// A symbol in the bar's colour, or the bar's colour around a symbol.
    fn put(&mut self, x: u16, symbol: &str, turned: bool) {
        let style = if turned {
            self.style.add_modifier(Modifier::REVERSED)
        } else {
            self.style
        };
        self.canvas.text(x, 0, symbol, style);
    }

    /// Where a value lies, in eighths of a cell.
    fn eighth(&self, value: f64) -> u16 {
        cells(self.scale.share(value).clamp(0.0, 1.0) * f64::from(self.canvas.width()) * 8.0)
    }
}

/// The block that fills eighths `from` to `to` of a cell, and whether to turn its colours over.
fn block(from: u16, to: u16) -> (&'static str, bool) {
    if from > 0 && to == 8 {
        (EIGHTHS[usize::from(from)], true)
    } else {
        (EIGHTHS[usize::from(to.min(8))], false)
    }
}
