//! Draws progress as text: a bar and a percentage.

use super::super::scale::{cells, number};

/// Returns a bar and a percentage, `width` columns in total, for example `━━━╸──────  35 %`.
pub fn gauge(done: usize, total: usize, width: u16) -> String {
    let share = number(done.min(total)) / number(total.max(1));
    // Round down, so that 100 % is shown only when everything is done.
    let percent = (share * 100.0 + 1e-9).floor();
    let Some(room) = width.checked_sub(6) else {
        return format!("{percent:3.0} %");
    };
    format!("{} {percent:3.0} %", bar(share, room, "─"))
}

/// Returns a bar of `room` columns for a share from 0 to 1, with `rest` repeated in the remaining
/// columns.
pub fn bar(share: f64, room: u16, rest: &str) -> String {
    let halves = usize::from(cells(share.clamp(0.0, 1.0) * f64::from(room) * 2.0));
    let full = "━".repeat(halves / 2);
    let half = if halves.is_multiple_of(2) { "" } else { "╸" };
    let rest = rest.repeat(usize::from(room).saturating_sub(halves.div_ceil(2)));
    format!("{full}{half}{rest}")
}

#[cfg(test)]
mod tests {
    use super::super::super::text;
    use super::*;

    #[test]
    fn a_bar_shows_its_share_and_stays_in_its_room() {
        assert_eq!(bar(0.75, 6, " "), "━━━━╸ ");
        assert_eq!(bar(-0.5, 6, " "), "      ");
        assert_eq!(bar(7.0, 6, " "), "━━━━━━");
    }

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
