//! Prepares pictures for a model: applies the edits of an experiment, and encodes the result as PNG
//! or JPEG.

use std::path::{Path, PathBuf};

use image::{ImageFormat, Rgba};

use super::alter::Noise;
use super::animation::frame_times;
use super::decode::{damage_of, decode_in_turn, stored_size};
use super::fit::Region;
use super::limits::{Encoded, JPEG, PNG, PictureEncoding, PictureLimits, Written};
use super::missing::MissingPicture;
use super::orientation::Orientation;
use super::overlay::Overlay;
use super::source::{PictureContent, Source};
use super::turn::Turn;

/// Colour of blank areas: medium grey.
pub(crate) const BLANK: Rgba<u8> = Rgba([127, 127, 127, 255]);

/// An edit of an upright picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Rotate clockwise by a multiple of 90 degrees.
    Turn(Turn),
    /// Replace by a grey picture of the same size.
    Blank,
    /// Crop a region and scale it to the original size.
    Zoom(Region),
    /// Draw boxes, in coordinates of the upright picture.
    Boxes(Vec<Overlay>),
    /// Mirror left to right; the size stays.
    Mirror,
    /// Crop a region at its own resolution.
    Crop(Region),
    /// Cover a region with grey.
    Mask(Region),
    /// Scale both sides by this factor, 0 to 1.
    Shrink(f64),
    /// Add Gaussian noise to the colours.
    Noise(Noise),
}

/// An encoded picture, ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedPicture {
    /// The file's bytes, PNG or JPEG.
    pub bytes: Vec<u8>,
    /// Media type: `image/png` or `image/jpeg`.
    pub mime: &'static str,
    /// Width and height in pixels.
    pub size: (u32, u32),
}

/// A picture that was read but not decoded yet.
#[derive(Clone, Debug)]
pub struct OpenedPicture {
    bytes: Vec<u8>,
    file: Option<PathBuf>,
    name: String,
    size: (u32, u32),
    orientation: Orientation,
    limits: PictureLimits,
}

impl OpenedPicture {
    /// Reads a picture file and its header.
    ///
    /// # Errors
    /// The picture is missing, outside its folders, too large or broken.
    pub fn new(source: &Source) -> Result<Self, MissingPicture> {
        let (name, PictureContent { bytes, file }) = (source.name(), source.content()?);
        let (size, orientation) = stored_size(&bytes, &name)?;
        Ok(Self {
            bytes,
            file,
            name,
            size,
            orientation,
            limits: PictureLimits::default(),
        })
    }

    /// Sets the limits within which the picture is encoded.
    #[must_use]
    pub fn within(self, limits: PictureLimits) -> Self {
        Self { limits, ..self }
    }

    /// Returns width and height in pixels, as stored.
    pub const fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Returns the canonical path of the picture's file; `None` if the picture is inline or part of
    /// a larger file.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Returns how the stored pixels are turned upright.
    pub const fn orientation(&self) -> Orientation {
        self.orientation
    }

