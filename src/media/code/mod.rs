//! Codes of pictures: vectors that are close to each other for pictures that look alike.
//!
//! The features are classical ones, computed from the pixels alone. The encoders of the exam are
//! trained on the same features.

pub mod color;
pub mod gabor;
pub mod hog;

use image::RgbaImage;

use super::facts::letter_cover;
use super::{Region, fit};

/// Side of a view in pixels.
pub const SIDE: usize = 64;

/// A square picture with sides of [`SIDE`] pixels.
pub struct View {
    /// Red, green and blue of each pixel, 0 to 1, row by row.
    pub rgb: Vec<[f32; 3]>,
}

impl View {
    /// Scales a region of a picture to a square view. Returns `None` if the region has no pixels.
    pub fn of(picture: &RgbaImage, region: Region) -> Option<Self> {
        let side = u32::try_from(SIDE).ok()?;
        let scaled = fit(picture, region, (side, side))?;
        let (pixels, _) = scaled.as_raw().as_chunks();
        let rgb = |[r, g, b, _]: &[u8; 4]| [*r, *g, *b].map(|channel| f32::from(channel) / 255.0);
        Some(Self {
            rgb: pixels.iter().map(rgb).collect(),
        })
    }

    /// Returns a black view.
    pub fn blank() -> Self {
        Self {
            rgb: vec![[0.0; 3]; SIDE * SIDE],
        }
    }

    /// Returns the luma (ITU-R BT.601) of each pixel, row by row.
    pub fn gray(&self) -> Vec<f32> {
        let luma = |[r, g, b]: &[f32; 3]| 0.299 * r + 0.587 * g + 0.114 * b;
        self.rgb.iter().map(luma).collect()
    }

    /// Returns the mean colours of `cells` x `cells` equal cells.
    pub fn cells(&self, cells: usize) -> Vec<[f32; 3]> {
        let size = SIDE / cells;
        let mut means = vec![[0.0; 3]; cells * cells];
        for (at, pixel) in self.rgb.iter().enumerate() {
            let (x, y) = (at % SIDE / size, at / SIDE / size);
            if let Some(mean) = means.get_mut(y * cells + x) {
                for (sum, channel) in mean.iter_mut().zip(pixel) {
                    *sum += channel;
                }
            }
        }
        let count = f32::from(u16::try_from(size * size).unwrap_or(u16::MAX));
        for mean in &mut means {
            *mean = mean.map(|sum| sum / count);
        }
        means
    }
}

/// Cells per side of the grid in which edges are averaged. Each cell covers 2 x 2 cells of [`hog`].
const EDGE_CELLS: usize = 4;
/// Norm below which a part of a code counts as empty, for example the edges of a flat picture.
const LEAST: f32 = 1e-3;

/// Returns the code of a picture: a vector of 552 numbers with length one; `None` if the picture
/// has no pixels.
///
/// A code has four parts of equal weight:
///
/// - colours: histograms of the whole picture and of its quarters, with square roots as in the
///   Hellinger distance;
/// - edges: orientations in 4 x 4 cells;
/// - texture: Gabor energy by scale and orientation;
/// - letters: share of each of 4 x 4 cells that is covered by shapes that look like lines of
///   letters.
///
/// Codes are compared by cosine similarity. They do not depend on the size or aspect ratio of a
/// picture. Objects are not recognised, and text is not read.
pub fn code(picture: &RgbaImage) -> Option<Vec<f32>> {
    let view = View::of(picture, Region::WHOLE)?;
    let letters = letter_cover(picture).cells.map(f32::sqrt).to_vec();
    let parts = [colors(&view), edges(&view), texture(&view), letters];
    let joined: Vec<f32> = parts.into_iter().flat_map(unit).collect();
    Some(unit(joined))
}

/// Returns the square roots of the histograms of the whole picture and of its quarters.
fn colors(view: &View) -> Vec<f32> {
    let whole = color::histograms(view, 1).into_iter();
    let quarters = color::histograms(view, 2);
    let bins = whole.chain(quarters);
    bins.map(|share| share.max(0.0).sqrt()).collect()
}

