//! Converts colours to CIELAB under D65, in which equal distances look equally different.
//!
//! Source: CIE 15:2004 for CIELAB, IEC 61966-2-1 for sRGB.

use image::RgbaImage;

/// Rows of the matrix from linear sRGB to XYZ.
const XYZ: [[f64; 3]; 3] = [
    [0.412_453, 0.357_580, 0.180_423],
    [0.212_671, 0.715_160, 0.072_169],
    [0.019_334, 0.119_193, 0.950_227],
];
/// White point of D65 for the 2 degree observer.
const WHITE: [f64; 3] = [0.950_47, 1.0, 1.088_83];

/// Returns lightness and the two colour axes of each pixel, in row order. Channel values are first
/// stretched to the picture's full range, so that contrast does not matter.
pub(super) fn colors(picture: &RgbaImage) -> Vec<[f64; 3]> {
    let channels = |pixel: &image::Rgba<u8>| {
        let [red, green, blue, _] = pixel.0;
        [red, green, blue].map(|channel| f64::from(channel) / 255.0)
    };
    let colors: Vec<[f64; 3]> = picture.pixels().map(channels).collect();
    let all = || colors.iter().flatten().copied();
    let low = all().fold(f64::INFINITY, f64::min);
    let high = all().map(|channel| channel - low).fold(0.0, f64::max);
    let stretched = |channel: f64| {
        let lifted = channel - low;
        if high > 0.0 { lifted / high } else { lifted }
    };
    colors
        .iter()
        .map(|color| lab(color.map(stretched)))
        .collect()
}

/// Converts sRGB from 0 to 1 to CIELAB.
fn lab(color: [f64; 3]) -> [f64; 3] {
    let linear = color.map(|channel| {
        if channel > 0.040_45 {
            ((channel + 0.055) / 1.055).powf(2.4)
        } else {
            channel / 12.92
        }
    });
    let mut bent = [0.0; 3];
    for ((bent, row), white) in bent.iter_mut().zip(XYZ).zip(WHITE) {
        let sum: f64 = row.iter().zip(linear).map(|(a, b)| a * b).sum();
        let share = sum / white;
        *bent = if share > 0.008_856 {
            share.cbrt()
        } else {
            7.787 * share + 16.0 / 116.0
        };
    }
    let [x, y, z] = bent;
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_colours_have_known_coordinates() {
        // Expected values from scikit-image's `rgb2lab`.
        for (color, known) in [
            ([1.0, 1.0, 1.0], [100.0, -0.0025, 0.0047]),
            ([1.0, 0.0, 0.0], [53.2406, 80.0923, 67.2031]),
            ([0.0, 0.0, 1.0], [32.2957, 79.1879, -107.8602]),
            ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
        ] {
            for (found, known) in lab(color).iter().zip(known) {
                assert!((found - known).abs() < 0.01, "{color:?}: {found} {known}");
            }
        }
    }
}