    /// Returns the upright picture after some edits, and how it was encoded.
    ///
    /// Without edits, an upright PNG or JPEG within the limits keeps its bytes. A JPEG whose edits
    /// allow it becomes JPEG again. Any other result becomes PNG, unless that exceeds the byte
    /// limit. `sends_damaged` allows damaged pictures, as far as they can be read.
    ///
    /// # Errors
    /// The picture is broken, or damaged without `sends_damaged`.
    pub fn encoded(
        self,
        edits: &[Edit],
        sends_damaged: bool,
    ) -> Result<(EncodedPicture, PictureEncoding), MissingPicture> {
        let mime = kept(&self.bytes);
        let is_upright = self.orientation.is_upright();
        let stays = edits.is_empty() && is_upright && self.limits.hold(self.size, self.bytes.len());
        if let (Some(mime), true) = (mime, stays) {
            // Only checks for damage; the bytes are sent unchanged.
            if let (Some(why), false) = (damage_of(&self.bytes, &self.name)?, sends_damaged) {
                let name = self.name;
                return Err(MissingPicture::Damaged { name, why });
            }
            let (bytes, size) = (self.bytes, self.size);
            let encoded = EncodedPicture { bytes, mime, size };
            return Ok((encoded, PictureEncoding::default()));
        }
        let (decoded, _held) = decode_in_turn(&self.bytes, &self.name, 1)?;
        let name = self.name;
        if let (Some(why), false) = (decoded.damage, sends_damaged) {
            return Err(MissingPicture::Damaged { name, why });
        }
        let edit = |pixels, edit: &Edit| edit.apply(pixels);
        let pixels = edits.iter().fold(decoded.pixels, edit);
        let format = if mime == Some(JPEG) && edits.iter().all(Edit::keeps_jpeg) {
            self.limits.jpeg()
        } else {
            Written::Png
        };
        let encoded = self
            .limits
            .encoded(pixels, format, decoded.profile.as_deref());
        let Encoded {
            bytes,
            mime,
            size,
            mut how,
        } = encoded.map_err(|error| MissingPicture::Broken {
            name,
            why: error.to_string(),
        })?;
        how.is_first_frame = !frame_times(&self.bytes).is_empty();
        Ok((EncodedPicture { bytes, mime, size }, how))
    }
}

