//! Builds pictures for tests.

use std::io::Cursor;

use image::{ImageFormat, RgbImage};

/// Returns a JPEG with EXIF orientation `code`, 1 to 8.
pub(super) fn jpeg_that_lies(pixels: &RgbImage, code: u8) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    pixels.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
    let mut jpeg = bytes.into_inner();
    // One EXIF entry after the start marker.
    let mut exif = b"\xff\xe1\x00\x22Exif\0\0MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00".to_vec();
    exif[29] = code;
    jpeg.splice(2..2, exif);
    jpeg
}

/// Returns the header of a colour profile for a colour space, such as `RGB `.
pub(super) fn profile(space: &[u8; 4]) -> Vec<u8> {
    let mut profile = vec![0; 128];
    profile[16..20].copy_from_slice(space);
    profile
}
