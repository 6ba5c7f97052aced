//! Limits of the pictures that a server accepts, and encoding of pictures within these limits.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::error::ImageResult;
use image::{DynamicImage, ImageEncoder as _, RgbImage, RgbaImage};

use super::fit::{Region, fit};

/// Default quality of encoded JPEGs, at which differences are invisible.
const QUALITY: u8 = 95;
/// Divisor. The byte limit divided by it is the maximum size of a colour profile.
const PROFILE: u64 = 8;

/// Text of a label before the sizes of a downscaled picture.
pub const SCALED: &str = "scaled from";

pub(super) const PNG: &str = "image/png";
pub(super) const JPEG: &str = "image/jpeg";

/// Limits of pictures that are sent; `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureLimits {
    /// Maximum length of the longer side, in pixels.
    pub max_side: Option<u32>,
    /// Maximum number of pixels.
    pub max_pixels: Option<u64>,
    /// Maximum size of the file in bytes, before base64 encoding.
    pub max_bytes: Option<u64>,
    /// Quality of encoded JPEGs, 1 to 100; default 95.
    pub quality: Option<u8>,
}

impl PictureLimits {
    /// Takes limits that are not set from `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            max_side: self.max_side.or(other.max_side),
            max_pixels: self.max_pixels.or(other.max_pixels),
            max_bytes: self.max_bytes.or(other.max_bytes),
            quality: self.quality.or(other.quality),
        }
    }

    /// Returns the largest size within the limits of sides and pixels, with the same aspect ratio.
    /// It has at least one pixel per side and is never enlarged.
    pub fn size(&self, (width, height): (u32, u32)) -> (u32, u32) {
        let (wide, high) = (f64::from(width.max(1)), f64::from(height.max(1)));
        let side = (self.max_side).map_or(1.0, |most| f64::from(most) / wide.max(high));
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let area = (self.max_pixels).map_or(1.0, |most| (most as f64 / (wide * high)).sqrt());
        let share = side.min(area);
        if share >= 1.0 {
            return (width, height);
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 1 and the side"
        )]
        // Rounded down, so that no limit is exceeded.
        let scaled = |side: f64| (side * share + 1e-9).floor().max(1.0) as u32;
        let most = u32::try_from(self.max_pixels.unwrap_or(u64::MAX).max(1)).unwrap_or(u32::MAX);
        match (scaled(wide), scaled(high)) {
            // The other side was raised to one pixel.
            (width, 1) => (width.min(most), 1),
            (1, height) => (1, height.min(most)),
            scaled => scaled,
        }
    }

    /// Returns true if a picture of this size and number of bytes is within the limits.
    pub(super) fn hold(&self, size: (u32, u32), bytes: usize) -> bool {
        self.size(size) == size && self.max_bytes.is_none_or(|most| bytes as u64 <= most)
    }

    /// Returns the format for re-encoding a JPEG.
    pub(super) fn jpeg(&self) -> Written {
        Written::Jpeg(self.quality.unwrap_or(QUALITY).clamp(1, 100))
    }

    /// Encodes a picture within the limits. First scales it, then uses JPEG if a PNG has too many
    /// bytes, then scales it further until it fits.
    pub(super) fn encoded(
        &self,
        pixels: RgbaImage,
        mut format: Written,
        profile: Option<&[u8]>,
    ) -> ImageResult<Encoded> {
        let before = pixels.dimensions();
        let most = self.max_bytes.unwrap_or(u64::MAX);
        let profile = profile.filter(|profile| profile.len() as u64 <= most / PROFILE);
        // Alpha can be dropped, because decoded pictures are opaque.
        let mut opaque = DynamicImage::ImageRgba8(scaled(pixels, self.size(before))).into_rgb8();
        loop {
            let mut bytes = Vec::new();
            let mime = format.write(&opaque, profile, &mut bytes)?;
            let size = opaque.dimensions();
            if bytes.len() as u64 <= most || size == (1, 1) {
                // Free unused memory, because the bytes are kept until they are sent.
                bytes.shrink_to_fit();
                return Ok(Encoded {
                    bytes,
                    mime,
                    size,
                    how: PictureEncoding {
                        format: Some(format),
                        scaled: (size != before).then_some([before, size]),
                        is_first_frame: false,
                    },
                });
            }
            if format == Written::Png {
                format = self.jpeg();
                continue;
            }
            let pixels = u64::from(size.0) * u64::from(size.1);
            let fewer = pixels.saturating_mul(most) / (bytes.len() as u64).max(1);
            let smaller = Self {
                max_pixels: Some(fewer.min(pixels * 9 / 10)),
                ..Self::default()
            };
            let again = DynamicImage::ImageRgb8(opaque).into_rgba8();
            opaque = DynamicImage::ImageRgba8(scaled(again, smaller.size(size))).into_rgb8();
        }
    }
}

