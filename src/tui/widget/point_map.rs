//! Draws points in a plane: dots for right samples, crosses for wrong samples.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::widgets::Widget;

use super::axis::cell_of;
use super::canvas::Canvas;
use super::dots::Dots;
use super::scale::{Scale, Spacing};
use crate::widget::theme::Theme;

/// A sample on the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapPoint {
    /// Coordinates along the two axes.
    pub at: [f64; 2],
    /// True if the sample is wrong; `None` if it is neither right nor wrong.
    pub is_wrong: Option<bool>,
}

/// A map of points. Each axis spans the range of its coordinates.
#[derive(Clone, Copy, Debug)]
pub struct PointMap<'a> {
    /// Styles of all parts.
    pub theme: &'a Theme,
    /// Points, in the order of their samples.
    pub points: &'a [MapPoint],
    /// Index of the point under the cursor.
    pub selected: usize,
}

/// A direction on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To larger values of the first axis.
    Right,
    /// To smaller values of the first axis.
    Left,
    /// To larger values of the second axis.
    Up,
    /// To smaller values of the second axis.
    Down,
}

fn scales(points: &[MapPoint]) -> [Scale; 2] {
    [0, 1].map(|axis| Scale::of(points.iter().map(|point| point.at[axis]), Spacing::Linear))
}

/// Returns the nearest point in a direction from the point with index `from`. Distances are
/// fractions of the axes. Points that are farther to the side than ahead are ignored.
pub fn neighbour(points: &[MapPoint], from: usize, direction: Direction) -> Option<usize> {
    let (axis, step) = match direction {
        Direction::Right => (0, 1.0),
        Direction::Left => (0, -1.0),
        Direction::Up => (1, 1.0),
        Direction::Down => (1, -1.0),
    };
    let scales = scales(points);
    let shares = |point: &MapPoint| [0, 1].map(|axis| scales[axis].share(point.at[axis]));
    let here = shares(points.get(from)?);
    let distance = |point: &MapPoint| {
        let there = shares(point);
        let ahead = (there[axis] - here[axis]) * step;
        let aside = (there[1 - axis] - here[1 - axis]).abs();
        (ahead > 1e-9 && aside <= ahead).then(|| ahead.hypot(aside))
    };
    let ahead = points
        .iter()
        .enumerate()
        .filter_map(|(at, point)| Some((at, distance(point)?)));
    let nearest = ahead.min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.map(|(at, _)| at)
}

impl Widget for PointMap<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let mut canvas = Canvas::new(area, buffer);
        let (columns, rows) = (canvas.width(), canvas.height());
        if canvas.is_empty() {
            return;
        }
        let [x, y] = scales(self.points);
        let is_wrong = |point: &MapPoint| point.is_wrong == Some(true);
        let mut dots = Dots::new(columns, rows);
        let (across, down) = (dots.columns() - 1.0, dots.rows() - 1.0);
        for point in self.points.iter().filter(|point| !is_wrong(point)) {
            let [right, up] = [x.share(point.at[0]), y.share(point.at[1])];
            dots.dot(right * across, (1.0 - up) * down, self.theme.text());
        }
        dots.render(&mut canvas);
        let cell = |point: &MapPoint| {
            let row = cell_of(&y, rows, point.at[1])?;
            Some((cell_of(&x, columns, point.at[0])?, rows - 1 - row))
        };
        let (_, wrong) = self.theme.verdict(false);
        for point in self.points.iter().filter(|point| is_wrong(point)) {
            if let Some((column, row)) = cell(point) {
                canvas.text(column, row, "×", wrong);
            }
        }
        if let Some(point) = self.points.get(self.selected)
            && let Some((column, row)) = cell(point)
        {
            let (sign, style) = match point.is_wrong {
                Some(is_wrong) => self.theme.verdict(!is_wrong),
                None => ("·", self.theme.text()),
            };
            let style = style.add_modifier(Modifier::BOLD | Modifier::REVERSED);
            canvas.text(column, row, sign, style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{lines, screen, theme};
    use super::*;

    fn point(at: [f64; 2], is_wrong: bool) -> MapPoint {
        MapPoint {
            at,
            is_wrong: Some(is_wrong),
        }
    }

    #[test]
    fn right_points_are_dots_wrong_ones_crosses_and_the_cursor_a_sign() {
        let points = [
            // The top left dot of a braille cell.
            point([0.0, 3.0], false),
            point([4.0, 0.0], true),
            point([0.0, 0.0], true),
        ];
        let buffer = screen(5, 2, |area, buffer| {
            let map = PointMap {
                theme: &theme(),
                points: &points,
                selected: 2,
            };
            map.render(area, buffer);
        });
        assert_eq!(lines(&buffer), ["⠁", "✗   ×"]);
    }

    #[test]
    fn the_cursor_walks_to_the_nearest_point_ahead() {
        // The corners of a square, its centre, and a point to the right of the centre.
        let points = [
            [0.0, 0.0],
            [2.0, 0.0],
            [0.0, 2.0],
            [2.0, 2.0],
            [1.0, 1.0],
            [1.8, 1.0],
        ];
        let points = points.map(|at| point(at, false));
        let walk = |from, direction| neighbour(&points, from, direction);
        // The corners are on the diagonals, and farther away than the point to the right.
        assert_eq!(walk(4, Direction::Right), Some(5));
        assert_eq!(walk(4, Direction::Left), Some(0));
        assert_eq!(walk(0, Direction::Up), Some(4));
        assert_eq!(walk(3, Direction::Up), None);
        assert_eq!(walk(5, Direction::Down), Some(1));
    }
}
