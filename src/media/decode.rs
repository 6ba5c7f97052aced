//! Decodes pictures within limits.
//!
//! The format is detected by content, the size is checked before any pixel is decoded, and the result is upright and
//! opaque: transparency is blended with white, which charts and icons are drawn for and most model processors use.

use std::io::Cursor;

use image::error::ImageError;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, RgbaImage};

use super::missing::MissingPicture;

/// Maximum number of pixels.
const MAX_PIXELS: u64 = 64_000_000;
/// Maximum bytes that a decoder may allocate.
const MAX_DECODED: u64 = 256_000_000;
/// The supported formats, whatever other crates enable in `image`.
const FORMATS: [ImageFormat; 6] = [
    ImageFormat::Png,
    ImageFormat::Jpeg,
    ImageFormat::Gif,
    ImageFormat::WebP,
    ImageFormat::Bmp,
    ImageFormat::Pnm,
];

/// Decodes a picture; of an animation, the first frame. `name` is for errors only.
///
/// # Errors
/// [`MissingPicture::TooLarge`] or [`MissingPicture::Broken`].
pub fn decode(bytes: &[u8], name: &str) -> Result<RgbaImage, MissingPicture> {
    let picture = decode_raw(bytes, name)?;
    let has_alpha = picture.color().has_alpha();
    let mut pixels = picture.into_rgba8();
    if has_alpha {
        lay_on_white(&mut pixels);
    }
    Ok(pixels)
}

/// Decodes a picture upright without converting its values: 16 bits stay 16 bits, and transparency stays.
///
/// # Errors
/// As [`decode`].
pub(super) fn decode_raw(bytes: &[u8], name: &str) -> Result<DynamicImage, MissingPicture> {
    let fault = |error: ImageError| explain(&error, name);
    let mut decoder = decoder(bytes, name)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS || decoder.total_bytes() > MAX_DECODED {
        return Err(MissingPicture::TooLarge {
            name: name.to_owned(),
            size: format!(
                "{width} x {height} pixels, at most {} megapixels",
                MAX_PIXELS / 1_000_000
            ),
        });
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder).map_err(fault)?;
    picture.apply_orientation(orientation);
    if picture.width() == 0 || picture.height() == 0 {
        return Err(broken(name, "no pixels"));
    }
    Ok(picture)
}

fn decoder<'a>(bytes: &'a [u8], name: &str) -> Result<impl ImageDecoder + 'a, MissingPicture> {
    if bytes.is_empty() {
        return Err(broken(name, "no bytes"));
    }
    let format = image::guess_format(bytes)
        .ok()
        .filter(|format| FORMATS.contains(format));
    let Some(format) = format else {
        return Err(broken(name, "not a PNG, JPEG, GIF, WebP, BMP or PNM file"));
    };
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODED);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    reader.into_decoder().map_err(|error| explain(&error, name))
}

fn explain(error: &ImageError, name: &str) -> MissingPicture {
    match error {
        ImageError::Limits(_) => MissingPicture::TooLarge {
            name: name.to_owned(),
            size: format!("more than {} MB to decode", MAX_DECODED / 1_000_000),
        },
        other => broken(
            name,
            other
                .to_string()
                .lines()
                .next()
                .unwrap_or("no reason given"),
        ),
    }
}

fn broken(name: &str, why: &str) -> MissingPicture {
    MissingPicture::Broken {
        name: name.to_owned(),
        why: why.to_owned(),
    }
}

fn lay_on_white(pixels: &mut RgbaImage) {
    for pixel in pixels.pixels_mut() {
        let [color @ .., alpha] = &mut pixel.0;
        let cover = u16::from(*alpha);
        for channel in color {
            let mixed = (u16::from(*channel) * cover + 255 * (255 - cover) + 127) / 255;
            *channel = u8::try_from(mixed).unwrap_or(u8::MAX);
        }
        *alpha = u8::MAX;
    }
}

#[cfg(test)]
mod tests {
    use image::Rgba;
    use proptest::prelude::*;

    use super::*;

    fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn sample() -> DynamicImage {
        let pixel =
            |x: u32, y: u32| Rgba([x.to_le_bytes()[0] * 16, y.to_le_bytes()[0] * 16, 7, 255]);
        DynamicImage::ImageRgba8(RgbaImage::from_fn(12, 9, pixel))
    }