/// Returns the orientations of edges, averaged over 4 x 4 cells.
fn edges(view: &View) -> Vec<f32> {
    let fine = hog::features(view);
    let directions = fine.len() / (4 * EDGE_CELLS * EDGE_CELLS);
    let mut coarse = vec![0.0; EDGE_CELLS * EDGE_CELLS * directions];
    for (cell, bins) in fine.chunks_exact(directions.max(1)).enumerate() {
        let (x, y) = (cell % (2 * EDGE_CELLS) / 2, cell / (4 * EDGE_CELLS));
        let sums = coarse.iter_mut().skip((y * EDGE_CELLS + x) * directions);
        for (sum, bin) in sums.zip(bins) {
            *sum += bin / 4.0;
        }
    }
    coarse
}

/// Returns the logarithms of the mean and the spread of each filter's energy. Their mean over all
/// filters, which depends on the picture's contrast, is subtracted.
fn texture(view: &View) -> Vec<f32> {
    let of_filters = gabor::features(view);
    let of_filter = of_filters.len() / gabor::FILTERS;
    let whole = of_filters.chunks_exact(of_filter.max(1));
    let mut energies: Vec<f32> = whole
        .flat_map(|filter| filter.iter().take(2).copied())
        .collect();
    for part in 0..2 {
        let count = f32::from(u16::try_from(gabor::FILTERS).unwrap_or(u16::MAX));
        let mean = energies.iter().skip(part).step_by(2).sum::<f32>() / count;
        for energy in energies.iter_mut().skip(part).step_by(2) {
            *energy -= mean;
        }
    }
    energies
}

/// Scales a vector to length one. A vector that is nearly zero becomes zero.
fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let norm = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    let scale = if norm < LEAST { 0.0 } else { 1.0 / norm };
    for value in &mut vector {
        *value *= scale;
    }
    vector
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;

    /// Stripes in two colours, of a width in pixels; `is_across` makes them horizontal.
    fn stripes(width: u32, is_across: bool, [light, dark]: [[u8; 3]; 2]) -> RgbaImage {
        RgbaImage::from_fn(128, 96, |x, y| {
            let at = if is_across { y } else { x };
            let [r, g, b] = if at / width % 2 == 0 { light } else { dark };
            Rgba([r, g, b, 255])
        })
    }

    const GREY: [[u8; 3]; 2] = [[220; 3], [40; 3]];
    const RED: [[u8; 3]; 2] = [[220, 60, 60], [90, 0, 0]];

    fn likeness(a: &RgbaImage, b: &RgbaImage) -> f32 {
        let (a, b) = (code(a).unwrap(), code(b).unwrap());
        a.iter().zip(&b).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn a_code_has_length_one_and_ignores_the_size_of_the_picture() {
        let picture = stripes(16, true, GREY);
        let large =
            image::imageops::resize(&picture, 512, 384, image::imageops::FilterType::Nearest);
        assert_eq!(code(&picture).unwrap().len(), 552);
        assert!((likeness(&picture, &picture) - 1.0).abs() < 1e-5);
        assert!(likeness(&picture, &large) > 0.95);
    }

    #[test]
    fn color_edges_and_texture_each_move_a_picture_away() {
        let picture = stripes(8, true, GREY);
        let same = likeness(&picture, &picture);
        for other in [
            stripes(8, true, RED),
            stripes(8, false, GREY),
            stripes(32, true, GREY),
        ] {
            assert!(likeness(&picture, &other) < same - 0.05);
        }
    }

    #[test]
    fn a_flat_picture_has_its_colour_only() {
        let flat = |shade: [u8; 3]| {
            let [r, g, b] = shade;
            RgbaImage::from_pixel(40, 30, Rgba([r, g, b, 255]))
        };
        let white = flat([255; 3]);
        let code = code(&white).unwrap();
        assert!(code[320..].iter().all(|value| *value == 0.0));
        assert!((likeness(&white, &white) - 1.0).abs() < 1e-5);
        assert!(likeness(&white, &flat([0; 3])) < 1e-5);
    }
}
