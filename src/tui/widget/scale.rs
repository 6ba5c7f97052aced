//! Numeric axes: maps values to cells and chooses a few round ticks.

/// Spacing of the values on an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spacing {
    /// Equal differences take equal space.
    #[default]
    Linear,
    /// Equal ratios take equal space; only for values above zero.
    Log,
}

/// A range of values on an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    spacing: Spacing,
}

impl Scale {
    /// Creates an axis from `low` to `high`. An empty range is widened. A log axis that reaches
    /// zero becomes linear.
    pub fn new(low: f64, high: f64, spacing: Spacing) -> Self {
        let (low, high) = if low <= high {
            (low, high)
        } else {
            (high, low)
        };
        let (low, high) = match (low.is_finite() && high.is_finite(), high > low) {
            (true, true) => (low, high),
            (true, false) => (low - 0.5, high + 0.5),
            (false, _) => (0.0, 1.0),
        };
        let spacing = if low > 0.0 { spacing } else { Spacing::Linear };
        Self { low, high, spacing }
    }

    /// Creates an axis over the range of some values. Ignores infinities and NaN; a log axis also
    /// ignores values of zero and below.
    pub fn of(values: impl IntoIterator<Item = f64>, spacing: Spacing) -> Self {
        let positive = |value: &f64| spacing == Spacing::Linear || *value > 0.0;
        let (low, high) = values
            .into_iter()
            .filter(|value| value.is_finite() && positive(value))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            });
        Self::new(low, high, spacing)
    }

    /// Returns true if the axis is logarithmic.
    pub fn is_log(&self) -> bool {
        self.spacing == Spacing::Log
    }

    /// Returns the position of a value: 0 at the axis's start, 1 at its end.
    pub fn share(&self, value: f64) -> f64 {
        match self.spacing {
            Spacing::Linear => (value - self.low) / (self.high - self.low),
            Spacing::Log => (value / self.low).ln() / (self.high / self.low).ln(),
        }
    }

    /// Returns about `count` round values on the axis, with their labels.
    pub fn ticks(&self, count: u16) -> Vec<(f64, String)> {
        let ticks = if self.is_log() {
            self.decades()
        } else {
            self.steps(count)
        };
        // Add ticks, because a single tick does not show the scale.
        if ticks.len() < 2 {
            self.steps(count.saturating_mul(2).max(3))
        } else {
            ticks
        }
    }

    /// Returns multiples of 1, 2 or 5 times a power of ten.
    fn steps(&self, count: u16) -> Vec<(f64, String)> {
        let rough = (self.high - self.low) / f64::from(count.max(1));
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|digit| digit * power)
            .into_iter()
            .find(|step| *step >= rough * 0.999);
        let step = step.unwrap_or(rough);
        let decimals = usize::from(cells(-(step.log10() + 1e-9).floor()));
        let first = (self.low / step - 1e-9).ceil();
        let at = |i: u16| (first + f64::from(i)) * step;
        (0..=count.saturating_mul(3))
            .map(at)
            .take_while(|value| *value <= self.high + step * 1e-9)
            .map(|value| (value, plain(value, decimals)))
            .collect()
    }

    /// Returns the powers of ten on the axis.
    fn decades(&self) -> Vec<(f64, String)> {
        let first = cells_signed(self.low.log10() - 1e-9);
        (first..first.saturating_add(40))
            .map(|power| 10f64.powi(power))
            .skip_while(|value| *value < self.low * 0.999)
            .take_while(|value| *value <= self.high * 1.001)
            .map(|value| (value, short(value)))
            .collect()
    }
}

/// Formats a number with fixed decimals. Zero has no sign, and large numbers are shortened.
fn plain(value: f64, decimals: usize) -> String {
    if value.abs() >= 10_000.0 {
        return short(value);
    }
    let value = if value.abs() < 1e-12 { 0.0 } else { value };
    format!("{value:.decimals$}").replace('-', "−")
}

/// Formats a number with few digits: `250`, `10K`, `0.01`.
fn short(value: f64) -> String {
    let (value, unit) = match value.abs() {
        size if size >= 1e9 => (value / 1e9, "G"),
        size if size >= 1e6 => (value / 1e6, "M"),
        size if size >= 1e3 => (value / 1e3, "K"),
        _ => (value, ""),
    };
    let text = format!("{value:.4}");
    format!(
        "{}{unit}",
        text.trim_end_matches('0')
            .trim_end_matches('.')
            .replace('-', "−")
    )
}

/// Converts a length to whole cells or dots.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the range first"
)]
pub const fn cells(length: f64) -> u16 {
    length.round().clamp(0.0, 65_535.0) as u16
}

/// Rounds down to a whole number of either sign.
#[expect(
    clippy::cast_possible_truncation,
    reason = "clamped to the range first"
)]
const fn cells_signed(value: f64) -> i32 {
    value.floor().clamp(-300.0, 300.0) as i32
}

/// Converts a count to a float.
#[expect(
    clippy::cast_precision_loss,
    reason = "positions on a screen need no 53 bits"
)]
pub const fn number(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(scale: Scale, count: u16) -> Vec<String> {
        scale
            .ticks(count)
            .into_iter()
            .map(|(_, text)| text)
            .collect()
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(
            texts(Scale::new(0.0, 1.0, Spacing::Linear), 5),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        assert_eq!(
            texts(Scale::new(-0.42, 0.7, Spacing::Linear), 3),
            ["0.0", "0.5"]
        );
        assert_eq!(
            texts(Scale::new(-0.5, 0.7, Spacing::Linear), 3),
            ["−0.5", "0.0", "0.5"]
        );
        assert_eq!(
            texts(Scale::new(0.0, 50_000.0, Spacing::Linear), 2),
            ["0", "50K"]
        );
    }

    #[test]
    fn a_log_axis_has_its_decades() {
        let scale = Scale::new(0.05, 2e3, Spacing::Log);
        assert_eq!(texts(scale, 4), ["0.1", "1", "10", "100", "1K"]);
        assert!((Scale::new(1.0, 100.0, Spacing::Log).share(10.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn ranges_that_make_no_sense_are_mended() {
        assert!((Scale::new(2.0, 2.0, Spacing::Linear).share(2.0) - 0.5).abs() < 1e-12);
        assert_eq!(
            Scale::of([], Spacing::Linear),
            Scale::new(0.0, 1.0, Spacing::Linear)
        );
        assert!(!Scale::new(0.0, 5.0, Spacing::Log).is_log());
        assert_eq!(
            Scale::of([f64::NAN, 1.0, 3.0], Spacing::Linear),
            Scale::new(1.0, 3.0, Spacing::Linear)
        );
    }
}