/// Returns the media type of a file that can be sent unchanged; `None` for other formats.
fn kept(bytes: &[u8]) -> Option<&'static str> {
    match image::guess_format(bytes).ok()? {
        ImageFormat::Png => Some(PNG),
        ImageFormat::Jpeg => Some(JPEG),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::codecs::jpeg::JpegEncoder;
    use image::{DynamicImage, RgbaImage};

    use super::*;
    use crate::testing::jpeg_that_lies;
    use crate::{Stroke, Unit, decode};

    fn encoded(
        source: &Source,
        edits: &[Edit],
        sends_damaged: bool,
    ) -> Result<EncodedPicture, MissingPicture> {
        let (encoded, _) = OpenedPicture::new(source)?.encoded(edits, sends_damaged)?;
        Ok(encoded)
    }

    fn made(source: &Source, edits: &[Edit]) -> PictureEncoding {
        OpenedPicture::new(source)
            .unwrap()
            .encoded(edits, false)
            .unwrap()
            .1
    }

    /// Returns the largest channel difference between two pictures of the same size.
    fn difference(a: &RgbaImage, b: &RgbaImage) -> u8 {
        assert_eq!(a.dimensions(), b.dimensions());
        let pairs = a.as_raw().iter().zip(b.as_raw());
        pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or_default()
    }

    /// Allowed channel difference of a re-encoded JPEG. The black and white test pictures are the
    /// worst case.
    const ANEW: u8 = 12;

    /// A picture of 2 x 1 pixels: red, blue.
    fn source(format: ImageFormat) -> Source {
        use base64::Engine as _;
        let mut picture = image::RgbImage::new(2, 1);
        picture.put_pixel(0, 0, image::Rgb([255, 0, 0]));
        picture.put_pixel(1, 0, image::Rgb([0, 0, 255]));
        let mut bytes = Vec::new();
        picture
            .write_to(&mut Cursor::new(&mut bytes), format)
            .unwrap();
        Source::Inline(base64::engine::general_purpose::STANDARD.encode(bytes))
    }

    fn pixels(encoded: &EncodedPicture) -> RgbaImage {
        decode(&encoded.bytes, "x").unwrap().pixels
    }

    #[test]
    fn bytes_that_servers_take_are_kept_and_others_become_png() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg] {
            let source = source(format);
            let kept = encoded(&source, &[], false).unwrap();
            assert_eq!((kept.bytes, kept.size), (source.read().unwrap(), (2, 1)));
            assert_eq!(made(&source, &[]).words(), None);
        }
        let made = encoded(&source(ImageFormat::Bmp), &[], false).unwrap();
        assert_eq!((made.mime, made.size), ("image/png", (2, 1)));
        assert_eq!(pixels(&made).get_pixel(1, 0), &Rgba([0, 0, 255, 255]));
    }

    #[test]
    fn each_change_is_seen_in_the_pixels() {
        let source = source(ImageFormat::Png);
        let of = |edit: Edit| pixels(&encoded(&source, &[edit], false).unwrap());
        let red = Rgba([255, 0, 0, 255]);
        let turned = of(Edit::Turn(Turn::NONE.right()));
        assert_eq!(
            (turned.dimensions(), turned.get_pixel(0, 0)),
            ((1, 2), &red)
        );
        assert!(of(Edit::Blank).pixels().all(|pixel| *pixel == BLANK));
        let zoomed = of(Edit::Zoom(Region::new([0.0, 0.0, 0.5, 1.0])));
        assert!(zoomed.dimensions() == (2, 1) && zoomed.get_pixel(0, 0) == &red);
        let overlay = Overlay {
            number: None,
            xyxy: [0.0, 0.0, 1.0, 1.0],
            unit: Unit::Fraction,
            color: [0, 255, 0],
            style: Stroke::Solid,
            width: 1,
            letter: None,
        };
        let drawn = of(Edit::Boxes(vec![overlay.clone()]));
        assert_ne!(drawn.get_pixel(0, 0), &red);
        let in_pixels = Overlay {
            xyxy: [0.0, 0.0, 2.0, 1.0],
            unit: Unit::Pixel,
            ..overlay
        };
        assert_eq!(of(Edit::Boxes(vec![in_pixels])), drawn);
    }

    #[test]
    fn a_jpeg_stays_one_and_a_blank_is_small() {
        let noise = image::RgbImage::from_fn(200, 150, |x, y| {
            let value = |factor: u32| (x * factor % 200 + y * 31 % 50) as u8;
            image::Rgb([value(37), value(91), value(13)])
        });
        let mut bytes = Vec::new();
        let encoder = JpegEncoder::new_with_quality(&mut bytes, 80);
        noise.write_with_encoder(encoder).unwrap();
        let source = inline(&bytes);
        let before = decode(&bytes, "a").unwrap().pixels;
        let turn = [Edit::Turn(Turn::EACH[1])];
        let turned = encoded(&source, &turn, false).unwrap();
        assert_eq!(turned.mime, "image/jpeg");
        assert_eq!(made(&source, &turn).words().unwrap(), "JPEG of quality 95");
        let mut png = Vec::new();
        let opaque = DynamicImage::ImageRgba8(Turn::EACH[1].pixels(before.clone())).into_rgb8();
        Written::Png.write(&opaque, None, &mut png).unwrap();
        assert!(
            turned.bytes.len() < png.len(),
            "{} {}",
            turned.bytes.len(),
            png.len()
        );
        let seen = pixels(&turned);
        let exact = Turn::EACH[1].pixels(before);
        let sum: u64 = seen
            .as_raw()
            .iter()
            .zip(exact.as_raw())
            .map(|(a, b)| u64::from(a.abs_diff(*b)))
            .sum();
        let mean = sum as f64 / seen.as_raw().len() as f64;
        assert!(mean < 4.0, "{mean}");
        let blank = encoded(&source, &[Edit::Blank], false).unwrap();
        assert!(blank.mime == "image/png" && blank.bytes.len() < 1_000);
    }

    #[test]
    fn a_broken_picture_is_an_error() {
        let broken = Source::Inline("AAAA".to_owned());
        assert!(
            encoded(&broken, &[], true).is_err() && encoded(&broken, &[Edit::Blank], true).is_err()
        );
    }

    fn inline(bytes: &[u8]) -> Source {
        use base64::Engine as _;
        Source::Inline(base64::engine::general_purpose::STANDARD.encode(bytes))
    }

    /// A white picture with a black block of 16 x 8 pixels at (8, 16), as stored.
    fn marked() -> image::RgbImage {
        image::RgbImage::from_fn(48, 32, |x, y| {
            let inside = (8..24).contains(&x) && (16..24).contains(&y);
            image::Rgb([if inside { 0 } else { 255 }; 3])
        })
    }

    /// Returns left, top, right and bottom of the dark pixels.
    fn dark(picture: &RgbaImage) -> [u32; 4] {
        let dark = picture.enumerate_pixels();
        let dark = dark.filter(|(_, _, pixel)| pixel.0[0] < 128);
        dark.fold([u32::MAX, u32::MAX, 0, 0], |[x0, y0, x1, y1], (x, y, _)| {
            [x0.min(x), y0.min(y), x1.max(x + 1), y1.max(y + 1)]
        })
    }

    #[test]
    fn what_is_sent_is_upright_at_each_orientation_and_boxes_lie_on_their_things() {
        for code in 1..=8 {
            let bytes = jpeg_that_lies(&marked(), code);
            let source = inline(&bytes);
            let sent = encoded(&source, &[], false).unwrap();
            let upright = decode(&bytes, "a").unwrap();
            let seen = decode(&sent.bytes, "sent").unwrap();
            assert_eq!(seen.orientation, Orientation::UPRIGHT, "{code}");
            let most = if code == 1 { 0 } else { ANEW };
            assert!(difference(&seen.pixels, &upright.pixels) <= most, "{code}");
            assert_eq!(sent.size, upright.pixels.dimensions());
            assert_eq!(sent.bytes == bytes, code == 1, "{code}");
            // No rotation and a full turn give the same picture.
            for turns in [1, 4] {
                let edits = vec![Edit::Turn(Turn::EACH[1]); turns];
                let turned = pixels(&encoded(&source, &edits, false).unwrap());
                let mut expected = upright.pixels.clone();
                for _ in 0..turns {
                    expected = Turn::EACH[1].pixels(expected);
                }
                assert!(difference(&turned, &expected) <= ANEW, "{code}");
            }
            let (size, orientation) = stored_size(&bytes, "a").unwrap();
            let overlay = Overlay {
                number: None,
                xyxy: [8.0, 16.0, 24.0, 24.0],
                unit: Unit::Pixel,
                color: [255, 0, 0],
                style: Stroke::Solid,
                width: 1,
                letter: None,
            };
            let corners = overlay.upright(orientation.size(size), orientation);
            let (width, height) = upright.pixels.dimensions();
            let [x0, y0, x1, y1] = corners;
            let at = [
                x0 * f64::from(width),
                y0 * f64::from(height),
                x1 * f64::from(width),
                y1 * f64::from(height),
            ];
            assert_eq!(
                at.map(|v| v.round() as u32),
                dark(&upright.pixels),
                "{code}"
            );
            let on_it = Overlay {
                xyxy: corners,
                unit: Unit::Fraction,
                ..overlay
            };
            let drawn = pixels(&encoded(&source, &[Edit::Boxes(vec![on_it])], false).unwrap());
            let [left, top, right, bottom] = dark(&upright.pixels);
            for (x, y) in [(left, top), (right - 1, bottom - 1)] {
                let [red, green, blue, _] = drawn.get_pixel(x, y).0;
                assert!(red > 200 && green < 60 && blue < 60, "{code}");
            }
            let zoomed = Edit::Zoom(Region::new(corners));
            let zoomed = pixels(&encoded(&source, &[zoomed], false).unwrap());
            let middle = zoomed.get_pixel(width / 2, height / 2);
            assert!(middle.0[0] < 64, "{code}: {middle:?}");
        }
    }

    #[test]
    fn a_damaged_picture_is_sent_only_when_that_is_wanted() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg] {
            let mut bytes = Vec::new();
            let noise = image::RgbImage::from_fn(40, 40, |x, y| {
                image::Rgb([(x * 37 + y * 91) as u8, (x * y) as u8, (x * 13) as u8])
            });
            noise
                .write_to(&mut Cursor::new(&mut bytes), format)
                .unwrap();
            bytes.truncate(bytes.len() * 7 / 10);
            let source = inline(&bytes);
            for edits in [vec![], vec![Edit::Turn(Turn::EACH[1])]] {
                let error = encoded(&source, &edits, false).unwrap_err();
                assert!(
                    matches!(error, MissingPicture::Damaged { .. }),
                    "{format:?}: {error}"
                );
                let sent = encoded(&source, &edits, true).unwrap();
                assert_eq!(sent.bytes == bytes, edits.is_empty(), "{format:?}");
            }
        }
    }
}
