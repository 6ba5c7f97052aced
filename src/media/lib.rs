//! Finds, decodes, scales, annotates and caches pictures.
//!
//! A [`Source`] locates a picture; the result is opaque RGBA pixels. This crate defines which paths
//! may be opened, the size limits of files and pictures, and how boxes are drawn. It does not know
//! samples, screens or terminal protocols. It does not write to a terminal or open network
//! connections.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(test, allow(clippy::pedantic, clippy::complexity, clippy::perf))]

mod alter;
mod animation;
mod budget;
mod cache;
pub mod code;
mod color;
mod decode;
mod drawing;
mod edit;
mod facts;
mod fit;
mod frame;
mod letter;
mod lettering;
mod limits;
mod locate;
mod map;
mod missing;
mod orientation;
mod other_format;
mod overlay;
mod salvage;
mod source;
mod spelling;
mod superpixel;
#[cfg(test)]
mod testing;
mod thumbnail;
mod turn;
mod whole;

use image::RgbaImage;

pub use alter::{Noise, shrunk};
pub use animation::{FrameTime, frame_times};
pub use budget::MemoryReservation;
pub use cache::PictureCache;
pub use color::color_named;
pub use decode::{DecodedPicture, decode, decode_in_turn, stored_size};
pub use drawing::Drawing;
pub use edit::{Edit, EncodedPicture, OpenedPicture};
pub use facts::facts;
pub use fit::{Region, fit};
pub use letter::{Letter, draw as draw_tags, place as tag_place};
pub use limits::{PictureEncoding, PictureLimits, SCALED};
pub use locate::locate;
pub use map::{
    ERROR_RAMP, Layer, MapKind, Outline, Pen, Ramp, Raster, VALUE_RAMP, Values, color_at,
    label_color,
};
pub use missing::{DAMAGED, MissingPicture};
pub use orientation::Orientation;
pub use overlay::{Overlay, Stroke, Unit, draw};
pub use source::Source;
pub use superpixel::{Superpixels, Touch};
pub use thumbnail::{Thumbnail, ThumbnailBound, thumbnail, thumbnail_within};
pub use turn::Turn;

/// A decoded picture with its name and properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The pixels, upright and opaque.
    pub pixels: RgbaImage,
    /// Name on one line, taken from the log, with control characters not replaced.
    pub name: String,
    /// Size, orientation and damage.
    pub form: PictureInfo,
}

/// Properties of a picture, without its pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureInfo {
    /// Width and height in pixels, upright.
    pub size: (u32, u32),
    /// How the stored pixels were turned upright. Boxes and maps in logs use stored coordinates.
    pub orientation: Orientation,
    /// True if the file is damaged and only part of it could be read.
    pub is_damaged: bool,
}

impl Picture {
    /// Returns the memory of the pixels in bytes.
    pub fn bytes(&self) -> usize {
        self.pixels.as_raw().len()
    }
}

/// Finds, reads and decodes a picture.
///
/// # Errors
/// The picture is missing, outside its folders, too large or broken.
pub fn load(source: &Source) -> Result<Picture, MissingPicture> {
    let name = source.name();
    let decoded = decode(&source.read()?, &name)?;
    let form = PictureInfo {
        size: decoded.pixels.dimensions(),
        orientation: decoded.orientation,
        is_damaged: decoded.damage.is_some(),
    };
    Ok(Picture {
        pixels: decoded.pixels,
        name,
        form,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use image::{ImageFormat, Rgba};

    use super::*;

    #[test]
    fn a_picture_is_found_read_and_decoded() {
        let folder = tempfile::tempdir().unwrap();
        let pixels = RgbaImage::from_pixel(3, 2, Rgba([10, 20, 30, 255]));
        pixels
            .save_with_format(folder.path().join("a.png"), ImageFormat::Png)
            .unwrap();
        let roots = vec![PathBuf::from("nowhere"), folder.path().to_owned()];
        let picture = load(&Source::Path {
            reference: "a.png".to_owned(),
            roots,
        })
        .unwrap();
        assert_eq!(picture.pixels, pixels);
        assert_eq!((picture.name.as_str(), picture.bytes()), ("a.png", 24));
        assert_eq!(
            (picture.form.size, picture.form.is_damaged),
            ((3, 2), false)
        );
    }

    #[test]
    fn an_empty_file_is_broken_not_fatal() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.png"), "").unwrap();
        let roots = vec![folder.path().to_owned()];
        let error = load(&Source::Path {
            reference: "a.png".to_owned(),
            roots,
        })
        .unwrap_err();
        assert_eq!(error.to_string(), "a.png cannot be decoded: no bytes");
    }
}
