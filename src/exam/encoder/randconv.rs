//! Random convolutions: 64 random 5 x 5 colour filters, rectified and averaged over 4 x 4 cells (A.
//! Saxe et al., "On random weights and unsupervised feature learning", 2011).

use std::sync::LazyLock;

use nalgebra::DMatrix;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::view::View;

/// Side of the filtered picture in pixels.
const SIDE: usize = 32;
/// Side of a filter.
const FILTER: usize = 5;
/// Number of filters.
const FILTERS: usize = 64;
/// Filter positions per side.
const PLACES: usize = SIDE - FILTER + 1;
/// Cells per side.
const CELLS: usize = 4;
/// Seed of the filters.
const SEED: u64 = 0x5EED;

/// The filters, one per column: red, green and blue of each pixel.
static WEIGHTS: LazyLock<DMatrix<f64>> = LazyLock::new(|| {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut uniform = || f64::from((random.next_u64() >> 40) as u32) / f64::from(1_u32 << 24) - 0.5;
    // A sum of uniform numbers is close enough to a normal one.
    DMatrix::from_fn(FILTER * FILTER * 3, FILTERS, |_, _| {
        (0..4).map(|_| uniform()).sum::<f64>()
    })
});

/// Extracts 1,024 features: 64 filters in each of 16 cells.
pub fn features(view: &View) -> Vec<f32> {
    of_cells(view, CELLS)
}

/// Sums of the rectified responses in each of `side` x `side` cells, row by row.
pub fn of_cells(view: &View, side: usize) -> Vec<f32> {
    let responses = patches(&view.cells(SIDE)) * &*WEIGHTS;
    let mut cells = vec![0.0_f32; side * side * FILTERS];
    for (filter, column) in responses.column_iter().enumerate() {
        for (place, response) in column.iter().enumerate() {
            let cell = place / PLACES * side / PLACES * side + place % PLACES * side / PLACES;
            #[expect(clippy::cast_possible_truncation, reason = "features are f32")]
            let response = response.max(0.0) as f32;
            if let Some(sum) = cells.get_mut(cell * FILTERS + filter) {
                *sum += response;
            }
        }
    }
    cells
}

/// The patch under a filter at each position, one per row, with the view's mean colour subtracted.
fn patches(pixels: &[[f32; 3]]) -> DMatrix<f64> {
    let count = f32::from(u16::try_from(pixels.len()).unwrap_or(u16::MAX));
    let mean: [f32; 3] = std::array::from_fn(|channel| {
        pixels.iter().map(|pixel| pixel[channel]).sum::<f32>() / count
    });
    DMatrix::from_fn(PLACES * PLACES, FILTER * FILTER * 3, |place, weight| {
        let (channel, offset) = (weight % 3, weight / 3);
        let x = place % PLACES + offset % FILTER;
        let y = place / PLACES + offset / FILTER;
        let pixel = pixels[y * SIDE + x];
        f64::from(pixel[channel] - mean[channel])
    })
}
