//! Prepares pictures for a model: edits them for an experiment, and encodes them in a format that every server
//! accepts.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader, Rgba, RgbaImage};

use super::decode::decode;
use super::fit::{Region, fit};
use super::missing::MissingPicture;
use super::overlay::{Overlay, Unit, draw};
use super::source::Source;
use super::turn::Turn;

/// Colour of a blank picture: neither dark nor bright.
const BLANK: Rgba<u8> = Rgba([127, 127, 127, 255]);

/// An edit of a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Rotate clockwise.
    Turn(Turn),
    /// Replace by a blank of the same size.
    Blank,
    /// Crop a region and scale it to the original size.
    Zoom(Region),
    /// Draw boxes.
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

/// A picture after some edits. Without edits, PNG and JPEG keep their bytes; everything else becomes PNG.
///
/// # Errors
/// The picture is missing, outside its folders, too large or broken.
/// When the picture is missing, lies outside its folders, is too large or is broken.
pub fn encoded(source: &Source, edits: &[Edit]) -> Result<Encoded, MissingPicture> {
    let name = source.name();
    let bytes = source.read()?;
    if edits.is_empty()
        && let Some(mime) = kept(&bytes)
    {
        let size = size_of(&bytes, &name)?;
        return Ok(Encoded { bytes, mime, size });
    }
    let mut pixels = decode(&bytes, &name)?;
    for edit in edits {
        pixels = edit.apply(pixels);
    }
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

/// Width and height of an encoded picture, without decoding its pixels.
///
/// # Errors
/// [`MissingPicture::Broken`].
pub fn size_of(bytes: &[u8], name: &str) -> Result<(u32, u32), MissingPicture> {
    let broken = |why: String| MissingPicture::Broken {
        name: name.to_owned(),
        why,
    };
    let reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|error| broken(error.to_string()))?;
    reader
        .into_dimensions()
        .map_err(|error| broken(error.to_string()))
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
    use crate::Stroke;

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
        decode(&encoded.bytes, "x").unwrap()
    }

    #[test]
    fn bytes_that_servers_take_are_kept_and_others_become_png() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg] {
            let source = source(format);
            let kept = encoded(&source, &[]).unwrap();
            assert_eq!((kept.bytes, kept.size), (source.read().unwrap(), (2, 1)));
        }
        let made = encoded(&source(ImageFormat::Bmp), &[]).unwrap();
        assert_eq!((made.mime, made.size), ("image/png", (2, 1)));
        assert_eq!(pixels(&made).get_pixel(1, 0), &Rgba([0, 0, 255, 255]));
    }

    #[test]
    fn each_change_is_seen_in_the_pixels() {
        let source = source(ImageFormat::Png);
        let of = |edit: Edit| pixels(&encoded(&source, &[edit]).unwrap());
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
        assert!(encoded(&broken, &[]).is_err() && encoded(&broken, &[Edit::Blank]).is_err());
    }
}
