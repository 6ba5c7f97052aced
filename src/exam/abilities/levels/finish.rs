//! What becomes of a picture's pixels after it is drawn: gray, blur, noise, boxes.

use image::{Rgb, RgbImage};

use crate::Rng;
use crate::abilities::canvas::{BLUE, Ink, RED, mixed};
use record::LabelledBox;

/// Pixels a unit of the canvas.
pub const SCALE: u32 = 2;
/// Side of a picture in pixels.
pub const SIDE: f64 = 512.0;
/// Line width of a box in pixels.
const LINE: u32 = 3;
/// Passes of a box blur that come close to a Gaussian one.
const PASSES: usize = 3;

/// Pixels in units of the canvas.
pub fn units(pixels: f64) -> f64 {
    pixels / f64::from(SCALE)
}

/// What becomes of the pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Finish {
    /// Lightness alone, equally often light and dark, between two colours.
    pub tint: Option<(Ink, Ink)>,
    /// Standard deviation of the blur, in pixels; only of tinted pictures.
    pub blur: f64,
    /// Standard deviation of the noise, in steps of 255.
    pub noise: f64,
}

impl Finish {
    /// The finished pixels.
    pub fn applied(self, mut pixels: RgbImage, rng: &mut Rng) -> RgbImage {
        if let Some((dark, light)) = self.tint {
            let width = pixels.width() as usize;
            let mut light_of = equalised(&pixels);
            for _ in 0..PASSES {
                light_of = box_blurred(&light_of, width, self.blur);
            }
            for (pixel, value) in pixels.pixels_mut().zip(light_of) {
                *pixel = Rgb(mixed(dark, light, value));
            }
        }
        if self.noise > 0.0 {
            for pixel in pixels.pixels_mut() {
                let shift = self.noise * rng.normal();
                pixel.0 = pixel.0.map(|channel| byte(f64::from(channel) + shift));
            }
        }
        pixels
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a byte"
)]
fn byte(value: f64) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

/// Lightness of each pixel as the share of pixels that are darker, so that no lightness is more frequent than others.
fn equalised(pixels: &RgbImage) -> Vec<f64> {
    let luma = |Rgb([r, g, b]): &Rgb<u8>| {
        let sum = 299 * u32::from(*r) + 587 * u32::from(*g) + 114 * u32::from(*b);
        (sum / 1000) as usize
    };
    let mut counts = [0.0_f64; 256];
    for pixel in pixels.pixels() {
        counts[luma(pixel).min(255)] += 1.0;
    }
    let all: f64 = counts.iter().sum::<f64>().max(1.0);
    let mut below = 0.0;
    let shares = counts.map(|count| {
        let share = (below + count / 2.0) / all;
        below += count;
        share
    });
    pixels
        .pixels()
        .map(|pixel| shares[luma(pixel).min(255)])
        .collect()
}

/// One pass of a box blur in both directions; edges are repeated. Three passes have the standard deviation `sigma`.
///
/// Source: W. M. Wells, "Efficient synthesis of Gaussian filters by cascaded uniform filters", PAMI 8 (1986).
fn box_blurred(values: &[f64], width: usize, sigma: f64) -> Vec<f64> {
    let passes = f64::from(u32::try_from(PASSES).unwrap_or(1));
    let size = (12.0 * sigma * sigma / passes + 1.0).sqrt();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "less than the side of a picture"
    )]
    let radius = ((size - 1.0) / 2.0).round().max(0.0) as usize;
    if radius == 0 || width == 0 {
        return values.to_vec();
    }
    let mut across = vec![0.0; values.len()];
    for (row, out) in values.chunks(width).zip(across.chunks_mut(width)) {
        blurred_line(row, radius, |at, value| out[at] = value);
    }
    blurred_down(&across, width, radius)
}

/// The running means of all columns, row by row.
fn blurred_down(values: &[f64], width: usize, radius: usize) -> Vec<f64> {
    let last = values.len() / width - 1;
    let row = |place: usize| {
        let row = place.saturating_sub(radius).min(last);
        &values[row * width..(row + 1) * width]
    };
    let mut sums = vec![0.0; width];
    for place in 0..=2 * radius {
        for (sum, value) in sums.iter_mut().zip(row(place)) {
            *sum += value;
        }
    }
    let count = f64::from(u32::try_from(2 * radius + 1).unwrap_or(u32::MAX));
    let mut down = Vec::with_capacity(values.len());
    for place in 0..=last {
        down.extend(sums.iter().map(|sum| sum / count));
        let (next, gone) = (row(place + 2 * radius + 1), row(place));
        for ((sum, next), gone) in sums.iter_mut().zip(next).zip(gone) {
            *sum += next - gone;
        }
    }
    down
}

/// The running mean of a line.
fn blurred_line(line: &[f64], radius: usize, mut put: impl FnMut(usize, f64)) {
    let last = line.len() - 1;
    let at = |place: usize| line[place.saturating_sub(radius).min(last)];
    // Places are shifted by the radius, so that none is negative.
    let mut sum: f64 = (0..=2 * radius).map(at).sum();
    let count = f64::from(u32::try_from(2 * radius + 1).unwrap_or(u32::MAX));
    for place in 0..line.len() {
        put(place, sum / count);
        sum += at(place + 2 * radius + 1) - at(place);
    }
}

/// Draws the boxes that have a colour; they are in pixels.
pub fn frame(pixels: &mut RgbImage, boxes: &[LabelledBox]) {
    for labelled in boxes {
        let ink = match labelled.color.as_deref() {
            Some("red") => RED,
            Some("blue") => BLUE,
            _ => continue,
        };
        let [x0, y0, x1, y1] = labelled.xyxy.map(pixel);
        for y in y0..y1 {
            for x in x0..x1 {
                let is_line = x < x0 + LINE || y < y0 + LINE || x + LINE >= x1 || y + LINE >= y1;
                if is_line && let Some(pixel) = pixels.get_pixel_mut_checked(x, y) {
                    *pixel = Rgb(ink);
                }
            }
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the picture"
)]
fn pixel(at: f64) -> u32 {
    at.round().clamp(0.0, SIDE) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blur_spreads_a_point_as_far_as_it_says() {
        let width = 101;
        let mut values = vec![0.0; width * width];
        values[50 * width + 50] = 1.0;
        for _ in 0..PASSES {
            values = box_blurred(&values, width, 6.0);
        }
        let sum: f64 = values.iter().sum();
        assert!((sum - 1.0).abs() < 1e-9);
        let variance: f64 = values
            .iter()
            .enumerate()
            .map(|(at, value)| value * ((at % width) as f64 - 50.0).powi(2))
            .sum();
        assert!((variance.sqrt() - 6.0).abs() < 0.5, "{}", variance.sqrt());
    }

    #[test]
    fn no_lightness_is_more_frequent_than_others() {
        let pixels = RgbImage::from_fn(100, 100, |x, y| Rgb([(x * x / 50 + y) as u8; 3]));
        let values = equalised(&pixels);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        assert!((mean - 0.5).abs() < 1e-9);
        let dark = values.iter().filter(|value| **value < 0.25).count();
        assert!((2300..2700).contains(&dark), "{dark}");
    }

    #[test]
    fn an_even_picture_stays_even() {
        let even = vec![0.4; 64 * 64];
        let blurred = box_blurred(&even, 64, 20.0);
        assert!(blurred.iter().all(|value| (value - 0.4).abs() < 1e-9));
    }
}
