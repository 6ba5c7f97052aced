//! Encodes a small picture with its boxes and maps, for embedding in a page.

use std::io::Cursor;
use std::sync::Arc;

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageFormat, RgbImage, RgbaImage};

use super::edit::EncodedPicture;
use super::fit::{Region, fit};
use super::letter::draw as draw_tags;
use super::map::{Layer, Pen};
use super::missing::MissingPicture;
use super::overlay::{Overlay, Unit, draw};
use super::source::Source;
use super::{Picture, PictureInfo, decode, load};

/// Maximum factor for enlarging small pictures.
const ENLARGE: f64 = 4.0;
/// Maximum line width of boxes in pixels.
const LINE: u32 = 2;
/// JPEG quality, 0 to 100.
const QUALITY: u8 = 82;
/// Side in pixels below which a thumbnail is not shrunk further.
const SMALLEST: u32 = 32;

/// Maximum size of a thumbnail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThumbnailBound {
    /// Longer side in pixels.
    pub side: u32,
    /// Length of the encoded picture in bytes.
    pub bytes: usize,
}

/// A small encoded picture, with the properties of its original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thumbnail {
    /// PNG or JPEG, whichever is smaller.
    pub encoded: EncodedPicture,
    /// Properties of the original picture.
    pub form: PictureInfo,
}

/// Returns an upright picture within a square of `bound` pixels, with maps and boxes drawn as on
/// screen. Maps and boxes are in stored coordinates.
///
/// # Errors
/// The picture is missing, outside its folders, too large or broken.
pub fn thumbnail(
    source: &Source,
    overlays: &[Overlay],
    layers: &[Arc<Layer>],
    bound: u32,
) -> Result<Thumbnail, MissingPicture> {
    let bound = ThumbnailBound {
        side: bound,
        bytes: usize::MAX,
    };
    thumbnail_within(source, overlays, layers, bound)
}

/// Like [`thumbnail`], but shrinks the picture until its encoding fits, down to a side of 32
/// pixels.
///
/// # Errors
/// As [`thumbnail`], or the smallest picture does not fit either.
pub fn thumbnail_within(
    source: &Source,
    overlays: &[Overlay],
    layers: &[Arc<Layer>],
    bound: ThumbnailBound,
) -> Result<Thumbnail, MissingPicture> {
    let picture = load(source)?;
    let broken = |why: &str| MissingPicture::Broken {
        name: source.name(),
        why: why.to_owned(),
    };
    let mut longest = bound.side;
    loop {
        let shown =
            drawn(&picture, overlays, layers, longest).ok_or_else(|| broken("no pixels"))?;
        let size = shown.dimensions();
        // Alpha can be dropped, because decoded pictures are opaque.
        let opaque = DynamicImage::ImageRgba8(shown).into_rgb8();
        let (bytes, mime) =
            smallest(&opaque, QUALITY).map_err(|error| broken(&error.to_string()))?;
        if bytes.len() <= bound.bytes {
            return Ok(Thumbnail {
                encoded: EncodedPicture { bytes, mime, size },
                form: picture.form,
            });
        }
        if longest <= SMALLEST {
            return Err(broken("too large even at the smallest size"));
        }
        longest = (longest * 3 / 4).max(SMALLEST);
    }
}

/// Sides in pixels and JPEG qualities of smaller copies, largest first.
const COPIES: [(u32, u8); 7] = [
    (256, 72),
    (224, 68),
    (192, 64),
    (160, 60),
    (128, 56),
    (96, 52),
    (72, 48),
];

impl EncodedPicture {
    /// Returns the largest copy of at most this many bytes. `None` if even the smallest copy is
    /// longer, or if the picture cannot be decoded.
    pub fn at_most(&self, bytes: usize) -> Option<Self> {
        let pixels = decode(&self.bytes, "thumbnail").ok()?.pixels;
        let encoded = |(side, quality): &(u32, u8)| copy(&pixels, *side, *quality);
        let is_longer = |one: &_| encoded(one).is_none_or(|copy| copy.bytes.len() > bytes);
        let fitting = COPIES.get(COPIES.partition_point(is_longer))?;
        encoded(fitting).filter(|copy| copy.bytes.len() <= bytes)
    }

    /// Returns a copy within a square of this many pixels; `None` if the picture cannot be decoded.
    pub fn within(&self, side: u32) -> Option<Self> {
        let pixels = decode(&self.bytes, "thumbnail").ok()?.pixels;
        copy(&pixels, side, QUALITY)
    }
}

/// Encodes a picture within a square. Never enlarges it.
fn copy(pixels: &RgbaImage, side: u32, quality: u8) -> Option<EncodedPicture> {
    let target = Region::WHOLE.fitted_size(pixels.dimensions(), (side, side), 1.0, 1.0);
    let small = DynamicImage::ImageRgba8(fit(pixels, Region::WHOLE, target)?).into_rgb8();
    let (bytes, mime) = smallest(&small, quality).ok()?;
    Some(EncodedPicture {
        bytes,
        mime,
        size: small.dimensions(),
    })
}

