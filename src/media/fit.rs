//! Crops and scales a picture in one pass.
//!
//! Zooming is therefore as fast as a preview, and the edges of a region can lie between pixels.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use image::RgbaImage;

/// A region of a picture, as fractions of its sides. A region is never empty or outside the
/// picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region([f64; 4]);

impl Region {
    /// The whole picture, 0 to 1 on both axes.
    pub const WHOLE: Self = Self([0.0, 0.0, 1.0, 1.0]);
    /// Minimum side of a region, as a fraction.
    const SHORTEST: f64 = 1e-3;

    /// Returns a region from `[x0, y0, x1, y1]`. Corners are sorted and clamped to the picture, and
    /// NaN is replaced by the border.
    pub fn new(xyxy: [f64; 4]) -> Self {
        let [x0, y0, x1, y1] = xyxy;
        let (x0, x1) = Self::side(x0, x1);
        let (y0, y1) = Self::side(y0, y1);
        Self([x0, y0, x1, y1])
    }

    fn side(from: f64, to: f64) -> (f64, f64) {
        let from = if from.is_nan() {
            0.0
        } else {
            from.clamp(0.0, 1.0)
        };
        let to = if to.is_nan() { 1.0 } else { to.clamp(0.0, 1.0) };
        let (from, to) = if from <= to { (from, to) } else { (to, from) };
        let from = from.min(1.0 - Self::SHORTEST);
        (from, to.max(from + Self::SHORTEST))
    }

    /// Returns `[x0, y0, x1, y1]` as fractions.
    pub const fn xyxy(&self) -> [f64; 4] {
        self.0
    }

    /// Returns left, top, width and height in whole pixels for a picture of this size. The result
    /// has at least one pixel, and all of its pixels are inside the picture.
    pub fn whole_pixels(&self, (width, height): (u32, u32)) -> [u32; 4] {
        let [x0, y0, x1, y1] = self.0;
        let ([left, right], [top, bottom]) = (grid(x0, x1, width), grid(y0, y1, height));
        [left, top, right - left, bottom - top]
    }

    /// Returns the region with its edges moved to whole pixels of a picture of this size.
    #[must_use]
    pub fn snapped(&self, size: (u32, u32)) -> Self {
        let [left, top, width, height] = self.whole_pixels(size).map(f64::from);
        let (of_width, of_height) = (f64::from(size.0.max(1)), f64::from(size.1.max(1)));
        Self([
            left / of_width,
            top / of_height,
            (left + width) / of_width,
            (top + height) / of_height,
        ])
    }

    /// Returns the largest size within `bounds` with the aspect ratio of the region, for a picture
    /// of this size.
    ///
    /// `pixel_aspect` is the width of a screen pixel divided by its height (1 for square pixels).
    /// `most` is the maximum enlargement.
    pub fn fitted_size(
        self,
        size: (u32, u32),
        bounds: (u32, u32),
        pixel_aspect: f64,
        most: f64,
    ) -> (u32, u32) {
        let [_, _, width, height] = self.pixels(size);
        let height = height * pixel_aspect;
        let scale = (f64::from(bounds.0) / width)
            .min(f64::from(bounds.1) / height)
            .min(most);
        (
            side(width * scale, bounds.0),
            side(height * scale, bounds.1),
        )
    }

    /// Returns left, top, width and height in pixels, without rounding.
    fn pixels(&self, (width, height): (u32, u32)) -> [f64; 4] {
        let [x0, y0, x1, y1] = self.0;
        let (width, height) = (f64::from(width), f64::from(height));
        [
            x0 * width,
            y0 * height,
            (x1 - x0) * width,
            (y1 - y0) * height,
        ]
    }
}

/// Rounds two fractions of a side to pixel borders that are at least one pixel apart.
fn grid(from: f64, to: f64, side: u32) -> [u32; 2] {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "fractions of a side"
    )]
    let line = |fraction: f64| (fraction * f64::from(side)).round() as u32;
    let from = line(from).min(side.saturating_sub(1));
    [from, line(to).clamp(from + 1, side.max(1))]
}

/// Rounds a length to whole pixels, from 1 to `most`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the bounds first"
)]
fn side(length: f64, most: u32) -> u32 {
    (length.round().clamp(1.0, f64::from(most.max(1)))) as u32
}

