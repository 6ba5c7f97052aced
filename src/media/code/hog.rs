//! Histograms of oriented gradients (N. Dalal and B. Triggs, 2005): 8 x 8 cells of 9 unsigned
//! orientations, each normalised by the energy of the cells around it.

use std::f32::consts::PI;

use super::{SIDE, View};

/// Cells per side.
const CELLS: usize = 8;
/// Orientations between 0 and 180 degrees.
const DIRECTIONS: usize = 9;
/// Clipping value after normalisation, so that one strong edge does not dominate.
const MOST: f32 = 0.4;

/// Extracts 576 features: 9 orientations in each of 64 cells.
pub fn features(view: &View) -> Vec<f32> {
    let histograms = histograms(&view.gray());
    let energy: Vec<f32> = histograms
        .iter()
        .map(|bins| bins.iter().map(|bin| bin * bin).sum())
        .collect();
    let mut features = Vec::with_capacity(CELLS * CELLS * DIRECTIONS);
    for (cell, bins) in histograms.iter().enumerate() {
        let around = around(&energy, cell % CELLS, cell / CELLS);
        let scale = 1.0 / (around + 0.05).sqrt();
        features.extend(bins.iter().map(|bin| (bin * scale).min(MOST)));
    }
    features
}

/// Returns the sum over a cell and its neighbours.
fn around(energy: &[f32], x: usize, y: usize) -> f32 {
    let near = |at: usize| at.saturating_sub(1)..(at + 2).min(CELLS);
    near(y)
        .flat_map(|row| near(x).map(move |column| row * CELLS + column))
        .filter_map(|cell| energy.get(cell))
        .sum()
}

fn histograms(gray: &[f32]) -> Vec<[f32; DIRECTIONS]> {
    let size = SIDE / CELLS;
    let at = |x: usize, y: usize| gray[y * SIDE + x];
    let mut cells = vec![[0.0; DIRECTIONS]; CELLS * CELLS];
    for y in 0..SIDE {
        for x in 0..SIDE {
            let right = at((x + 1).min(SIDE - 1), y) - at(x.saturating_sub(1), y);
            let down = at(x, (y + 1).min(SIDE - 1)) - at(x, y.saturating_sub(1));
            let strength = right.hypot(down);
            if strength > 0.0
                && let Some(cell) = cells.get_mut(y / size * CELLS + x / size)
            {
                add(cell, down.atan2(right), strength);
            }
        }
    }
    cells
}

/// Splits a gradient's magnitude between its two nearest orientations.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a direction's number"
)]
fn add(cell: &mut [f32; DIRECTIONS], angle: f32, strength: f32) {
    let count = f32::from(u8::try_from(DIRECTIONS).unwrap_or(u8::MAX));
    let place = angle.rem_euclid(PI) / PI * count;
    let share = place.fract();
    let lower = place.floor() as usize % DIRECTIONS;
    for (direction, part) in [(lower, 1.0 - share), ((lower + 1) % DIRECTIONS, share)] {
        if let Some(bin) = cell.get_mut(direction) {
            *bin += strength * part;
        }
    }
}
