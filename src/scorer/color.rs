//! Computes the perceived difference of two colours (`CIEDE2000`).
//!
//! `palette` converts sRGB to CIE L\*a\*b\*. The difference is computed here, because `palette`
//! takes the mean of two hues always on the far side of 360 degrees, which changes the fifth
//! decimal.

use palette::convert::IntoColorUnclamped;
use palette::white_point::D65;
use palette::{Lab, Srgb};

/// Computes the `CIEDE2000` difference of two sRGB colours `[r, g, b]` in 0 to 255; 0 for equal
/// colours, without an upper bound.
///
/// The conversion is that of AVA-Bench's `color/eval.py`: sRGB to XYZ to CIE L\*a\*b\* under D65
/// (white .95047, 1, 1.08883), weights 1.
pub fn ciede2000(prediction: [f64; 3], target: [f64; 3]) -> f64 {
    difference(lab(prediction), lab(target))
}

/// Converts an sRGB colour in 0 to 255 to CIE L\*a\*b\*.
fn lab(rgb: [f64; 3]) -> Lab<D65, f64> {
    let [red, green, blue] = rgb.map(|channel| channel / 255.0);
    Srgb::new(red, green, blue).into_color_unclamped()
}

/// Colour by lightness, chroma and hue (degrees, 0 to 360), after stretching the a\* axis.
struct Polar {
    /// Lightness L', 0 to 100.
    lightness: f64,
    /// Chroma C', 0 for grey.
    chroma: f64,
    /// Hue h', 0 for grey.
    hue: f64,
}

impl Polar {
    /// Computes L', C' and h' of Sharma, Wu and Dalal (2005), equations 5 to 7; `stretch` is
    /// their 1 + G.
    fn of(lab: Lab<D65, f64>, stretch: f64) -> Self {
        let a = lab.a * stretch;
        let chroma = a.hypot(lab.b);
        let hue = lab.b.atan2(a).to_degrees().rem_euclid(360.0);
        Self {
            lightness: lab.l,
            chroma,
            hue: if chroma == 0.0 { 0.0 } else { hue },
        }
    }
}

/// Computes the difference by Sharma, Wu and Dalal (2005), equations 2 to 22.
fn difference(first: Lab<D65, f64>, second: Lab<D65, f64>) -> f64 {
    let mean_chroma = f64::midpoint(first.a.hypot(first.b), second.a.hypot(second.b));
    let stretch = 1.5 - 0.5 * saturation(mean_chroma);
    let (first, second) = (Polar::of(first, stretch), Polar::of(second, stretch));

    let hue_gap = hue_gap(&first, &second);
    let hue_step = 2.0 * (first.chroma * second.chroma).sqrt() * (hue_gap / 2.0).to_radians().sin();
    let hue = mean_hue(&first, &second);
    let chroma = f64::midpoint(first.chroma, second.chroma);
    let lightness_square = (f64::midpoint(first.lightness, second.lightness) - 50.0).powi(2);

    let lightness_weight = 1.0 + 0.015 * lightness_square / (20.0 + lightness_square).sqrt();
    let chroma_weight = 1.0 + 0.045 * chroma;
    let hue_weight = 1.0 + 0.015 * chroma * hue_modulation(hue);
    let turn = 60.0 * (-((hue - 275.0) / 25.0).powi(2)).exp();
    let rotation = -2.0 * saturation(chroma) * turn.to_radians().sin();

    let lightness_term = (second.lightness - first.lightness) / lightness_weight;
    let chroma_term = (second.chroma - first.chroma) / chroma_weight;
    let hue_term = hue_step / hue_weight;
    let squares = lightness_term.powi(2) + chroma_term.powi(2) + hue_term.powi(2);
    (squares + rotation * chroma_term * hue_term)
        .max(0.0)
        .sqrt()
}

/// Returns the square root of C^7 / (C^7 + 25^7): 0 for grey, below 1.
fn saturation(chroma: f64) -> f64 {
    let power = chroma.powi(7);
    (power / (power + 25_f64.powi(7))).sqrt()
}

/// Returns the difference of two hues, -180 to 180 degrees; 0 if one colour is grey.
fn hue_gap(first: &Polar, second: &Polar) -> f64 {
    let gap = second.hue - first.hue;
    if first.chroma * second.chroma == 0.0 {
        0.0
    } else if gap > 180.0 {
        gap - 360.0
    } else if gap < -180.0 {
        gap + 360.0
    } else {
        gap
    }
}

/// Returns the mean of two hues along the shorter arc, 0 to 360 degrees; if one colour is grey,
/// the hue of the other.
fn mean_hue(first: &Polar, second: &Polar) -> f64 {
    let sum = first.hue + second.hue;
    if first.chroma * second.chroma == 0.0 {
        sum
    } else if (first.hue - second.hue).abs() <= 180.0 {
        sum / 2.0
    } else if sum < 360.0 {
        f64::midpoint(sum, 360.0)
    } else {
        f64::midpoint(sum, -360.0)
    }
}

/// Returns T, the factor by which the hue weight depends on the hue.
fn hue_modulation(hue: f64) -> f64 {
    let wave = |times: f64, shift: f64| (times * hue + shift).to_radians().cos();
    1.0 - 0.17 * wave(1.0, -30.0) + 0.24 * wave(2.0, 0.0) + 0.32 * wave(3.0, 6.0)
        - 0.20 * wave(4.0, -63.0)
}

#[cfg(test)]
mod tests {
    use palette::Lab;

    use super::{ciede2000, difference};

    #[test]
    fn equal_colours_do_not_differ() {
        for rgb in [[0.0; 3], [255.0; 3], [17.0, 73.0, 217.0]] {
            assert!(ciede2000(rgb, rgb).abs() < 1e-9);
        }
    }

    #[test]
    fn black_and_white_differ_by_a_hundred() {
        assert!((ciede2000([0.0; 3], [255.0; 3]) - 100.0).abs() < 1e-3);
    }

    #[test]
    fn published_test_pairs() {
        // Reference: Sharma, Wu and Dalal (2005), Table 1, pairs 1, 7, 9, 14, 17, 25 and 31.
        for (first, second, expected) in [
            ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
            ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
            ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0009], 7.1792),
            ([50.0, -0.001, 2.49], [50.0, 0.0011, -2.49], 4.7461),
            ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
            (
                [60.2574, -34.0099, 36.2677],
                [60.4626, -34.1751, 39.4387],
                1.2644,
            ),
            (
                [22.7233, 20.0904, -46.694],
                [23.0331, 14.973, -42.5619],
                2.0373,
            ),
        ] {
            let lab = |[l, a, b]: [f64; 3]| Lab::new(l, a, b);
            assert!(
                (difference(lab(first), lab(second)) - expected).abs() < 5e-5,
                "{expected}"
            );
        }
    }
}