fn drawn(
    picture: &Picture,
    overlays: &[Overlay],
    layers: &[Arc<Layer>],
    bound: u32,
) -> Option<RgbaImage> {
    let (size, orientation) = (picture.form.size, picture.form.orientation);
    let target = Region::WHOLE.fitted_size(size, (bound, bound), 1.0, ENLARGE);
    let mut shown = fit(&picture.pixels, Region::WHOLE, target)?;
    for layer in layers {
        layer.lay(&mut shown, Region::WHOLE, orientation, Pen::OWN);
    }
    let upright = |overlay: &Overlay| Overlay {
        xyxy: overlay.upright(size, orientation),
        unit: Unit::Fraction,
        width: overlay.width.min(LINE),
        ..overlay.clone()
    };
    let overlays: Vec<Overlay> = overlays.iter().map(upright).collect();
    draw(&mut shown, Region::WHOLE, &overlays);
    draw_tags(&mut shown, Region::WHOLE, &overlays);
    Some(shown)
}

/// Encodes as PNG and as JPEG, and returns the smaller result. JPEG is usually smaller for
/// photographs, PNG for drawings.
fn smallest(picture: &RgbImage, quality: u8) -> image::ImageResult<(Vec<u8>, &'static str)> {
    let (mut png, mut jpeg) = (Vec::new(), Vec::new());
    picture.write_to(&mut Cursor::new(&mut png), ImageFormat::Png)?;
    JpegEncoder::new_with_quality(&mut jpeg, quality).encode_image(picture)?;
    Ok(if png.len() <= jpeg.len() {
        (png, "image/png")
    } else {
        (jpeg, "image/jpeg")
    })
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use image::Rgb;

    use super::*;
    use crate::Stroke;

    fn source(picture: &RgbImage) -> Source {
        let mut bytes = Vec::new();
        picture
            .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
            .unwrap();
        Source::Inline(STANDARD.encode(bytes))
    }

    fn frame() -> Overlay {
        Overlay {
            xyxy: [100.0, 100.0, 300.0, 300.0],
            unit: Unit::Pixel,
            color: [255, 0, 0],
            style: Stroke::Solid,
            width: 3,
            letter: None,
            number: None,
        }
    }

    #[test]
    fn it_is_a_picture_within_the_square_with_its_boxes() {
        let flat = RgbImage::from_pixel(400, 800, Rgb([20, 60, 20]));
        let small = thumbnail(&source(&flat), &[frame()], &[], 100).unwrap();
        assert_eq!(
            (small.encoded.size, small.encoded.mime),
            ((50, 100), "image/png"),
            "a drawing stays as it is"
        );
        assert_eq!(small.form.size, (400, 800));
        let pixels = decode(&small.encoded.bytes, "x").unwrap().pixels;
        assert_eq!(pixels.dimensions(), small.encoded.size);
        let is_red = |pixel: &image::Rgba<u8>| pixel[0] > 200;
        assert!(pixels.pixels().filter(|pixel| is_red(pixel)).count() > 40);
        assert!(!is_red(pixels.get_pixel(25, 90)));
    }

    #[test]
    fn a_photograph_becomes_a_jpeg_and_a_tiny_picture_grows_a_little() {
        let noise = RgbImage::from_fn(300, 200, |x, y| {
            let mixed = (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761);
            let [a, b, c, _] = (mixed ^ (mixed >> 15)).to_le_bytes();
            Rgb([a, b, c])
        });
        let small = thumbnail(&source(&noise), &[], &[], 240).unwrap();
        assert_eq!(
            (small.encoded.size, small.encoded.mime),
            ((240, 160), "image/jpeg")
        );
        let tiny = RgbImage::from_pixel(3, 2, Rgb([1, 2, 3]));
        let grown = thumbnail(&source(&tiny), &[], &[], 240).unwrap();
        assert_eq!(grown.encoded.size, (12, 8));
    }

    #[test]
    fn a_picture_is_made_smaller_until_its_bytes_fit() {
        let noise = RgbImage::from_fn(300, 200, |x, y| {
            let mixed = (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761);
            let [a, b, c, _] = (mixed ^ (mixed >> 15)).to_le_bytes();
            Rgb([a, b, c])
        });
        let within = |bytes| {
            let bound = ThumbnailBound { side: 240, bytes };
            thumbnail_within(&source(&noise), &[], &[], bound)
        };
        assert_eq!(within(usize::MAX).unwrap().encoded.size, (240, 160));
        let small = within(10_000).unwrap().encoded;
        assert!(small.bytes.len() <= 10_000, "{}", small.bytes.len());
        assert!(small.size.0 < 240 && small.size.0 > 32, "{:?}", small.size);
        assert!(within(10).is_err(), "no picture has ten bytes");
    }

    #[test]
    fn a_picture_that_is_not_there_is_a_sentence() {
        let away = Source::Url("https://example.org/a.png".to_owned());
        let error = thumbnail(&away, &[], &[], 240).unwrap_err();
        assert_eq!(
            error.to_string(),
            "https://example.org/a.png was not downloaded"
        );
    }
}
