//! Formats numbers for display.

/// Formats a count: `912`, `44.5K` or `5.7M`.
pub fn compact(count: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "rounded to three digits anyway")]
    let count_as_real = count as f64;
    let scaled = |divisor: f64, unit: &str| {
        let value = count_as_real / divisor;
        let decimals = usize::from(value < 99.95);
        let text = format!("{value:.decimals$}");
        format!("{}{unit}", text.strip_suffix(".0").unwrap_or(&text))
    };
    match count {
        0..=9_999 => group(count),
        10_000..=999_949 => scaled(1e3, "K"),
        999_950..=999_949_999 => scaled(1e6, "M"),
        _ => scaled(1e9, "G"),
    }
}

/// Formats an amount of money with `decimals` decimals. An amount that is too small for them gets
/// two significant digits.
pub fn money(amount: f64, decimals: usize) -> String {
    let power = i32::try_from(decimals).unwrap_or(i32::MAX);
    if amount != 0.0 && amount.abs() * 10.0_f64.powi(power) < 10.0 {
        significant(amount, 2)
    } else {
        fixed(Some(amount), decimals)
    }
}

/// Converts a count stored as `f64` to an integer.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count"
)]
pub const fn whole(count: f64) -> u64 {
    count as u64
}

/// Formats a count with its noun: `1 log`, `9 logs`.
pub fn counted(count: u64, noun: &str) -> String {
    format!(
        "{} {noun}{}",
        compact(count),
        if count == 1 { "" } else { "s" }
    )
}

/// Formats a number below a million with a thousands separator: `6,912`.
fn group(count: u64) -> String {
    match count {
        0..=999 => count.to_string(),
        _ => format!("{},{:03}", count / 1000, count % 1000),
    }
}

/// Formats a number with a fixed number of decimals. A missing or infinite value becomes a dash,
/// and `-0.000` becomes `0.000`.
pub fn fixed(value: Option<f64>, decimals: usize) -> String {
    let Some(value) = value.filter(|value| value.is_finite()) else {
        return "–".to_owned();
    };
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(positive) if positive.chars().all(|c| matches!(c, '0' | '.')) => positive.to_owned(),
        _ => text,
    }
}

/// Formats a number with at most `decimals` decimals, and with fewer to fit `width` characters.
pub fn within(value: Option<f64>, decimals: usize, width: usize) -> String {
    let texts = (0..=decimals).rev().map(|decimals| fixed(value, decimals));
    let mut fitting = texts.filter(|text| text.chars().count() <= width);
    fitting.next().unwrap_or_else(|| {
        let text = value.map(|value| format!("{value:.0e}"));
        text.unwrap_or_default()
    })
}

/// Formats a probability with three decimals. Values that would become zero are shown as `<0.001`.
pub fn probability(p: f64) -> String {
    if p < 0.0005 {
        "<0.001".to_owned()
    } else {
        fixed(Some(p), 3)
    }
}

/// Formats a number with about `digits` significant digits, without exponent or trailing zeros.
pub fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return fixed(Some(value), 0);
    }
    #[expect(clippy::cast_possible_truncation, reason = "an exponent")]
    let magnitude = value.abs().log10().floor() as i64;
    let digits = i64::try_from(digits).unwrap_or(4);
    let decimals = usize::try_from(digits - 1 - magnitude).unwrap_or(0).min(12);
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{compact, fixed, money, significant};

    #[test]
    fn counts_are_short() {
        let counts = [0, 912, 6_912, 44_500, 400_500, 999_960, 5_700_000];
        assert_eq!(
            counts.map(compact),
            ["0", "912", "6,912", "44.5K", "400K", "1M", "5.7M"]
        );
    }

    #[test]
    fn numbers_line_up_and_nothing_is_minus_zero() {
        assert_eq!(fixed(Some(-0.0001), 3), "0.000");
        assert_eq!(fixed(Some(0.6744), 3), "0.674");
        assert_eq!(fixed(None, 3), "–");
        assert_eq!(significant(0.012_345, 3), "0.0123");
        assert_eq!(significant(400.0, 3), "400");
    }

    #[test]
    fn little_money_is_not_none() {
        assert_eq!([money(12.5, 2), money(0.0, 2)], ["12.50", "0.00"]);
        assert_eq!([money(0.000_324, 2), money(0.02, 4)], ["0.00032", "0.0200"]);
    }
}
