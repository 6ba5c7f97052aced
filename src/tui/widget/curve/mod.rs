//! Draws a score over a numeric tag, for example box size: a braille line with a shaded
//! interval.

mod plot;

#[cfg(test)]
mod tests;

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Modifier;
use ratatui::widgets::Widget;

use self::plot::Plot;
use super::axis;
use super::canvas::Canvas;
use super::dots::Stroke;
use super::scale::{Scale, Spacing};
use super::text::{widest, width};
use crate::widget::theme::Theme;

/// Minimum number of samples at which an interval may extend the range of an axis.
pub const FEW: u64 = 10;

/// One point of a curve.
#[derive(Clone, Copy, Debug)]
pub struct CurvePoint {
    /// Value of the tag, on the x axis.
    pub x: f64,
    /// Score, on the y axis.
    pub y: f64,
    /// Ends of the confidence interval; `None` if unknown.
    pub interval: Option<(f64, f64)>,
    /// Number of samples.
    pub n: u64,
}

/// The curve of one model.
#[derive(Clone, Copy, Debug)]
pub struct CurveSeries<'a> {
    /// Name of the model, for the header.
    pub name: &'a str,
    /// Points, from left to right.
    pub points: &'a [CurvePoint],
}

/// A chart of one to three curves.
#[derive(Clone, Copy, Debug)]
pub struct Curve<'a> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// Tag and unit: `box area, % of picture`.
    pub x_label: &'a str,
    /// Metric and direction: `GIoU ↑`.
    pub y_label: &'a str,
    /// Spacing of the x axis.
    pub spacing: Spacing,
    /// Up to three models.
    pub series: &'a [CurveSeries<'a>],
}

impl Curve<'_> {
    /// Returns both axes for a chart of this size.
    fn plot(&self, width: u16, height: u16) -> Plot {
        let points = || self.series.iter().flat_map(|series| series.points);
        // Ignore wide intervals of few samples, which would flatten the rest of the chart.
        let all_are_few = points().all(|point| point.n < FEW);
        let y = Scale::of(
            points().flat_map(|point| {
                let interval = point.interval.filter(|_| all_are_few || point.n >= FEW);
                let (low, high) = interval.unwrap_or((point.y, point.y));
                [low, point.y, high]
            }),
            Spacing::Linear,
        );
        Plot {
            x: Scale::of(points().map(|point| point.x), self.spacing),
            y,
            width,
            height,
        }
    }

    /// Draws the metric, and the letter, stroke and name of each model.
    fn header(&self, canvas: &mut Canvas<'_>) {
        let mut x = canvas.text(0, 0, self.y_label, self.theme.header());
        for (i, series) in self
            .series
            .iter()
            .enumerate()
            .filter(|_| self.series.len() > 1)
        {
            let style = self.theme.series(i);
            if x + width(series.name) + 8 > canvas.width() {
                break;
            }
            x = canvas.text(
                x + 3,
                0,
                self.theme.marker(i),
                style.add_modifier(Modifier::BOLD),
            );
            x = canvas.text(x + 1, 0, Stroke::of_series(i).sample(), style);
            x = canvas.text(x + 1, 0, series.name, self.theme.text());
        }
    }

    /// Returns the width in columns of the y axis and its numbers.
    fn gutter(&self, height: u16) -> u16 {
        if height == 0 {
            return 2;
        }
        widest(
            self.plot(0, height)
                .rows()
                .iter()
                .map(|(_, label)| label.as_str()),
        ) + 2
    }

    /// Draws the y axis in a column, with its numbers on the left.
    fn upright_axis(&self, canvas: &mut Canvas<'_>, column: u16, plot: &Plot) {
        let style = self.theme.border();
        for y in 1..=plot.height {
            canvas.text(column, y, "│", style);
        }
        for (y, label) in plot.rows() {
            canvas.text_before(column, y + 1, &label, self.theme.dim());
            canvas.text(column, y + 1, "┤", style);
        }
        canvas.text(column, plot.height + 1, "└", style);
    }

    /// Draws a ring and n on each point without an interval. Otherwise the band would narrow at the
    /// point and suggest certainty.
    fn unsure(&self, canvas: &mut Canvas<'_>, plot: &Plot) {
        for (i, series) in self.series.iter().enumerate() {
            for point in series
                .points
                .iter()
                .filter(|point| point.interval.is_none())
            {
                let Some((x, y)) = plot.cell(point.x, point.y) else {
                    continue;
                };
                canvas.text(x, y, "○", self.theme.series(i));
                let note = format!("n {}", point.n);
                let aside = if x + 2 + width(&note) <= canvas.width() {
                    x + 2
                } else {
                    x.saturating_sub(1 + width(&note))
                };
                canvas.text(aside, y, &note, self.theme.dim());
            }
        }
    }

    /// Returns the label of the x axis, with `(log)` if it is logarithmic.
    fn tag(&self, plot: &Plot) -> String {
        if plot.x.is_log() {
            format!("{} (log)", self.x_label)
        } else {
            self.x_label.to_owned()
        }
    }
}

impl Widget for Curve<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let mut canvas = Canvas::new(area, buffer);
        // Rows for the axis, its numbers and, if there is space, its label.
        let below = if canvas.height() >= 9 { 3 } else { 2 };
        let height = canvas.height().saturating_sub(1 + below);
        let gutter = self.gutter(height);
        let room = canvas.width().saturating_sub(gutter + 1);
        if height == 0 || room < 4 {
            return;
        }
        let plot = self.plot(room, height);
        let tag = self.tag(&plot);
        let (row, free) = if below > 2 {
            (height + 3, gutter + room)
        } else {
            (0, (gutter + room).saturating_sub(width(&tag)))
        };
        self.header(&mut canvas.part(0, 0, free, 1));
        canvas.field(
            (gutter, row),
            room,
            &tag,
            Alignment::Right,
            self.theme.header(),
        );
        plot.dots(self.theme, self.series)
            .render(&mut canvas.part(gutter, 1, room, height));
        self.unsure(&mut canvas.part(gutter, 1, room, height), &plot);
        self.upright_axis(&mut canvas, gutter - 1, &plot);
        let mut below = canvas.part(gutter, height + 1, room + 1, 2);
        axis::draw(&mut below, &plot.x, room, self.theme);
    }
}
