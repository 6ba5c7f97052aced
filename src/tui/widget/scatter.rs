//! Draws a scatter plot of models, with a line through each family and horizontal reference lines.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Modifier;
use ratatui::widgets::Widget;

use super::axis::{self, cell_of};
use super::canvas::Canvas;
use super::dots::{Dots, Stroke};
use super::scale::{Scale, Spacing};
use super::text::{widest, width};
use crate::widget::theme::Theme;

/// Marker of points without a family.
const ALONE: &str = "·";
/// Width of the family names, in cells.
const NAMES: u16 = 24;
/// Minimum chart width to show the family names.
const WIDE: u16 = 72;

/// The point of one model.
#[derive(Clone, Copy, Debug)]
pub struct ScatterPoint {
    /// Value on the x axis, such as a model's size.
    pub x: f64,
    /// Value on the y axis: the score.
    pub y: f64,
    /// Ends of the confidence interval of `y`.
    pub interval: Option<(f64, f64)>,
    /// Index of the family in `series`; `None` if the family has no line.
    pub series: Option<usize>,
}

/// A scatter plot of models, with families and horizontal lines.
#[derive(Clone, Copy, Debug)]
pub struct Scatter<'a> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// Label of the x axis.
    pub x_label: &'a str,
    /// Metric and direction: `GIoU ↑`.
    pub y_label: &'a str,
    /// Spacing of the x axis.
    pub spacing: Spacing,
    /// Names of the families. The points of a family are joined from left to right.
    pub series: &'a [&'a str],
    /// Points, from left to right.
    pub points: &'a [ScatterPoint],
    /// Names and scores of the horizontal lines.
    pub lines: &'a [(&'a str, f64)],
    /// Index of the point under the cursor.
    pub selected: Option<usize>,
}

/// Returns the letter of a family: `a` to `z`, then `A` to `Z`.
pub fn letter(series: usize) -> char {
    let small = u8::try_from(series).ok().filter(|at| *at < 26);
    let large = || {
        u8::try_from(series.checked_sub(26)?)
            .ok()
            .filter(|at| *at < 26)
    };
    match (small, large()) {
        (Some(at), _) => char::from(b'a' + at),
        (None, Some(at)) => char::from(b'A' + at),
        _ => '+',
    }
}

impl Scatter<'_> {
    fn scales(&self) -> (Scale, Scale) {
        let across = self.points.iter().map(|point| point.x);
        let up = self.points.iter().flat_map(|point| {
            let (low, high) = point.interval.unwrap_or((point.y, point.y));
            [low, point.y, high]
        });
        let lines = self.lines.iter().map(|(_, y)| *y);
        (
            Scale::of(across, self.spacing),
            Scale::of(up.chain(lines), Spacing::Linear),
        )
    }

    /// Draws the lines of the families and the horizontal lines.
    fn lines(&self, x: &Scale, y: &Scale, (columns, rows): (u16, u16)) -> Dots {
        let mut dots = Dots::new(columns, rows);
        let across = f64::from(columns) * 2.0 - 1.0;
        let down = f64::from(rows) * 4.0 - 1.0;
        let place = |at: (f64, f64)| (x.share(at.0) * across, (1.0 - y.share(at.1)) * down);
        for (_, score) in self.lines {
            let (_, height) = place((0.0, *score));
            let mut at = 0.0;
            while at < across {
                dots.dot(at, height, self.theme.dim());
                at += 4.0;
            }
        }
        for series in 0..self.series.len() {
            let own = self
                .points
                .iter()
                .filter(|point| point.series == Some(series));
            let own: Vec<(f64, f64)> = own.map(|point| place((point.x, point.y))).collect();
            for pair in own.windows(2) {
                // Points with equal x values are not joined.
                if let [from, to] = pair
                    && to.0 > from.0
                {
                    let style = self.theme.series(series).add_modifier(Modifier::DIM);
                    dots.line(*from, *to, Stroke::of_series(0), style);
                }
            }
        }
        dots
    }

    /// Draws intervals and letters over the lines.
    fn marks(&self, canvas: &mut Canvas<'_>, x: &Scale, y: &Scale, (columns, rows): (u16, u16)) {
        let row_of = |value: f64| cell_of(y, rows, value).map(|row| rows - 1 - row);
        for (at, point) in self.points.iter().enumerate() {
            let (Some(column), Some(row)) = (cell_of(x, columns, point.x), row_of(point.y)) else {
                continue;
            };
            let style = point
                .series
                .map_or(self.theme.text(), |at| self.theme.series(at));
            let ends = point
                .interval
                .and_then(|(low, high)| row_of(high).zip(row_of(low)));
            if let Some((top, bottom)) = ends.filter(|_| self.selected == Some(at)) {
                for row in top..=bottom {
                    canvas.text(column, row, "│", style);
                }
            }
            let letter = point
                .series
                .map_or_else(|| ALONE.to_owned(), |at| letter(at).to_string());
            // Text must be bold, because the braille dots below it are dim.
            let style = style
                .remove_modifier(Modifier::DIM)
                .add_modifier(Modifier::BOLD);
            canvas.text(column, row, &letter, style);
        }
        // The point under the cursor is drawn last, above all others.
        let here = self.selected.and_then(|at| self.points.get(at));
        if let Some(point) = here
            && let (Some(column), Some(row)) = (cell_of(x, columns, point.x), row_of(point.y))
        {
            let letter = point
                .series
                .map_or_else(|| ALONE.to_owned(), |at| letter(at).to_string());
            let style = self
                .theme
                .cursor()
                .add_modifier(Modifier::BOLD | Modifier::REVERSED);
            canvas.text(column, row, &letter, style);
        }
    }

    fn names(&self, canvas: &mut Canvas<'_>) {
        let mut row = 0;
        for (at, name) in self.series.iter().enumerate() {
            if row >= canvas.height() {
                return;
            }
            let style = self.theme.series(at).add_modifier(Modifier::BOLD);
            let next = canvas.text(0, row, &letter(at).to_string(), style);
            canvas.text(next + 1, row, name, self.theme.text());
            row += 1;
        }
        for (name, _) in self.lines {
            if row >= canvas.height() {
                return;
            }
            let next = canvas.text(0, row, "┈", self.theme.dim());
            canvas.text(next + 1, row, name, self.theme.dim());
            row += 1;
        }
    }
}

