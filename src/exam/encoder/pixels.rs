//! Downscaled pixels: mean red, green and blue of 16 x 16 cells.

use super::view::View;

/// Cells per side.
const CELLS: usize = 16;

/// Extracts 768 features: red, green and blue of each cell.
pub fn features(view: &View) -> Vec<f32> {
    view.cells(CELLS).into_iter().flatten().collect()
}
