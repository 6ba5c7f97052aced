//! Applies edits to the pixels of an upright picture.

use image::{RgbaImage, imageops};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

use super::edit::{BLANK, Edit};
use super::fit::{Region, fit};
use super::overlay::{Overlay, Unit, draw};

/// Gaussian noise around zero, drawn separately for each colour channel of each pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Standard deviation, in grey levels (0 to 255).
    pub sigma: f64,
    /// Seed of the random numbers; equal seeds give equal noise.
    pub seed: u64,
}

impl Edit {
    /// Returns true if a JPEG with this edit may be written as JPEG again. Drawn lines, blanks and
    /// noise need exact pixels.
    pub(super) const fn keeps_jpeg(&self) -> bool {
        matches!(
            self,
            Self::Turn(_) | Self::Zoom(_) | Self::Mirror | Self::Crop(_) | Self::Shrink(_)
        )
    }

    pub(super) fn apply(&self, mut picture: RgbaImage) -> RgbaImage {
        let size = picture.dimensions();
        match self {
            Self::Turn(turn) => turn.pixels(picture),
            Self::Blank => RgbaImage::from_pixel(size.0, size.1, BLANK),
            Self::Zoom(region) => fit(&picture, *region, size).unwrap_or(picture),
            Self::Boxes(boxes) => {
                let placed = boxes.iter().map(|known| Overlay {
                    xyxy: known.fractions(size),
                    unit: Unit::Fraction,
                    ..known.clone()
                });
                draw(&mut picture, Region::WHOLE, &placed.collect::<Vec<_>>());
                picture
            }
            Self::Mirror => imageops::flip_horizontal(&picture),
            Self::Crop(region) => {
                let [x, y, width, height] = region.whole_pixels(size);
                imageops::crop_imm(&picture, x, y, width, height).to_image()
            }
            Self::Mask(region) => {
                let [x, y, width, height] = region.whole_pixels(size);
                let blank = RgbaImage::from_pixel(width, height, BLANK);
                imageops::replace(&mut picture, &blank, x.into(), y.into());
                picture
            }
            Self::Shrink(share) => {
                fit(&picture, Region::WHOLE, shrunk(size, *share)).unwrap_or(picture)
            }
            Self::Noise(noise) => noise.added(picture),
        }
    }
}

/// Returns width and height times `share`, at least one pixel each.
pub fn shrunk((width, height): (u32, u32), share: f64) -> (u32, u32) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 1 and the side"
    )]
    let side = |side: u32| {
        (f64::from(side) * share)
            .round()
            .clamp(1.0, f64::from(side.max(1))) as u32
    };
    (side(width), side(height))
}

impl Noise {
    /// Adds the noise to a picture.
    ///
    /// Source: G. E. P. Box and M. E. Muller, "A note on the generation of random normal deviates"
    /// (1958).
    fn added(self, mut picture: RgbaImage) -> RgbaImage {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut uniform = || {
            #[expect(clippy::cast_precision_loss, reason = "53 bits")]
            let share = ((random.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
            share
        };
        let mut spare = None;
        let mut normal = || {
            if let Some(spare) = spare.take() {
                return spare;
            }
            let (radius, angle) = ((-2.0 * uniform().ln()).sqrt(), uniform());
            let (sine, cosine) = (std::f64::consts::TAU * angle).sin_cos();
            spare = Some(radius * sine);
            radius * cosine
        };
        for pixel in picture.pixels_mut() {
            for channel in pixel.0.iter_mut().take(3) {
                let value = f64::from(*channel) + self.sigma * normal();
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "clamped"
                )]
                let value = value.round().clamp(0.0, 255.0) as u8;
                *channel = value;
            }
        }
        picture
    }
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;

    /// A picture in which red and green of each pixel encode its column and row.
    fn picture() -> RgbaImage {
        RgbaImage::from_fn(8, 4, |x, y| Rgba([x as u8 * 10, y as u8 * 10, 0, 255]))
    }

    #[test]
    fn a_crop_keeps_its_pixels_and_a_mask_covers_them() {
        let region = Region::new([0.25, 0.5, 0.75, 1.0]);
        let cut = Edit::Crop(region).apply(picture());
        assert_eq!(cut.dimensions(), (4, 2));
        assert_eq!(cut.get_pixel(0, 0), picture().get_pixel(2, 2));
        let masked = Edit::Mask(region).apply(picture());
        for (x, y, pixel) in masked.enumerate_pixels() {
            let is_in = (2..6).contains(&x) && y >= 2;
            let before = *picture().get_pixel(x, y);
            assert_eq!(*pixel, if is_in { BLANK } else { before }, "{x} {y}");
        }
    }

    #[test]
    fn a_mirrored_picture_is_the_same_again_when_mirrored_twice() {
        let once = Edit::Mirror.apply(picture());
        assert_eq!(once.get_pixel(0, 1), picture().get_pixel(7, 1));
        assert_eq!(Edit::Mirror.apply(once), picture());
    }

    #[test]
    fn a_shrunk_picture_has_a_share_of_the_sides_and_at_least_a_pixel() {
        assert_eq!(Edit::Shrink(0.5).apply(picture()).dimensions(), (4, 2));
        assert_eq!(Edit::Shrink(0.001).apply(picture()).dimensions(), (1, 1));
        assert_eq!(Edit::Shrink(1.0).apply(picture()), picture());
    }

    #[test]
    fn noise_is_that_of_its_seed_and_as_strong_as_it_says() {
        let grey = RgbaImage::from_pixel(64, 64, BLANK);
        let noisy = |seed| Edit::Noise(Noise { sigma: 20.0, seed }).apply(grey.clone());
        assert_eq!(noisy(1), noisy(1));
        assert_ne!(noisy(1), noisy(2));
        let parts = noisy(3);
        let parts = parts
            .pixels()
            .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]);
        let off: Vec<f64> = parts.map(|value| f64::from(value) - 127.0).collect();
        let n = off.len() as f64;
        let mean = off.iter().sum::<f64>() / n;
        let sigma = (off.iter().map(|off| (off - mean).powi(2)).sum::<f64>() / n).sqrt();
        assert!(
            mean.abs() < 1.0 && (sigma - 20.0).abs() < 1.0,
            "{mean} {sigma}"
        );
        assert!(noisy(1).pixels().all(|pixel| pixel[3] == 255));
    }
}