impl Widget for Scatter<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let mut canvas = Canvas::new(area, buffer);
        let (x, y) = self.scales();
        // Title, axis, its numbers and its label take four rows.
        let rows = canvas.height().saturating_sub(4);
        let ticks = y.ticks((rows / 3).clamp(1, 8));
        let gutter = widest(ticks.iter().map(|(_, label)| label.as_str())) + 2;
        let names = if canvas.width() >= WIDE { NAMES } else { 0 };
        let columns = canvas.width().saturating_sub(gutter + names + 1);
        if rows == 0 || columns < 8 {
            return;
        }
        canvas.text(0, 0, self.y_label, self.theme.header());
        for row in 1..=rows {
            canvas.text(gutter - 1, row, "│", self.theme.border());
        }
        for (value, label) in &ticks {
            if let Some(row) = cell_of(&y, rows, *value) {
                canvas.text_before(gutter - 1, rows - row, label, self.theme.dim());
                canvas.text(gutter - 1, rows - row, "┤", self.theme.border());
            }
        }
        canvas.text(gutter - 1, rows + 1, "└", self.theme.border());
        let mut below = canvas.part(gutter, rows + 1, columns + 1, 2);
        axis::draw(&mut below, &x, columns, self.theme);
        let label = if x.is_log() {
            format!("{} (log)", self.x_label)
        } else {
            self.x_label.to_owned()
        };
        canvas.field(
            (gutter, rows + 3),
            columns,
            &label,
            Alignment::Right,
            self.theme.header(),
        );
        let mut plot = canvas.part(gutter, 1, columns, rows);
        self.lines(&x, &y, (columns, rows)).render(&mut plot);
        self.marks(&mut plot, &x, &y, (columns, rows));
        if names > 0 {
            let start = gutter + columns + 2;
            let room = canvas.width().saturating_sub(start);
            self.names(&mut canvas.part(start, 1, room, rows));
        } else if let Some((name, _)) = self.lines.first() {
            let start = canvas.width().saturating_sub(width(name) + 2);
            canvas.text(start, 0, &format!("┈ {name}"), self.theme.dim());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{draws_anywhere, lines, screen, theme};
    use super::*;

    #[test]
    fn a_family_is_a_letter_and_a_line_and_people_a_dotted_one() {
        let theme = theme();
        let point = |x: f64, y: f64, series| ScatterPoint {
            x,
            y,
            interval: None,
            series,
        };
        let chart = Scatter {
            theme: &theme,
            x_label: "parameters, billions",
            y_label: "accuracy ↑",
            spacing: Spacing::Log,
            series: &["Qwen"],
            points: &[
                point(1.0, 0.2, Some(0)),
                point(10.0, 0.6, None),
                point(100.0, 0.8, Some(0)),
            ],
            lines: &[("Human", 0.9)],
            selected: None,
        };
        let buffer = screen(80, 14, |area, buffer| chart.render(area, buffer));
        let shown = lines(&buffer);
        assert!(shown[0].starts_with("accuracy ↑"), "{shown:?}");
        assert!(
            shown.iter().any(|line| line.contains("a Qwen")),
            "{shown:?}"
        );
        assert!(
            shown.iter().any(|line| line.contains("┈ Human")),
            "{shown:?}"
        );
        assert!(
            shown[13].contains("parameters, billions (log)"),
            "{shown:?}"
        );
        let letters = shown[1..11].iter().filter(|line| {
            let plot: String = line.chars().take(55).collect();
            plot.contains('a')
        });
        assert_eq!(letters.count(), 2, "{shown:?}");
    }

    #[test]
    fn a_chart_without_room_is_left_out() {
        let theme = theme();
        let chart = Scatter {
            theme: &theme,
            x_label: "x",
            y_label: "y",
            spacing: Spacing::Linear,
            series: &[],
            points: &[],
            lines: &[],
            selected: Some(3),
        };
        for (wide, high) in [(0, 0), (5, 5), (20, 3), (80, 1)] {
            let buffer = screen(wide, high, |area, buffer| chart.render(area, buffer));
            assert!(
                lines(&buffer).iter().all(String::is_empty),
                "{wide} x {high}"
            );
        }
        draws_anywhere(|area, buffer| chart.render(area, buffer));
    }
}
