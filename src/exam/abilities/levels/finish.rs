//! Processes the pixels of a drawn picture: two-colour tint, blur, noise, boxes.

use image::{Rgb, RgbImage};

use super::balance::{Lamp, balanced};
use crate::Rng;
use crate::abilities::blur::blurred;
use crate::abilities::canvas::{BLUE, Canvas, Ink, Light, RED, byte, mixed};
use record::LabelledBox;

/// Pixels per unit of the canvas, at the usual size.
pub const SCALE: u32 = 2;
/// Usual side of a picture in pixels; larger pictures are multiples of it.
pub const SIDE: f64 = 512.0;
/// Line width of a box in pixels, at the usual size.
const LINE: u32 = 3;

/// Converts pixels to units of the canvas.
pub fn units(pixels: f64) -> f64 {
    pixels / f64::from(SCALE)
}

/// Standard deviation of the blur that halves the contrast, in pixels; a mean over many scenes.
const HALVED: f64 = 64.0;
/// Maximum distance of the lamp from the centre of a tinted picture, in half sides.
const ASIDE: f64 = 0.8;
/// Brightness of the lamp without blur.
const BRIGHT: f64 = 0.35;

/// Processing of the pixels, before boxes are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Finish {
    /// Dark and bright colour. Lightness is balanced and mapped to the range between them.
    pub tint: Option<(Ink, Ink)>,
    /// Standard deviation of the blur, in pixels; for tinted pictures only.
    pub blur: f64,
    /// Standard deviation of the noise, in levels of 255.
    pub noise: f64,
}

impl Finish {
    /// Renders a canvas `times` larger than [`SIDE`] and processes it; with a light, rendering is
    /// rich.
    ///
    /// Tinted pictures are always rendered plainly, so that the blur is exact; they get uneven
    /// light afterwards.
    pub fn picture(
        self,
        canvas: &Canvas,
        times: u32,
        light: Option<&Light>,
        rng: &mut Rng,
    ) -> RgbImage {
        let scale = SCALE * times;
        let mut pixels = match (light, self.tint) {
            (Some(light), None) => canvas.rich_at(scale, light),
            _ => canvas.pixels_at(scale),
        };
        if let Some((dark, bright)) = self.tint {
            let width = pixels.width() as usize;
            let values = blurred(equalised(&pixels), width, self.blur * f64::from(times));
            let contrast = self.contrast();
            let lamp = Lamp {
                across: rng.between(-ASIDE, ASIDE),
                down: rng.between(-ASIDE, ASIDE),
                bright: BRIGHT * contrast,
            };
            let values = balanced(values, width, lamp);
            for ((x, y, pixel), value) in pixels.enumerate_pixels_mut().zip(values) {
                let value = 0.5 + contrast * (value - 0.5);
                let at = |place: u32| f64::from(place) / f64::from(scale);
                let fall = light.map_or(1.0, |light| light.fall(at(x), at(y)));
                *pixel = Rgb(mixed(dark, bright, value).map(|part| byte(f64::from(part) * fall)));
            }
        }
        if self.noise > 0.0 {
            self.add_noise(&mut pixels, times, rng);
        }
        pixels
    }

    /// Share of the contrast that remains after the blur, for any picture.
    fn contrast(self) -> f64 {
        1.0 / (1.0 + self.blur / HALVED)
    }

    /// Adds noise; its grains scale with the picture.
    fn add_noise(self, pixels: &mut RgbImage, times: u32, rng: &mut Rng) {
        for y in 0..pixels.height() / times {
            for x in 0..pixels.width() / times {
                let shift = self.noise * rng.normal();
                for (dx, dy) in (0..times).flat_map(|dy| (0..times).map(move |dx| (dx, dy))) {
                    let pixel = pixels.get_pixel_mut(x * times + dx, y * times + dy);
                    pixel.0 = pixel.0.map(|channel| byte(f64::from(channel) + shift));
                }
            }
        }
    }
}

/// Replaces each pixel by the share of darker pixels, so that all values are equally frequent.
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

/// Draws the boxes that have a colour. Boxes are in pixels; line width scales with the picture.
pub fn frame(pixels: &mut RgbImage, boxes: &[LabelledBox], times: u32) {
    let (line, side) = (LINE * times, pixels.width());
    for labelled in boxes {
        let ink = match labelled.color.as_deref() {
            Some("red") => RED,
            Some("blue") => BLUE,
            _ => continue,
        };
        let [x0, y0, x1, y1] = labelled.xyxy.map(|at| pixel(at, side));
        for y in y0..y1 {
            for x in x0..x1 {
                let is_line = x < x0 + line || y < y0 + line || x + line >= x1 || y + line >= y1;
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
fn pixel(at: f64, side: u32) -> u32 {
    at.round().clamp(0.0, f64::from(side)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_lightness_is_more_frequent_than_others() {
        let pixels = RgbImage::from_fn(100, 100, |x, y| Rgb([(x * x / 50 + y) as u8; 3]));
        let values = equalised(&pixels);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        assert!((mean - 0.5).abs() < 1e-9);
        let dark = values.iter().filter(|value| **value < 0.25).count();
        assert!((2300..2700).contains(&dark), "{dark}");
    }
}