    #[test]
    fn lossless_formats_come_back_as_they_were() {
        for format in [ImageFormat::Png, ImageFormat::WebP, ImageFormat::Bmp] {
            let decoded = decode(&encoded(&sample(), format), "a").unwrap();
            assert_eq!(decoded, sample().into_rgba8(), "{format:?}");
        }
        let opaque = DynamicImage::ImageRgb8(sample().into_rgb8());
        for format in [ImageFormat::Pnm, ImageFormat::Jpeg, ImageFormat::Gif] {
            let decoded = decode(&encoded(&opaque, format), "a").unwrap();
            assert_eq!(decoded.dimensions(), (12, 9), "{format:?}");
        }
    }

    #[test]
    fn transparency_lies_on_white() {
        let mut picture = RgbaImage::from_pixel(2, 1, Rgba([0, 0, 0, 0]));
        picture.put_pixel(1, 0, Rgba([255, 0, 0, 128]));
        let bytes = encoded(&DynamicImage::ImageRgba8(picture), ImageFormat::Png);
        let decoded = decode(&bytes, "a").unwrap();
        assert_eq!(decoded.get_pixel(0, 0), &Rgba([255, 255, 255, 255]));
        assert_eq!(decoded.get_pixel(1, 0), &Rgba([255, 127, 127, 255]));
    }

    #[test]
    fn a_picture_that_lies_on_its_side_is_set_upright() {
        let mut jpeg = encoded(
            &DynamicImage::ImageRgb8(sample().into_rgb8()),
            ImageFormat::Jpeg,
        );
        // One EXIF entry: orientation 6, to be turned by 90 degrees.
        let exif = b"\xff\xe1\x00\x22Exif\0\0MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00";
        jpeg.splice(2..2, exif.iter().copied());
        assert_eq!(decode(&jpeg, "a").unwrap().dimensions(), (9, 12));
    }

    /// A PNG is believed only after its checksum, which is therefore right here.
    fn png_that_declares(width: u32, height: u32) -> Vec<u8> {
        let mut head = b"IHDR".to_vec();
        head.extend(width.to_be_bytes());
        head.extend(height.to_be_bytes());
        head.extend([8, 6, 0, 0, 0]);
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
        png.extend(&head);
        png.extend(checksum(&head).to_be_bytes());
        png.extend(b"\0\0\0\0IDAT\x35\xaf\x06\x1e");
        png
    }

    fn checksum(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0_u32, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
                (sum >> 1) ^ (0xEDB8_8320 * (sum & 1))
            })
        })
    }

    #[test]
    fn a_picture_that_claims_to_be_huge_is_not_believed() {
        for (width, height) in [
            (100_000, 100_000),
            (64_000_001, 1),
            (u32::MAX >> 1, u32::MAX >> 1),
        ] {
            let error = decode(&png_that_declares(width, height), "a.png").unwrap_err();
            assert!(matches!(error, MissingPicture::TooLarge { .. }), "{error}");
        }
        let pixmap = b"P6 100000 100000 255\n123";
        assert!(matches!(
            decode(pixmap, "a"),
            Err(MissingPicture::TooLarge { .. })
        ));
    }

    #[test]
    fn half_a_file_is_broken() {
        for format in [ImageFormat::Png, ImageFormat::WebP, ImageFormat::Bmp] {
            let bytes = encoded(&sample(), format);
            let error = decode(&bytes[..bytes.len() / 2], "a").unwrap_err();
            assert!(
                matches!(error, MissingPicture::Broken { .. }),
                "{format:?}: {error}"
            );
        }
    }

    #[test]
    fn other_files_are_named_as_such() {
        let error = decode(b"<svg xmlns=''/>", "a.svg").unwrap_err();
        let sentence = "a.svg cannot be decoded: not a PNG, JPEG, GIF, WebP, BMP or PNM file";
        assert_eq!(error.to_string(), sentence);
    }

    proptest! {
        #[test]
        fn broken_files_never_panic(
            which in 0_usize..FORMATS.len(),
            keep in 0.0..1.0_f64,
            flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        ) {
            let picture = DynamicImage::ImageRgb8(sample().into_rgb8());
            let mut bytes = encoded(&picture, FORMATS[which]);
            for (at, value) in flips {
                let at = at.index(bytes.len());
                bytes[at] = value;
            }
            bytes.truncate(bytes.len() - (bytes.len() as f64 * keep * keep) as usize);
            drop(decode(&bytes, "a"));
        }

        #[test]
        fn random_bytes_never_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..400), which in 0_usize..5) {
            let heads: [&[u8]; 5] = [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"P6 "];
            bytes.splice(0..0, heads[which].iter().copied());
            drop(decode(&bytes, "a"));
        }
    }
}
