//! Prepares pictures for a model: edits them for an experiment, and encodes them in a format that every server
//! accepts.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};

use super::decode::decode;
use super::fit::{Region, fit};
use super::missing::MissingPicture;
use super::overlay::{Overlay, Unit, draw};
use super::source::Source;
use super::turn::Turn;

/// Colour of a blank picture: neither dark nor bright.
const BLANK: Rgba<u8> = Rgba([127, 127, 127, 255]);

/// An edit of an upright picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Rotate clockwise.
    Turn(Turn),
    /// Replace by a blank of the same size.
    Blank,
    /// Crop a region and scale it to the original size.
    Zoom(Region),
    /// Draw boxes, in coordinates of the upright picture.
    Boxes(Vec<Overlay>),
}

/// An encoded picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded {
    /// PNG or JPEG.
    pub bytes: Vec<u8>,
    /// `image/png` or `image/jpeg`.
    pub mime: &'static str,
    /// Width and height in pixels.
    pub size: (u32, u32),
}

/// A picture upright, after some edits. Without edits, a PNG or JPEG that is stored upright keeps its bytes;
/// everything else becomes PNG. `sends_damaged`: a damaged picture is sent, as far as it can be read.
///
/// # Errors
/// The picture is missing, outside its folders, too large or broken, or damaged and not to be sent.
pub fn encoded(
    source: &Source,
    edits: &[Edit],
    sends_damaged: bool,
) -> Result<Encoded, MissingPicture> {
    let name = source.name();
    let bytes = source.read()?;
    let decoded = decode(&bytes, &name)?;
    if let (Some(why), false) = (decoded.damage, sends_damaged) {
        return Err(MissingPicture::Damaged { name, why });
    }
    if edits.is_empty()
        && decoded.orientation.is_upright()
        && let Some(mime) = kept(&bytes)
    {
        let size = decoded.pixels.dimensions();
        return Ok(Encoded { bytes, mime, size });
    }
    let edit = |pixels, edit: &Edit| edit.apply(pixels);
    let pixels = edits.iter().fold(decoded.pixels, edit);
    let size = pixels.dimensions();
    let mut bytes = Vec::new();
    // Decoded pictures are opaque.
    let opaque = DynamicImage::ImageRgba8(pixels).into_rgb8();
    let written = opaque.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png);
    written.map_err(|error| MissingPicture::Broken {
        name,
        why: error.to_string(),
    })?;
    Ok(Encoded {
        bytes,
        mime: "image/png",
        size,
    })
}

/// The media type of bytes that can be sent unchanged.
fn kept(bytes: &[u8]) -> Option<&'static str> {
    match image::guess_format(bytes).ok()? {
        ImageFormat::Png => Some("image/png"),
        ImageFormat::Jpeg => Some("image/jpeg"),
        _ => None,
    }
}

impl Edit {
    fn apply(&self, mut picture: RgbaImage) -> RgbaImage {
        match self {
            Self::Turn(turn) => turn.pixels(picture),
            Self::Blank => RgbaImage::from_pixel(picture.width(), picture.height(), BLANK),
            Self::Zoom(region) => {
                let size = picture.dimensions();
                fit(&picture, *region, size).unwrap_or(picture)
            }
            Self::Boxes(boxes) => {
                let size = picture.dimensions();
                let placed = boxes.iter().map(|known| Overlay {
                    xyxy: known.fractions(size),
                    unit: Unit::Fraction,
                    ..known.clone()
                });
                draw(&mut picture, Region::WHOLE, &placed.collect::<Vec<_>>());
                picture
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::jpeg_that_lies;
    use crate::{Orientation, Stroke, stored_size};

    /// Two by one: red, blue.
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

    fn pixels(encoded: &Encoded) -> RgbaImage {
        decode(&encoded.bytes, "x").unwrap().pixels
    }

    #[test]
    fn bytes_that_servers_take_are_kept_and_others_become_png() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg] {
            let source = source(format);
            let kept = encoded(&source, &[], false).unwrap();
            assert_eq!((kept.bytes, kept.size), (source.read().unwrap(), (2, 1)));
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

    /// White, with a black block of 16 x 8 that is stored at (8, 16).
    fn marked() -> image::RgbImage {
        image::RgbImage::from_fn(48, 32, |x, y| {
            let inside = (8..24).contains(&x) && (16..24).contains(&y);
            image::Rgb([if inside { 0 } else { 255 }; 3])
        })
    }

    /// The left, top, right and bottom of what is dark.
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
            assert_eq!(seen.pixels, upright.pixels, "{code}");
            assert_eq!(sent.size, upright.pixels.dimensions());
            assert_eq!(sent.bytes == bytes, code == 1, "{code}");
            // The same picture is what a turn by nothing and by a whole turn send.
            for turns in [1, 4] {
                let edits = vec![Edit::Turn(Turn::EACH[1]); turns];
                let turned = pixels(&encoded(&source, &edits, false).unwrap());
                let mut expected = upright.pixels.clone();
                for _ in 0..turns {
                    expected = Turn::EACH[1].pixels(expected);
                }
                assert_eq!(turned, expected, "{code}");
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
                assert_eq!(drawn.get_pixel(x, y).0, [255, 0, 0, 255], "{code}");
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
