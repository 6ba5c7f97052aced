//! Superpixels: small regions of similar colour, computed by SLIC.
//!
//! Source: R. Achanta et al., "SLIC superpixels compared to state-of-the-art superpixel methods",
//! TPAMI 34 (2012). The details follow scikit-image 0.19 and newer, because fm-vision-evals numbers
//! its superpixels that way. Colours are in CIELAB, smoothed, and divided by a compactness of 10.
//! There are ten iterations, after which regions are made connected.

mod cluster;
mod connect;
mod lab;
mod smooth;

use std::collections::BTreeSet;

use image::RgbaImage;

/// Divisor of colour differences when they are added to distances in position.
const COMPACTNESS: f64 = 10.0;

/// A picture divided into regions, numbered from 0 in row order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Superpixels {
    width: u32,
    height: u32,
    numbers: Vec<u32>,
    count: u32,
}

/// Which pixels count as adjacent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// Pixels that share a side.
    Side,
    /// Pixels that share a side or a corner.
    Corner,
}

impl Superpixels {
    /// Number of superpixels that fm-vision-evals uses for grouping.
    pub const OF_THINGS: u32 = 400;
    /// Standard deviation of the Gaussian smoothing in fm-vision-evals, in pixels.
    pub const SIGMA: f64 = 5.0;

    /// Divides a picture into about `wanted` superpixels. First smooths it with a Gaussian whose
    /// standard deviation is `sigma` pixels.
    pub fn slic(picture: &RgbaImage, wanted: u32, sigma: f64) -> Self {
        let (width, height) = picture.dimensions();
        let size = [side(height), side(width)];
        let mut colors = lab::colors(picture);
        if sigma > 0.0 {
            smooth::smooth(&mut colors, size, sigma);
        }
        for color in &mut colors {
            *color = color.map(|channel| channel * (1.0 / COMPACTNESS));
        }
        let clusters = cluster::clusters(&colors, size, wanted.max(1));
        let numbers = connect::connected(&clusters, size);
        Self::of_numbers(width, height, numbers)
    }

    /// Builds superpixels from region numbers in row order. Renumbers them without gaps.
    fn of_numbers(width: u32, height: u32, mut numbers: Vec<u32>) -> Self {
        let used: BTreeSet<u32> = numbers.iter().copied().collect();
        let mut places = vec![0; used.last().map_or(0, |last| *last as usize + 1)];
        for (number, place) in used.iter().zip(0..) {
            places[*number as usize] = place;
        }
        for number in &mut numbers {
            *number = places[*number as usize];
        }
        Self {
            width,
            height,
            numbers,
            count: u32::try_from(used.len()).unwrap_or(u32::MAX),
        }
    }

    /// Returns width and height in pixels.
    pub const fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Returns the number of superpixels in the picture.
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Returns the superpixel number of each pixel, in row order.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Returns the superpixel number of a pixel; `None` outside the picture.
    pub fn at(&self, x: u32, y: u32) -> Option<u32> {
        let place = side(y) * side(self.width) + side(x);
        (x < self.width)
            .then(|| self.numbers.get(place).copied())
            .flatten()
    }

    /// Returns the mask of the selected superpixels, in row order.
    pub fn mask(&self, is_in: impl Fn(u32) -> bool) -> Vec<bool> {
        self.numbers.iter().map(|number| is_in(*number)).collect()
    }

    /// Returns the first and last column and row of a mask as `[x0, y0, x1, y1]`, ends included.
    /// `None` if the mask is empty.
    pub fn bounds(&self, mask: &[bool]) -> Option<[u32; 4]> {
        let width = side(self.width.max(1));
        let mut bounds: Option<[usize; 4]> = None;
        for (place, _) in mask.iter().enumerate().filter(|(_, on)| **on) {
            let (x, y) = (place % width, place / width);
            let [x0, y0, x1, y1] = bounds.unwrap_or([x, y, x, y]);
            bounds = Some([x0.min(x), y0.min(y), x1.max(x), y1.max(y)]);
        }
        bounds.map(|corners| corners.map(|at| u32::try_from(at).unwrap_or(u32::MAX)))
    }

    /// Returns the point at which fm-vision-evals marks a superpixel.
    ///
    /// The bounding box is shrunk on each side to the first row or column that is not fully
    /// covered. The point is the middle of the resulting box.
    pub fn middle(&self, mask: &[bool]) -> (u32, u32) {
        let Some([x0, y0, x1, y1]) = self.bounds(mask) else {
            return (0, 0);
        };
        let is_in = |x: u32, y: u32| mask.get(side(y) * side(self.width) + side(x)) == Some(&true);
        let is_cut_row = |y: &u32| !(x0..=x1).all(|x| is_in(x, *y));
        let is_cut_column = |x: &u32| !(y0..=y1).all(|y| is_in(*x, y));
        let top = (y0..=y1).find(is_cut_row).unwrap_or(y0);
        let bottom = (y0..=y1).rev().find(is_cut_row).unwrap_or(y1);
        let left = (x0..=x1).find(is_cut_column).unwrap_or(x0);
        let right = (x0..=x1).rev().find(is_cut_column).unwrap_or(x1);
        (left.midpoint(right), top.midpoint(bottom))
    }

