//! Draws progress as text: a bar and a percentage.

use super::super::scale::{cells, number};

/// Returns a bar and a percentage, `width` columns in total, for example `━━━╸──────  35 %`.
#[must_use]
pub fn gauge(done: usize, total: usize, width: u16) -> String {
    let share = number(done.min(total)) / number(total.max(1));
    // Rounds down: 100 % means done, not nearly done.
    let percent = (share * 100.0 + 1e-9).floor();
    let Some(room) = width.checked_sub(6) else {
        return format!("{percent:3.0} %");
    };
    let halves = usize::from(cells(share * f64::from(room) * 2.0));
    let full = "━".repeat(halves / 2);
    let half = if halves.is_multiple_of(2) { "" } else { "╸" };
    let rest = "─".repeat(usize::from(room).saturating_sub(halves.div_ceil(2)));
    format!("{full}{half}{rest} {percent:3.0} %")
}

#[cfg(test)]
mod tests {
    use super::super::super::text;
    use super::*;

    #[test]
    fn a_gauge_keeps_its_width() {
        assert_eq!(gauge(0, 10, 16), "──────────   0 %");
        assert_eq!(gauge(35, 100, 16), "━━━╸──────  35 %");
        assert_eq!(gauge(999, 1000, 16), "━━━━━━━━━━  99 %");
        assert_eq!(gauge(7, 7, 16), "━━━━━━━━━━ 100 %");
        assert_eq!(gauge(3, 0, 16), "──────────   0 %");
        assert_eq!(gauge(1, 2, 0), " 50 %");
        for done in 0..=50 {
            assert_eq!(text::width(&gauge(done, 50, 20)), 20);
        }
    }
}
