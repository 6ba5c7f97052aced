//! Marks and crops pictures, for questions about their parts.

use std::io::Cursor;

use image::imageops::FilterType;
use image::{DynamicImage, ImageFormat, Rgba, RgbaImage, imageops};

use super::edit::{BLANK, EncodedPicture};
use super::limits::{Encoded, PictureEncoding, PictureLimits, Written};

/// A picture to mark and crop. Colours are red, green, blue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing(RgbaImage);

impl Drawing {
    /// Returns a drawing of these pixels.
    pub const fn new(pixels: RgbaImage) -> Self {
        Self(pixels)
    }

    /// Returns a square of one colour with `side` pixels.
    pub fn filled(side: u32, [red, green, blue]: [u8; 3]) -> Self {
        Self(RgbaImage::from_pixel(
            side,
            side,
            Rgba([red, green, blue, 255]),
        ))
    }

    /// Returns width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        self.0.dimensions()
    }

    /// Returns the pixels with all changes so far.
    pub const fn pixels(&self) -> &RgbaImage {
        &self.0
    }

    /// Returns a uniform grey picture of the same size.
    #[must_use]
    pub fn blank(&self) -> Self {
        Self(RgbaImage::from_pixel(
            self.0.width(),
            self.0.height(),
            BLANK,
        ))
    }

    /// Returns columns `x0` to `x1` and rows `y0` to `y1`, both ends excluded. The result has at
    /// least one pixel.
    #[must_use]
    pub fn crop(&self, [x0, y0, x1, y1]: [u32; 4]) -> Self {
        let (width, height) = self.size();
        let from = |at: u32, length: u32| at.min(length.saturating_sub(1));
        let (left, top) = (from(x0, width), from(y0, height));
        let (right, bottom) = (
            x1.clamp(left + 1, width.max(left + 1)),
            y1.clamp(top + 1, height.max(top + 1)),
        );
        Self(imageops::crop_imm(&self.0, left, top, right - left, bottom - top).to_image())
    }

    /// Scales the picture until its shorter side has `side` pixels, then
    /// returns the central square.
    #[must_use]
    pub fn centred(&self, side: u32) -> Self {
        let (width, height) = self.size();
        let scaled = |length: u32, shorter: u32| {
            let long = u64::from(length) * u64::from(side) / u64::from(shorter.max(1));
            u32::try_from(long).unwrap_or(u32::MAX).max(side)
        };
        let short = width.min(height);
        let (wide, tall) = (scaled(width, short), scaled(height, short));
        let large = imageops::resize(&self.0, wide, tall, FilterType::CatmullRom);
        let (left, top) = ((wide - side) / 2, (tall - side) / 2);
        Self(large).crop([left, top, left + side, top + side])
    }

    /// Draws a rectangle, end points included. The line, `width` pixels wide, is inside the
    /// rectangle.
    pub fn rectangle(&mut self, [x0, y0, x1, y1]: [u32; 4], width: u32, color: [u8; 3]) {
        for y in y0..=y1 {
            for x in x0..=x1 {
                let edge = [x - x0, x1 - x, y - y0, y1 - y];
                if edge.iter().any(|far| *far < width) {
                    self.set(x, y, color);
                }
            }
        }
    }

    /// Draws a filled circle of `radius` pixels around a point, clipped to the picture.
    pub fn disc(&mut self, (x, y): (u32, u32), radius: u32, color: [u8; 3]) {
        for row in y.saturating_sub(radius)..=y.saturating_add(radius) {
            for column in x.saturating_sub(radius)..=x.saturating_add(radius) {
                let (across, down) = (column.abs_diff(x), row.abs_diff(y));
                if across * across + down * down <= radius * radius {
                    self.set(column, row, color);
                }
            }
        }
    }

    /// Outlines a region, given as a mask in row order. The line covers the pixels just outside it.
    pub fn outline(&mut self, inside: &[bool], color: [u8; 3]) {
        let (width, height) = self.size();
        let is_in = |x: Option<u32>, y: Option<u32>| {
            let (Some(x), Some(y)) = (x, y) else {
                return false;
            };
            x < width && y < height && inside.get((y * width + x) as usize) == Some(&true)
        };
        for y in 0..height {
            for x in 0..width {
                let beside = [
                    (x.checked_sub(1), Some(y)),
                    (x.checked_add(1), Some(y)),
                    (Some(x), y.checked_sub(1)),
                    (Some(x), y.checked_add(1)),
                ];
                if !is_in(Some(x), Some(y)) && beside.iter().any(|(x, y)| is_in(*x, *y)) {
                    self.set(x, y, color);
                }
            }
        }
    }

    fn set(&mut self, x: u32, y: u32, [red, green, blue]: [u8; 3]) {
        if let Some(pixel) = self.0.get_pixel_mut_checked(x, y) {
            *pixel = Rgba([red, green, blue, 255]);
        }
    }

    /// Encodes the picture within the limits, as PNG if that fits. Also returns how it was encoded.
    /// `None` if encoding fails.
    pub fn encoded(&self, limits: PictureLimits) -> Option<(EncodedPicture, PictureEncoding)> {
        if limits.size(self.size()) == self.size() {
            let whole = self.png()?;
            if limits.hold(whole.size, whole.bytes.len()) {
                return Some((whole, PictureEncoding::default()));
            }
        }
        let Encoded {
            bytes,
            mime,
            size,
            how,
        } = limits.encoded(self.0.clone(), Written::Png, None).ok()?;
        Some((EncodedPicture { bytes, mime, size }, how))
    }

    /// Encodes the picture as PNG; `None` if encoding fails.
    pub fn png(&self) -> Option<EncodedPicture> {
        png(&DynamicImage::ImageRgba8(self.0.clone()).into_rgb8().into())
    }
}

