//! Draws a difference and its interval around a zero line, as one line of text.

/// Returns a plot of `width` columns: `──●──` for the interval, `│` at zero, `┼` where both meet.
///
/// `reach` is the absolute value at both edges; larger values are clipped.
pub fn forest(value: f64, interval: Option<(f64, f64)>, reach: f64, width: u16) -> String {
    let half = i32::from(width.saturating_sub(1) / 2);
    #[expect(clippy::cast_possible_truncation, reason = "at most a screen wide")]
    let column = |value: f64| {
        let share = if reach > 0.0 { value / reach } else { 0.0 };
        (share.clamp(-1.0, 1.0) * f64::from(half)).round() as i32
    };
    let point = column(value);
    let (low, high) = interval.map_or((point, point), |(low, high)| (column(low), column(high)));
    let symbol = |at: i32| match (at == point, (low..=high).contains(&at), at == 0) {
        (true, _, _) => '●',
        (_, true, true) => '┼',
        (_, true, _) => '─',
        (_, _, true) => '│',
        _ => ' ',
    };
    (-half..=half).map(symbol).collect()
}

#[cfg(test)]
mod tests {
    use super::forest;

    #[test]
    fn whiskers_point_and_zero() {
        assert_eq!(forest(0.5, Some((0.25, 1.0)), 1.0, 9), "    │─●──");
        assert_eq!(forest(-0.25, Some((-0.5, 0.25)), 1.0, 9), "  ─●┼─   ");
        assert_eq!(forest(0.0, None, 1.0, 5), "  ●  ");
        assert_eq!(forest(9.0, Some((-9.0, 9.0)), 1.0, 5), "──┼─●");
    }

    #[test]
    fn nothing_breaks_it() {
        for width in 0..4 {
            let text = forest(f64::NAN, Some((f64::NEG_INFINITY, f64::NAN)), 0.0, width);
            assert!(text.chars().count() <= usize::from(width.max(1)));
        }
        assert_eq!(forest(0.3, None, 0.0, 4), " ● ");
    }
}
