//! Draws a radar chart of a few models over many abilities.
//!
//! Lines differ by stroke and letter as well as by colour.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Modifier;
use ratatui::widgets::Widget;

use super::canvas::Canvas;
use super::dots::{Dots, Stroke};
use super::scale::{cells, number};
use super::text::{widest, width};
use crate::widget::theme::Theme;

/// The outline of one model.
#[derive(Clone, Copy, Debug)]
pub struct RadarSeries<'a> {
    /// Name of the model, for the legend.
    pub name: &'a str,
    /// One value per axis, from 0 (centre) to 1 (rim); `None` without a score.
    pub values: &'a [Option<f64>],
}

/// A radar chart. It has no state; the caller provides the axis under the cursor.
#[derive(Clone, Copy, Debug)]
pub struct Radar<'a> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// Names of the axes, clockwise from the top.
    pub axes: &'a [&'a str],
    /// Up to three models.
    pub series: &'a [RadarSeries<'a>],
    /// Index of the axis under the cursor.
    pub selected: Option<usize>,
}

/// Centre and radius of the radar, in dots.
struct Circle {
    x: f64,
    y: f64,
    radius: f64,
}

impl Circle {
    /// Returns the largest circle that leaves space for labels of this width.
    fn within(dots: &Dots, label: u16) -> Self {
        let (x, y) = ((dots.columns() - 1.0) / 2.0, (dots.rows() - 1.0) / 2.0);
        let across = x - f64::from(label + 1) * 2.0;
        Self {
            x,
            y,
            radius: across.min(y - 5.0).max(0.0),
        }
    }

    /// Returns the dot at a share of the radius on axis `i` of `count`.
    fn point(&self, i: usize, count: usize, share: f64) -> (f64, f64) {
        let angle = number(i) / number(count.max(1)) * std::f64::consts::TAU;
        let reach = self.radius * share;
        (
            angle.sin().mul_add(reach, self.x),
            (-angle.cos()).mul_add(reach, self.y),
        )
    }
}

impl Radar<'_> {
    /// Draws two rings, and spokes between them.
    fn grid(&self, dots: &mut Dots, circle: &Circle) {
        let count = self.axes.len();
        for i in 0..count {
            dots.line(
                circle.point(i, count, 0.5),
                circle.point(i, count, 1.0),
                Stroke::Dotted,
                self.theme.border(),
            );
            for ring in [0.5, 1.0] {
                let ends = (
                    circle.point(i, count, ring),
                    circle.point(i + 1, count, ring),
                );
                dots.line(ends.0, ends.1, Stroke::Dotted, self.theme.border());
            }
        }
    }

    /// Draws the outline of one model, with a gap at an axis without a score.
    fn outline(&self, dots: &mut Dots, circle: &Circle, index: usize) {
        let Some(series) = self.series.get(index) else {
            return;
        };
        let count = self.axes.len();
        let point = |i: usize| {
            let value = series.values.get(i % count.max(1)).copied().flatten()?;
            value
                .is_finite()
                .then(|| circle.point(i, count, value.clamp(0.0, 1.0)))
        };
        for i in 0..count {
            if let (Some(from), Some(to)) = (point(i), point(i + 1)) {
                dots.line(from, to, Stroke::of_series(index), self.theme.series(index));
            } else if let Some((x, y)) = point(i) {
                dots.dot(x, y, self.theme.series(index));
            }
        }
    }

    /// Draws the names of the axes around the rim.
    fn labels(&self, canvas: &mut Canvas<'_>, circle: &Circle) {
        for (i, name) in self.axes.iter().enumerate() {
            let (x, y) = circle.point(i, self.axes.len(), 1.0);
            let (dx, dy) = (x - circle.x, y - circle.y);
            let (column, row) = (
                cells(x.max(0.0) / 2.0 - 0.25),
                cells(y.max(0.0) / 4.0 - 0.375),
            );
            let steep = dx.abs() < circle.radius * 0.15;
            let row = match () {
                () if steep && dy < 0.0 => row.saturating_sub(1),
                () if steep => row + 1,
                () => row,
            };
            let column = match () {
                () if steep => column.saturating_sub(width(name) / 2),
                () if dx > 0.0 => column + 2,
                () => column.saturating_sub(width(name) + 1),
            };
            let here = self.selected == Some(i);
            let style = if here {
                self.theme
                    .accent()
                    .add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
            } else {
                self.theme.dim()
            };
            canvas.text(column, row, name, style);
        }
    }

    /// Draws letter, stroke and name of each model, one per line.
    fn legend(&self, canvas: &mut Canvas<'_>) {
        for (i, series) in (0u16..).zip(self.series) {
            let index = usize::from(i);
            let style = self.theme.series(index);
            let x = canvas.text(
                0,
                i,
                self.theme.marker(index),
                style.add_modifier(Modifier::BOLD),
            );
            let x = canvas.text(x + 1, i, Stroke::of_series(index).sample(), style);
            canvas.field(
                (x + 1, i),
                canvas.width().saturating_sub(x + 1),
                series.name,
                Alignment::Left,
                self.theme.text(),
            );
        }
    }
}