/// Encodes a picture as PNG; `None` if encoding fails.
pub(crate) fn png(picture: &DynamicImage) -> Option<EncodedPicture> {
    let size = (picture.width(), picture.height());
    let mut bytes = Vec::new();
    picture
        .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
        .ok()?;
    Some(EncodedPicture {
        bytes,
        mime: "image/png",
        size,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: [u8; 3] = [255, 0, 0];

    fn white(width: u32, height: u32) -> Drawing {
        Drawing::new(RgbaImage::from_pixel(width, height, Rgba([255; 4])))
    }

    /// Rows as text: `#` for red, `.` for other pixels.
    fn seen(drawing: &Drawing) -> Vec<String> {
        let sign = |pixel: &Rgba<u8>| if pixel.0[1] == 0 { '#' } else { '.' };
        let rows = drawing.pixels().rows();
        rows.map(|row| row.map(sign).collect()).collect()
    }

    #[test]
    fn marks_lie_where_they_belong() {
        let mut drawing = white(5, 4);
        drawing.rectangle([1, 0, 4, 3], 1, RED);
        assert_eq!(seen(&drawing), [".####", ".#..#", ".#..#", ".####"]);
        let mut drawing = white(5, 3);
        drawing.disc((2, 1), 1, RED);
        assert_eq!(seen(&drawing), ["..#..", ".###.", "..#.."]);
        let mut drawing = white(5, 3);
        let mut inside = [false; 15];
        inside[7] = true;
        drawing.outline(&inside, RED);
        assert_eq!(seen(&drawing), ["..#..", ".#.#.", "..#.."]);
    }

    #[test]
    fn marks_and_crops_beyond_the_edge_are_cut() {
        let mut drawing = white(2, 2);
        drawing.disc((0, 0), 9, RED);
        assert_eq!(seen(&drawing), ["##", "##"]);
        assert_eq!(drawing.crop([1, 0, 9, 9]).size(), (1, 2));
        assert_eq!(drawing.crop([5, 5, 5, 5]).size(), (1, 1));
    }

    #[test]
    fn limits_scale_a_drawing_and_others_leave_its_bytes() {
        let drawing = white(30, 20);
        let limits = |max_side| PictureLimits {
            max_side: Some(max_side),
            ..PictureLimits::default()
        };
        let (whole, how) = drawing.encoded(limits(30)).unwrap();
        assert_eq!((&whole, how.words()), (&drawing.png().unwrap(), None));
        let (scaled, how) = drawing.encoded(limits(15)).unwrap();
        assert_eq!((scaled.mime, scaled.size), ("image/png", (15, 10)));
        let words = "PNG, scaled from 30 x 20 to 15 x 10".to_owned();
        assert_eq!(how.words(), Some(words));
    }

    #[test]
    fn the_middle_square_is_cut_out() {
        let drawing = Drawing::new(RgbaImage::from_fn(300, 100, |x, _| {
            Rgba([if (100..200).contains(&x) { 0 } else { 255 }; 4])
        }));
        let square = drawing.centred(50);
        assert_eq!(square.size(), (50, 50));
        assert!(square.pixels().pixels().all(|pixel| pixel.0[0] < 128));
        assert_eq!(square.png().unwrap().size, (50, 50));
    }
}
