//! Texture energy: magnitudes of Gabor filters at six scales and six orientations, averaged over
//! the view and over 4 x 4 cells (A. Jain and F. Farrokhnia, "Unsupervised texture segmentation
//! using Gabor filters", 1991).
//!
//! The filters are separable: each is a filter along rows and a filter along columns.

use std::f32::consts::PI;

use super::{SIDE, View};

/// Wavelengths in pixels of a pyramid level.
const WAVELENGTHS: [f32; 2] = [4.0, 5.657];
/// Levels of the pyramid, each half the size of the previous one.
const LEVELS: usize = 3;
/// Orientations between 0 and 180 degrees.
const DIRECTIONS: u8 = 6;
/// Number of filters: two wavelengths in six directions at each level.
pub const FILTERS: usize = WAVELENGTHS.len() * DIRECTIONS as usize * LEVELS;
/// Cells per side.
const CELLS: usize = 4;
/// Radius of a filter in pixels.
const RADIUS: usize = 6;

/// A one-dimensional filter: cosine and sine coefficients.
type Taps = [[f32; 2]; 2 * RADIUS + 1];

/// Returns for each of 36 filters its log mean and log spread over the view, and its log mean in 16
/// cells.
pub fn features(view: &View) -> Vec<f32> {
    energies(view)
        .iter()
        .flat_map(|(energy, side)| {
            let mean = energy.iter().sum::<f32>() / length(energy.len());
            let squares = energy.iter().map(|value| (value - mean).powi(2));
            let spread = (squares.sum::<f32>() / length(energy.len())).sqrt();
            let cells = means(energy, *side, CELLS);
            [mean, spread].into_iter().chain(cells).map(logarithm)
        })
        .collect()
}

/// Returns the log mean of each filter in each of `cells` x `cells` cells, row by row.
pub fn of_cells(view: &View, cells: usize) -> Vec<f32> {
    let means: Vec<Vec<f32>> = energies(view)
        .iter()
        .map(|(energy, side)| means(energy, *side, cells))
        .collect();
    let of_cell = |at: usize| means.iter().filter_map(move |means| means.get(at));
    (0..cells * cells)
        .flat_map(|at| of_cell(at).copied().map(logarithm).collect::<Vec<f32>>())
        .collect()
}

/// Returns the response magnitude of each filter at every pixel of its level, and the side of the
/// level.
fn energies(view: &View) -> Vec<(Vec<f32>, usize)> {
    let mut energies = Vec::new();
    let mut gray = view.gray();
    let mut side = SIDE;
    for _ in 0..LEVELS {
        let mean = gray.iter().sum::<f32>() / length(gray.len());
        let centred: Vec<f32> = gray.iter().map(|value| value - mean).collect();
        for wavelength in WAVELENGTHS {
            for direction in 0..DIRECTIONS {
                let angle = PI * f32::from(direction) / f32::from(DIRECTIONS);
                energies.push((energy(&centred, side, wavelength, angle), side));
            }
        }
        gray = halved(&gray, side);
        side /= 2;
    }
    energies
}

fn logarithm(value: f32) -> f32 {
    (value + 1e-3).ln()
}

fn length(count: usize) -> f32 {
    f32::from(u16::try_from(count).unwrap_or(u16::MAX))
}

/// Returns the response magnitude of a filter at every pixel.
fn energy(gray: &[f32], side: usize, wavelength: f32, angle: f32) -> Vec<f32> {
    let sigma = 0.5 * wavelength;
    let rows = taps(angle.cos() * 2.0 * PI / wavelength, sigma);
    let columns = taps(angle.sin() * 2.0 * PI / wavelength, sigma);
    let mut along = Vec::with_capacity(side * side);
    for row in gray.chunks_exact(side) {
        let row: Vec<f32> = (0..side + 2 * RADIUS)
            .map(|at| row[reflected(at, side)])
            .collect();
        along.extend(row.windows(rows.len()).map(|window| {
            window
                .iter()
                .zip(&rows)
                .fold([0.0; 2], |[real, imaginary], (value, [cosine, sine])| {
                    [real + value * cosine, imaginary + value * sine]
                })
        }));
    }
    let mut energy = Vec::with_capacity(side * side);
    let mut sums = vec![[0.0_f32; 2]; side];
    for y in 0..side {
        sums.fill([0.0; 2]);
        for (tap, [cosine, sine]) in columns.iter().enumerate() {
            let from = reflected(y + tap, side) * side;
            let row = &along[from..from + side];
            for (sum, [real, imaginary]) in sums.iter_mut().zip(row) {
                sum[0] += real * cosine - imaginary * sine;
                sum[1] += real * sine + imaginary * cosine;
            }
        }
        energy.extend(sums.iter().map(|[real, imaginary]| real.hypot(*imaginary)));
    }
    energy
}

fn taps(frequency: f32, sigma: f32) -> Taps {
    let mut taps = [[0.0; 2]; 2 * RADIUS + 1];
    let offset = length(RADIUS);
    let mut total = 0.0;
    for (at, tap) in taps.iter_mut().enumerate() {
        let x = length(at) - offset;
        let weight = (-x * x / (2.0 * sigma * sigma)).exp();
        total += weight;
        *tap = [
            weight * (frequency * x).cos(),
            weight * (frequency * x).sin(),
        ];
    }
    taps.map(|tap| tap.map(|part| part / total))
}

/// Mirrors a pixel index at the borders; `at` counts from [`RADIUS`] before the first pixel.
fn reflected(at: usize, side: usize) -> usize {
    let distance = at.abs_diff(RADIUS);
    distance.min((2 * side - 2).saturating_sub(distance))
}

/// Returns the picture at half size: means of 2 x 2 pixels.
fn halved(gray: &[f32], side: usize) -> Vec<f32> {
    let half = side / 2;
    let mut smaller = vec![0.0; half * half];
    for (at, value) in gray.iter().enumerate() {
        let (x, y) = (at % side / 2, at / side / 2);
        if let Some(sum) = smaller.get_mut(y * half + x) {
            *sum += value / 4.0;
        }
    }
    smaller
}

/// Returns the means of `cells` x `cells` cells, row by row.
fn means(energy: &[f32], side: usize, cells: usize) -> Vec<f32> {
    let width = side / cells;
    let mut means = vec![0.0; cells * cells];
    for (at, value) in energy.iter().enumerate() {
        if let Some(sum) = means.get_mut(at / side / width * cells + at % side / width) {
            *sum += value / length(width * width);
        }
    }
    means
}
