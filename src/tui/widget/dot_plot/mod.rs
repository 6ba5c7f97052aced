//! Draws scores as dots with their intervals. Each row is a bin, with one line per model.
//!
//! The caller provides the heading, which contains the metric's direction once (`GIoU ↑`). The axis
//! need not include zero, because readers compare positions of dots, not lengths.

mod layout;
mod line;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Position, Rect};
use ratatui::style::Modifier;
use ratatui::widgets::StatefulWidget;

use self::layout::Layout;
use self::line::DotLine;
use super::axis::{self, cell_of};
use super::canvas::Canvas;
use super::scale::{Scale, Spacing};
use super::scroll::{offset_for, scrollbar};
use super::text::{fit_middle, width};
use crate::widget::theme::Theme;

/// A score with its interval and texts.
#[derive(Clone, Debug, Default)]
pub struct Dot<'a> {
    /// Score; `None` without samples.
    pub value: Option<f64>,
    /// Ends of the confidence interval.
    pub interval: Option<(f64, f64)>,
    /// Score as text: `0.674 ±.008`.
    pub text: Cow<'a, str>,
    /// Less important text, such as the number of samples: `n 6.9K`.
    pub note: Cow<'a, str>,
}

/// One bin, with a score for each series in order.
#[derive(Clone, Debug, Default)]
pub struct DotRow<'a> {
    /// Name of the bin.
    pub label: Cow<'a, str>,
    /// Scores, one per series.
    pub dots: Vec<Dot<'a>>,
}

/// A value to compare all scores with.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// Position on the axis.
    pub value: f64,
    /// Label of the line: `overall 0.61`.
    pub label: &'a str,
}

/// A chart of scores as dots with intervals, grouped in bins.
#[derive(Clone, Copy, Debug)]
pub struct DotPlot<'a> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// Title of the label column: `box size`.
    pub label: &'a str,
    /// Metric and direction: `GIoU ↑`.
    pub heading: &'a str,
    /// Bins, from top to bottom.
    pub rows: &'a [DotRow<'a>],
    /// Ends of the axis; `None` to compute them from the scores.
    pub range: Option<(f64, f64)>,
    /// A value marked by a vertical line through all rows.
    pub reference: Option<Reference<'a>>,
}

/// Cursor and scroll position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DotPlotState {
    /// Index of the bin under the cursor.
    pub selected: usize,
    /// Index of the first visible bin.
    pub offset: usize,
}

impl DotPlot<'_> {
    /// Returns the x axis: `range`, or the range of all scores.
    fn scale(&self) -> Scale {
        if let Some((low, high)) = self.range {
            return Scale::new(low, high, Spacing::Linear);
        }
        let dots = self.rows.iter().flat_map(|row| &row.dots);
        let ends = dots.flat_map(|dot| {
            let interval = dot.interval.into_iter().flat_map(<[f64; 2]>::from);
            dot.value.into_iter().chain(interval)
        });
        let reference = self.reference.map(|reference| reference.value);
        Scale::of(ends.chain(reference), Spacing::Linear)
    }

    /// Returns the bin at a screen position, as last drawn in `area`.
    pub fn row_at(&self, area: Rect, state: &DotPlotState, x: u16, y: u16) -> Option<usize> {
        let inside = area.contains(Position { x, y });
        let layout = Layout::new(self, area.width, area.height);
        let below = (y.saturating_sub(area.y))
            .checked_sub(layout.header)
            .filter(|line| inside && *line < layout.body)?;
        Some(state.offset + usize::from(below / layout.pitch)).filter(|row| *row < self.rows.len())
    }

    /// Draws the titles, the reference's name and a rule.
    fn header(&self, canvas: &mut Canvas<'_>, layout: &Layout) {
        if layout.header == 0 {
            return;
        }
        canvas.field(
            (0, 0),
            layout.label,
            self.label,
            Alignment::Left,
            self.theme.header(),
        );
        let end = canvas.text(layout.start, 0, self.heading, self.theme.header());
        let place = self.reference.and_then(|line| {
            Some((
                line,
                layout.start + cell_of(&layout.scale, layout.chart, line.value)?,
            ))
        });
        if let Some((line, x)) = place {
            let room = (layout.start + layout.chart).saturating_sub(x);
            if room >= width(line.label) + 2 && x > end {
                canvas.text(x, 0, &format!("┊ {}", line.label), self.theme.reference());
            } else if x.saturating_sub(end) > width(line.label) + 2 {
                canvas.text_before(
                    x + 1,
                    0,
                    &format!("{} ┊", line.label),
                    self.theme.reference(),
                );
            }
        }
        canvas.repeat(
            0,
            1,
            canvas.width().saturating_sub(1),
            "─",
            self.theme.border(),
        );
    }

    /// Draws one bin, with the label on its first line.
    fn row(&self, canvas: &mut Canvas<'_>, y: u16, row: &DotRow<'_>, here: bool, layout: &Layout) {
        let style = if here {
            self.theme.cursor().add_modifier(Modifier::BOLD)
        } else {
            self.theme.text()
        };
        let label = fit_middle(&row.label, layout.label);
        canvas.field((0, y), layout.label, &label, Alignment::Right, style);
        for (series, dot) in row.dots.iter().enumerate() {
            let y = y + u16::try_from(series).unwrap_or(u16::MAX);
            let color = self.theme.series(series);
            if layout.several {
                canvas.text(
                    layout.start.saturating_sub(2),
                    y,
                    self.theme.marker(series),
                    color,
                );
            }
            let chart = canvas.part(layout.start, y, layout.chart, 1);
            let mut line = DotLine {
                canvas: chart,
                scale: layout.scale,
                style: color,
            };
            if let Some(reference) = self.reference {
                line.reference(reference.value, self.theme.reference());
            }
            line.dot(dot);
            canvas.field(
                (layout.text_x(), y),
                layout.text,
                &dot.text,
                Alignment::Right,
                self.theme.text(),
            );
            canvas.field(
                (layout.note_x(), y),
                layout.note,
                &dot.note,
                Alignment::Right,
                self.theme.dim(),
            );
        }
    }
}

impl StatefulWidget for DotPlot<'_> {
    type State = DotPlotState;

    fn render(self, area: Rect, buffer: &mut Buffer, state: &mut Self::State) {
        let layout = Layout::new(&self, area.width, area.height);
        let seen = layout.rows();
        state.selected = state.selected.min(self.rows.len().saturating_sub(1));
        state.offset = offset_for(state.offset, state.selected, seen, self.rows.len());
        let mut canvas = Canvas::new(area, buffer);
        self.header(&mut canvas, &layout);
        let mut y = layout.header;
        let mut body = canvas.part(0, 0, area.width, layout.header + layout.body);
        for (index, row) in self.rows.iter().enumerate().skip(state.offset).take(seen) {
            self.row(&mut body, y, row, index == state.selected, &layout);
            y = y.saturating_add(layout.pitch);
        }
        let mut body = canvas.part(0, layout.header, area.width, layout.body);
        // The scroll bar counts lines, because a bin can have several lines.
        let pitch = usize::from(layout.pitch);
        scrollbar(
            &mut body,
            state.offset * pitch,
            self.rows.len() * pitch,
            self.theme,
        );
        if layout.axis > 0 {
            let end = y.min(layout.header + layout.body);
            let mut below = canvas.part(
                layout.start,
                end,
                area.width.saturating_sub(layout.start),
                layout.axis,
            );
            axis::draw(&mut below, &layout.scale, layout.chart, self.theme);
        }
    }
}
