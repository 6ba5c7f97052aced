//! Draws text in the program's own typefaces.

use ab_glyph::{Font as _, FontRef, PxScale, ScaleFont as _, point};
use image::{Rgb, RgbImage};

/// Typeface of drawn text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Typeface {
    /// Upright, light, proportional (Ubuntu Light).
    #[default]
    Text,
    /// Upright, monospaced (Hack).
    Code,
}

impl Typeface {
    fn font(self) -> Option<FontRef<'static>> {
        let bytes = match self {
            Self::Text => epaint_default_fonts::UBUNTU_LIGHT,
            Self::Code => epaint_default_fonts::HACK_REGULAR,
        };
        FontRef::try_from_slice(bytes).ok()
    }

    /// Width and height in pixels of a line of text; `size` is the line height in pixels.
    pub fn extent(self, text: &str, size: f32) -> (f32, f32) {
        self.font().map_or((0.0, 0.0), |font| {
            let font = font.as_scaled(PxScale::from(size));
            let width = text.chars().map(|c| font.h_advance(font.glyph_id(c))).sum();
            (width, font.height())
        })
    }

    /// Draws a line of text; `at` is its upper left corner in pixels, `size` the line height.
    pub fn draw(
        self,
        pixels: &mut RgbImage,
        text: &str,
        at: (f32, f32),
        size: f32,
        color: Rgb<u8>,
    ) {
        let Some(font) = self.font() else {
            return;
        };
        let scale = PxScale::from(size);
        let scaled = font.as_scaled(scale);
        let mut x = at.0;
        for c in text.chars() {
            let id = scaled.glyph_id(c);
            let glyph = id.with_scale_and_position(scale, point(x, at.1 + scaled.ascent()));
            x += scaled.h_advance(id);
            let Some(outline) = font.outline_glyph(glyph) else {
                continue;
            };
            let bounds = outline.px_bounds();
            outline.draw(|dx, dy, cover| {
                blend(pixels, (bounds.min.x, bounds.min.y), (dx, dy), cover, color);
            });
        }
    }
}

/// Blends a colour into a pixel by its coverage, 0 to 1; pixels outside the picture are skipped.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "pixels are small whole numbers"
)]
fn blend(pixels: &mut RgbImage, corner: (f32, f32), at: (u32, u32), cover: f32, color: Rgb<u8>) {
    let (x, y) = (corner.0 + at.0 as f32, corner.1 + at.1 as f32);
    if x < 0.0 || y < 0.0 {
        return;
    }
    let cover = cover.clamp(0.0, 1.0);
    if let Some(pixel) = pixels.get_pixel_mut_checked(x as u32, y as u32) {
        for (under, over) in pixel.0.iter_mut().zip(color.0) {
            *under = (f32::from(*under) * (1.0 - cover) + f32::from(over) * cover).round() as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_within_their_extent() {
        for face in [Typeface::Text, Typeface::Code] {
            let mut pixels = RgbImage::from_pixel(200, 60, Rgb([255; 3]));
            let (width, height) = face.extent("Tower", 32.0);
            assert!((40.0..190.0).contains(&width) && (30.0..36.0).contains(&height));
            face.draw(&mut pixels, "Tower", (5.0, 10.0), 32.0, Rgb([0; 3]));
            let dark: Vec<_> = pixels
                .enumerate_pixels()
                .filter(|(.., pixel)| pixel.0[0] < 128)
                .map(|(x, y, _)| (x as f32, y as f32))
                .collect();
            assert!(dark.len() > 100, "{}", dark.len());
            assert!(
                dark.iter()
                    .all(|(x, y)| (4.0..7.0 + width).contains(x)
                        && (10.0..10.0 + height).contains(y))
            );
        }
    }

    #[test]
    fn words_that_leave_the_picture_are_cut_off() {
        let mut pixels = RgbImage::new(20, 20);
        Typeface::Text.draw(
            &mut pixels,
            "long words",
            (-10.0, -5.0),
            24.0,
            Rgb([255; 3]),
        );
        assert!(pixels.pixels().any(|pixel| pixel.0[0] > 50));
        let before = pixels.clone();
        Typeface::Text.draw(&mut pixels, "", (0.0, 0.0), 24.0, Rgb([255; 3]));
        for at in [(100.0, 0.0), (0.0, 100.0), (-900.0, 0.0), (0.0, -900.0)] {
            Typeface::Text.draw(&mut pixels, "long words", at, 24.0, Rgb([255; 3]));
        }
        assert!(pixels == before, "nothing of them is in the picture");
    }
}
