//! Facts about a picture: brightness, contrast, colours, sharpness, edges, and a perceptual hash.
//!
//! Sources: D. Hasler and S. Süsstrunk, "Measuring colourfulness in natural images", Human Vision
//! and Electronic Imaging VIII (2003), equation 3, for colourfulness; J. L. Pech-Pacheco et al.,
//! "Diatom autofocusing in brightfield microscopy", ICPR (2000), for the variance of the Laplacian;
//! E. Peli, "Contrast in complex images", JOSA A 7 (1990), for the contrast as root mean square;
//! R. Rosenholtz, Y. Li and L. Nakano, "Measuring visual clutter", Journal of Vision 7 (2007), for
//! the density of edges.

use std::borrow::Cow;

use base::picture_facts::PictureFacts;
use image::RgbaImage;

use super::lettering::{LetterCover, letters};
use super::{Region, fit};

/// Longest side, in pixels, of the copy that is measured. With it, pictures of different
/// resolutions can be compared.
const LONGEST: u32 = 512;
/// Minimum luma gradient of an edge, in thousandths of a level per pixel.
const EDGE: i64 = 16_000;
/// Thousandths per level; `WHITE` is the luma of white in thousandths of a level.
const THOUSANDTHS: f64 = 1000.0;
const WHITE: f64 = 255.0 * THOUSANDTHS;
/// Maximum difference between the channels of a grey pixel, in levels; allows for JPEG noise.
const GREY: u8 = 8;
/// Minimum share of grey pixels in a grey picture.
const MOSTLY: f64 = 0.999;
/// Columns and rows of the copy that is hashed. Each pair of neighbouring columns gives one bit per
/// row.
const HASHED: (u32, u32) = (9, 8);

/// Returns the facts of an opaque picture whose file has `bytes` bytes. `None` if it has no pixels.
///
/// Sharpness, edges and colours are measured on a copy with at most 512 pixels on each side.
pub fn facts(picture: &RgbaImage, bytes: u64) -> Option<PictureFacts> {
    let (width, height) = picture.dimensions();
    let copy = &*small_copy(picture);
    let lumas = luma(copy);
    let [mut light, mut red_green, mut yellow_blue] = [Moments::default(); 3];
    let mut grey = 0_u32;
    for (pixel, luma) in copy.pixels().zip(&lumas) {
        let [red, green, blue, _] = pixel.0;
        grey += u32::from(red.max(green).max(blue) - red.min(green).min(blue) <= GREY);
        let [red, green, blue, _] = pixel.0.map(i64::from);
        light.add(*luma);
        red_green.add(red - green);
        yellow_blue.add(red + green - 2 * blue);
    }
    if lumas.is_empty() {
        return None;
    }
    let spread = red_green.variance() + yellow_blue.variance() / 4.0;
    let mean = red_green.mean().hypot(yellow_blue.mean() / 2.0);
    let pixels = f64::from(width) * f64::from(height);
    let (sharpness, edges) = detail(&lumas, usize::try_from(copy.width()).ok()?);
    Some(PictureFacts {
        pixels,
        aspect: f64::from(width) / f64::from(height),
        brightness: light.mean() / WHITE,
        contrast: light.variance().sqrt() / WHITE,
        colourfulness: spread.sqrt() + 0.3 * mean,
        sharpness,
        edges,
        letters: letters(&lumas, usize::try_from(copy.width()).ok()?).share,
        bits_per_pixel: real(i128::from(bytes)) * 8.0 / pixels,
        is_grey: f64::from(grey) >= MOSTLY * light.n(),
        hash: hash(copy)?,
    })
}

/// Returns the share of a picture that letters cover, in total and by cell.
pub(crate) fn letter_cover(picture: &RgbaImage) -> LetterCover {
    let copy = small_copy(picture);
    let width = usize::try_from(copy.width()).unwrap_or_default();
    letters(&luma(&copy), width)
}

