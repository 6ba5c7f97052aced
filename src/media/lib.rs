//! Finds, decodes, scales, annotates and caches pictures.
//!
//! A picture comes in as a [`Source`] and leaves as opaque RGBA pixels. This crate holds the rules about pictures:
//! which paths may be opened, how large a file or a picture may be, how boxes stay sharp. Samples, screens and
//! terminal protocols are unknown here; nothing is written to a terminal and no network connection is opened.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

mod cache;
mod color;
mod decode;
mod edit;
mod fit;
mod frame;
mod letter;
mod locate;
mod map;
mod missing;
mod overlay;
mod source;
mod turn;

use image::RgbaImage;

pub use cache::PictureCache;
pub use color::color_named;
pub use decode::decode;
pub use edit::{Edit, Encoded, encoded, size_of};
pub use fit::{Region, fit, fitted_size};
pub use letter::{Letter, draw as draw_tags, place as tag_place};
pub use locate::locate;
pub use map::{
    ERROR_RAMP, Layer, MapKind, Outline, Ramp, Raster, VALUE_RAMP, Values, color_at, label_color,
};
pub use missing::MissingPicture;
pub use overlay::{Overlay, Stroke, Unit, draw};
pub use source::Source;
pub use turn::Turn;

/// A decoded picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The pixels, upright and opaque.
    pub pixels: RgbaImage,
    /// A one-line name; unescaped text from a log.
    pub name: String,
}

impl Picture {
    /// Bytes that the pixels take.
    #[must_use]
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
    let pixels = decode(&source.read()?, &name)?;
    Ok(Picture { pixels, name })
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