    /// Returns the pairs of adjacent superpixels, smaller number first, sorted and unique.
    pub fn neighbours(&self, touch: Touch) -> Vec<[u32; 2]> {
        let mut pairs = BTreeSet::new();
        let steps: &[(u32, i64)] = match touch {
            Touch::Side => &[(0, 1), (1, 0)],
            Touch::Corner => &[(0, 1), (1, 0), (1, 1), (1, -1)],
        };
        for y in 0..self.height {
            for x in 0..self.width {
                let Some(here) = self.at(x, y) else { continue };
                for (down, across) in steps {
                    let beside = u32::try_from(i64::from(x) + across);
                    let there = beside.ok().and_then(|x| self.at(x, y + down));
                    if let Some(there) = there.filter(|there| *there != here) {
                        pairs.insert([here.min(there), here.max(there)]);
                    }
                }
            }
        }
        pairs.into_iter().collect()
    }
}

/// Converts a side or position in pixels to an index.
const fn side(pixels: u32) -> usize {
    pixels as usize
}

#[expect(clippy::cast_precision_loss, reason = "sides and pixels of a picture")]
const fn real(count: usize) -> f64 {
    count as f64
}

/// Converts to whole pixels. NaN, the centre of an empty cluster, becomes 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "within a picture"
)]
const fn whole(pixels: f64) -> usize {
    pixels as usize
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;

    fn of(width: u32, numbers: &[u32]) -> Superpixels {
        let height = numbers.len() as u32 / width;
        Superpixels::of_numbers(width, height, numbers.to_vec())
    }

    #[test]
    fn neighbours_share_a_side_or_a_corner() {
        let regions = of(3, &[0, 0, 1, 2, 2, 1, 2, 4, 4]);
        assert_eq!(regions.count(), 4);
        let sides = [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]];
        assert_eq!(regions.neighbours(Touch::Side), sides);
        let crossed = of(2, &[0, 1, 2, 3]);
        assert_eq!(crossed.neighbours(Touch::Side).len(), 4);
        assert_eq!(crossed.neighbours(Touch::Corner).len(), 6);
    }

    #[test]
    fn a_pixel_outside_has_no_superpixel() {
        let regions = of(2, &[0, 1, 0, 1]);
        assert_eq!(regions.at(1, 1), Some(1));
        assert_eq!((regions.at(2, 0), regions.at(0, 2)), (None, None));
        let mask = regions.mask(|number| number == 1);
        assert_eq!(mask, [false, true, false, true]);
        assert_eq!(regions.bounds(&mask), Some([1, 0, 1, 1]));
        assert_eq!(regions.bounds(&[false; 4]), None);
        let whole = of(3, &[0; 9]);
        assert_eq!(whole.middle(&[true; 9]), (1, 1));
    }

    #[test]
    fn regions_are_whole_and_keep_to_sharp_edges() {
        let picture = RgbaImage::from_fn(60, 40, |x, _| {
            let grey = if x < 31 { 20 } else { 230 };
            Rgba([grey, grey, grey, 255])
        });
        let regions = Superpixels::slic(&picture, 24, 0.0);
        assert!((12..=40).contains(&regions.count()), "{}", regions.count());
        for number in 0..regions.count() {
            let mask = regions.mask(|at| at == number);
            let left = mask.iter().zip(0..).any(|(on, at)| *on && at % 60 < 31);
            let right = mask.iter().zip(0..).any(|(on, at)| *on && at % 60 >= 31);
            assert!(left != right, "{number} crosses the edge");
        }
    }

    #[test]
    fn tiny_pictures_are_cut_too() {
        for (width, height) in [(1, 1), (1, 9), (3, 2)] {
            let picture = RgbaImage::from_pixel(width, height, Rgba([9, 9, 9, 255]));
            let regions = Superpixels::slic(&picture, 100, 5.0);
            assert_eq!(regions.numbers().len() as u32, width * height);
            assert!(regions.count() >= 1);
        }
    }

    /// The superpixels equal those of scikit-image 0.26; data from `tests/fixtures/chains/make.py`.
    #[test]
    fn superpixels_are_those_of_scikit_image() {
        let folder =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/chains");
        for (picture, labels, wanted) in [
            ("d0.png", "d0.slic40.png", 40),
            ("n1.png", "n1.slic40.png", 40),
            ("s0.png", "s0.slic400.png", 400),
            ("shapes.png", "shapes.slic150.png", 150),
        ] {
            let picture = image::open(folder.join(picture)).unwrap().into_rgba8();
            let known = image::open(folder.join(labels)).unwrap().into_luma16();
            let known: Vec<u32> = known
                .pixels()
                .map(|pixel| u32::from(pixel.0[0]) - 1)
                .collect();
            let found = Superpixels::slic(&picture, wanted, 5.0);
            let apart = found.numbers().iter().zip(&known).filter(|(a, b)| a != b);
            assert_eq!(apart.count(), 0, "{labels}");
        }
    }
}