/// Returns the picture, or a copy if a side is longer than [`LONGEST`].
fn small_copy(picture: &RgbaImage) -> Cow<'_, RgbaImage> {
    let (width, height) = picture.dimensions();
    let longest = width.max(height);
    let scaled = |side: u32| {
        let scaled = u64::from(side) * u64::from(LONGEST) / u64::from(longest);
        u32::try_from(scaled.max(1)).unwrap_or(LONGEST)
    };
    let copy = (longest > LONGEST).then(|| (scaled(width), scaled(height)));
    let copy = copy.and_then(|size| fit(picture, Region::WHOLE, size));
    copy.map_or(Cow::Borrowed(picture), Cow::Owned)
}

/// Returns the luma (ITU-R BT.601) of each pixel, in thousandths of a level. Integers avoid
/// rounding errors, so a flat picture has a contrast of exactly 0.
fn luma(picture: &RgbaImage) -> Vec<i64> {
    let (pixels, _) = picture.as_raw().as_chunks();
    let one = |[red, green, blue, _]: &[u8; 4]| {
        299 * i64::from(*red) + 587 * i64::from(*green) + 114 * i64::from(*blue)
    };
    pixels.iter().map(one).collect()
}

/// Sums for the mean and variance of values. No sum exceeds 64 bits, because a copy has at most
/// 2^18 pixels with values below 2^22.
#[derive(Clone, Copy, Default)]
struct Moments {
    n: u32,
    sum: i64,
    squares: i64,
}

