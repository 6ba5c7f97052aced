//! Colours for values and labels. The ramps are perceptually uniform, and their brightness
//! increases with the value. So maps are readable without colour.

/// Ten colours at equal steps from the lowest to the highest value.
pub type Ramp = [[u8; 3]; 10];

/// Ramp for values like depth: viridis (S. van der Walt and N. Smith, matplotlib 2.0).
pub const VALUE_RAMP: Ramp = [
    [68, 1, 84],
    [72, 40, 120],
    [62, 74, 137],
    [49, 104, 142],
    [38, 130, 142],
    [31, 158, 137],
    [53, 183, 121],
    [109, 205, 89],
    [180, 222, 44],
    [253, 231, 37],
];

/// Ramp for errors: inferno, by the same authors.
pub const ERROR_RAMP: Ramp = [
    [0, 0, 4],
    [27, 12, 66],
    [75, 12, 107],
    [120, 28, 109],
    [165, 44, 96],
    [207, 68, 70],
    [237, 105, 37],
    [251, 154, 6],
    [247, 208, 60],
    [252, 255, 164],
];

/// Returns the colour at a position in a ramp, clamped to 0 to 1.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the ramp first"
)]
pub fn color_at(ramp: &Ramp, fraction: f64) -> [u8; 3] {
    let last = ramp.len() - 1;
    let place = fraction.clamp(0.0, 1.0) * f64::from(u8::try_from(last).unwrap_or(u8::MAX));
    let below = (place as usize).min(last);
    let (low, high, part) = (ramp[below], ramp[(below + 1).min(last)], place.fract());
    std::array::from_fn(|channel| {
        let (low, high) = (f64::from(low[channel]), f64::from(high[channel]));
        (low + (high - low) * part).round() as u8
    })
}

/// Returns the colour of a label code. Hues are a golden angle apart, in two brightness levels. So
/// neighbouring codes have very different colours.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of 255"
)]
pub fn label_color(code: u32) -> [u8; 3] {
    let hue = (f64::from(code) * 0.618_034).fract() * 6.0;
    let bright = if code.is_multiple_of(2) { 245.0 } else { 190.0 };
    // The hues of red, green and blue are a third of the circle apart.
    [0.0, 4.0, 2.0].map(|offset| {
        let way = (hue + offset) % 6.0;
        let share = ((way - 3.0).abs() - 1.0).clamp(0.0, 1.0);
        (bright * (0.25 + 0.75 * share)) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_begins_and_ends_with_its_ends() {
        assert_eq!(color_at(&VALUE_RAMP, 0.0), VALUE_RAMP[0]);
        assert_eq!(color_at(&VALUE_RAMP, 1.0), VALUE_RAMP[9]);
        assert_eq!(color_at(&VALUE_RAMP, 7.0), VALUE_RAMP[9]);
        assert_eq!(color_at(&ERROR_RAMP, 1.0 / 18.0), [14, 6, 35]);
    }

    #[test]
    fn ramps_grow_brighter_all_the_way() {
        let brightness = |color: [u8; 3]| {
            let [red, green, blue] = color.map(f64::from);
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        for ramp in [VALUE_RAMP, ERROR_RAMP] {
            let steps: Vec<f64> = (0..=40)
                .map(|at| brightness(color_at(&ramp, f64::from(at) / 40.0)))
                .collect();
            assert!(steps.is_sorted(), "{steps:?}");
        }
    }

    #[test]
    fn neighbouring_labels_differ() {
        for code in 0..133 {
            let (one, next) = (label_color(code), label_color(code + 1));
            let apart: i32 = one
                .iter()
                .zip(next)
                .map(|(a, b)| (i32::from(*a) - i32::from(b)).abs())
                .sum();
            assert!(apart > 90, "{code}: {one:?} {next:?}");
        }
    }
}
