//! Maps the values of a curve to braille dots.

use ratatui::style::{Modifier, Style};

use super::super::axis::cell_of;
use super::super::dots::{Dots, Stroke};
use super::super::scale::{Scale, cells};
use super::{CurvePoint, CurveSeries};
use crate::widget::theme::Theme;

/// Axes and size of the plot.
pub(super) struct Plot {
    /// x axis: the tag.
    pub x: Scale,
    /// y axis: the score.
    pub y: Scale,
    /// Width in columns.
    pub width: u16,
    /// Height in rows.
    pub height: u16,
}

impl Plot {
    /// Returns the position of a value in braille dots.
    fn dot(&self, x: f64, y: f64) -> (f64, f64) {
        let (across, down) = (
            f64::from(self.width) * 2.0 - 1.0,
            f64::from(self.height) * 4.0 - 1.0,
        );
        (self.x.share(x) * across, (1.0 - self.y.share(y)) * down)
    }

    /// Draws the shaded intervals of all models, then their lines on top.
    pub(super) fn dots(&self, theme: &Theme, series: &[CurveSeries<'_>]) -> Dots {
        let mut dots = Dots::new(self.width, self.height);
        for (i, series) in series.iter().enumerate() {
            for pair in series.points.windows(2) {
                self.band(
                    &mut dots,
                    pair[0],
                    pair[1],
                    theme.series(i).add_modifier(Modifier::DIM),
                );
            }
        }
        for (i, series) in series.iter().enumerate().rev() {
            let mut line = Dots::new(self.width, self.height);
            for pair in series.points.windows(2) {
                let ends = (
                    self.dot(pair[0].x, pair[0].y),
                    self.dot(pair[1].x, pair[1].y),
                );
                line.line(ends.0, ends.1, Stroke::of_series(i), theme.series(i));
            }
            dots = line.over(&dots);
        }
        dots
    }

    /// Returns column and row of a value, or `None` if it is not finite.
    pub(super) fn cell(&self, x: f64, y: f64) -> Option<(u16, u16)> {
        let (across, down) = self.dot(x, y);
        let is_placed = across.is_finite() && down.is_finite();
        let at = |dot: f64, dots: f64, most: u16| {
            cells((dot / dots).floor().max(0.0)).min(most.saturating_sub(1))
        };
        is_placed.then(|| (at(across, 2.0, self.width), at(down, 4.0, self.height)))
    }

    /// Shades the area between the intervals of two points, if both points have one.
    fn band(&self, dots: &mut Dots, from: CurvePoint, to: CurvePoint, style: Style) {
        let (Some(first), Some(last)) = (from.interval, to.interval) else {
            return;
        };
        let ((x0, low0), (x1, low1)) = (self.dot(from.x, first.0), self.dot(to.x, last.0));
        let ((_, high0), (_, high1)) = (self.dot(from.x, first.1), self.dot(to.x, last.1));
        if ![x0, x1, low0, low1, high0, high1]
            .into_iter()
            .all(f64::is_finite)
        {
            return;
        }
        for x in cells(x0.max(0.0))..=cells(x1.min(dots.columns())) {
            let t = if x1 > x0 {
                ((f64::from(x) - x0) / (x1 - x0)).clamp(0.0, 1.0)
            } else {
                0.0
            };
            dots.shade(
                f64::from(x),
                (low1 - low0).mul_add(t, low0),
                (high1 - high0).mul_add(t, high0),
                style,
            );
        }
    }

    /// Returns the row and label of each tick on the y axis.
    pub(super) fn rows(&self) -> Vec<(u16, String)> {
        let row = |value: f64| Some(self.height - 1 - cell_of(&self.y, self.height, value)?);
        let ticks = self.y.ticks((self.height / 3).clamp(1, 6)).into_iter();
        ticks
            .filter_map(|(value, label)| Some((row(value)?, label)))
            .collect()
    }
}
