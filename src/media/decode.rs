//! Decodes pictures within size limits.
//!
//! The format is detected from the content, and the size is checked before any pixel is decoded.
//! The result is upright and opaque. Transparency is blended with white, as most model processors
//! do. A damaged file is decoded as far as possible, with a description of the damage.

use std::io::Cursor;

use base::limits::Limit;
use image::error::ImageError;
use image::metadata::Orientation as Exif;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, RgbaImage};

use super::budget::{MemoryReservation, hold};
use super::missing::MissingPicture;
use super::orientation::Orientation;
use super::other_format;
use super::salvage::Salvage;
use super::whole::{damage, is_whole_png};

/// The supported formats. The list also holds if other crates enable more formats in `image`.
const FORMATS: [ImageFormat; 6] = [
    ImageFormat::Png,
    ImageFormat::Jpeg,
    ImageFormat::Gif,
    ImageFormat::WebP,
    ImageFormat::Bmp,
    ImageFormat::Pnm,
];

/// A decoded picture, upright and opaque.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedPicture {
    /// The pixels, 8 bits per channel.
    pub pixels: RgbaImage,
    /// How the stored pixels were turned upright.
    pub orientation: Orientation,
    /// Description of the damage, if the file could be read only in part.
    pub damage: Option<String>,
    /// The file's ICC profile for the RGB values of the pixels; `None` if it has none.
    pub profile: Option<Vec<u8>>,
}

/// Decodes a picture, or the first frame of an animation. `name` is used in errors.
///
/// # Errors
/// [`MissingPicture::TooLarge`], or [`MissingPicture::Broken`] if no pixel can be read.
pub fn decode(bytes: &[u8], name: &str) -> Result<DecodedPicture, MissingPicture> {
    let StoredPicture {
        mut picture,
        exif,
        damage,
        profile,
    } = decode_stored(bytes, name)?;
    picture.apply_orientation(exif);
    let has_alpha = picture.color().has_alpha();
    let mut pixels = picture.into_rgba8();
    if has_alpha {
        lay_on_white(&mut pixels);
    }
    Ok(DecodedPicture {
        pixels,
        orientation: Orientation::of(exif),
        damage,
        profile,
    })
}

/// Like [`decode`], but first waits until the memory fits into the shared budget.
///
/// The [`MemoryReservation`] keeps the memory reserved. `times` is the memory needed, as a multiple
/// of the memory for decoding and editing once. Do not call this while holding a reservation.
///
/// # Errors
/// Same as [`decode`].
pub fn decode_in_turn(
    bytes: &[u8],
    name: &str,
    times: u64,
) -> Result<(DecodedPicture, MemoryReservation<'static>), MissingPicture> {
    let held = hold(work_of(bytes, name)?.saturating_mul(times));
    Ok((decode(bytes, name)?, held))
}

/// A picture as stored in its file.
pub(super) struct StoredPicture {
    /// The pixels, with 16 bits and transparency if the file has them.
    pub(super) picture: DynamicImage,
    /// The EXIF orientation.
    pub(super) exif: Exif,
    /// Description of the damage, if there is any.
    pub(super) damage: Option<String>,
    /// The ICC profile for RGB colours; `None` if the file has none.
    pub(super) profile: Option<Vec<u8>>,
}

/// Decodes a picture without turning it upright or converting its values.
///
/// # Errors
/// Same as [`decode`].
pub(super) fn decode_stored(bytes: &[u8], name: &str) -> Result<StoredPicture, MissingPicture> {
    let (format, mut decoder) = decoder(bytes, name)?;
    bounded(&decoder, name)?;
    let exif = decoder.orientation().unwrap_or(Exif::NoTransforms);
    let profile = decoder.icc_profile().ok().flatten();
    let mut fault = None;
    let read = DynamicImage::from_decoder(Salvage::new(decoder, format, &mut fault));
    let picture = read.map_err(|error| explain(&error, name))?;
    if picture.width() == 0 || picture.height() == 0 {
        return Err(broken(name, "no pixels"));
    }
    Ok(StoredPicture {
        picture,
        exif,
        damage: fault.or_else(|| damage(format, bytes)),
        // Pixels with a profile of another kind were converted to plain RGB.
        profile: profile.filter(|profile| profile.get(16..20) == Some(b"RGB ")),
    })
}

/// Returns the damage of a readable picture whose header was already checked ([`stored_size`]).
/// Returns `None` if it is intact. A PNG with correct checksums is not decoded.
///
/// # Errors
/// Same as [`decode`].
pub(super) fn damage_of(bytes: &[u8], name: &str) -> Result<Option<String>, MissingPicture> {
    if is_whole_png(bytes) {
        return Ok(None);
    }
    let _held = hold(work_of(bytes, name)?);
    Ok(decode_stored(bytes, name)?.damage)
}

/// Bytes per pixel of an edited picture.
const EDITED: u64 = 4;