/// Crops `region` from an opaque picture and scales it to exactly `target` pixels.
///
/// Shrinks with Catmull-Rom interpolation. Enlarges with bilinear interpolation, or from a factor
/// of four with nearest neighbour. Returns `None` if a side is zero.
pub fn fit(picture: &RgbaImage, region: Region, target: (u32, u32)) -> Option<RgbaImage> {
    let size = picture.dimensions();
    if region == Region::WHOLE && size == target {
        return Some(picture.clone());
    }
    if target.0 == 0 || target.1 == 0 {
        return None;
    }
    let [left, top, width, height] = region.pixels(size);
    let filter = match f64::from(target.0) / width {
        scale if scale < 1.0 => ResizeAlg::Convolution(FilterType::CatmullRom),
        scale if scale < 4.0 => ResizeAlg::Convolution(FilterType::Bilinear),
        _ => ResizeAlg::Nearest,
    };
    let options = ResizeOptions::new()
        .resize_alg(filter)
        .crop(
            left,
            top,
            width.min(f64::from(size.0) - left),
            height.min(f64::from(size.1) - top),
        )
        .use_alpha(false);
    let from = ImageRef::new(size.0, size.1, picture.as_raw(), PixelType::U8x4).ok()?;
    let mut scaled = Image::new(target.0, target.1, PixelType::U8x4);
    Resizer::new().resize(&from, &mut scaled, &options).ok()?;
    RgbaImage::from_raw(target.0, target.1, scaled.into_vec())
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;

    fn fitted(size: (u32, u32), bounds: (u32, u32), most: f64) -> (u32, u32) {
        Region::WHOLE.fitted_size(size, bounds, 1.0, most)
    }

    #[test]
    fn the_shape_is_kept_within_the_bounds() {
        assert_eq!(fitted((400, 200), (100, 100), 8.0), (100, 50));
        assert_eq!(fitted((200, 400), (100, 100), 8.0), (50, 100));
        assert_eq!(fitted((10, 10), (100, 50), 8.0), (50, 50));
        assert_eq!(fitted((10, 10), (1000, 500), 8.0), (80, 80));
        assert_eq!(fitted((10_000, 1), (100, 100), 8.0), (100, 1));
    }

    #[test]
    fn pixels_that_are_not_square_are_made_up_for() {
        let narrow = Region::WHOLE.fitted_size((100, 100), (50, 100), 0.5, 8.0);
        assert_eq!(narrow, (50, 25));
    }

    #[test]
    fn a_part_has_a_shape_of_its_own() {
        let part = Region::new([0.0, 0.0, 0.5, 0.1]);
        assert_eq!(
            part.fitted_size((100, 100), (100, 100), 1.0, 64.0),
            (100, 20)
        );
    }

    #[test]
    fn regions_are_put_in_order_and_never_empty() {
        assert_eq!(
            Region::new([0.8, 0.9, 0.2, 0.1]).xyxy(),
            [0.2, 0.1, 0.8, 0.9]
        );
        assert_eq!(Region::new([-3.0, f64::NAN, 7.0, f64::NAN]), Region::WHOLE);
        let [x0, _, x1, _] = Region::new([2.0, 0.0, 3.0, 1.0]).xyxy();
        assert!(x0 < x1 && x1 <= 1.0);
        let [x0, _, x1, _] = Region::new([f64::INFINITY, 0.0, f64::NEG_INFINITY, 1.0]).xyxy();
        assert!(x0 < x1);
    }

    /// A picture of 8 x 4 pixels: left half black, right half white.
    fn halves() -> RgbaImage {
        let shade = |x| if x < 4 { 0 } else { 255 };
        RgbaImage::from_fn(8, 4, |x, _| Rgba([shade(x), shade(x), shade(x), 255]))
    }

    #[test]
    fn a_part_is_cut_out_and_scaled() {
        let right = fit(&halves(), Region::new([0.75, 0.0, 1.0, 1.0]), (2, 2)).unwrap();
        assert_eq!(right, RgbaImage::from_pixel(2, 2, Rgba([255; 4])));
        let whole = fit(&halves(), Region::WHOLE, (2, 1)).unwrap();
        assert!(whole.get_pixel(0, 0)[0] < 32 && whole.get_pixel(1, 0)[0] > 223);
    }

    #[test]
    fn much_enlarged_pixels_stay_as_they_are() {
        let large = fit(&halves(), Region::WHOLE, (80, 40)).unwrap();
        assert!(large.pixels().all(|pixel| pixel[0] == 0 || pixel[0] == 255));
        assert_eq!(
            [large.get_pixel(39, 0)[0], large.get_pixel(40, 0)[0]],
            [0, 255]
        );
    }

    #[test]
    fn every_region_of_every_size_can_be_cut_out() {
        for size in [(1, 1), (7, 3), (1000, 1)] {
            let picture = RgbaImage::from_pixel(size.0, size.1, Rgba([9, 9, 9, 255]));
            for at in [0.0, 0.1, 1.0 / 3.0, 0.999, 1.0] {
                let region = Region::new([at, at, at, 1.0]);
                let shown = fit(&picture, region, (5, 6)).unwrap();
                assert_eq!(shown, RgbaImage::from_pixel(5, 6, Rgba([9, 9, 9, 255])));
            }
        }
        assert!(fit(&halves(), Region::WHOLE, (0, 3)).is_none());
    }
}
