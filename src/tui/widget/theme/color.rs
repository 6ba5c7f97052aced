//! Colour arithmetic: brightness, distance and mixing.
//!
//! Themes use it for readable text on a heat cell, and to find the nearest colour on a terminal
//! with fewer colours. Luminance and contrast follow WCAG 2.1; distance is CIE 1976 in L*a*b* under
//! D65.

/// Red, green and blue in sRGB, 0 to 255 each.
pub type Rgb = [u8; 3];

/// Black, `#000000`.
pub const BLACK: Rgb = [0, 0, 0];
/// White, `#ffffff`.
pub const WHITE: Rgb = [255, 255, 255];

/// Rounds a channel value to a byte.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a byte's range first"
)]
const fn byte(value: f64) -> u8 {
    value.clamp(0.0, 255.0).round() as u8
}

/// Returns a channel in linear light, 0 to 1.
fn linear(channel: u8) -> f64 {
    let value = f64::from(channel) / 255.0;
    if value <= 0.040_45 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4)
    }
}

/// Returns the relative luminance (WCAG), 0 for black to 1 for white.
pub fn luminance([r, g, b]: Rgb) -> f64 {
    0.7152f64.mul_add(linear(g), 0.2126f64.mul_add(linear(r), 0.0722 * linear(b)))
}

/// Returns the contrast ratio (WCAG), 1 for equal colours to 21 for black on white.
pub fn contrast(first: Rgb, second: Rgb) -> f64 {
    let (first, second) = (luminance(first), luminance(second));
    (first.max(second) + 0.05) / (first.min(second) + 0.05)
}

/// Returns black or white, whichever is more readable on `ground`. The contrast is always at least
/// 4.5.
pub fn ink_on(ground: Rgb) -> Rgb {
    if contrast(BLACK, ground) >= contrast(WHITE, ground) {
        BLACK
    } else {
        WHITE
    }
}

/// Mixes two colours: `from` at `t` = 0, `to` at `t` = 1.
pub fn mix(from: Rgb, to: Rgb, t: f64) -> Rgb {
    std::array::from_fn(|i| {
        let (from, to) = (f64::from(from[i]), f64::from(to[i]));
        byte((to - from).mul_add(t, from))
    })
}

/// Converts an sRGB colour to L*, a* and b*.
fn lab(color: Rgb) -> [f64; 3] {
    lab_of_linear(color.map(linear))
}

/// Converts a colour in linear light to L*, a* and b*.
fn lab_of_linear([r, g, b]: [f64; 3]) -> [f64; 3] {
    let fit = |value: f64| {
        if value > 0.008_856 {
            value.cbrt()
        } else {
            7.787f64.mul_add(value, 16.0 / 116.0)
        }
    };
    let x_ratio = fit((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
    let y_ratio = fit(0.2126 * r + 0.7152 * g + 0.0722 * b);
    let z_ratio = fit((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
    [
        116.0f64.mul_add(y_ratio, -16.0),
        500.0 * (x_ratio - y_ratio),
        200.0 * (y_ratio - z_ratio),
    ]
}

/// Returns the perceived distance of two colours. A distance of about 2 is just noticeable.
pub fn distance(first: Rgb, second: Rgb) -> f64 {
    let (first, second) = (lab(first), lab(second));
    std::iter::zip(first, second)
        .map(|(a, b)| (a - b).powi(2))
        .sum::<f64>()
        .sqrt()
}

/// Simulates colour blindness at full strength (Machado, Oliveira and Fernandes 2009).
#[cfg(test)]
pub(super) mod blindness {
    use super::{Rgb, lab_of_linear, linear};

    pub type Matrix = [[f64; 3]; 3];
    pub const DEUTERANOPIA: Matrix = [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ];
    pub const TRITANOPIA: Matrix = [
        [1.255_528, -0.076_749, -0.178_779],
        [-0.078_411, 0.930_809, 0.147_602],
        [0.004_733, 0.691_367, 0.303_900],
    ];

    /// Returns the distance of two colours as perceived with a type of colour blindness.
    pub fn distance(matrix: &Matrix, first: Rgb, second: Rgb) -> f64 {
        let seen = |color: Rgb| {
            let channels = color.map(linear);
            lab_of_linear(matrix.map(|row| {
                std::iter::zip(row, channels)
                    .map(|(m, c)| m * c)
                    .sum::<f64>()
                    .clamp(0.0, 1.0)
            }))
        };
        std::iter::zip(seen(first), seen(second))
            .map(|(a, b)| (a - b).powi(2))
            .sum::<f64>()
            .sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_on_white_is_the_largest_contrast() {
        assert!((contrast(BLACK, WHITE) - 21.0).abs() < 1e-9);
        assert!((contrast(WHITE, WHITE) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn ink_reaches_the_limit_on_every_grey() {
        for grey in 0..=255 {
            let ground = [grey; 3];
            assert!(contrast(ink_on(ground), ground) >= 4.5, "grey {grey}");
        }
    }

    #[test]
    fn white_is_a_hundred_from_black() {
        assert!((distance(BLACK, WHITE) - 100.0).abs() < 0.1);
    }

    #[test]
    fn a_mix_starts_and_ends_at_its_colours() {
        assert_eq!(mix([10, 20, 30], [50, 60, 70], 0.0), [10, 20, 30]);
        assert_eq!(mix([10, 20, 30], [50, 60, 70], 0.5), [30, 40, 50]);
        assert_eq!(mix([10, 20, 30], [50, 60, 70], 1.0), [50, 60, 70]);
    }
}