/// Returns the maximum memory in bytes for decoding and editing a picture, without the file itself.
/// Reads only the header.
///
/// # Errors
/// The header is unreadable or exceeds a limit.
pub(super) fn work_of(bytes: &[u8], name: &str) -> Result<u64, MissingPicture> {
    let (_, decoder) = decoder(bytes, name)?;
    let (width, height) = decoder.dimensions();
    let edited = u64::from(width) * u64::from(height) * EDITED;
    // Rotating, converting and editing need a second copy.
    Ok(decoder.total_bytes().max(edited).saturating_mul(2))
}

/// Returns the stored width and height and the orientation, without decoding pixels.
///
/// # Errors
/// The header is unreadable or exceeds a limit.
pub fn stored_size(bytes: &[u8], name: &str) -> Result<((u32, u32), Orientation), MissingPicture> {
    let (_, mut decoder) = decoder(bytes, name)?;
    bounded(&decoder, name)?;
    let exif = decoder.orientation().unwrap_or(Exif::NoTransforms);
    Ok((decoder.dimensions(), Orientation::of(exif)))
}

/// Fails if a side, the pixel count or the byte count in the header exceeds its limit.
fn bounded(decoder: &impl ImageDecoder, name: &str) -> Result<(), MissingPicture> {
    let (width, height) = decoder.dimensions();
    let sizes = [
        (Limit::PictureSide, u64::from(width.max(height))),
        (Limit::PicturePixels, u64::from(width) * u64::from(height)),
        (Limit::PictureDecoded, decoder.total_bytes()),
    ];
    match sizes.iter().find(|(limit, size)| *size > limit.get()) {
        None => Ok(()),
        Some((limit, _)) => Err(MissingPicture::TooLarge {
            name: name.to_owned(),
            size: format!("{width} x {height} pixels, {}", limit.message()),
        }),
    }
}

fn decoder<'a>(
    bytes: &'a [u8],
    name: &str,
) -> Result<(ImageFormat, impl ImageDecoder + 'a), MissingPicture> {
    if bytes.is_empty() {
        return Err(broken(name, "no bytes"));
    }
    let format = image::guess_format(bytes)
        .ok()
        .filter(|format| FORMATS.contains(format));
    let Some(format) = format else {
        const SUPPORTED: &str = "PNG, JPEG, GIF, WebP, BMP or PNM";
        let why = other_format::name(bytes).map_or_else(
            || format!("not a {SUPPORTED} file"),
            |other| format!("{other} is not supported; convert it to {SUPPORTED}"),
        );
        return Err(broken(name, &why));
    };
    let mut bounds = image::Limits::default();
    bounds.max_alloc = Some(Limit::PictureDecoded.get());
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(bounds);
    let decoder = reader
        .into_decoder()
        .map_err(|error| explain(&error, name))?;
    Ok((format, decoder))
}

/// Returns the reason why a decoder failed.
pub(super) fn explain(error: &ImageError, name: &str) -> MissingPicture {
    match error {
        ImageError::Limits(_) => MissingPicture::TooLarge {
            name: name.to_owned(),
            size: Limit::PictureDecoded.message(),
        },
        other => broken(name, &first_line(other)),
    }
}

