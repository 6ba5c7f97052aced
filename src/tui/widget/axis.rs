//! Draws the axis below a chart: a line, a few ticks, and their numbers.

use super::canvas::Canvas;
use super::scale::{Scale, cells};
use super::text::width;
use crate::widget::theme::Theme;

/// Returns the cell of a value on an axis of `room` cells, or `None` if the value is outside.
pub fn cell_of(scale: &Scale, room: u16, value: f64) -> Option<u16> {
    let share = scale.share(value);
    let on = (-1e-9..=1.0 + 1e-9).contains(&share) && room > 0;
    on.then(|| cells((share * f64::from(room) - 0.5).max(0.0)).min(room - 1))
}

/// Draws the axis into a canvas that is two rows high and as wide as the chart.
///
/// `room` is the length of the axis in columns; numbers can extend beyond its right end.
pub fn draw(canvas: &mut Canvas<'_>, scale: &Scale, room: u16, theme: &Theme) {
    let (line, text) = (theme.border(), theme.dim());
    canvas.repeat(0, 0, room, "─", line);
    let mut free = 0;
    for (value, label) in scale.ticks((room / 10).clamp(2, 8)) {
        let Some(x) = cell_of(scale, room, value) else {
            continue;
        };
        canvas.text(x, 0, "┬", line);
        let wide = width(&label);
        let start = x.saturating_sub(wide / 2);
        if start >= free && start + wide <= canvas.width() {
            canvas.text(start, 1, &label, text);
            free = start + wide + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::scale::Spacing;
    use super::super::testing::{lines, screen, theme};
    use super::*;

    #[test]
    fn ticks_stand_over_their_numbers() {
        let buffer = screen(31, 2, |area, buffer| {
            let scale = Scale::new(-0.5, 1.0, Spacing::Linear);
            draw(&mut Canvas::new(area, buffer), &scale, 30, &theme());
        });
        assert_eq!(
            lines(&buffer),
            [
                "┬─────────┬─────────┬────────┬",
                "−0.5     0.0       0.5      1.0"
            ]
        );
    }

    #[test]
    fn both_ends_lie_on_the_axis() {
        let scale = Scale::new(0.0, 1.0, Spacing::Linear);
        assert_eq!(cell_of(&scale, 10, 0.0), Some(0));
        assert_eq!(cell_of(&scale, 10, 1.0), Some(9));
        assert_eq!(cell_of(&scale, 10, 1.2), None);
        assert_eq!(cell_of(&scale, 0, 0.5), None);
    }
}