impl Widget for Radar<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let mut canvas = Canvas::new(area, buffer);
        let legend = u16::try_from(self.series.len()).unwrap_or(u16::MAX);
        let below = if canvas.height() >= legend.saturating_add(8) {
            legend
        } else {
            0
        };
        let height = canvas.height() - below;
        let columns = canvas.width();
        let mut chart = canvas.part(0, 0, columns, height);
        let mut grid = Dots::new(columns, height);
        let circle = Circle::within(&grid, widest(self.axes.iter().copied()));
        if circle.radius >= 4.0 {
            self.grid(&mut grid, &circle);
            for index in (0..self.series.len()).rev() {
                let mut line = Dots::new(columns, height);
                self.outline(&mut line, &circle, index);
                grid = line.over(&grid);
            }
            grid.render(&mut chart);
            self.labels(&mut chart, &circle);
        }
        self.legend(&mut canvas.part(0, height, columns, below));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{draws_anywhere, lines, screen, theme};
    use super::*;

    const AXES: [&str; 5] = ["dep", "ocr", "cnt", "loc", "col"];

    fn draw(area: Rect, buffer: &mut Buffer) {
        let full = [Some(1.0); 5];
        let some = [Some(0.2), Some(0.5), None, Some(0.9), Some(f64::NAN)];
        let series = [
            RadarSeries {
                name: "SigLIP-2",
                values: &full,
            },
            RadarSeries {
                name: "DINOv2",
                values: &some,
            },
        ];
        Radar {
            theme: &theme(),
            axes: &AXES,
            series: &series,
            selected: Some(1),
        }
        .render(area, buffer);
    }

    #[test]
    fn axes_are_named_around_the_rim() {
        assert_eq!(
            lines(&screen(30, 14, draw)),
            [
                "              dep",
                "             ⢀⠴⠦⡀",
                "          ⢀⡠⠒⠁ ⡁⠈⠒⢄⡀",
                "        ⡠⠔⠁   ⠠⠄   ⠈⠢⢄",
                "  col ⡔⠉    ⡀⠈  ⠁⢀    ⠉⢢ ocr",
                "      ⠸⡀ ⠁⠰    ⠉⠁⠈⠑⠂⠈ ⢀⠇",
                "       ⢇   ⠂      ⡈   ⡸",
                "       ⠘⡄  ⠈⡀⡀⢀ ⡀⢠   ⢠⠃",
                "        ⢱  ⠄      ⠠  ⡎",
                "     loc ⠣⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠜ cnt",
                "",
                "",
                "A ━━ SigLIP-2",
                "B ╍╍ DINOv2",
            ]
        );
    }

    #[test]
    fn no_size_is_too_small() {
        draws_anywhere(draw);
        draws_anywhere(|area, buffer| {
            Radar {
                theme: &theme(),
                axes: &[],
                series: &[],
                selected: Some(3),
            }
            .render(area, buffer);
        });
    }
}