/// Returns the first line of a decoder's message.
pub(super) fn first_line(error: &ImageError) -> String {
    let words = error.to_string();
    words.lines().next().unwrap_or("no reason given").to_owned()
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
    use crate::testing::jpeg_that_lies;

    fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    /// Returns a picture of noise, which compresses badly in every format.
    fn large() -> image::RgbImage {
        image::RgbImage::from_fn(64, 64, |x, y| {
            let mixed = (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761);
            let [a, b, c, _] = (mixed ^ (mixed >> 15)).to_le_bytes();
            image::Rgb([a, b, c])
        })
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
            assert_eq!(decoded.damage, None);
            assert_eq!(decoded.pixels, sample().into_rgba8(), "{format:?}");
        }
        let opaque = DynamicImage::ImageRgb8(sample().into_rgb8());
        for format in [ImageFormat::Pnm, ImageFormat::Jpeg, ImageFormat::Gif] {
            let decoded = decode(&encoded(&opaque, format), "a").unwrap();
            assert_eq!(decoded.damage, None, "{format:?}");
            assert_eq!(decoded.pixels.dimensions(), (12, 9), "{format:?}");
        }
    }

    #[test]
    fn transparency_lies_on_white() {
        let mut picture = RgbaImage::from_pixel(2, 1, Rgba([0, 0, 0, 0]));
        picture.put_pixel(1, 0, Rgba([255, 0, 0, 128]));
        let bytes = encoded(&DynamicImage::ImageRgba8(picture), ImageFormat::Png);
        let decoded = decode(&bytes, "a").unwrap().pixels;
        assert_eq!(decoded.get_pixel(0, 0), &Rgba([255, 255, 255, 255]));
        assert_eq!(decoded.get_pixel(1, 0), &Rgba([255, 127, 127, 255]));
    }

    #[test]
    fn a_picture_is_set_upright_and_says_how() {
        for code in 1..=8 {
            let bytes = jpeg_that_lies(&sample().into_rgb8(), code);
            let decoded = decode(&bytes, "a").unwrap();
            let orientation = Orientation::of(Exif::from_exif(code).unwrap());
            assert_eq!(decoded.orientation, orientation);
            assert_eq!(decoded.pixels.dimensions(), orientation.size((12, 9)));
            assert_eq!(
                stored_size(&bytes, "a").unwrap(),
                ((12, 9), orientation),
                "{code}"
            );
        }
    }

    /// Returns a PNG header with this size. Its checksum is correct, because decoders reject
    /// others.
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
            (64_000_000, 1),
            (1, 65_536),
            (8_001, 8_000),
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

    /// Decodes the first `at` bytes of a file.
    fn cut(bytes: &[u8], at: usize) -> Result<DecodedPicture, MissingPicture> {
        decode(&bytes[..at], "a")
    }

    #[test]
    fn a_file_that_is_cut_anywhere_is_never_shown_as_whole() {
        let picture = DynamicImage::ImageRgb8(large());
        for format in FORMATS {
            let bytes = encoded(&picture, format);
            let whole = decode(&bytes, "a").unwrap();
            assert_eq!(whole.damage, None, "{format:?}");
            let mut salvaged = 0;
            for at in (1..bytes.len()).step_by(bytes.len() / 97 + 1) {
                match cut(&bytes, at) {
                    Ok(part) => {
                        let same = part.pixels == whole.pixels;
                        assert!(part.damage.is_some() || same, "{format:?} at {at}");
                        salvaged += usize::from(part.damage.is_some());
                    }
                    Err(error) => {
                        assert!(matches!(error, MissingPicture::Broken { .. }), "{error}");
                    }
                }
            }
            let by_rows = matches!(
                format,
                ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::Bmp
            );
            assert!(!by_rows || salvaged > 30, "{format:?}: {salvaged}");
        }
    }

    #[test]
    fn what_was_read_of_a_damaged_file_is_what_is_stored() {
        let bytes = encoded(&DynamicImage::ImageRgb8(large()), ImageFormat::Png);
        let part = cut(&bytes, bytes.len() / 2).unwrap();
        let whole = decode(&bytes, "a").unwrap();
        let same =
            |y: u32| (0..64).all(|x| part.pixels.get_pixel(x, y) == whole.pixels.get_pixel(x, y));
        assert!((0..16).all(same), "the first rows are there");
        assert!(!same(63), "the last row is not");
    }

    #[test]
    fn bytes_after_the_end_of_a_picture_are_no_damage() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif] {
            let mut bytes = encoded(&DynamicImage::ImageRgb8(large()), format);
            bytes.extend([0; 100]);
            bytes.extend(b"\xff\xd8 another one");
            assert_eq!(decode(&bytes, "a").unwrap().damage, None, "{format:?}");
        }
    }

    #[test]
    fn other_files_are_named_as_such() {
        let error = decode(b"<svg xmlns=''/>", "a.svg").unwrap_err();
        let sentence = "a.svg cannot be decoded: SVG is not supported; convert it to PNG, JPEG, GIF, WebP, BMP or PNM";
        assert_eq!(error.to_string(), sentence);
        let error = decode(b"no picture", "a.png").unwrap_err();
        let sentence = "a.png cannot be decoded: not a PNG, JPEG, GIF, WebP, BMP or PNM file";
        assert_eq!(error.to_string(), sentence);
    }

    /// Returns true for an opaque picture with pixels, and for an error that contains the file's
    /// name.
    fn is_sound(decoded: &Result<DecodedPicture, MissingPicture>) -> bool {
        match decoded {
            Ok(DecodedPicture { pixels, .. }) => {
                pixels.width() > 0
                    && pixels.height() > 0
                    && pixels.pixels().all(|pixel| pixel.0[3] == 255)
            }
            Err(error) => error.to_string().starts_with("a.png "),
        }
    }

    proptest! {
        #[test]
        fn a_broken_file_is_an_opaque_picture_or_an_error_with_its_name(
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
            let decoded = decode(&bytes, "a.png");
            prop_assert!(is_sound(&decoded), "{:?}", decoded.err());
        }

        #[test]
        fn random_bytes_are_an_opaque_picture_or_an_error_with_a_name(
            mut bytes in prop::collection::vec(any::<u8>(), 0..400), which in 0_usize..5,
        ) {
            let heads: [&[u8]; 5] = [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"P6 "];
            bytes.splice(0..0, heads[which].iter().copied());
            let decoded = decode(&bytes, "a.png");
            prop_assert!(is_sound(&decoded), "{:?}", decoded.err());
        }
    }
}