impl Moments {
    fn add(&mut self, value: i64) {
        self.n += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// Returns the mean; 0 without values.
    fn mean(&self) -> f64 {
        real(i128::from(self.sum)) / self.n().max(1.0)
    }

    /// Returns the variance; 0 without values.
    fn variance(&self) -> f64 {
        let sum = i128::from(self.sum);
        let scaled = i128::from(self.n) * i128::from(self.squares) - sum * sum;
        real(scaled) / self.n().max(1.0).powi(2)
    }

    fn n(&self) -> f64 {
        f64::from(self.n)
    }
}

/// Returns the variance of the Laplacian in squared levels, and the share of edge pixels by Sobel's
/// gradient.
///
/// Pixels on the border are left out. Both results are 0 if there are no other pixels.
fn detail(lumas: &[i64], width: usize) -> (f64, f64) {
    let rows: Vec<&[i64]> = lumas.chunks_exact(width).collect();
    let mut laplacians = Moments::default();
    let mut edges = 0_u32;
    for [above, here, below] in rows.array_windows() {
        let columns = above.array_windows().zip(here.array_windows());
        for ((above, here), below) in columns.zip(below.array_windows::<3>()) {
            let [left, middle, right] = here;
            laplacians.add(above[1] + left + right + below[1] - 4 * middle);
            // Sobel's weights sum to 4 on each side, and the sides are 2 pixels apart.
            let across = slope(above) + 2 * slope(here) + slope(below);
            let down = smooth(below) - smooth(above);
            edges += u32::from(across * across + down * down >= (8 * EDGE).pow(2));
        }
    }
    let share = f64::from(edges) / laplacians.n().max(1.0);
    (laplacians.variance() / THOUSANDTHS.powi(2), share)
}

fn slope([left, _, right]: &[i64; 3]) -> i64 {
    right - left
}

fn smooth([left, middle, right]: &[i64; 3]) -> i64 {
    left + 2 * middle + right
}

/// Returns the difference hash: one bit for each of 8 x 8 pixels, set if the pixel is darker than
/// its right neighbour. If no bit is set, as in a flat picture, the hash is the colour of the first
/// pixel.
fn hash(picture: &RgbaImage) -> Option<u64> {
    let small = fit(picture, Region::WHOLE, HASHED)?;
    let lumas = luma(&small);
    let (width, _) = HASHED;
    let rows = lumas.chunks_exact(usize::try_from(width).ok()?);
    let pairs = rows.flat_map(|row| row.windows(2));
    let bits = pairs.fold(0, |bits, pair| {
        let is_darker = matches!(pair, [one, other] if one < other);
        bits << 1 | u64::from(is_darker)
    });
    let [red, green, blue, _] = small.pixels().next()?.0.map(u64::from);
    Some(if bits == 0 {
        red << 16 | green << 8 | blue
    } else {
        bits
    })
}

#[expect(
    clippy::cast_precision_loss,
    reason = "rounding is at most 2^-53 of it"
)]
fn real(number: i128) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use image::{Rgba, imageops};

    use super::*;

    /// A picture of stripes of two colours, each `width` pixels wide.
    fn stripes(width: u32, [one, other]: [[u8; 3]; 2]) -> RgbaImage {
        RgbaImage::from_fn(64, 48, |x, _| {
            let [r, g, b] = if x / width % 2 == 0 { one } else { other };
            Rgba([r, g, b, 255])
        })
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }

    #[test]
    fn a_flat_picture_has_brightness_and_nothing_else() {
        let found = facts(&stripes(64, [[51; 3]; 2]), 384).unwrap();
        near(found.pixels, 3072.0);
        near(found.aspect, 4.0 / 3.0);
        near(found.brightness, 0.2);
        near(found.bits_per_pixel, 1.0);
        for none in [
            found.contrast,
            found.colourfulness,
            found.sharpness,
            found.edges,
        ] {
            assert_eq!(none, 0.0);
        }
        assert!(found.is_grey);
    }

    /// Expected values computed by hand: half of the pixels are black, half white, with an edge at
    /// each change.
    #[test]
    fn black_and_white_stripes_have_the_highest_contrast() {
        let found = facts(&stripes(32, [[0; 3], [255; 3]]), 1).unwrap();
        near(found.brightness, 0.5);
        near(found.contrast, 0.5);
        near(found.colourfulness, 0.0);
        // Edges are in two of the 62 inner columns, where the Laplacian is 255 and -255.
        near(found.edges, 2.0 / 62.0);
        near(found.sharpness, 2.0 / 62.0 * 255.0 * 255.0);
    }

    /// Expected values of Hasler and Süsstrunk's equation computed by hand: rg is 255 and -255, yb
    /// is 127.5 in both halves.
    #[test]
    fn red_and_green_are_colourful() {
        let found = facts(&stripes(32, [[255, 0, 0], [0, 255, 0]]), 1).unwrap();
        near(found.colourfulness, 255.0 + 0.3 * 127.5);
        assert!(!found.is_grey);
        let noisy = facts(&stripes(1, [[100, 104, 100], [100, 96, 101]]), 1).unwrap();
        assert!(noisy.is_grey);
    }

    #[test]
    fn blur_takes_sharpness_and_edges_and_leaves_brightness() {
        let sharp = stripes(4, [[20; 3], [220; 3]]);
        let blurred = imageops::blur(&sharp, 3.0);
        let [sharp, blurred] = [sharp, blurred].map(|it| facts(&it, 1).unwrap());
        assert!(blurred.sharpness < 0.1 * sharp.sharpness, "{blurred:?}");
        assert!(blurred.edges < 0.5 * sharp.edges, "{blurred:?}");
        assert!((blurred.brightness - sharp.brightness).abs() < 0.02);
    }

    #[test]
    fn a_scaled_copy_has_the_same_hash_and_another_picture_has_not() {
        let one = RgbaImage::from_fn(90, 80, |x, y| {
            let level = u8::try_from((x * 7 + y * y / 5) % 250).unwrap();
            Rgba([level, level / 2, 9, 255])
        });
        let larger = imageops::resize(&one, 900, 800, imageops::FilterType::Triangle);
        let other = imageops::flip_horizontal(&one);
        let [one, larger, other] = [one, larger, other].map(|it| facts(&it, 1).unwrap().hash);
        assert!((one ^ larger).count_ones() <= 2);
        assert!((one ^ other).count_ones() > 8);
        assert_eq!(facts(&RgbaImage::new(0, 5), 1), None);
    }

    #[test]
    fn tiny_and_narrow_pictures_have_facts() {
        for (width, height) in [(1, 1), (2, 700), (700, 1), (1, 3)] {
            let picture = RgbaImage::from_pixel(width, height, Rgba([9, 9, 9, 255]));
            let found = facts(&picture, 10).unwrap();
            near(found.aspect, f64::from(width) / f64::from(height));
            assert!(found.sharpness.is_finite() && found.edges.is_finite());
        }
    }
}