fn scaled(pixels: RgbaImage, size: (u32, u32)) -> RgbaImage {
    if pixels.dimensions() == size {
        return pixels;
    }
    fit(&pixels, Region::WHOLE, size).unwrap_or(pixels)
}

/// An encoded picture, and how it was encoded.
pub(super) struct Encoded {
    pub(super) bytes: Vec<u8>,
    pub(super) mime: &'static str,
    pub(super) size: (u32, u32),
    pub(super) how: PictureEncoding,
}

/// Format of an encoded picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// PNG, with exact pixels.
    Png,
    /// JPEG of this quality; pixels differ slightly.
    Jpeg(u8),
}

impl Written {
    /// Encodes pixels into `bytes`, with the file's colour profile. Returns the media type.
    pub(super) fn write(
        self,
        pixels: &RgbImage,
        profile: Option<&[u8]>,
        bytes: &mut Vec<u8>,
    ) -> ImageResult<&'static str> {
        let profile = profile.map(<[u8]>::to_vec).unwrap_or_default();
        match self {
            Self::Png => {
                let mut encoder = PngEncoder::new(bytes);
                // PNG and JPEG both support profiles.
                let _ = encoder.set_icc_profile(profile);
                pixels.write_with_encoder(encoder).map(|()| PNG)
            }
            Self::Jpeg(quality) => {
                let mut encoder = JpegEncoder::new_with_quality(bytes, quality);
                let _ = encoder.set_icc_profile(profile);
                pixels.write_with_encoder(encoder).map(|()| JPEG)
            }
        }
    }
}

/// How an encoded picture was made. The default means the file's own bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureEncoding {
    /// Format of the re-encoded picture; `None` for the file's own bytes.
    format: Option<Written>,
    /// Width and height in pixels, before and after downscaling; `None` if not downscaled.
    scaled: Option<[(u32, u32); 2]>,
    /// True if the picture is the first frame of an animation.
    pub(super) is_first_frame: bool,
}

impl PictureEncoding {
    /// Returns true if the picture consists of the file's own bytes.
    pub const fn is_unchanged(self) -> bool {
        self.format.is_none()
    }

