//! Scrolls long lists, and draws the scroll bar.

use super::canvas::Canvas;
use super::scale::{cells, number};
use crate::widget::theme::Theme;

/// Returns the index of the first visible row. Row `kept` is visible, no line stays empty, and the
/// list scrolls as little as possible.
pub fn offset_for(offset: usize, kept: usize, seen: usize, total: usize) -> usize {
    let seen = seen.max(1);
    let kept = kept.min(total.saturating_sub(1));
    let lowest = (kept + 1).saturating_sub(seen);
    offset.clamp(lowest, kept).min(total.saturating_sub(seen))
}

/// Draws a scroll bar on the right edge of a canvas if not all rows are visible.
pub fn scrollbar(canvas: &mut Canvas<'_>, offset: usize, total: usize, theme: &Theme) {
    let height = canvas.height();
    let seen = usize::from(height);
    let Some(column) = canvas
        .width()
        .checked_sub(1)
        .filter(|_| total > seen && height > 1)
    else {
        return;
    };
    let share = |rows: usize| number(rows) / number(total) * f64::from(height);
    let length = cells(share(seen)).clamp(1, height);
    let travel = number(offset) / number((total - seen).max(1)) * f64::from(height - length);
    let start = cells(travel).min(height - length);
    for y in 0..height {
        let (symbol, style) = if (start..start + length).contains(&y) {
            ("┃", theme.dim())
        } else {
            ("│", theme.border())
        };
        canvas.text(column, y, symbol, style);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{lines, screen, theme};
    use super::*;

    #[test]
    fn the_window_follows_the_cursor_and_no_further() {
        assert_eq!(offset_for(0, 4, 5, 100), 0);
        assert_eq!(offset_for(0, 5, 5, 100), 1);
        assert_eq!(offset_for(50, 20, 5, 100), 20);
        assert_eq!(offset_for(99, 99, 5, 100), 95);
        assert_eq!(offset_for(7, 3, 5, 0), 0);
        assert_eq!(offset_for(7, 9, 0, 10), 9);
    }

    #[test]
    fn the_thumb_says_where_the_window_is() {
        let bar = |offset, total| {
            let buffer = screen(1, 4, |area, buffer| {
                scrollbar(&mut Canvas::new(area, buffer), offset, total, &theme());
            });
            lines(&buffer).concat()
        };
        assert_eq!(bar(0, 4), "");
        assert_eq!(bar(0, 8), "┃┃││");
        assert_eq!(bar(4, 8), "││┃┃");
        assert_eq!(bar(5_699_996, 5_700_000), "│││┃");
    }
}