    /// Returns a label for records, with [`SCALED`] if the picture was downscaled. `None` if the
    /// file is unchanged.
    pub fn words(self) -> Option<String> {
        let mut format = match self.format? {
            Written::Png => "PNG".to_owned(),
            Written::Jpeg(quality) => format!("JPEG of quality {quality}"),
        };
        if self.is_first_frame {
            format.push_str(" of the first frame");
        }
        let Some([before, after]) = self.scaled else {
            return Some(format);
        };
        let size = |(width, height): (u32, u32)| format!("{width} x {height}");
        let (before, after) = (size(before), size(after));
        Some(format!("{format}, {SCALED} {before} to {after}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{decode, decode_stored};
    use crate::testing::{jpeg_that_lies, profile};
    use crate::{OpenedPicture, Source};

    fn limits(max_side: u32) -> PictureLimits {
        PictureLimits {
            max_side: Some(max_side),
            ..PictureLimits::default()
        }
    }

    fn inline(bytes: &[u8]) -> Source {
        use base64::Engine as _;
        Source::Inline(base64::engine::general_purpose::STANDARD.encode(bytes))
    }

    /// Encodes a file within limits; returns bytes, media type, size and label.
    fn sent(
        bytes: &[u8],
        limits: PictureLimits,
    ) -> (Vec<u8>, &'static str, (u32, u32), Option<String>) {
        let opened = OpenedPicture::new(&inline(bytes)).unwrap().within(limits);
        let (encoded, how) = opened.encoded(&[], false).unwrap();
        (encoded.bytes, encoded.mime, encoded.size, how.words())
    }

    /// Noise, which compresses badly.
    fn noise(width: u32, height: u32) -> RgbImage {
        RgbImage::from_fn(width, height, |x, y| {
            let mixed = (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761);
            let [a, b, c, _] = (mixed ^ (mixed >> 15)).to_le_bytes();
            image::Rgb([a, b, c])
        })
    }

    fn png(pixels: &RgbImage) -> Vec<u8> {
        let mut bytes = Vec::new();
        Written::Png.write(pixels, None, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn a_size_keeps_its_shape_and_every_limit() {
        assert_eq!(limits(2000).size((4000, 3000)), (2000, 1500));
        assert_eq!(limits(2000).size((3000, 4000)), (1500, 2000));
        assert_eq!(limits(2000).size((2000, 7)), (2000, 7));
        assert_eq!(limits(100).size((10_000, 3)), (100, 1));
        let pixels = PictureLimits {
            max_pixels: Some(1_000_000),
            ..PictureLimits::default()
        };
        // sqrt(1e6 / 12e6) is .288675: 1154.7 x 866.03.
        assert_eq!(pixels.size((4000, 3000)), (1154, 866));
        assert_eq!(pixels.or(limits(800)).size((4000, 3000)), (800, 600));
        let few = PictureLimits {
            max_pixels: Some(100),
            ..PictureLimits::default()
        };
        assert_eq!(few.size((10_000, 1)), (100, 1));
        assert_eq!(few.size((2, 10_000)), (1, 100));
        assert_eq!(limits(800).or(limits(9)), limits(800));
    }

    #[test]
    fn a_file_within_its_limits_is_not_touched() {
        let file = png(&noise(40, 30));
        let bytes = Some(file.len() as u64);
        let all = PictureLimits {
            max_pixels: Some(1200),
            max_bytes: bytes,
            quality: Some(50),
            ..limits(40)
        };
        assert_eq!(sent(&file, all), (file.clone(), PNG, (40, 30), None));
    }

    #[test]
    fn what_is_too_large_is_scaled_and_says_so() {
        let (bytes, mime, size, words) = sent(&png(&noise(40, 30)), limits(20));
        assert_eq!((mime, size), (PNG, (20, 15)));
        assert_eq!(decode(&bytes, "a").unwrap().pixels.dimensions(), size);
        assert_eq!(words.unwrap(), "PNG, scaled from 40 x 30 to 20 x 15");
        // The EXIF orientation rotates the picture, so the sides are those of the upright picture.
        let lying = jpeg_that_lies(&noise(40, 30), 6);
        let small = PictureLimits {
            quality: Some(70),
            ..limits(20)
        };
        let (bytes, mime, size, words) = sent(&lying, small);
        assert_eq!((mime, size), (JPEG, (15, 20)));
        assert_eq!(image::guess_format(&bytes).unwrap().to_mime_type(), mime);
        let words = words.unwrap();
        assert_eq!(words, "JPEG of quality 70, scaled from 30 x 40 to 15 x 20");
    }

    #[test]
    fn too_many_bytes_make_a_jpeg_and_then_a_smaller_one() {
        let file = png(&noise(100, 100));
        let most = |bytes: u64| PictureLimits {
            max_bytes: Some(bytes),
            quality: Some(60),
            ..PictureLimits::default()
        };
        let (bytes, mime, size, _) = sent(&file, most(file.len() as u64 - 1));
        assert_eq!((mime, size), (JPEG, (100, 100)));
        let less = bytes.len() as u64 / 2;
        let (bytes, mime, size, words) = sent(&file, most(less));
        assert!(bytes.len() as u64 <= less && mime == JPEG);
        assert!(size.0 == size.1 && (20..100).contains(&size.0), "{size:?}");
        assert!(words.unwrap().contains("scaled from 100 x 100 to"));
        // A limit that is too small for any picture gives one pixel.
        assert_eq!(sent(&file, most(1)).2, (1, 1));
    }

    #[test]
    fn the_colour_profile_stays() {
        let known = profile(b"RGB ");
        for format in [Written::Png, Written::Jpeg(90)] {
            let mut file = Vec::new();
            format
                .write(&noise(40, 30), Some(&known), &mut file)
                .unwrap();
            let (bytes, ..) = sent(&file, limits(20));
            let found = decode_stored(&bytes, "a").unwrap().profile;
            assert_eq!(found.as_ref(), Some(&known), "{format:?}");
        }
        // A profile for grey values does not fit the written RGB colours.
        let mut file = Vec::new();
        let grey = profile(b"GRAY");
        Written::Png
            .write(&noise(40, 30), Some(&grey), &mut file)
            .unwrap();
        let (bytes, ..) = sent(&file, limits(20));
        assert_eq!(decode_stored(&bytes, "a").unwrap().profile, None);
    }
}
